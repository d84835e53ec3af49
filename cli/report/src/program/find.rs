//! Functions by what people call them.

use std::borrow::Cow;

use hpp_riscv::{Function, Functions, NameError};

use super::{Program, ProgramError, demangled, stem};
use crate::names::{bare, shortened, without_arguments};

impl Program<'_> {
    /// The function of this name, mangled or not, with or without parameters, a template's arguments or a compiler's suffix, or at this address after `0x`.
    ///
    /// # Errors
    ///
    /// If there is none, with names that a person may have meant, or several have the name.
    pub fn find(&self, name: &str) -> Result<&Function, ProgramError> {
        let functions = self.image.functions();
        let error = match functions.find(name) {
            Ok(function) => return Ok(function),
            Err(error) => error,
        };
        let called = |function: &&Function| {
            let mut symbols = function.aliases.iter().chain([&function.name]);
            self.name(function) == name || symbols.any(|symbol| demangled(symbol) == name)
        };
        // C++ has parameters and a template's arguments in its names, and columns have names shortened.
        let abridged = |function: &&Function| {
            let known = [self.name(function), demangled(&function.name).into_owned()];
            known.iter().any(|known| is_abridged(known, name))
        };
        let mut plain: Vec<&Function> = functions.iter().filter(called).collect();
        if plain.is_empty() {
            plain = functions.iter().filter(abridged).collect();
        }
        let several = plain.len() > 1;
        if plain.is_empty() {
            plain = functions
                .iter()
                .filter(|function| stem(&function.name) == name)
                .collect();
        }
        match (&plain[..], error) {
            ([function], _) => Ok(function),
            (all, NameError::Unknown(_)) if several => Err(NameError::Ambiguous {
                name: name.into(),
                addresses: all.iter().map(|function| function.address).collect(),
            }
            .into()),
            (_, NameError::Unknown(_)) => {
                let near = near(functions.iter().map(|f| self.name(f).into()), name);
                let name = name.into();
                Err(match near.is_empty() {
                    true => ProgramError::Unknown {
                        name,
                        all: some(functions, ", such as "),
                    },
                    false => ProgramError::Near { name, near },
                })
            }
            (_, error) => Err(error.into()),
        }
    }
}

/// Whether a function's name is this one, but for parameters, arguments of templates, or what a column leaves out.
pub(crate) fn is_abridged(known: &str, name: &str) -> bool {
    let bare = bare(known);
    bare == name || without_arguments(bare) == name || shortened(known) == name
}

/// How many functions there are, and after `such_as` some names.
#[must_use]
pub fn some(functions: &Functions, such_as: &str) -> String {
    const SHOWN: usize = 5;
    let names = functions.iter().take(SHOWN);
    let names: Vec<String> = names
        .map(|function| format!("`{}`", demangled(&function.name)))
        .collect();
    format!("{}{such_as}{}", functions.len(), names.join(", "))
}

/// The names a person may have meant: those that hold the name, or differ by a slip.
pub fn near<'a>(names: impl Iterator<Item = Cow<'a, str>>, name: &str) -> String {
    const SHOWN: usize = 5;
    let alike = |known: &Cow<'_, str>| {
        known.contains(name)
            || strsim::jaro_winkler(known, name) >= 0.85
            || strsim::damerau_levenshtein(known, name) <= name.chars().count() / 3
    };
    let names = names.filter(alike);
    let mut names: Vec<String> = names
        .map(|name| format!("`{}`", shortened(&name)))
        .take(SHOWN)
        .collect();
    names.dedup();
    names.join(", ")
}
