//! The procedures of a program as a compiler sees them: graphs whose calls are edges, for
//! [interprocedural](hpp_paths::interprocedural) profiles.
//!
//! This view differs from that of the [hardware](crate::graph):
//!
//! - A block ends at a call, and the edge to the next block is the call.
//! - A jump into another function is a call on an edge to the exit (a tail call).
//! - A jump table has an edge for each case.
//! - Paths break at depth-first back edges.
//!
//! A procedure is what is reached from an entry (a function, or another place that is called or jumped to from another function)
//! without such a jump. Where computed jumps and calls lead is [observed](Targets) in runs; others may follow, which
//! calls and tail calls allow for and jump tables do not.
mod follow;
mod recover;

use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_paths::graph::{BlockId, Cfg, EdgeId};
use hpp_paths::interprocedural::{ProcedureId, Program};
use thiserror::Error;

pub use follow::LostError;

/// Targets of computed jumps and calls, by the address after the jump or call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    jumps: BTreeMap<u64, BTreeSet<u64>>,
    calls: BTreeMap<u64, BTreeSet<u64>>,
}

impl Targets {
    /// Adds those of a run. Linear.
    pub fn observe<'a>(&mut self, records: impl IntoIterator<Item = &'a BranchRecord>) {
        for record in records {
            let targets = match record.kind {
                BranchKind::Indirect => &mut self.jumps,
                BranchKind::IndirectCall => &mut self.calls,
                _ => continue,
            };
            targets
                .entry(record.next)
                .or_default()
                .insert(record.target);
        }
    }

    fn jumps(&self, next: u64) -> impl Iterator<Item = u64> {
        self.jumps.get(&next).into_iter().flatten().copied()
    }

    fn calls(&self, next: u64) -> impl Iterator<Item = u64> {
        self.calls.get(&next).into_iter().flatten().copied()
    }
}

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Before another block.
    Fall,
    /// With a conditional branch.
    Branch,
    /// With a direct jump.
    Jump,
    /// With a computed jump.
    Indirect,
    /// With a call, direct or computed.
    Call,
    /// With a return.
    Return,
    /// Not at all: no code follows.
    Dead,
}

/// Instructions that control enters at the first and leaves at the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Address of the first instruction.
    pub start: u64,
    /// Address after the last instruction.
    pub end: u64,
    /// How it ends.
    pub ending: Ending,
}

/// Which way out of its block an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// On to what follows, or out where nothing does.
    Next,
    /// By a direct branch or jump, to this address.
    Taken(u64),
    /// By a computed jump, to this address.
    Case(u64),
    /// By a computed jump, to another function, or where no run has gone.
    Elsewhere,
    /// Through a callee and on.
    Call,
    /// Out of the procedure.
    Return,
}

/// The code of one procedure.
#[derive(Clone, Debug)]
pub struct Body {
    /// Address of its entry.
    pub entry: u64,
    /// The graph. The exit is virtual and has no code.
    pub cfg: Cfg<Option<Part>, Way>,
    blocks: BTreeMap<u64, BlockId>,
}

impl Body {
    /// The edge out of a block that goes this way.
    fn edge(&self, block: BlockId, way: impl Fn(Way) -> bool) -> Option<EdgeId> {
        let mut out = self.cfg.successors(block).iter().copied();
        out.find(|&edge| way(*self.cfg.edge(edge)))
    }

    /// The block that begins at an address.
    pub fn find(&self, address: u64) -> Option<BlockId> {
        self.blocks.get(&address).copied()
    }
}

/// The procedures of a program, with the way back to its code.
#[derive(Clone, Debug)]
pub struct Procedures {
    program: Program,
    bodies: Vec<Body>,
    entries: BTreeMap<u64, ProcedureId>,
}

/// Why code has no procedures.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProceduresError {
    #[error("procedure `{procedure}`: {error}")]
    Graph {
        procedure: String,
        error: hpp_paths::graph::CfgError,
    },
    #[error(transparent)]
    Program(#[from] hpp_paths::interprocedural::ProgramError),
}

impl Procedures {
    /// The program of procedures.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The procedure that begins at an address.
    pub fn at(&self, entry: u64) -> Option<ProcedureId> {
        self.entries.get(&entry).copied()
    }

    /// The code of a procedure.
    pub fn body(&self, procedure: ProcedureId) -> &Body {
        &self.bodies[procedure.index()]
    }
}
