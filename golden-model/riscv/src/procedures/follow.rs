//! From branch records to the events of a run of procedures.
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_paths::graph::{BlockId, EdgeId};
use hpp_paths::interprocedural::{Event, ProcedureId};
use thiserror::Error;

use super::{Ending, Part, Procedures, Way};

/// Why records are not those of a run of the procedures.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LostError {
    #[error("no procedure begins at {0:#x}; name the entry of one")]
    NoEntry(u64),
    #[error(
        "record {index} (from 0), a {kind} before {next:#x} to {target:#x}, does not go on from the block at {block:#x} \
         of `{procedure}`"
    )]
    Record {
        index: usize,
        kind: BranchKind,
        next: u64,
        target: u64,
        block: u64,
        procedure: String,
    },
    #[error("record {index} (from 0) comes after the first procedure has returned")]
    Ended { index: usize },
}

struct Walk<'a> {
    procedures: &'a Procedures,
    active: Vec<(ProcedureId, BlockId)>,
    events: Vec<Event>,
}

impl Procedures {
    /// The events of a run, from its branch records; `entry` is where it begins. O(blocks the run passes).
    ///
    /// # Errors
    ///
    /// If a record is not that of the branch control is at: another program's, one that was not observed, or a trap's.
    pub fn events(&self, entry: u64, records: &[BranchRecord]) -> Result<Vec<Event>, LostError> {
        let mut walk = Walk {
            procedures: self,
            active: Vec::new(),
            events: Vec::with_capacity(2 * records.len()),
        };
        walk.enter(entry).ok_or(LostError::NoEntry(entry))?;
        for (index, record) in records.iter().enumerate() {
            let Some(&(procedure, block)) = walk.active.last() else {
                return Err(LostError::Ended { index });
            };
            walk.step(record).ok_or_else(|| LostError::Record {
                index,
                kind: record.kind,
                next: record.next,
                target: record.target,
                block: self.part(procedure, block).map_or(0, |part| part.start),
                procedure: self.program().procedure(procedure).name().into(),
            })?;
        }
        Ok(walk.events)
    }

    fn part(&self, procedure: ProcedureId, block: BlockId) -> Option<&Part> {
        self.body(procedure).cfg.block(block).as_ref()
    }
}

impl Walk<'_> {
    fn enter(&mut self, entry: u64) -> Option<ProcedureId> {
        let procedure = self.procedures.at(entry)?;
        let block = self.procedures.body(procedure).cfg.entry();
        self.active.push((procedure, block));
        Some(procedure)
    }

    /// Follows one record; `None` if it is not that of the block's branch.
    fn step(&mut self, record: &BranchRecord) -> Option<()> {
        while self.part()?.ending == Ending::Fall {
            let edge = self.edge(|way| way == Way::Next)?;
            self.take(edge, None)?;
        }
        let part = *self.part()?;
        let (kind, target) = (record.kind, record.target);
        if part.end != record.next || !fits(part.ending, kind) {
            return None;
        }
        match part.ending {
            Ending::Branch if !record.taken => {
                let edge = self.edge(|way| way == Way::Next)?;
                self.take(edge, Some(target))
            }
            Ending::Branch | Ending::Jump => {
                let edge = self.edge(|way| way == Way::Taken(target))?;
                self.take(edge, Some(target))
            }
            Ending::Indirect => {
                let case = self.edge(|way| way == Way::Case(target));
                let edge = case.or_else(|| self.edge(|way| way == Way::Elsewhere))?;
                self.take(edge, Some(target))
            }
            Ending::Call => {
                let edge = self.edge(|way| way == Way::Call)?;
                self.take(edge, Some(target))
            }
            Ending::Return => {
                let edge = self.edge(|way| way == Way::Return)?;
                self.take(edge, None)?;
                self.leave(target)
            }
            Ending::Fall | Ending::Dead => None,
        }
    }

    fn part(&self) -> Option<&Part> {
        let &(procedure, block) = self.active.last()?;
        self.procedures.part(procedure, block)
    }

    fn edge(&self, way: impl Fn(Way) -> bool) -> Option<EdgeId> {
        let &(procedure, block) = self.active.last()?;
        self.procedures.body(procedure).edge(block, way)
    }

    /// Takes an edge; if it is a call, to the procedure at `target`. Whatever is entered begins there.
    fn take(&mut self, edge: EdgeId, target: Option<u64>) -> Option<()> {
        let procedures = self.procedures;
        let (procedure, block) = self.active.last_mut()?;
        let body = procedures.body(*procedure);
        *block = body.cfg.ends(edge).1;
        if procedures
            .program()
            .procedure(*procedure)
            .call(edge)
            .is_some()
        {
            let callee = self.enter(target?)?;
            self.events.push(Event::Call { site: edge, callee });
            return Some(());
        }
        self.events.push(Event::Take(edge));
        let arrived = body.cfg.block(*block).as_ref().map(|part| part.start);
        let expected = target.filter(|_| arrived.is_some());
        (expected.is_none() || expected == arrived).then_some(())
    }

    /// Returns, also from those that called last of all, to `target`.
    fn leave(&mut self, target: u64) -> Option<()> {
        loop {
            self.active.pop();
            self.events.push(Event::Return);
            let Some(part) = self.active.last().map(|_| self.part()) else {
                return Some(());
            };
            match part {
                // A tail call: nothing is left to do here.
                None => {}
                Some(part) => return (part.start == target).then_some(()),
            }
        }
    }
}

/// Whether a record of this kind can be that of a block that ends so.
const fn fits(ending: Ending, kind: BranchKind) -> bool {
    match ending {
        Ending::Branch | Ending::Jump => matches!(kind, BranchKind::Forward | BranchKind::Backward),
        Ending::Indirect => matches!(kind, BranchKind::Indirect),
        Ending::Call => matches!(kind, BranchKind::Call | BranchKind::IndirectCall),
        Ending::Return => matches!(kind, BranchKind::Return | BranchKind::TrapReturn),
        Ending::Fall | Ending::Dead => false,
    }
}
