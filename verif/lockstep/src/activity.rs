//! Software activity while records stream: random register accesses.

use super::bench::{Bench, Disagreement, Pace};
use super::pins::{Device, Request};
use super::stream::{Stream, StreamRng};
use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Extension, Row, Rows};
use hpp_golden::registers::{
    self, at, command, context, control, drain_command, drain_control, ppcr_mode, trigger_control,
};
use rand::{Rng, RngExt};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Reads of any register and of table entries.
    Reads,
    /// Table clear, purge, and clears of the counters and errors.
    Commands,
    /// Enable, freeze and lossy mode.
    Controls,
    /// Rows and modes of the PPCR, including illegal rows.
    Ppcr,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Reads, Self::Commands, Self::Controls, Self::Ppcr];
}

/// A random access of one of these kinds; `None` if there are none.
pub fn access(kinds: &[Kind], geometry: &Geometry, rng: &mut StreamRng) -> Option<Request> {
    if kinds.is_empty() {
        return None;
    }
    let request = match kinds[rng.random_range(0..kinds.len())] {
        Kind::Reads => read(geometry, rng),
        Kind::Commands => command_write(geometry, rng),
        Kind::Controls => control_write(geometry, rng),
        Kind::Ppcr => ppcr_write(geometry, rng),
    };
    let select = match rng.random_range(0..8) {
        0 => rng.random_range(0..16),
        _ => request.select,
    };
    Some(Request { select, ..request })
}

/// Streams records while software makes an access about every `spacing` cycles, until every access is answered.
pub fn stream_with_activity<D: Device>(
    bench: &mut Bench<D>,
    (count, spacing): (u64, u64),
    (stream, pace): (&mut dyn Stream, Pace),
    kinds: &[Kind],
    rng: &mut StreamRng,
) -> Result<(), Disagreement> {
    let mut left = count;
    while left > 0 {
        let run = rng.random_range(1..=2 * spacing).min(left);
        bench.stream(run, stream, pace, rng)?;
        left -= run;
        let geometry = *bench.geometry();
        for _ in 0..rng.random_range(1..4) {
            if let Some(request) = access(kinds, &geometry, rng) {
                bench.request(request);
            }
        }
        if geometry.triggers && kinds.contains(&Kind::Controls) {
            trigger_writes(bench, rng);
        }
    }
    bench.stream_until_idle(stream, pace, rng)
}

/// Addresses of starts and stops, at which paths begin. The start event is always enabled, so most records are
/// profiled.
fn trigger_writes<D: Device>(bench: &mut Bench<D>, rng: &mut StreamRng) {
    let entries = bench.reference().table().entries();
    let starts: Vec<u64> = entries.map(|(_, entry)| entry.descriptor.start).collect();
    let mut address = || match starts.len() {
        0 => rng.next_u64(),
        some => starts[rng.random_range(0..some)],
    };
    let [start, stop] = [address(), address()];
    let modes = rng.next_u32() | trigger_control::START_EVENT.mask();
    let (paths, lanes) = (rng.random_range(0..32), rng.random_range(0..16));
    let writes = [
        (registers::TRIGGER_START_LO, start as u32, 0xf),
        (registers::TRIGGER_START_HI, (start >> 32) as u32, 0xf),
        (registers::TRIGGER_STOP_LO, stop as u32, 0xf),
        (registers::TRIGGER_STOP_HI, (stop >> 32) as u32, 0xf),
        (registers::TRIGGER_CONTROL, modes, 0xf),
        (registers::TRIGGER_STATUS, rng.next_u32(), 0xf),
        (registers::TRIGGER_PATHS, paths, lanes),
        (registers::TRIGGER_STOP_LO, rng.next_u32(), lanes),
    ];
    for (register, value, select) in writes {
        if rng.random_range(0..4) > 0 {
            bench.request(Request {
                select,
                ..Request::write(register.offset, value)
            });
        }
    }
}

/// A read of any word or of the table, sometimes after a new index.
fn read(geometry: &Geometry, rng: &mut StreamRng) -> Request {
    match rng.random_range(0..8) {
        0 => Request::write(at::TABLE_INDEX, rng.random_range(0..geometry.entries())),
        1..5 => Request::read(at::TABLE_DATA),
        _ => Request::read(4 * rng.random_range(0..geometry.address_space() / 4)),
    }
}

