//! What a table with shadows does and costs: its rare steps, and the bounds that `docs/timing.md` states, on the emitted Verilog in
//! lockstep with the model.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::table::shadow::FIRST_SCALE;
use hpp_golden::profiler::{Admission, HotPathTable, PathStack, Ppcr};
use hpp_golden::registers;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::stream::{Loops, Stream, rng};
use hpp_lockstep::{Bench, Disagreement, Harness, Pace, Protocol, VerilatedDevice};
use std::sync::LazyLock;

static RIG: LazyLock<Harness> = LazyLock::new(|| Harness::build(&named()).expect("it builds"));

fn named() -> Named {
    Named::find("shadow").expect("a test geometry")
}

fn bench() -> Bench<VerilatedDevice> {
    RIG.bench(Protocol::Pipelined).expect("it resets")
}

/// What a table does with the paths of so many records, counted: strangers, shadows that grew, rows taken, occupants moved.
fn admissions(geometry: &Geometry, loops: &mut Loops, records: u64) -> ([u64; 4], u32) {
    let mut rng = rng(3);
    let mut stack = PathStack::new(geometry, Ppcr::ball_larus());
    let mut table = HotPathTable::new(geometry);
    let mut counts = [0; 4];
    for _ in 0..records {
        if let Some(path) = stack.step(&loops.record(&mut rng)) {
            match table.admit(&path).1 {
                Admission::None | Admission::Inserted(_) => {}
                Admission::Strange => counts[0] += 1,
                Admission::Grew => counts[1] += 1,
                Admission::Promoted { moved: None, .. } => counts[2] += 1,
                Admission::Promoted { moved: Some(_), .. } => counts[3] += 1,
            }
        }
    }
    let shadow = table.shadow().expect("the geometry asks for it");
    (counts, shadow.scale())
}

const RECORDS: u64 = 120_000;

#[test]
fn the_streams_reach_every_step_of_a_judgement() {
    let (mut all, mut scale) = ([0; 4], 0);
    for mut loops in Loops::ALL {
        let (counts, k) = admissions(&named().geometry, &mut loops, RECORDS);
        all = [0, 1, 2, 3].map(|step| all[step] + counts[step]);
        scale = scale.max(k);
    }
    assert!(all.iter().all(|&count| count > 20), "{all:?}");
    assert!(scale > FIRST_SCALE, "k is {scale}");
}

#[test]
fn every_step_of_a_judgement_is_the_models() -> Result<(), Disagreement> {
    for pace in [Pace::Full, Pace::Random(40)] {
        for mut loops in Loops::ALL {
            let mut bench = bench();
            let mut rng = rng(3);
            bench.enable()?;
            for _ in 0..12 {
                bench.stream(RECORDS / 12, &mut loops, pace, &mut rng)?;
                bench.read(registers::SHADOW.offset);
                bench.read_entry();
            }
            bench.check_everything()?;
        }
    }
    Ok(())
}
