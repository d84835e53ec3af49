//! A run followed from record to record.

use std::collections::VecDeque;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_riscv::{Instruction, Program, Transfer};
use thiserror::Error;

use super::rules::{Effect, Paths, Place, is_recorded};

/// Which edge a path takes out of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome {
    /// The outcome that the path records; `None` if it records none.
    pub recorded: Option<bool>,
    /// The path would go on, but is as long as a path may be.
    pub split: bool,
}

/// Who wants to know of the paths of a run.
pub trait Observer {
    /// What is kept of a path under way.
    type Path;

    /// A path begins at a place; `None` if none can.
    fn begin(&mut self, place: &Place) -> Option<Self::Path>;

    /// It leaves a place; `None` if it cannot.
    fn take(&mut self, path: &mut Self::Path, place: &Place, outcome: Outcome) -> Option<()>;

    /// It has ended.
    fn end(&mut self, path: Self::Path);
}

/// Why a record does not fit the program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "record {index}, a {kind} before {next:#x} to {target:#x}, is not that of the branch that follows {from:#x}"
)]
pub struct LostError {
    /// Position of the record, from 0.
    pub index: usize,
    /// Its kind.
    pub kind: BranchKind,
    /// The address after its branch.
    pub next: u64,
    /// Its target.
    pub target: u64,
    /// Where control was.
    pub from: u64,
}

/// A procedure under way.
struct Frame<P> {
    place: Place,
    /// Where control is: at the place, or after a call or trap since.
    at: u64,
    /// Outcomes recorded.
    length: u32,
    path: P,
}

/// Follows a run, and tells an observer of its paths.
pub struct Follower<'a, C, O: Observer> {
    program: &'a C,
    paths: Paths,
    max_branches: u32,
    depth: usize,
    frames: VecDeque<Frame<O::Path>>,
    observer: O,
}

impl<'a, C: Program, O: Observer> Follower<'a, C, O> {
    /// A follower that has seen no record.
    pub fn new(program: &'a C, paths: Paths, geometry: &Geometry, observer: O) -> Self {
        Self {
            program,
            paths,
            max_branches: geometry.max_branches,
            depth: geometry.stack_depth as usize,
            frames: VecDeque::new(),
            observer,
        }
    }

    /// Follows all records; the observer, which has not seen the ends of paths under way. O(instructions passed).
    ///
    /// # Errors
    ///
    /// At the first record that is not that of the branch control is at.
    pub fn run(mut self, records: &[BranchRecord]) -> Result<O, LostError> {
        for (index, record) in records.iter().enumerate() {
            let from = self.frames.back().map_or(record.target, |frame| frame.at);
            self.step(record).ok_or(LostError {
                index,
                kind: record.kind,
                next: record.next,
                target: record.target,
                from,
            })?;
        }
        Ok(self.observer)
    }

    fn step(&mut self, record: &BranchRecord) -> Option<()> {
        if record.kind == BranchKind::Trap || self.frames.is_empty() {
            return self.enter(record.target);
        }
        let instruction = self.branch(record)?;
        let frame = self.frames.back_mut()?;
        let effect = self
            .paths
            .effect(record.kind, record.taken, frame.place.extension);
        let recorded = is_recorded(record.kind).then_some(record.taken);
        match effect {
            Effect::Waits => {
                frame.at = instruction.next;
                self.enter(record.target)
            }
            Effect::Leaves => {
                self.take(recorded, false)?;
                self.pop();
                if self.frames.is_empty() {
                    return self.enter(record.target);
                }
                Some(())
            }
            Effect::Ends => {
                let next = self.paths.next(&frame.place, record.target);
                self.take(recorded, false)?;
                self.replace(next)
            }
            Effect::Goes | Effect::Crosses | Effect::Descends | Effect::Ascends => {
                let to = effect.goes_on(&frame.place, record.target, instruction.next)?;
                if to.address != record.target {
                    return None;
                }
                self.go(recorded, to)
            }
        }
    }

    /// The path goes on to a place, unless it is as long as it may be.
    fn go(&mut self, recorded: Option<bool>, to: Place) -> Option<()> {
        let frame = self.frames.back_mut()?;
        frame.length += u32::from(recorded.is_some());
        if recorded.is_some() && frame.length == self.max_branches {
            self.take(recorded, true)?;
            let next = self.paths.next(&to, to.address);
            return self.replace(next);
        }
        self.take(recorded, false)?;
        let frame = self.frames.back_mut()?;
        frame.at = to.address;
        frame.place = to;
        Some(())
    }

    fn take(&mut self, recorded: Option<bool>, split: bool) -> Option<()> {
        let Frame { path, place, .. } = self.frames.back_mut()?;
        let outcome = Outcome { recorded, split };
        self.observer.take(path, place, outcome)
    }

    /// The path ends.
    fn pop(&mut self) {
        let frame = self.frames.pop_back();
        frame
            .into_iter()
            .for_each(|frame| self.observer.end(frame.path));
    }

    /// The path ends, and the next of its procedure begins.
    fn replace(&mut self, place: Place) -> Option<()> {
        self.pop();
        self.begin(place)
    }

    /// A procedure is entered; the outermost is forgotten if there are too many.
    fn enter(&mut self, address: u64) -> Option<()> {
        if self.frames.len() == self.depth {
            self.frames.pop_front();
        }
        self.begin(Place::entry(address))
    }

    fn begin(&mut self, place: Place) -> Option<()> {
        let path = self.observer.begin(&place)?;
        self.frames.push_back(Frame {
            at: place.address,
            place,
            length: 0,
            path,
        });
        Some(())
    }

    /// The next transfer, which must be the record's.
    fn branch(&self, record: &BranchRecord) -> Option<Instruction> {
        let (_, instruction, transfer) = next_transfer(self.program, self.frames.back()?.at)?;
        let goes = match transfer.target {
            _ if transfer.conditional && !record.taken => instruction.next,
            Some(target) => target,
            None => record.target,
        };
        let same = transfer.kind == record.kind
            && instruction.next == record.next
            && goes == record.target
            && (record.taken || transfer.conditional);
        same.then_some(instruction)
    }
}

/// The first transfer at or after an address; `None` if code ends before one.
pub(super) fn next_transfer<C: Program>(
    program: &C,
    mut at: u64,
) -> Option<(u64, Instruction, Transfer)> {
    loop {
        let instruction = program.instruction(at)?;
        match instruction.transfer {
            Some(transfer) => return Some((at, instruction, transfer)),
            None => at = instruction.next,
        }
    }
}
