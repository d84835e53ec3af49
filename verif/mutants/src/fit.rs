//! As many mutants of a package in one build as the compiler lets in.

use crate::cargo::{Build, Cargo, Complaint, Executable};
use crate::list::{Genre, Mutant};
use crate::schema::{Limits, Written, chooser, schema};
use crate::scratch::Scratch;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// More builds than this mean that complaints lead nowhere.
const MOST_BUILDS: usize = 60;

/// A build with mutants.
#[derive(Debug)]
pub struct Fitted {
    /// The tests.
    pub executables: Vec<Executable>,
    /// The mutants in it.
    pub mutants: BTreeSet<u32>,
    /// Mutants that the compiler does not take by themselves either.
    pub refused: BTreeSet<u32>,
}

/// Builds the tests with all mutants that can be written and compiled together; `say` is told what each build left out.
///
/// # Errors
///
/// If an error is not any mutant's: the package must compile without them.
pub fn fit(
    scratch: &Scratch<'_>,
    cargo: &Cargo,
    mutants: &[Mutant],
    say: impl Fn(&str),
) -> Result<Fitted> {
    let (mut limits, mut refused) = (Limits::default(), BTreeSet::new());
    for _ in 0..MOST_BUILDS {
        let texts = write(scratch, cargo, mutants, &limits)?;
        match cargo.build()? {
            Build::Done(executables) => {
                let mutants = texts.values().flat_map(|written| written.mutants.clone());
                return Ok(Fitted {
                    executables,
                    mutants: mutants.collect(),
                    refused,
                });
            }
            Build::Refused(complaints) => {
                let (dropped, constant) = (limits.dropped.len(), limits.constant.len());
                for complaint in &complaints {
                    if let Some(mutant) = heed(complaint, &texts, &mut limits)
                        && is_refused(complaint, mutant, mutants)
                    {
                        refused.insert(mutant);
                    }
                }
                let news = (
                    limits.dropped.len() - dropped,
                    limits.constant.len() - constant,
                );
                if news == (0, 0) {
                    bail!("no mutant is to blame for {:#?}", complaints[0]);
                }
                say(&format!(
                    "{} errors: {} mutants left out, {} functions stay constant",
                    complaints.len(),
                    news.0,
                    news.1
                ));
            }
        }
    }
    bail!("{MOST_BUILDS} builds, and the compiler still complains")
}

/// Writes the mutated files.
fn write(
    scratch: &Scratch<'_>,
    cargo: &Cargo,
    mutants: &[Mutant],
    limits: &Limits,
) -> Result<BTreeMap<String, Written>> {
    let crates = cargo.crates()?;
    let mut of_files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for root in &crates {
        of_files.entry(root).or_default();
    }
    for file in scratch.sources().files().keys() {
        if file.ends_with(".rs") && root_of(&crates, file).is_some() {
            of_files.entry(file).or_default();
        }
    }
    for mutant in mutants {
        of_files.entry(&mutant.file).or_default().push(mutant);
    }
    let most = mutants.len() as u32;
    let mut texts = BTreeMap::new();
    for (file, mutants) in of_files {
        let text = scratch.sources().text(file)?;
        let written = schema(text, &mutants, limits).with_context(|| file.to_owned())?;
        let mut whole = written.text.clone();
        if crates.iter().any(|root| root == file) {
            whole.push_str(&chooser(most));
        }
        scratch.write(file, whole.as_bytes())?;
        texts.insert(file.to_owned(), written);
    }
    Ok(texts)
}

/// The crate that a file belongs to: that with the deepest folder around it.
fn root_of<'a>(crates: &'a [String], file: &str) -> Option<&'a String> {
    let folder = |root: &str| root.rsplit_once('/').map_or("", |parts| parts.0).to_owned();
    let around = |root: &&String| file.starts_with(&format!("{}/", folder(root)));
    crates
        .iter()
        .filter(around)
        .max_by_key(|root| folder(root).len())
}

/// Leaves out what a complaint is about; the mutant whose own text that is.
fn heed(
    complaint: &Complaint,
    texts: &BTreeMap<String, Written>,
    limits: &mut Limits,
) -> Option<u32> {
    if complaint.code == "E0015"
        && let Some(function) = called(&complaint.message)
        && limits.constant.insert(function)
    {
        return None;
    }
    let of_place = |(file, range): &(String, Range<usize>)| texts.get(file)?.part_of(range);
    let part = complaint.places.iter().find_map(of_place)?;
    limits.dropped.extend(&part.mutants);
    part.own.then(|| part.mutants[0])
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
    fn a_file_belongs_to_the_crate_with_the_deepest_folder() {
        let crates = ["gen/src/lib.rs", "gen/src/bin/tool/main.rs"].map(str::to_owned);
        assert_eq!(root_of(&crates, "gen/src/a/b.rs"), Some(&crates[0]));
        assert_eq!(root_of(&crates, "gen/src/bin/tool/b.rs"), Some(&crates[1]));
        assert_eq!(root_of(&crates, "other/src/lib.rs"), None);
    }
}
