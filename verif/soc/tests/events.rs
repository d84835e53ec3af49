//! Paths by time and by events of the system, counted by the hardware as by the model.

use hpp_fpga::core::Core;
use hpp_soc::{EXECUTIONS, Profiled, ProfilerSources, ProgramSource};

/// A program whose paths count that, on the system with this core.
fn profile(core: Core, counted: &str) -> Profiled {
    let elf = ProgramSource::Named("zlib".into()).elf_counting(core, counted);
    let elf = elf.expect("the program builds");
    let sources = ProfilerSources::for_core(core).expect("a profiler");
    let profiled = Profiled::run(core, &elf, &sources, |_| ())
        .unwrap_or_else(|error| panic!("{}, {counted}: {error:#}", core.about().name));
    assert_eq!(profiled.dump, profiled.expected, "{counted}");
    assert_eq!(profiled.dump.errors, 0, "{counted}");
    let said = &profiled.report.counted.metric;
    assert_eq!(*said, counted.replace('-', " "));
    profiled
}

/// Every path takes a cycle at least each time, all paths together no more than the run; what misses in a cache is not what
/// runs most often.
#[test]
fn paths_have_their_time_and_their_misses() {
    let core = Core::VexRiscvCaches;
    let [executions, cycles, misses] =
        [EXECUTIONS, "cycles", "dcache-refill"].map(|counted| profile(core, counted));
    assert_eq!(executions.exact.len(), cycles.exact.len());
    for (path, count) in &executions.exact {
        assert!(cycles.exact[path] >= *count, "{path}");
    }
    let total: u64 = cycles.exact.values().sum();
    assert!(total < cycles.run.cycles, "{total}");
    assert!(total > cycles.run.cycles / 2, "{total}");
    assert!(misses.exact.len() < executions.exact.len());
    assert!(
        misses
            .exact
            .keys()
            .all(|path| executions.exact.contains_key(path))
    );
    let hottest = [&executions, &misses].map(|profiled| profiled.report.paths[0].descriptor);
    assert_ne!(hottest[0], hottest[1]);
}

#[test]
fn a_system_with_one_input_counts_it_too() {
    let accesses = profile(Core::PicoRv32, "memory-access");
    assert!(accesses.exact.values().sum::<u64>() > 100_000);
}

#[test]
fn events_that_a_system_does_not_have_are_refused_with_those_it_has() {
    let error = ProgramSource::Named("zlib".into()).elf_counting(Core::PicoRv32, "dcache-refill");
    assert_eq!(
        error.expect_err("no caches").to_string(),
        "the system with PicoRV32 counts no `dcache-refill`: there are executions, cycles, instructions, memory-access"
    );
}
