//! Statistics counters that start near their end: low words that wrap, carries, counters that wrap as a whole, and the
//! command that clears them at every moment of the scan.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{self, Counter, command};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::stream::{Hazard, HazardStream, rng};
use hpp_lockstep::{Bench, Disagreement, Harness, Pace, Protocol, VerilatedDevice};

/// Cycles in which a scan, and the way of an event to its counter, begin and end.
const ALIGNMENTS: u64 = 48;

/// Profilers whose counters begin just below the end of a low word, and of the whole counter.
fn harnesses(name: &str, enable: bool) -> [Harness; 2] {
    let named = Named::find(name).expect("a test geometry");
    let last = Geometry::mask(named.geometry.counter_bits);
    [u64::from(u32::MAX) - 20, last - 20].map(|counters| {
        let reset = ResetValues {
            counters,
            enable,
            ..ResetValues::default()
        };
        Harness::of_reset(name, reset)
    })
}

fn read_counters(bench: &mut Bench<VerilatedDevice>) {
    for counter in Counter::ALL {
        bench.read(counter.offset());
        bench.read(counter.offset() + 4);
    }
}

/// Every counter passes its end while software reads both of its words.
#[test]
fn a_carry_reaches_the_high_word() -> Result<(), Disagreement> {
    for name in ["odd", "sequential-odd"] {
        for harness in harnesses(name, false) {
            for hazard in Hazard::ALL {
                let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
                let mut rng = rng(3);
                let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
                bench.enable()?;
                for _ in 0..4 {
                    read_counters(&mut bench);
                    bench.stream(30, &mut stream, Pace::Full, &mut rng)?;
                    bench.finish_bus()?;
                }
                bench.check_everything()?;
            }
        }
    }
    Ok(())
}

/// If a low word wrapped in the very cycle of the clear, the high word became 1.
#[test]
fn a_clear_forgets_the_carry_of_a_word_that_has_just_wrapped() -> Result<(), Disagreement> {
    for name in ["odd", "sequential-odd"] {
        let [harness, _] = harnesses(name, false);
        for alignment in 0..ALIGNMENTS {
            let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
            let mut rng = rng(3);
            let mut stream = HazardStream::new(Hazard::SamePath, bench.geometry(), &mut rng);
            bench.enable()?;
            bench.stream(alignment, &mut stream, Pace::Full, &mut rng)?;
            let clear = command::CLEAR_COUNTERS.mask();
            bench.write(registers::COMMAND.offset, clear);
            bench.stream(20, &mut stream, Pace::Full, &mut rng)?;
            read_counters(&mut bench);
            bench.finish_bus()?;
            bench.check_everything()?;
        }
    }
    Ok(())
}

/// The scan gives each word what it begins with in the first cycles after a reset: a clear in their midst leaves none of it.
#[test]
fn a_clear_right_after_a_reset_forgets_what_counters_begin_with() -> Result<(), Disagreement> {
    for name in ["odd", "sequential-odd"] {
        for harness in harnesses(name, true) {
            let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
            for alignment in 0..ALIGNMENTS {
                let mut rng = rng(alignment);
                let mut stream = HazardStream::new(Hazard::Uniform, bench.geometry(), &mut rng);
                bench.reset(1)?;
                bench.stream(alignment, &mut stream, Pace::Full, &mut rng)?;
                bench.write(registers::COMMAND.offset, command::CLEAR_COUNTERS.mask());
                bench.stream(12, &mut stream, Pace::Full, &mut rng)?;
                read_counters(&mut bench);
                bench.stream_until_idle(&mut stream, Pace::Full, &mut rng)?;
                bench.check_everything()?;
            }
        }
    }
    Ok(())
}
