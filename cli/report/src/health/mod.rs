//! Whether a profile can be trusted, and what it does not show: the health registers in words.

mod registers;
mod walked;

use serde::Serialize;

use self::registers::{counters, errors, nothing};
use self::walked::{extensions, not_walked, other_program, outside};
use crate::profile::Profile;
use crate::program::Program;

/// What the registers and the walk of the paths say of a profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Health {
    /// Whether the profile can be trusted: no finding is critical.
    pub trusted: bool,
    /// What a reader has to know, the critical first.
    pub findings: Vec<Finding>,
}

/// One thing that a reader has to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether paths or counts are wrong or missing because of it.
    pub critical: bool,
    /// What it is, and what to do.
    pub text: String,
}

/// How many paths walk through the program's code, and which do not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Walked {
    /// Paths that walk.
    pub walk: usize,
    /// All paths.
    pub of: usize,
    /// The share of the profile's weight on paths that do not walk, from 0 to 1.
    pub lost: f64,
    /// Paths that do not walk.
    pub others: Vec<Unwalked>,
}

/// A path that does not walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unwalked {
    /// Its place in the order, from 1.
    pub rank: usize,
    /// The function that it begins in.
    pub function: Option<String>,
}

impl Health {
    /// Judges a profile; `walked` says how many paths walk, if there is a program.
    #[must_use]
    pub fn of(profile: &Profile, program: Option<&Program<'_>>, walked: Option<&Walked>) -> Self {
        let mut findings = Vec::new();
        nothing(profile, &mut findings);
        other_program(profile, program, &mut findings);
        if let Some(text) = program.and_then(Program::unread) {
            note(&mut findings, text);
        }
        if let Some(program) = program {
            extensions(program, &mut findings);
        }
        not_walked(profile, program, walked, &mut findings);
        if walked.is_none() {
            outside(profile, program, &mut findings);
        }
        errors(profile, &mut findings);
        counters(profile, &mut findings);
        findings.sort_by_key(|finding| !finding.critical);
        Self {
            trusted: findings.iter().all(|finding| !finding.critical),
            findings,
        }
    }
}

fn critical(findings: &mut Vec<Finding>, text: impl Into<String>) {
    let text = text.into();
    findings.push(Finding {
        critical: true,
        text,
    });
}

fn note(findings: &mut Vec<Finding>, text: impl Into<String>) {
    let text = text.into();
    findings.push(Finding {
        critical: false,
        text,
    });
}
