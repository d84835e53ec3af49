//! The mutants of a small package, each of which dies or lives as it must.

use rust_mutants::campaign::Campaign;
use rust_mutants::fate::Fate;
use rust_mutants::list::{Mutant, parse};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const SOURCE: &str = include_str!("files/places.rs");

/// What `cargo mutants --list --json` says of the package, without differences and functions.
const MUTANTS: &[u8] = include_bytes!("files/mutants.json");

/// The package as a workspace of its own.
fn workspace(root: &Path) {
    for (file, text) in [
        ("Cargo.toml", include_str!("files/places.toml")),
        ("src/lib.rs", SOURCE),
        ("tests/outside.rs", include_str!("files/outside.rs")),
        (".gitignore", "/target\n/Cargo.lock\n"),
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    let git = Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(root)
        .status();
    assert!(git.expect("git").success());
}

fn mutants() -> Vec<Mutant> {
    parse(MUTANTS, |_| Ok(SOURCE.to_owned())).expect("a list")
}

fn campaign(root: &Path, place: &Path) -> Campaign {
    Campaign {
        root: root.to_owned(),
        package: "places".to_owned(),
        place: place.to_owned(),
        jobs: 2,
        again: false,
        file: None,
        longest: Duration::from_secs(600),
    }
}

/// Fates by what is changed.
fn fates(campaign: &Campaign) -> BTreeMap<String, Fate> {
    let fates = campaign.run(|_| Ok(mutants()));
    let fates = fates.unwrap_or_else(|error| panic!("{error:#}"));
    let short = |mutant: Mutant| mutant.key.trim_start_matches("src/lib.rs: ").to_owned();
    fates
        .into_iter()
        .map(|(mutant, fate)| (short(mutant), fate))
        .collect()
}

#[test]
fn each_mutant_dies_or_lives_as_it_must() {
    let (root, place) = (tempfile::tempdir(), tempfile::tempdir());
    let (root, place) = (root.expect("a folder"), place.expect("a folder"));
    workspace(root.path());
    let mut campaign = campaign(root.path(), place.path());
    let fates = fates(&campaign);
    assert_eq!(fates.len(), mutants().len());
    for (what, fate) in &fates {
        assert_eq!(kind(fate), expected(what), "{what}");
    }
    died_by(&fates, "replace + with - in sum", "places tests::sums");
    died_by(
        &fates,
        "delete match arm 0 in amount",
        "outside amounts_have_names",
    );
    died_by(
        &fates,
        "replace of_example -> u32 with 0",
        "documentation merged_doctest_2024_0",
    );
    // The next time only those that lived are asked, and they live as before.
    campaign.again = true;
    let again = self::fates(&campaign);
    let lived = fates.into_iter().filter(|(_, fate)| fate.is_alive());
    assert_eq!(again, lived.collect());
}

fn died_by(fates: &BTreeMap<String, Fate>, what: &str, test: &str) {
    assert_eq!(fates[what], Fate::Died(test.to_owned()), "{what}");
}

fn kind(fate: &Fate) -> &'static str {
    match fate {
        Fate::Died(_) => "died",
        Fate::TimedOut(_) => "timed out",
        Fate::Alive => "alive",
        Fate::Unreached => "unreached",
        Fate::Refused => "refused",
    }
}

/// What must become of a mutant.
fn expected(what: &str) -> &'static str {
    match what {
        "replace kept -> Kept with Default::default()" | "delete match arm other in kind" => {
            "refused"
        }
        "replace -= with += in steps" | "replace -= with /= in steps" => "timed out",
        _ if what.contains("ignored") => "alive",
        _ if what.contains("unseen") => "unreached",
        _ => "died",
    }
}

#[test]
fn a_test_that_fails_without_a_mutant_is_an_error() {
    let (root, place) = (tempfile::tempdir(), tempfile::tempdir());
    let (root, place) = (root.expect("a folder"), place.expect("a folder"));
    workspace(root.path());
    let failing = "#[test]\nfn fails() {\n    assert_eq!(places::sum(1, 1), 3);\n}\n";
    fs::write(root.path().join("tests/outside.rs"), failing).expect("it can be written");
    let error = campaign(root.path(), place.path()).run(|_| Ok(mutants()));
    let said = format!("{:#}", error.expect_err("a test fails"));
    assert!(
        said.contains("`outside fails` fails without a mutant"),
        "{said}"
    );
}
