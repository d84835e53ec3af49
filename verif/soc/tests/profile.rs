//! Real programs profiled by the hardware: the table that firmware read over the bus is the golden model's, and
//! every path in it is one of the program's.

use hpp_fpga::core::Core;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Extension, Metric, ResetValues};
use hpp_golden::registers::Counter;
use hpp_soc::{Profiled, ProfilerSources, firmware};

/// Runs a program with a profiler, checks all that holds for any of both.
fn run(program: &str, sources: &ProfilerSources) -> Profiled {
    let elf = firmware(program).expect("the program builds");
    let profiled = Profiled::run(Core::PicoRv32, &elf, sources, |_| ())
        .expect("a profile whose every path walks");
    assert_eq!(profiled.dump, profiled.expected);
    assert_eq!(counter(&profiled, Counter::LostRecords), 0);
    assert!(counter(&profiled, Counter::Records) <= profiled.records);
    profiled
}

fn counter(profiled: &Profiled, counter: Counter) -> u64 {
    profiled.dump.counters[counter as usize]
}

/// Runs a program with the system's own profiler.
fn profile(program: &str) -> Profiled {
    let profiled = run(program, &ProfilerSources::generate().expect("a profiler"));
    let executions = profiled.exact.values().sum::<u64>();
    assert_eq!(counter(&profiled, Counter::Paths), executions);
    profiled
}

#[test]
fn coremark_has_the_models_profile() {
    let profiled = profile("coremark");
    assert!(profiled.run.uart.contains("Correct operation validated."));
    // CoreMark's working set fits the table: nothing hot is missing.
    assert!(profiled.overlap() > 0.9, "{}", profiled.overlap());
}

verilated::tests! {
    dhrystone_has_the_models_profile: profile("dhrystone");
    zlib_has_the_models_profile: profile("zlib");
}

/// A table too small for the program replaces all the time, a small stack overflows, short paths split; counts are
/// instructions, and paths reach across loops.
#[test]
fn a_profiler_under_pressure_has_the_models_profile_too() {
    let geometry = Geometry {
        sets: 8,
        ways: 3,
        max_branches: 5,
        stack_depth: 2,
        accumulator_bits: 16,
        align: 1,
        ..Geometry::default()
    };
    let reset = ResetValues {
        metric: Metric::Events,
        extension: Extension::Loop,
        max_extension: 2,
        ..ResetValues::default()
    };
    let sources = ProfilerSources::variant(geometry, reset).expect("a profiler");
    let profiled = run("dhrystone", &sources);
    for pressed in [
        Counter::Replacements,
        Counter::Splits,
        Counter::Overflows,
        Counter::Underflows,
    ] {
        assert!(counter(&profiled, pressed) > 100, "{pressed:?}");
    }
    assert!(profiled.overlap() < 0.9, "{}", profiled.overlap());
}
