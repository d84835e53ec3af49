//! Whether a profile can be trusted, and what it does not show: the health registers in words.

mod registers;
mod walked;

use serde::Serialize;

use self::registers::{counters, errors, nothing};
use self::walked::{extensions, not_walked, other_program, outside};
use crate::profile::Profile;
use crate::program::Program;

/// Most paths or contexts that a finding names.
const NAMED: usize = 5;

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

/// How many of the paths that begin in the program's code walk through it, and which do not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Walked {
    /// Paths that walk.
    pub walk: usize,
    /// All that begin there.
    pub of: usize,
    /// The share of the profile's counts on those that do not walk, from 0 to 1.
    pub lost: f64,
    /// Those that do not walk.
    pub others: Vec<Unwalked>,
}

/// Paths that begin outside of the program's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Outside {
    /// How many.
    pub paths: usize,
    /// The sum of their counts.
    pub count: u64,
}

/// A path that does not walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unwalked {
    /// Its place in the order, from 1.
    pub rank: usize,
    /// The function that it begins in.
    pub function: Option<String>,
}

impl Outside {
    /// Those of a profile. Linear.
    pub fn of(profile: &Profile, program: &Program<'_>) -> Self {
        let image = program.image();
        let outside = profile.counts.iter();
        let outside = outside.filter(|(path, _)| image.section(path.start).is_none());
        outside.fold(Self::default(), |sum, (_, count)| Self {
            paths: sum.paths + 1,
            count: sum.count.saturating_add(*count),
        })
    }
}

impl Health {
    /// Judges a profile; `walked` says how many paths walk, if there is a program whose code is read.
    pub fn of(profile: &Profile, program: Option<&Program<'_>>, walked: Option<&Walked>) -> Self {
        let mut findings = Findings::default();
        nothing(profile, &mut findings);
        if let Some(program) = program {
            other_program(profile, program, &mut findings);
            if let Some(text) = program.unread() {
                findings.note(text);
            }
            extensions(program, &mut findings);
        }
        not_walked(profile, program, walked, &mut findings);
        if let Some(program) = program {
            outside(profile, program, &mut findings);
        }
        errors(profile, &mut findings);
        counters(profile, program, &mut findings);
        let mut findings = findings.0;
        findings.sort_by_key(|finding| !finding.critical);
        Self {
            trusted: findings.iter().all(|finding| !finding.critical),
            findings,
        }
    }
}

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, critical: bool, text: impl Into<String>) {
        let text = text.into();
        self.0.push(Finding { critical, text });
    }

    fn critical(&mut self, text: impl Into<String>) {
        self.add(true, text);
    }

    fn note(&mut self, text: impl Into<String>) {
        self.add(false, text);
    }
}
