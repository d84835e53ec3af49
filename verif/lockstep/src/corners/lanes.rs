//! Writes every register with every combination of byte lanes, after reset, and reads everything back.

use crate::bench::{Bench, Disagreement};
use crate::pins::{Device, Request};
use hpp_golden::registers::{self, at, control};

const CHOICES: u8 = 16;

/// Writes every register with every combination of byte lanes. If the profiler has a lock, it repeats that while
/// locked.
pub fn run<D: Device>(bench: &mut Bench<D>) -> Result<(), Disagreement> {
    let locked: &[bool] = match bench.geometry().context_bits {
        0 => &[false],
        _ => &[false, true],
    };
    for &locked in locked {
        for address in 0..bench.geometry().address_space() / 4 {
            for select in 0..CHOICES {
                for value in values(address * 4) {
                    let request = Request {
                        address,
                        write: Some(value),
                        select,
                    };
                    one(bench, locked, request)?;
                }
            }
        }
    }
    Ok(())
}

/// The values that are written. Illegal rows come one at a time.
fn values(offset: u32) -> Vec<u32> {
    match offset {
        _ if offset == at::PPCR_ROWS => (0..8).map(|row| 3 << (4 * row)).collect(),
        _ if offset == at::TABLE_INDEX => vec![0x0101, 0x1_0003],
        _ => vec![u32::MAX],
    }
}

fn one<D: Device>(
    bench: &mut Bench<D>,
    locked: bool,
    request: Request,
) -> Result<(), Disagreement> {
    bench.reset(1)?;
    if locked {
        bench.write(at::CONTROL, control::LOCK.mask());
    }
    bench.request(request);
    bench.read(at::STATUS);
    for register in [registers::ERRORS, registers::CONTROL, registers::PPCR_ROWS] {
        bench.read(register.offset);
    }
    bench.read(request.address * 4);
    bench.read(at::TABLE_INDEX);
    bench.finish_bus()?;
    // Errors become visible within LAG cycles, and must be visible then.
    bench.idle(crate::LAG)?;
    bench.read(at::ERRORS);
    bench.finish_bus()
}
