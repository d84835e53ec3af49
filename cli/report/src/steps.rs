//! A path as steps: each block, the instruction that ends it, and where control goes from there.

use hpp_golden::path::PathDescriptor;
use hpp_riscv::code::ProgramCode as _;
use hpp_riscv::{AddressRange, End, WalkError, walk};

use crate::profile::Profile;
use crate::program::Program;
use crate::report::addresses;

/// A block of a path, and how the path leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The block.
    pub block: AddressRange,
    /// Address of its last instruction.
    pub last: u64,
    /// Where control goes; `None` after the last block if it is computed.
    pub next: Option<u64>,
    /// Whether the last instruction is a conditional branch, and then whether it was taken.
    pub taken: Option<bool>,
}

impl Step {
    /// Whether control goes elsewhere than to the instruction after the block.
    pub fn jumps(&self) -> bool {
        self.taken.unwrap_or(self.next != Some(self.block.end))
    }
}

/// The steps of a path. Linear in its instructions.
///
/// # Errors
///
/// If the path does not walk through the program's code.
pub fn steps(
    profile: &Profile,
    program: &Program<'_>,
    path: &PathDescriptor,
) -> Result<Vec<Step>, WalkError> {
    let walked = walk(
        program.image(),
        &profile.ppcr,
        profile.geometry.max_branches,
        path,
    )?;
    // The path's last branch has no block after it, but an outcome.
    let outcome = path
        .outcome(path.length.wrapping_sub(1))
        .filter(|_| walked.end != End::Trap);
    let following = walked
        .blocks
        .iter()
        .skip(1)
        .map(|block| Some(block.start))
        .chain([None]);
    let step = |(block, following): (&AddressRange, Option<u64>)| {
        let last = addresses(program, *block).last().unwrap_or(block.start);
        let instruction = program.image().instruction(last);
        let transfer = instruction.and_then(|instruction| instruction.transfer);
        let target = transfer.and_then(|transfer| transfer.target);
        let conditional = transfer.is_some_and(|transfer| transfer.conditional);
        let taken = match following {
            _ if !conditional => None,
            Some(next) => Some(next != block.end),
            None => outcome,
        };
        let next = match (following, taken) {
            (Some(next), _) => Some(next),
            (None, Some(true)) => target,
            (None, Some(false)) => Some(block.end),
            (None, None) if conditional || walked.end == End::Trap => None,
            (None, None) => target,
        };
        Step {
            block: *block,
            last,
            next,
            taken,
        }
    };
    Ok(walked.blocks.iter().zip(following).map(step).collect())
}
