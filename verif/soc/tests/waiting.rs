//! Programs at the pace of a real core: no record waits for a table that takes several cycles for a path.

use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::Counter;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::rate::{Core, replay};
use hpp_lockstep::{Bench, Harness, Protocol, VerilatedDevice};
use hpp_soc::{Profiled, ProfilerSources, Soc, firmware, record_timed};

/// A geometry by name, for a program with compressed instructions.
fn named(label: &str) -> Named {
    let mut named = Named::find(label).expect("a test geometry");
    named.geometry.align = 1;
    named
}

/// Dhrystone at PicoRV32's own pace: no record waits.
fn never_waits(named: &Named) -> Bench<VerilatedDevice> {
    let soc = Soc::build(None).expect("the system builds");
    let records = record_timed(&soc, "dhrystone", usize::MAX).expect("the program ends well");
    let harness = Harness::build(named).expect("it builds");
    let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
    let rate = replay(&mut bench, &records, Core::Recorded).expect("no difference");
    assert!(rate.records > 50_000, "{rate:?}");
    assert_eq!(rate.waiting, 0, "{rate:?}");
    bench
}

/// Nor is the profile that firmware reads another than the model's.
#[test]
fn picorv32_never_waits_for_the_small_table() {
    let named = named("sequential");
    never_waits(&named);
    let reset = ResetValues::default();
    let sources = ProfilerSources::variant(named.geometry, reset).expect("a profiler");
    let elf = firmware("dhrystone").expect("the program builds");
    let profiled = Profiled::run(hpp_fpga::core::Core::PicoRv32, &elf, &sources, |_| ())
        .expect("a profile that walks");
    assert_eq!(profiled.dump, profiled.expected);
    assert_eq!(profiled.dump.counters[Counter::LostRecords as usize], 0);
}

/// Records that come while a path is judged wait in the queue, so no core that runs a program is ever held.
#[test]
fn picorv32_never_waits_for_a_table_with_shadows() {
    let bench = never_waits(&named("shadow"));
    assert!(bench.total(Counter::Replacements) > 0, "paths were judged");
}
