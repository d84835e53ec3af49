//! Many short, disorderly runs of a profiler. Resets come at any moment, also right after power-up. Software writes any
//! value to any register by any byte lanes. The core changes one field of a waiting record.

use super::activity::{Kind, access, rows};
use super::bench::{Bench, Disagreement};
use super::pins::{Device, Request};
use super::stream::{Hazard, HazardStream, Mixture, Shape, Stream, StreamRng, rng};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::registers::{at, control};
use rand::{Rng, RngExt};

/// `lives` runs, each from one reset to the next.
pub fn run<D: Device>(bench: &mut Bench<D>, seed: u64, lives: u64) -> Result<(), Disagreement> {
    let mut rng = rng(seed);
    let mut mixture = Mixture::new(bench.geometry(), &mut rng);
    for _ in 0..lives {
        match rng.random() {
            true => live(bench, &mut mixture, &mut rng)?,
            false => {
                let hazard = Hazard::ALL[rng.random_range(0..Hazard::ALL.len())];
                let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
                live(bench, &mut stream, &mut rng)?;
            }
        }
    }
    bench.set_holds(true);
    bench.check_everything()
}

struct Temper {
    /// Records offered in an idle cycle, of 256.
    offers: u8,
    /// Cycles with an access, of 256.
    accesses: u8,
    /// Accesses of any register, of 256.
    anything: u8,
    /// Accesses that clear all errors, of 256.
    clears: u8,
    /// The core holds a record until it is accepted.
    holds: bool,
}

fn live<D: Device>(
    bench: &mut Bench<D>,
    stream: &mut dyn Stream,
    rng: &mut StreamRng,
) -> Result<(), Disagreement> {
    let temper = Temper {
        offers: [20, 120, 255, 255][rng.random_range(0..4)],
        accesses: [4, 20, 100, 250][rng.random_range(0..4)],
        anything: [0, 40, 255][rng.random_range(0..3)],
        clears: [0, 0, 60][rng.random_range(0..3)],
        holds: rng.random(),
    };
    if rng.random() {
        bench.be_rude(rng.next_u64());
    }
    bench.set_holds(temper.holds);
    // Most runs start with reset values and are enabled soon.
    let enabled_from = rng.random_range(0..60);
    let cycles = [40, 150, 700][rng.random_range(0..3)];
    let cycles = rng.random_range(1..cycles);
    let mut offered: Option<BranchRecord> = None;
    for cycle in 0..cycles {
        if cycle == enabled_from {
            bench.request(enable(bench, rng));
        }
        if bench.waiting() < 4 && rng.random_range(0..256) < i32::from(temper.accesses) {
            let request = request(bench, &temper, rng);
            bench.request(request);
        }
        if offered.is_none() && rng.random_range(0..256) < i32::from(temper.offers) {
            offered = Some(stream.record(rng));
        }
        let taken = bench.cycle(offered.as_ref())?;
        offered = match offered {
            Some(record) if taken && rng.random_range(0..4) == 0 => {
                Some(nearly(&record, bench, rng))
            }
            Some(record) if !taken && temper.holds => Some(record),
            Some(record) if !taken && rng.random() => Some(nearly(&record, bench, rng)),
            _ => None,
        };
    }
    bench.be_polite();
    if rng.random_range(0..3) == 0 {
        bench.check_everything()?;
    }
    let record = rng.random::<bool>().then(|| stream.record(rng));
    let space = bench.geometry().address_space();
    let stray = rng.random::<bool>().then(|| anything(space, rng));
    bench.reset_amid(rng.random_range(1..4), record, stray)
}

/// Enables the profiler; in some runs it sets the lock, if there is one.
fn enable<D: Device>(bench: &Bench<D>, rng: &mut StreamRng) -> Request {
    let lossy = control::LOSSY.put(rng.random_range(0..2));
    let locks = bench.geometry().context_bits > 0 && rng.random_range(0..3) == 0;
    let word = control::ENABLE.put(1) | lossy | control::LOCK.put(locks.into());
    Request::write(at::CONTROL, word)
}

fn request<D: Device>(bench: &Bench<D>, temper: &Temper, rng: &mut StreamRng) -> Request {
    if rng.random_range(0..256) < i32::from(temper.clears) {
        return Request::write(at::ERRORS, u32::MAX);
    }
    if rng.random_range(0..256) < i32::from(temper.anything) {
        return anything(bench.geometry().address_space(), rng);
    }
    let request = access(&Kind::ALL, bench.geometry(), rng);
    request.expect("some kind is chosen")
}

/// Registers in which every lane and every bit has an effect.
const TOUCHY: [u32; 8] = [
    at::CONTROL,
    at::COMMAND,
    at::PPCR_ROWS,
    at::PPCR_MODE,
    at::ERRORS,
    at::TABLE_INDEX,
    at::TABLE_DATA,
    at::CONTEXT,
];

/// An access of any register in an address space of `space` bytes, by any lanes. Most writes of the control register
/// enable the profiler and most rows are legal, because little would happen otherwise.
fn anything(space: u32, rng: &mut StreamRng) -> Request {
    let address = match rng.random_range(0..3) {
        0 => rng.random_range(0..space / 4),
        _ => TOUCHY[rng.random_range(0..TOUCHY.len())] / 4,
    };
    let select = match rng.random_range(0..4) {
        0 => 0xf,
        1 => 0,
        2 => 1 << rng.random_range(0..4),
        _ => rng.random_range(0..16),
    };
    let mut value = match rng.random_range(0..3) {
        0 => rng.random_range(0..16),
        1 => rng.next_u32() & rng.next_u32() & rng.next_u32(),
        _ => rng.next_u32(),
    };
    if address * 4 == at::CONTROL && rng.random_range(0..4) > 0 {
        value |= control::ENABLE.mask();
        value &= !control::FREEZE.mask();
        if rng.random_range(0..4) > 0 {
            value &= !control::LOCK.mask();
        }
    }
    if address * 4 == at::PPCR_ROWS && rng.random_range(0..4) > 0 {
        value = rows(rng).to_word();
        // Zero to three illegal rows.
        for _ in 0..rng.random_range(0..4) {
            value |= 3 << (4 * rng.random_range(0..8));
        }
    }
    Request {
        address,
        write: rng.random::<bool>().then_some(value),
        select,
    }
}

/// The same record with one field changed.
fn nearly<D: Device>(record: &BranchRecord, bench: &Bench<D>, rng: &mut StreamRng) -> BranchRecord {
    let geometry = bench.geometry();
    let shape = Shape::new(geometry);
    let mut record = *record;
    match rng.random_range(0..5) {
        0 => record.kind = BranchKind::from_code(rng.random_range(0..8)),
        1 => record.taken = !record.taken,
        2 => {
            let bit = rng.random_range(0..geometry.pc_bits - geometry.align);
            record.target ^= shape.address(1 << bit);
        }
        3 => record.events = shape.record(record.kind, true, 0, rng).events,
        _ => record.next = shape.address(rng.next_u64()),
    }
    record
}
