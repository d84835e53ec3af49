//! Returns on their way to a checked stack while what they do changes, and frames that only a return enters.

use super::Outcome;
use crate::stream::{Shape, Stream, StreamRng, rng};
use crate::{Bench, Device, Pace};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Extension, Operation, Row, Rows};
use hpp_golden::registers::{at, context, ppcr_mode};
use rand::{Rng, RngExt};

/// Records between two writes of software, at most.
const SPACING: u64 = 6;

/// Lives in which half the records are returns, which push, pop, or both; software changes what paths extend across, and whose are shown, so often that
/// it does between the two cycles of a return.
pub(super) fn switches(bench: &mut Bench<impl Device>, lives: u64) -> Outcome {
    let mut rng = rng(46);
    let legal: Vec<Row> = Row::all().collect();
    for _ in 0..lives {
        bench.reset(1)?;
        let mut rows = Rows::BALL_LARUS;
        for kind in [BranchKind::Return, BranchKind::TrapReturn] {
            rows[kind] = legal[rng.random_range(0..legal.len())];
        }
        bench.write(at::PPCR_ROWS, rows.to_word());
        bench.enable()?;
        let mut stream = Returns::new(bench.geometry());
        for _ in 0..200 {
            let (register, value) = any_setting(bench.geometry(), &mut rng);
            bench.write(register, value);
            let records = rng.random_range(1..=SPACING);
            bench.stream(records, &mut stream, Pace::Random(200), &mut rng)?;
        }
        bench.check_everything()?;
    }
    Ok(())
}

/// What paths extend across, or a filter of contexts that lets half of the paths through.
fn any_setting(geometry: &Geometry, rng: &mut StreamRng) -> (u32, u32) {
    if rng.random() {
        let bit = 1 << rng.random_range(0..geometry.context_bits.max(1));
        let value = context::MASK.put(bit) | context::VALUE.put(rng.next_u32());
        return (at::CONTEXT, value);
    }
    let extension =
        [Extension::None, Extension::Loop, Extension::Procedure][rng.random_range(0..3)];
    let limit = Geometry::mask(geometry.extension_bits) as u32;
    let value = ppcr_mode::EXTENSION.put(extension as u32) | ppcr_mode::MAX_EXTENSION.put(limit);
    (at::PPCR_MODE, value)
}

/// Calls, returns and loops, in any context.
struct Returns {
    shape: Shape,
    geometry: Geometry,
}

impl Returns {
    fn new(geometry: &Geometry) -> Self {
        Self {
            shape: Shape::new(geometry),
            geometry: *geometry,
        }
    }

    /// An address, one of few, in any context.
    fn place(&self, rng: &mut StreamRng) -> u64 {
        let address = self.shape.address(rng.random_range(0..8));
        self.geometry.in_context(address, rng.random())
    }

    fn record_of(&self, kind: BranchKind, target: u64, rng: &mut StreamRng) -> BranchRecord {
        let next = self.shape.address(rng.random_range(0..8));
        BranchRecord {
            next,
            ..self.shape.record(kind, true, target, rng)
        }
    }
}

impl Stream for Returns {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        let kind = match rng.random_range(0..8) {
            0 | 1 => BranchKind::Call,
            2 => BranchKind::Trap,
            3 => BranchKind::Backward,
            4 => BranchKind::TrapReturn,
            _ => BranchKind::Return,
        };
        let target = self.place(rng);
        self.record_of(kind, target, rng)
    }
}

/// Frames that a return pushes, in another context than the one it leads to, and another return leaves where it was pushed.
pub(super) fn frames(bench: &mut Bench<impl Device>, times: u64) -> Outcome {
    let mut rng = rng(47);
    let row = |operations: &[Operation]| {
        let mut rows = Rows::BALL_LARUS;
        rows[BranchKind::Return] = super::modes::row(operations);
        rows.to_word()
    };
    bench.reset(1)?;
    bench.enable()?;
    let stream = Returns::new(bench.geometry());
    for _ in 0..times {
        let (from, to) = (stream.place(&mut rng), stream.place(&mut rng));
        let enters = stream.record_of(BranchKind::Return, to, &mut rng);
        let (_, context) = bench.geometry().address_and_context(from);
        let back = bench.geometry().in_context(enters.next, context);
        let before = stream.record_of(BranchKind::Forward, from, &mut rng);
        let leaves = stream.record_of(BranchKind::Return, back, &mut rng);
        let after = stream.record_of(BranchKind::Backward, to, &mut rng);
        for (operations, records) in [
            (&[Operation::Push][..], [before, enters]),
            (&[Operation::Update, Operation::Pop][..], [leaves, after]),
        ] {
            bench.write(at::PPCR_ROWS, row(operations));
            bench.settle()?;
            for record in records {
                while !bench.cycle(Some(&record))? {}
            }
            bench.settle()?;
        }
    }
    bench.check_everything()
}
