//! Which calls are inlined.
use rustc_hash::FxHashSet;

use super::program::{Event, ProcedureId};
use crate::graph::EdgeId;

/// The calls that are inlined into a supergraph.
///
/// A call of a procedure that control is in already, at any depth, is never inlined: recursion is cut there.
#[derive(Clone, Debug)]
pub struct Inlining {
    depth: usize,
    calls: Option<FxHashSet<(ProcedureId, EdgeId, ProcedureId)>>,
}

impl Inlining {
    /// No call: each procedure by itself.
    pub fn none() -> Self {
        Self::all(0)
    }

    /// Every call, `depth` calls deep. Supergraphs grow with the number of ways to call `depth` deep.
    pub fn all(depth: usize) -> Self {
        Inlining { depth, calls: None }
    }

    /// The calls that runs make, `depth` calls deep: what a program does in its tests is a small part of what it may do, and
    /// so are its supergraphs (thesis, section 3.4.6). [`observe`](Self::observe) adds the calls of a run.
    pub fn observed(depth: usize) -> Self {
        Inlining {
            depth,
            calls: Some(FxHashSet::default()),
        }
    }

    /// Adds the calls of a run that begins at the entry of a procedure. Linear.
    pub fn observe<'a>(&mut self, start: ProcedureId, run: impl IntoIterator<Item = &'a Event>) {
        let Some(calls) = &mut self.calls else { return };
        let mut active = vec![start];
        for event in run {
            match *event {
                Event::Take(_) => {}
                Event::Call { site, callee } => {
                    calls.extend(active.last().map(|&caller| (caller, site, callee)));
                    active.push(callee);
                }
                Event::Return => {
                    active.pop();
                }
            }
        }
    }

    /// How many calls deep.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether this call is among those to inline. Depth and recursion are not looked at here.
    pub(super) fn takes(&self, caller: ProcedureId, site: EdgeId, callee: ProcedureId) -> bool {
        let calls = self.calls.as_ref();
        calls.is_none_or(|calls| calls.contains(&(caller, site, callee)))
    }
}
