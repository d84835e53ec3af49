//! Probes put into assembly count what the core executes, by every method, path for path.

use hpp_fpga::core::Core;
use hpp_paths::graph::DagPath;
use hpp_paths::runtime::Storage;
use hpp_research::exact::Profile;
use hpp_research::method::{Frequencies, Method, Placement};
use hpp_research::{Measured, Sources, measure};
use hpp_soc::Soc;

/// Builds Dhrystone with a plan for each of its functions, and runs it. The counters are compared as it is measured.
fn run(soc: &Soc, sources: &Sources, key: &str, method: Method, before: &[Profile]) -> Measured {
    let half = |profile: &Profile| {
        let mut hot: Vec<DagPath> = profile.paths.keys().cloned().collect();
        hot.sort();
        // Others are distinguished, too.
        hot.truncate(hot.len().div_ceil(2));
        hot
    };
    let hot: Vec<_> = before.iter().map(half).collect();
    let plans = sources.listing.plan(method, before, &hot);
    let (plans, memory) = plans.expect("numbers that fit");
    let program = sources.assemble(key, &plans, &memory).expect("a program");
    measure(soc, sources, &program, &plans).expect("counters that are right")
}

#[test]
fn counters_of_every_method_are_what_picorv32_executed() {
    counters_of_every_method_are_what_was_executed(Core::PicoRv32);
}

#[test]
fn counters_of_every_method_are_what_vexriscv_executed() {
    counters_of_every_method_are_what_was_executed(Core::VexRiscv);
}

fn counters_of_every_method_are_what_was_executed(core: Core) {
    let soc = Soc::with_core(core, None).expect("a system");
    let sources = Sources::compile("dhrystone", core, true).expect("assembly");
    let bare = run(&soc, &sources, "test-none", Method::Nothing, &[]);
    assert_eq!(bare.counted, (0, 0));
    let ball_larus = |placement, threshold| Method::BallLarus(placement, threshold);
    let methods = [
        Method::Blocks,
        Method::Edges(Frequencies::Guessed),
        Method::Edges(Frequencies::Measured),
        ball_larus(Placement::Naive, Storage::THRESHOLD),
        ball_larus(Placement::Optimised, Storage::THRESHOLD),
        ball_larus(Placement::Naive, 0),
        ball_larus(Placement::Optimised, 0),
        Method::Preferential,
        Method::Selective,
    ];
    for (number, method) in methods.into_iter().enumerate() {
        let key = format!("test-{number}");
        let measured = run(&soc, &sources, &key, method, &bare.profiles);
        assert_eq!(
            measured.profiles, bare.profiles,
            "{method} changes what runs"
        );
        assert!(measured.counted.1 > 0, "{method} counts nothing");
        assert!(measured.cycles > bare.cycles, "{method} is free of charge");
    }
}
