//! The end of QEMU's process.

use crate::load_address::Mapped;
use crate::session::Ended;

/// What the plugin knows at the end.
#[derive(Clone, Debug)]
pub struct Ending {
    pub ended: Ended,
    pub instructions: u64,
    /// Instructions of harts that are not profiled.
    pub other_instructions: u64,
    pub forks: u64,
    /// Of a whole machine, the page tables of user code, in the order in which they were first seen.
    pub spaces: Vec<u64>,
    pub mapped: Vec<Mapped>,
    /// Whether a program that replaces this one has a profile of its own.
    pub followed: bool,
    /// How the blocks of a program's first thread were noted.
    pub noted: Option<String>,
}

impl Ending {
    /// What a trace does not hold, a line each.
    fn left_out(&self, unseen_signals: u64) -> Vec<String> {
        let mut lines = Vec::new();
        if unseen_signals > 0 {
            lines.push(format!(
                "the beginning of {unseen_signals} signal handlers, taken for where a return or a jump led"
            ));
        }
        if self.other_instructions > 0 {
            lines.push(format!(
                "{} instructions of other harts",
                self.other_instructions
            ));
        }
        if self.forks > 0 {
            lines.push(format!("child processes: {}", self.forks));
        }
        lines
    }

    /// What a trace ends with.
    pub fn of_trace(&self, unseen_signals: u64) -> hpp_explore::trace::Ending {
        let reason = match self.ended {
            Ended::Exited => "the program ended",
            Ended::Limit => "the limit of instructions was reached",
            Ended::Replaced => "the program was replaced by another one",
        };
        hpp_explore::trace::Ending {
            reason: reason.into(),
            left_out: self.left_out(unseen_signals),
        }
    }
}