fn command_write(geometry: &Geometry, rng: &mut StreamRng) -> Request {
    if geometry.has_drain() && rng.random_range(0..4) > 0 {
        let all = rng.random_range(0..16) == 0;
        let value = drain_command::TAKE.mask() | drain_command::CLEAR.put(all.into());
        return Request::write(at::DRAIN_COMMAND, value);
    }
    match rng.random_range(0..4) {
        0 => Request::write(at::COMMAND, command::CLEAR.mask()),
        1 => Request::write(at::COMMAND, command::CLEAR_COUNTERS.mask()),
        2 => Request::write(at::ERRORS, rng.next_u32()),
        _ => Request::write(at::COMMAND, command::PURGE.mask()),
    }
}

/// Mostly enabled, seldom frozen, and rarely locked. A lock lasts until reset.
fn control_write(geometry: &Geometry, rng: &mut StreamRng) -> Request {
    if geometry.has_drain() && rng.random() {
        let watermark = rng.random_range(0..=geometry.drain_depth);
        let value = drain_control::HOLD.put(rng.random_range(0..2))
            | drain_control::STREAM.put(rng.random_range(0..2))
            | drain_control::WATERMARK.put(watermark);
        return Request::write(at::DRAIN_CONTROL, value);
    }
    let locks = geometry.context_bits > 0 && rng.random_range(0..64) == 0;
    let value = control::ENABLE.put(rng.random_range(0..8).min(1))
        | control::FREEZE.put(u32::from(rng.random_range(0..3) == 0))
        | control::LOSSY.put(rng.random_range(0..2))
        | control::LOCK.put(locks.into());
    Request::write(at::CONTROL, value)
}

fn ppcr_write(geometry: &Geometry, rng: &mut StreamRng) -> Request {
    let registers = [at::PPCR_ROWS, at::PPCR_MODE, at::CONTEXT];
    let partial = Request {
        select: rng.random_range(0..16),
        ..Request::write(registers[rng.random_range(0..3)], rng.next_u32())
    };
    if geometry.context_bits > 0 && rng.random_range(0..4) == 0 {
        return Request::write(at::CONTEXT, context(rng));
    }
    match rng.random_range(0..8) {
        0 => Request::write(at::PPCR_ROWS, Rows::BALL_LARUS.to_word()),
        1 => Request::write(at::PPCR_ROWS, Rows::WHOLE_PROGRAM_PATH.to_word()),
        2 => Request::write(at::PPCR_ROWS, rows(rng).to_word()),
        3 => partial,
        4 => Request::write(at::PPCR_MODE, rng.next_u32()),
        _ => Request::write(at::PPCR_MODE, mode(geometry, rng)),
    }
}

pub fn rows(rng: &mut StreamRng) -> Rows {
    let legal: Vec<Row> = Row::all().collect();
    let mut rows = Rows::BALL_LARUS;
    for kind in BranchKind::ALL {
        rows[kind] = legal[rng.random_range(0..legal.len())];
    }
    rows
}

/// A context filter with few mask bits, which passes some paths.
fn context(rng: &mut StreamRng) -> u32 {
    let mask = rng.next_u32() & rng.next_u32() & rng.next_u32();
    context::MASK.put(mask) | context::VALUE.put(rng.next_u32())
}

/// Any modes, with a maximum extension that the counter can hold.
pub fn mode(geometry: &Geometry, rng: &mut StreamRng) -> u32 {
    let limit = Geometry::mask(geometry.extension_bits) as u32;
    let extension =
        [Extension::None, Extension::Loop, Extension::Procedure][rng.random_range(0..3)];
    ppcr_mode::METRIC.put(rng.random_range(0..2))
        | ppcr_mode::BACKWARD_NOT_TAKEN.put(rng.random_range(0..2))
        | ppcr_mode::EXTENSION.put(extension as u32)
        | ppcr_mode::EVENT_SELECT.put(rng.random_range(0..16))
        | ppcr_mode::MAX_EXTENSION.put(rng.random_range(0..=limit))
}
