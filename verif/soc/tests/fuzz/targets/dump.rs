//! Dumps of versions 1 and 2, and merged profiles.

use super::{Target, texts};
use hpp_golden::dump::Dump;
use hpp_report::{Counted, Health, Profile, Report, text};

const DUMP: &str = include_str!("../../../../../cli/hpp/tests/profiles/fixture/words.txt");
const VERSION_1: &str = "HPP profile begins\ngeometry 20200407 808031f 4144020\nppcr 6aa6add1 10\nerrors 0\n\
                         counters 7 0 1 0 1 0 0 0 0 0 0 0 0 0 0 0\nentry 4 ac 1 1 a\nHPP profile ends 1 fa35fcc3\n";

pub const LOG: Target = Target {
    name: "dump",
    run: log,
    seeds: || texts(&[DUMP, VERSION_1, &[VERSION_1, DUMP].concat()]),
};

pub const PROFILE: Target = Target {
    name: "profile-json",
    run: |input| {
        if let Ok(profile) = Profile::from_json(&String::from_utf8_lossy(input)) {
            use_profile(&profile);
        }
    },
    seeds: || {
        let dump = Dump::read(DUMP).expect("a whole dump");
        let profile = Profile::of(&dump).expect("a profiler's");
        vec![profile.to_json().into_bytes()]
    },
};

/// Every dump that is whole is one that a profiler can have printed.
fn log(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for logged in Dump::all(&text) {
        assert!(logged.line >= 1 && logged.line <= text.lines().count());
        match logged.dump {
            Ok(dump) => use_dump(&dump),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn use_dump(dump: &Dump) {
    let sizes = dump.sizes().expect("checked when read");
    dump.control(&sizes).expect("checked when read");
    assert_eq!(dump.hottest().len(), dump.entries.len());
    let back = Dump::read(&dump.to_string());
    assert_eq!(back.as_ref(), Ok(dump));
    use_profile(&Profile::of(dump).expect("a profiler's"));
}

/// A profile is read back, and reported without a program.
fn use_profile(profile: &Profile) {
    assert_eq!(Profile::from_json(&profile.to_json()).as_ref(), Ok(profile));
    let report = Report::new(profile, None, None).expect("ranked by what is counted");
    assert_eq!(report.paths.len(), profile.counts.len());
    let _ = (
        text::write(&report, 20, None),
        Health::of(profile, None, None),
        Counted::of(&profile.ppcr, &[]),
    );
}
