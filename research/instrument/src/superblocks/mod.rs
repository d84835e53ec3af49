//! Superblocks in assembly: blocks of hot paths stand one after the other, and blocks where paths meet are duplicated.
//!
//! A superblock is entered at its first block alone, and left at several. Here it is what a path profile says of control from where
//! paths begin: a tree whose branches are paths. The heaviest successor of each block falls through. A block that another path has already
//! is duplicated as long as code may grow, so that a hot path goes on without a jump. A path that ends with a back edge goes on with the paths
//! that begin there, a few times over: the loop is unrolled along its hot paths.
//!
//! An edge profile drives the same transformation by the paths that it predicts, each branch on its own. Nothing is scheduled anew: a block
//! keeps its instructions and their order, but for the branch or jump at its end.
//!
//! Sources: Hwu and others, "The superblock" (1993), for tail duplication; Pettis and Hansen, "Profile guided code positioning" (1990), for
//! the order of chains; Vaswani's thesis, section 5.5, for profiles that come from a hot path table.

mod copies;
mod emit;
mod flow;
mod order;
mod paths;
mod tree;

use crate::assembly::{Ending, Function};
use crate::exact::Followed;

pub use copies::{Copies, Copy, Limits, form};
pub use emit::{EmitError, emit};
pub use paths::{HotPath, of_edges, of_paths};

/// Where control goes from a block, without returns: after it first, then where it branches.
fn successors(function: &Function, block: usize) -> Vec<usize> {
    let next = block + 1;
    match &function.blocks[block].ending {
        Ending::Fall => vec![next],
        Ending::Branch(to) if *to == next => vec![next],
        Ending::Branch(to) => vec![next, *to],
        Ending::Jump(to) => vec![*to],
        Ending::Table(words) => {
            let mut targets: Vec<usize> = words.iter().map(|&(_, to)| to).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        }
        Ending::Leave | Ending::Dead => Vec::new(),
    }
}

/// Superblocks of all functions, in their order, from the paths of each.
///
/// # Panics
///
/// If there are not as many profiles as functions.
pub fn superblocks(
    functions: &[Followed],
    profiles: &[Vec<HotPath>],
    limits: &Limits,
) -> Vec<Copies> {
    assert_eq!(functions.len(), profiles.len(), "a profile for each");
    let functions: Vec<&Function> = functions.iter().map(|one| &one.function).collect();
    form(&functions, profiles, limits)
}
