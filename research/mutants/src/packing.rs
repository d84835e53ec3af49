//! As many mutants of a package in one build as the compiler lets in.

use crate::cargo::{Build, Cargo, Complaint, CrateRoot, Executable};
use crate::list::{Genre, Mutant};
use crate::schema::{Limits, Written, chooser, schema};
use crate::scratch::{Scratch, Sources};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// More builds than this mean that complaints lead nowhere.
const MOST_BUILDS: usize = 60;

/// A build with mutants.
#[derive(Debug)]
pub struct Packed {
    /// The tests.
    pub executables: Vec<Executable>,
    /// The mutants in it.
    pub mutants: BTreeSet<u32>,
    /// Mutants that the compiler does not take by themselves either.
    pub refused: BTreeSet<u32>,
}

/// Builds the tests of a package's crates with all mutants that can be written and compiled together; `say` is told what each build left out. What had to be left
/// out is kept in a file, for the same files and mutants.
///
/// # Errors
///
/// If an error is not any mutant's: the package must compile without them.
pub fn pack(
    scratch: &Scratch<'_>,
    (cargo, crates): (&Cargo, &[CrateRoot]),
    mutants: &[Mutant],
    kept: &Path,
    say: impl Fn(&str),
) -> Result<Packed> {
    let files = files(scratch.sources(), crates, mutants)?;
    let hash = hash(scratch.sources(), &files)?;
    let mut limits = Limits::default();
    if let Some(known) = read(kept).filter(|known| known.hash == hash) {
        limits = known.limits;
    }
    for _ in 0..MOST_BUILDS {
        let texts = write(scratch, &files, mutants.len() as u32, &limits)?;
        match cargo.build()? {
            Build::Done(executables) => {
                let kept_text = serde_json::to_string(&Kept {
                    hash,
                    limits: limits.clone(),
                })?;
                fs::write(kept, kept_text).with_context(|| format!("{}", kept.display()))?;
                let mutants = texts.values().flat_map(|written| written.mutants.clone());
                return Ok(Packed {
                    executables,
                    mutants: mutants.collect(),
                    refused: limits.refused,
                });
            }
            Build::Refused(complaints) => {
                let before = (limits.dropped.len(), limits.constant.len());
                for complaint in &complaints {
                    heed(complaint, &texts, mutants, &mut limits);
                }
                let (dropped, constant) = (
                    limits.dropped.len() - before.0,
                    limits.constant.len() - before.1,
                );
                if (dropped, constant) == (0, 0) {
                    bail!("no mutant is to blame for {:#?}", complaints[0]);
                }
                let errors = complaints.len();
                say(&format!(
                    "{errors} errors: {dropped} mutants left out, {constant} functions stay constant"
                ));
            }
        }
    }
    bail!("{MOST_BUILDS} builds, and the compiler still complains")
}

/// What had to be left out.
#[derive(Serialize, Deserialize)]
struct Kept {
    hash: String,
    limits: Limits,
}

fn read(kept: &Path) -> Option<Kept> {
    serde_json::from_slice(&fs::read(kept).ok()?).ok()
}

/// A file of one of the package's crates.
struct CrateFile<'a> {
    /// Whether the crate begins with it.
    is_root: bool,
    mutants: Vec<&'a Mutant>,
}

/// All files of the package's crates.
fn files<'a>(
    sources: &Sources,
    crates: &[CrateRoot],
    mutants: &'a [Mutant],
) -> Result<BTreeMap<String, CrateFile<'a>>> {
    let mut files = BTreeMap::new();
    for file in sources.files().keys() {
        if is_of(crates, file) {
            let file_of = CrateFile {
                is_root: crates.contains(file),
                mutants: Vec::new(),
            };
            files.insert(file.clone(), file_of);
        }
    }
    for mutant in mutants {
        let file = files.get_mut(&mutant.file);
        let file = file.with_context(|| format!("{} is of no crate", mutant.file))?;
        file.mutants.push(mutant);
    }
    Ok(files)
}

/// Whether a file is of one of these crates, by their folders.
pub fn is_of(crates: &[CrateRoot], file: &str) -> bool {
    let folder = |root: &str| root.rsplit_once('/').map_or("", |parts| parts.0).to_owned();
    let around = |root: &CrateRoot| file.starts_with(&format!("{}/", folder(root)));
    file.ends_with(".rs") && crates.iter().any(around)
}

