//! Mistakes in the emitted Verilog that were written down: the stimulus that must find each does, and finds nothing without one.

use hpp_lockstep::corners;
use hpp_lockstep::mistakes::{PROFILERS, Profiler, build, mistaken};
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    what: String,
    profiler: String,
    module: String,
    from: String,
    to: String,
    stimulus: String,
}

#[derive(Deserialize)]
struct Mistakes {
    mistake: Vec<Mistake>,
}

fn check(profiler: &str, mistakes: &[&Mistake]) {
    let profiler = Profiler::find(profiler).unwrap_or_else(|error| panic!("{error:#}"));
    let texts = mistakes
        .iter()
        .map(|mistake| (&*mistake.module, &*mistake.from, &*mistake.to));
    let text = mistaken(&profiler.verilog, texts).unwrap_or_else(|error| panic!("{error:#}"));
    let design = build(&text).unwrap_or_else(|error| panic!("{error:#}"));
    let stimuli = corners::all();
    let finds = |name: &str, number| {
        let stimulus = stimuli.iter().find(|stimulus| stimulus.name == name);
        let stimulus = stimulus.unwrap_or_else(|| panic!("no stimulus `{name}`"));
        profiler.finds(&design, number, stimulus).expect("a bench")
    };
    for name in mistakes
        .iter()
        .map(|mistake| &*mistake.stimulus)
        .collect::<BTreeSet<_>>()
    {
        assert_eq!(finds(name, 0), None, "{name}, without a mistake");
    }
    let missed: Vec<_> = mistakes
        .iter()
        .zip(1..)
        .filter(|(mistake, number)| finds(&mistake.stimulus, *number).is_none())
        .map(|(mistake, _)| format!("{} does not find: {}", mistake.stimulus, mistake.what))
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn each_mistake_that_is_written_down_is_found() {
    let Mistakes { mistake: all } =
        toml::from_str(include_str!("../mistakes.toml")).expect("as this test reads it");
    let mut left = all.len();
    for profiler in PROFILERS {
        let of_profiler = all.iter().filter(|mistake| mistake.profiler == profiler);
        let mistakes: Vec<_> = of_profiler.collect();
        left -= mistakes.len();
        check(profiler, &mistakes);
    }
    assert_eq!(left, 0, "mistakes of a profiler that there is not");
}

#[test]
fn every_corner_agrees_with_the_model() {
    // Most corners drive records themselves, which a core before an RVFI does not let them.
    for name in PROFILERS.into_iter().filter(|name| *name != "rvfi") {
        let profiler = Profiler::find(name).unwrap_or_else(|error| panic!("{error:#}"));
        let text = mistaken(&profiler.verilog, []).expect("a top module");
        let design = build(&text).unwrap_or_else(|error| panic!("{error:#}"));
        for stimulus in corners::all() {
            let found = profiler.finds(&design, 0, &stimulus).expect("a bench");
            assert_eq!(found, None, "{} of `{name}`", stimulus.name);
        }
    }
}
