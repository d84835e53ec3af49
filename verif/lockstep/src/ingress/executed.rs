//! The executed instructions, and a check that a reported path is one of their runs.
//!
//! This check knows nothing of queue, stack or ingress. From the list of retirements it derives the branches of each
//! active procedure or handler (a *frame*), in order. Calls, returns and traps change the frame.
//!
//! With Ball-Larus rows a path is a run of branches of one frame. It ends with a taken backward branch, a computed
//! jump, the end of the frame, or the maximum length. None of these lies within it.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_riscv::{Retirement, Xlen, decode};

/// A point in a frame after a control transfer.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The address at which execution continued; `None` after the end of the frame.
    target: Option<u64>,
    /// The outcome, if paths record the transfer.
    outcome: Option<bool>,
    ends: bool,
}

#[derive(Debug)]
pub struct Executed {
    xlen: Xlen,
    geometry: Geometry,
    frames: Vec<Vec<Place>>,
    /// The active frames, the innermost last.
    active: Vec<usize>,
    /// Frame and position of each record, in order.
    records: Vec<(usize, usize)>,
    after_trap: bool,
    /// Records up to this one precede the next reported path.
    checked: usize,
}

impl Executed {
    /// An empty execution, for a core with this register width and a profiler with this geometry.
    pub fn new(xlen: Xlen, geometry: &Geometry) -> Self {
        Self {
            xlen,
            geometry: *geometry,
            frames: vec![Vec::new()],
            active: vec![0],
            records: Vec::new(),
            after_trap: false,
            checked: 0,
        }
    }

    /// Number of records that the executed instructions make.
    pub fn records(&self) -> u64 {
        self.records.len() as u64
    }

    /// Adds an executed instruction. Returns whether it is the first of a handler.
    pub fn retire(&mut self, retirement: &Retirement) -> bool {
        let enters = retirement.intr || self.after_trap;
        if enters {
            self.enter(retirement.pc);
        }
        self.after_trap = retirement.trap;
        let instruction = decode(retirement.insn, retirement.pc, self.xlen);
        let Some(transfer) = instruction.transfer.filter(|_| !retirement.trap) else {
            return enters;
        };
        let target = retirement.next_pc;
        // Addresses wrap around.
        let next = self.geometry.address(instruction.next);
        let taken = !transfer.conditional || self.geometry.address(target) != next;
        match transfer.kind {
            BranchKind::Call | BranchKind::IndirectCall | BranchKind::Trap => self.enter(target),
            BranchKind::Return | BranchKind::TrapReturn => self.leave(target),
            kind => {
                let ends = taken && kind != BranchKind::Forward;
                self.push(Some(target), Some(taken), ends);
            }
        }
        enters
    }

    fn push(&mut self, target: Option<u64>, outcome: Option<bool>, ends: bool) {
        let target = target.map(|target| self.shown(target));
        let frame = *self.active.last().expect("one is under way");
        self.frames[frame].push(Place {
            target,
            outcome,
            ends,
        });
        self.records.push((frame, self.frames[frame].len() - 1));
    }

    /// An address without its constant low bits.
    fn shown(&self, address: u64) -> u64 {
        address >> self.geometry.align << self.geometry.align
    }

    fn enter(&mut self, target: u64) {
        self.active.push(self.frames.len());
        self.frames.push(Vec::new());
        self.push(Some(target), None, true);
    }

    /// Leaves it, into its caller or into code whose beginning was not observed.
    fn leave(&mut self, target: u64) {
        self.push(None, None, true);
        self.active.pop();
        if self.active.is_empty() {
            self.active.push(self.frames.len());
            self.frames.push(Vec::new());
        }
        let frame = *self.active.last().expect("pushed above");
        let target = Some(self.shown(target));
        self.frames[frame].push(Place {
            target,
            outcome: None,
            ends: false,
        });
    }

    /// Checks a reported path. Paths are reported in the order in which they end.
    ///
    /// # Errors
    ///
    /// If it was not executed after the end of the previous path.
    pub fn check(&mut self, path: &PathDescriptor) -> Result<(), String> {
        let ending = (self.checked..self.records.len()).find(|&record| {
            let (frame, place) = self.records[record];
            is_run(
                &self.frames[frame][..=place],
                path,
                self.geometry.max_branches,
            )
        });
        let Some(record) = ending else {
            return Err(format!(
                "path {path} was not executed: no sequence of branches after record {} matches",
                self.checked
            ));
        };
        self.checked = record + 1;
        Ok(())
    }
}

/// Whether a path ends at the last of these points and matches the execution before it.
fn is_run(places: &[Place], path: &PathDescriptor, longest: u32) -> bool {
    let (last, before) = places.split_last().expect("a place ends the path");
    let full = path.length == longest && last.outcome.is_some();
    if !last.ends && !full {
        return false;
    }
    let mut left = path.length;
    let mut goes_on = take(last, path, &mut left);
    for place in before.iter().rev() {
        if !goes_on {
            return false;
        }
        if left == 0 && place.target == Some(path.start) {
            return true;
        }
        goes_on = !place.ends && take(place, path, &mut left);
    }
    false
}

/// Removes the outcome of a point from the end of the path. Returns whether they agree.
fn take(place: &Place, path: &PathDescriptor, left: &mut u32) -> bool {
    let Some(outcome) = place.outcome else {
        return true;
    };
    if *left == 0 {
        return false;
    }
    *left -= 1;
    (path.outcomes >> *left & 1 == 1) == outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEQ_FORWARD: u32 = 0x0000_0463;
    const BEQ_BACKWARD: u32 = 0xfe00_0ce3;
    const JUMP: u32 = 0x0100_006f;

    fn retire(pc: u64, insn: u32, next_pc: u64) -> Retirement {
        Retirement {
            pc,
            insn,
            next_pc,
            ..Retirement::default()
        }
    }

    fn path(start: u64, outcomes: &[bool]) -> PathDescriptor {
        PathDescriptor {
            start,
            length: outcomes.len() as u32,
            outcomes: (0..)
                .zip(outcomes)
                .fold(0, |all, (i, &taken)| all | u64::from(taken) << i),
        }
    }

    fn geometry(pc_bits: u32) -> Geometry {
        Geometry {
            align: 1,
            pc_bits,
            ..Geometry::default()
        }
    }

    fn handler_of_three() -> Executed {
        let mut executed = Executed::new(Xlen::Rv32, &geometry(32));
        executed.retire(&Retirement {
            intr: true,
            ..retire(0x2000, JUMP, 0x2010)
        });
        executed.retire(&retire(0x2010, BEQ_FORWARD, 0x2014));
        executed.retire(&retire(0x2014, BEQ_BACKWARD, 0x200c));
        executed
    }

    #[test]
    fn a_path_is_what_was_executed_and_nothing_less() {
        let whole = path(0x2000, &[true, false, true]);
        assert_eq!(handler_of_three().check(&whole), Ok(()));
        // After a purge a path begins at the target of the first record.
        let later = path(0x2010, &[false, true]);
        assert_eq!(handler_of_three().check(&later), Ok(()));
        for wrong in [
            path(0x2000, &[true, true]),
            path(0x2000, &[true, false]),
            path(0x2010, &[true, true]),
            path(0x2000, &[true, false, true, true]),
        ] {
            let error = handler_of_three().check(&wrong).expect_err("not executed");
            assert!(error.contains("not executed"), "{error}");
        }
    }
}
