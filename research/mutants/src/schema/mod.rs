//! The mutants of a file in one text: a number chosen when the program starts says which of them is there.
//!
//! | mutant | in the text |
//! | --- | --- |
//! | of a function's value | `if crate::__mutant::is(7) { return VALUE; }` before its statements |
//! | of an iterator whose type is `impl` | `if crate::__mutant::is(7) { Either::Left(VALUE) } else { Either::Right({ STATEMENTS }) }` |
//! | of an operator, a guard, a field of a struct expression | `(if crate::__mutant::is(7) { MUTANT } else { EXPRESSION })` |
//! | a deleted arm of a `match` | the guard `if !crate::__mutant::is(7)` |
//!
//! An operator that is replaced keeps its operands, though in the text of cargo-mutants another precedence may give it others. Functions
//! are not constant in such a text, unless one is needed while the package is compiled. What is evaluated then has no mutants
//! in it, nor does a function with another `impl` type get another value, which would be of another type.

mod chooser;
mod sites;
mod writer;

pub use chooser::{CHOSEN, REACHED, chooser};
pub use sites::Time;
pub use writer::Written;

use crate::list::Mutant;
use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};
use sites::{Constant, Site, Sites, sites};
use std::collections::BTreeSet;
use writer::{Insertion, write};

/// What a file's mutants cannot be, for now.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Limits {
    /// Mutants that are left out.
    pub dropped: BTreeSet<u32>,
    /// Those of them that the compiler does not take by themselves either.
    pub refused: BTreeSet<u32>,
    /// Functions that must stay constant, with their mutants left out: their names, behind those of their types if they have one.
    pub constant: BTreeSet<String>,
}

/// The text of a file with some of its mutants, and what of it is theirs.
///
/// # Errors
///
/// If the text is not Rust.
pub fn schema(text: &str, mutants: &[&Mutant], limits: &Limits) -> Result<Written> {
    let found = sites(text).map_err(|error| {
        let start = error.span().start();
        anyhow!("line {}: {error}", start.line)
    })?;
    let mut insertions: Vec<Insertion> = free(&found, limits).map(Insertion::blank).collect();
    for mutant in mutants {
        if limits.dropped.contains(&mutant.number) {
            continue;
        }
        if let Some(site) = site(&found, mutant, limits) {
            Insertion::add(&mut insertions, site, mutant, text);
        }
    }
    Ok(write(text, insertions))
}

/// The constant functions that need not be.
fn free<'a>(found: &'a Sites, limits: &'a Limits) -> impl Iterator<Item = &'a Constant> {
    let needed = |constant: &&Constant| !limits.constant.contains(&constant.function);
    found.constants.iter().filter(needed)
}

/// Where a mutant goes, if it can be written.
fn site<'a>(found: &'a Sites, mutant: &Mutant, limits: &Limits) -> Option<&'a Site> {
    let site = found.sites.get(&(mutant.genre, mutant.span.start))?;
    let can_choose = match &site.time {
        Time::Run => true,
        Time::Compilation => false,
        Time::Both(function) => !limits.constant.contains(function),
    };
    can_choose.then_some(site)
}
