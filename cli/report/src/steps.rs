//! A path as steps: each block, the instruction that ends it, and where control goes from there.

use hpp_golden::path::PathDescriptor;
use hpp_riscv::code::ProgramCode as _;
use hpp_riscv::{AddressRange, End, WalkError};

use crate::profile::Profile;
use crate::program::Program;

/// A block of a path, and how the path leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The block.
    pub block: AddressRange,
    /// Address of its last instruction.
    pub last: u64,
    /// Where control goes; `None` after the last block if it is computed.
    pub next: Option<u64>,
    /// Whether the last instruction is a conditional branch, and then whether it was taken.
    pub taken: Option<bool>,
    /// Whether the last instruction is a branch or jump that was taken, perhaps to the instruction after the block.
    pub jumps: bool,
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
) -> Result<Vec<PathStep>, WalkError> {
    let walked = profile.walk(program.image(), path)?;
    let following = walked.blocks.iter().skip(1).map(|block| Some(block.start));
    let following = following.chain([None]);
    let step = |((block, &jumps), following): ((&AddressRange, &bool), Option<u64>)| {
        let last = program.addresses(*block).last().unwrap_or(block.start);
        let instruction = program.image().instruction(last);
        let transfer = instruction.and_then(|instruction| instruction.transfer);
        let trapped = following.is_none() && walked.end == End::Trap;
        let next = match following {
            None if trapped => None,
            None if jumps => transfer.and_then(|transfer| transfer.target),
            following => Some(following.unwrap_or(block.end)),
        };
        let conditional = transfer.is_some_and(|transfer| transfer.conditional);
        PathStep {
            block: *block,
            last,
            next,
            taken: (conditional && !trapped).then_some(jumps),
            jumps,
        }
    };
    let blocks = walked.blocks.iter().zip(&walked.taken);
    Ok(blocks.zip(following).map(step).collect())
}
