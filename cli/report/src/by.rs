//! What paths are ranked by, and which rankings a profile allows.

use hpp_golden::profiler::Metric;
use serde::Serialize;

use crate::counted::{event, instructions};
use crate::error::ReportError;
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

const NO_EVENTS: &str = "the profile counts executions, so events along a path are not known; leave out `--by`, or profile with METRIC = EVENTS";
const NO_PROGRAM: &str =
    "instructions of a path are counted in the program's code: give the program with --elf";
const NO_CODE: &str = "instructions of a path are counted in RISC-V code, and the program is for x86-64: leave out `--by`, or rank by executions";

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
) -> Result<By, ReportError> {
    let refused = |why: &str| Err(ReportError::By(why.into()));
    let instructions = profile.ppcr.event_select == instructions();
    match (by, profile.ppcr.metric) {
        (None | Some(By::Count), Metric::Executions) => Ok(By::Count),
        (None | Some(By::Events), Metric::Events) => Ok(By::Events),
        (Some(By::Events), Metric::Executions) => refused(NO_EVENTS),
        (Some(By::Instructions), Metric::Events) if instructions => Ok(By::Instructions),
        (Some(By::Count | By::Instructions), Metric::Events) => refused(&format!(
            "the profile counts {}, so how often a path ran is not known; leave out `--by`, or profile with METRIC = EXECUTIONS",
            event(&profile.ppcr, &profile.event_names)
        )),
        (Some(By::Instructions), Metric::Executions) => match program {
            None => refused(NO_PROGRAM),
            Some(program) if !program.image().is_riscv() => refused(NO_CODE),
            Some(_) => Ok(By::Instructions),
        },
    }
}
