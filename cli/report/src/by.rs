//! What paths are ranked by, and which rankings a profile allows.

use hpp_golden::profiler::Metric;
use serde::Serialize;
use thiserror::Error;

use crate::counted::{counts_instructions, event};
use crate::profile::Profile;
use crate::program::Program;

/// What paths are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// How often they ran.
    Count,
    /// Instructions of the path's own blocks, by how often they ran.
    Instructions,
    /// Events along them.
    Events,
}

/// Why a profile cannot be ranked so.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ByError {
    /// Counts are events.
    #[error(
        "the profile counts {0}, so how often a path ran is not known; leave out `--by`, or profile with METRIC = EXECUTIONS"
    )]
    NoCounts(String),
    /// Counts are executions.
    #[error(
        "the profile counts executions, so events along a path are not known; leave out `--by`, or profile with METRIC = EVENTS"
    )]
    NoEvents,
    /// Without the program's code nobody knows how long a path is.
    #[error(
        "instructions of a path are counted in the program's code: give the program with --elf"
    )]
    NoProgram,
    /// The program's code is not read.
    #[error(
        "instructions of a path are counted in RISC-V code, and the program is for x86-64: leave out `--by`, or rank by executions"
    )]
    NoCode,
}

impl By {
    /// What shows best where the time goes, if it can be known: instructions. Otherwise what is counted.
    pub fn time(profile: &Profile, program: Option<&Program<'_>>) -> Option<Self> {
        ranking(profile, program, Some(Self::Instructions)).ok()
    }
}

/// What to rank by, if it can be.
pub(crate) fn ranking(
    profile: &Profile,
    program: Option<&Program<'_>>,
    by: Option<By>,
) -> Result<By, ByError> {
    let counted = profile.ppcr.metric;
    match (by, counted) {
        (None | Some(By::Count), Metric::Executions) => Ok(By::Count),
        (None | Some(By::Events), Metric::Events) => Ok(By::Events),
        (Some(By::Count), Metric::Events) => Err(ByError::NoCounts(event(
            &profile.ppcr,
            &profile.event_names,
        ))),
        (Some(By::Events), Metric::Executions) => Err(ByError::NoEvents),
        (Some(By::Instructions), Metric::Events) if counts_instructions(&profile.ppcr) => {
            Ok(By::Instructions)
        }
        (Some(By::Instructions), Metric::Events) => Err(ByError::NoCounts(event(
            &profile.ppcr,
            &profile.event_names,
        ))),
        (Some(By::Instructions), Metric::Executions) => match program {
            None => Err(ByError::NoProgram),
            Some(program) if !program.image().is_riscv() => Err(ByError::NoCode),
            Some(_) => Ok(By::Instructions),
        },
    }
}
