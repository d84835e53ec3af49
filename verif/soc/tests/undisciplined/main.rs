//! A program that leaves procedures otherwise than by their return, on PicoRV32: `longjmp` out of recursions, and two threads.
//!
//! A path that mixes the branches of two activations mostly does not walk through the program's code. With a checked stack all do.

use hpp_fpga::core::Core;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::Counter;
use hpp_soc::{Profiled, ProfilerSources, ProgramSource};
use verilated::tools::project_root;

fn profile(stack_check: bool) -> anyhow::Result<Profiled> {
    let folder = project_root().join("verif/soc/tests/undisciplined/program");
    let elf = ProgramSource::Sources(folder).elf(Core::PicoRv32)?;
    let geometry = Geometry {
        align: 1,
        stack_check,
        ..Geometry::default()
    };
    let sources = ProfilerSources::variant(geometry, ResetValues::default())?;
    Profiled::run(Core::PicoRv32, &elf, &sources, |_| ())
}

#[test]
fn a_checked_stack_leaves_no_path_that_does_not_walk() {
    let profiled = profile(true).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(profiled.dump, profiled.expected);
    assert!(
        profiled.dump.repairs > 20,
        "{} repairs",
        profiled.dump.repairs
    );
    assert_eq!(profiled.dump.counters[Counter::LostRecords as usize], 0);
    assert_eq!(profiled.dump.errors, 0);
    let hot = |name: &str| {
        let mut paths = profiled.report.paths.iter();
        paths.any(|path| path.place.function.as_deref() == Some(name))
    };
    assert!(hot("down") && hot("guarded") && hot("body"));
}

#[test]
fn without_the_check_paths_show_that_no_code_has() {
    let Err(error) = profile(false) else {
        panic!("every path walks: the program does not break what it should");
    };
    let text = format!("{error:#}");
    assert!(text.starts_with("path 0x"), "{text}");
}