fn hash(sources: &Sources, files: &BTreeMap<String, CrateFile<'_>>) -> Result<String> {
    let mut hash = Sha256::new();
    for (file, of_file) in files {
        hash.update(file.as_bytes());
        hash.update(sources.text(file)?.as_bytes());
        for mutant in &of_file.mutants {
            hash.update(mutant.key.as_bytes());
        }
    }
    let bytes = hash.finalize();
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes the mutated files, with mutants up to a number.
fn write(
    scratch: &Scratch<'_>,
    files: &BTreeMap<String, CrateFile<'_>>,
    most: u32,
    limits: &Limits,
) -> Result<BTreeMap<String, Written>> {
    let mut texts = BTreeMap::new();
    for (file, of_file) in files {
        let text = scratch.sources().text(file)?;
        let written = schema(text, &of_file.mutants, limits).with_context(|| file.clone())?;
        let mut whole = written.text.clone();
        if of_file.is_root {
            whole.push_str(&chooser(most));
        }
        scratch.write(file, whole.as_bytes())?;
        texts.insert(file.clone(), written);
    }
    Ok(texts)
}

/// Leaves out what a complaint is about.
fn heed(
    complaint: &Complaint,
    texts: &BTreeMap<String, Written>,
    mutants: &[Mutant],
    limits: &mut Limits,
) {
    if complaint.code == "E0015"
        && let Some(function) = called(&complaint.message)
        && limits.constant.insert(function)
    {
        return;
    }
    let of_place = |(file, range): &(String, Range<usize>)| texts.get(file)?.part_of(range);
    let Some(part) = complaint.places.iter().find_map(of_place) else {
        limits.dropped.extend(arms(complaint, texts, mutants));
        return;
    };
    limits.dropped.extend(&part.mutants);
    if part.own && is_refused(complaint, part.mutants[0], mutants) {
        limits.refused.extend(&part.mutants);
    }
}

/// The deleted arms of a `match` of which the compiler says that it lacks some: with a guard an arm does not count.
fn arms<'a>(
    complaint: &'a Complaint,
    texts: &'a BTreeMap<String, Written>,
    mutants: &'a [Mutant],
) -> impl Iterator<Item = u32> + use<'a> {
    let (file, matched) = &complaint.places[0];
    let places = complaint
        .places
        .iter()
        .filter(move |place| place.0 == *file);
    let end = places.map(|place| place.1.end).max().unwrap_or(0);
    let parts = texts
        .get(file)
        .into_iter()
        .flat_map(|written| &written.parts);
    let inside =
        parts.filter(move |part| matched.start < part.range.start && part.range.end <= end);
    let numbers = inside.flat_map(|part| part.mutants.iter().copied());
    numbers.filter(|&number| {
        complaint.code == "E0004" && mutants[number as usize - 1].genre == Genre::MatchArm
    })
}

/// What the compiler says of a value that has another type than it must, or would have if there were a default of it.
const OF_TYPES: [&str; 2] = ["E0277", "E0308"];

/// Whether a mutant that is left out is none: a value that a function cannot return early it cannot return at its end either.
fn is_refused(complaint: &Complaint, mutant: u32, mutants: &[Mutant]) -> bool {
    OF_TYPES.contains(&complaint.code.as_str())
        && mutants[mutant as usize - 1].genre == Genre::FnValue
}

/// The function that is called though it is not constant, as [`Limits::constant`] names it: of the first quotation the last name, behind
/// that of its type, which begins with a capital letter.
fn called(message: &str) -> Option<String> {
    let path = message.split('`').nth(1)?;
    let names = path.rsplit("::");
    let mut names = names.filter(|name| !name.starts_with('<') && !name.ends_with('>'));
    let name = names.next()?;
    let owner = names
        .next()
        .filter(|owner| owner.starts_with(char::is_uppercase));
    Some(match owner {
        None if name == "is" => return None,
        None => name.to_owned(),
        Some(owner) => format!("{owner}::{name}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_of_a_complaint_is_known_by_its_last_names() {
        let called = |path: &str| {
            called(&format!(
                "cannot call non-const method `{path}` in constants"
            ))
        };
        let named = |path: &str, name: &str| assert_eq!(called(path), Some(name.to_owned()));
        named("f", "f");
        named("a::S::g", "S::g");
        named("a::S::<u8>::g", "S::g");
        named("a::h::<u8>", "h");
        assert_eq!(called("__mutant::is"), None);
    }

    #[test]
    fn a_file_belongs_to_the_crate_around_it() {
        let crates = ["gen/src/lib.rs", "gen/src/bin/tool/main.rs"].map(str::to_owned);
        let files = [
            "gen/src/a/b.rs",
            "gen/src/lib.rs",
            "gen/src/a.txt",
            "other/src/lib.rs",
        ];
        assert_eq!(
            files.map(|file| is_of(&crates, file)),
            [true, true, false, false]
        );
    }
}
