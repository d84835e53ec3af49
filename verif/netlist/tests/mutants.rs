//! Mistakes in the emitted Verilog that were written down: the scenario that must notice each does.

use hpp_netlist::mutants::list::{self, Directed};
use hpp_netlist::mutants::{SUBJECTS, Scenario, Schema, Subject};
use std::collections::BTreeSet;

fn scenario(name: &str) -> Scenario {
    Scenario::find(name).unwrap_or_else(|| panic!("no scenario `{name}`"))
}

/// Each mutant of a subject is noticed, and nothing is without one.
fn check(subject: &str, mistakes: &[Directed]) {
    let subject = Subject::find(subject).unwrap_or_else(|error| panic!("{error:#}"));
    let texts = mistakes.iter().map(|mistake| {
        let Directed {
            module, from, to, ..
        } = mistake;
        (module.as_str(), from.as_str(), to.as_str())
    });
    let schema = Schema::directed(&subject.verilog, texts);
    let schema = schema.unwrap_or_else(|error| panic!("{error:#}"));
    let built = subject
        .build(schema)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let killers: BTreeSet<_> = mistakes.iter().map(|mistake| &mistake.killer).collect();
    for killer in killers {
        let found = scenario(killer).notices(&built, 0).expect("a bench");
        assert_eq!(found, None, "{killer}, without a mistake");
    }
    let lives = |(mistake, number): (&Directed, u32)| {
        let found = scenario(&mistake.killer).notices(&built, number);
        let what = || format!("{} does not notice: {}", mistake.killer, mistake.what);
        found.expect("a bench").is_none().then(what)
    };
    let alive: Vec<_> = mistakes.iter().zip(1..).filter_map(lives).collect();
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}

#[test]
fn each_mistake_that_is_written_down_is_noticed() {
    let all = list::directed().unwrap_or_else(|error| panic!("{error:#}"));
    for subject in SUBJECTS {
        let of_subject = |mistake: &&Directed| mistake.subject == subject;
        let mistakes: Vec<_> = all.iter().filter(of_subject).cloned().collect();
        assert!(!mistakes.is_empty(), "none of `{subject}`");
        check(subject, &mistakes);
    }
    let known = |mistake: &Directed| SUBJECTS.contains(&mistake.subject.as_str());
    assert!(all.iter().all(known), "a subject that there is not");
}

#[test]
fn every_excuse_is_for_a_mistake_that_is_made() {
    let mut made = BTreeSet::new();
    for name in SUBJECTS {
        let subject = Subject::find(name).unwrap_or_else(|error| panic!("{error:#}"));
        let schema = Schema::of(&subject.verilog).unwrap_or_else(|error| panic!("{error:#}"));
        let own = subject.own(&schema).expect("subjects before it");
        let keys = list::keys(name, &schema.mutants);
        made.extend(own.iter().map(|&number| keys[number as usize - 1].clone()));
    }
    let excuses = list::excused().unwrap_or_else(|error| panic!("{error:#}"));
    let excused = excuses.iter().flat_map(|excuse| &excuse.mutants);
    let stale: Vec<_> = excused.filter(|key| !made.contains(*key)).collect();
    assert!(stale.is_empty(), "no such mutants: {stale:#?}");
    let mut seen = BTreeSet::new();
    let twice = excuses.iter().flat_map(|excuse| &excuse.mutants);
    let twice: Vec<_> = twice.filter(|key| !seen.insert(*key)).collect();
    assert!(twice.is_empty(), "excused twice: {twice:#?}");
}
