//! Real programs profiled by the hardware: the table that firmware read over the bus is the golden model's, and
//! every path in it is one of the program's.

use hpp_golden::registers::Counter;
use hpp_verif::soc::Profiled;

/// Runs a program with the profiler, checks all that holds for any program.
fn profile(program: &str) -> Profiled {
    let profiled = Profiled::run(program, |_| ()).expect("a profile whose every path walks");
    assert_eq!(profiled.printout, profiled.expected);
    let counter = |counter: Counter| profiled.printout.counters[counter as usize];
    assert_eq!(counter(Counter::LostRecords), 0);
    assert!(counter(Counter::Records) <= profiled.records);
    assert_eq!(
        counter(Counter::Paths),
        profiled.exact.values().sum::<u64>()
    );
    profiled
}

#[test]
fn coremark_has_the_models_profile() {
    let profiled = profile("coremark");
    assert!(profiled.run.uart.contains("Correct operation validated."));
    // CoreMark's working set fits the table: nothing hot is missing.
    assert!(profiled.overlap() > 0.9, "{}", profiled.overlap());
}

#[test]
fn dhrystone_has_the_models_profile() {
    profile("dhrystone");
}

#[test]
fn zlib_has_the_models_profile() {
    profile("zlib");
}
