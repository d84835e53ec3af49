//! A model of a branch predictor, as a core of the size of the profiler's hosts could have it.

use hpp_golden::branch::{BranchKind, BranchRecord};

/// Outcomes of branches that the prediction of the next depends on.
pub const HISTORY: u32 = 12;
/// Targets of computed jumps and calls that are kept.
pub const TARGETS: usize = 256;
/// Return addresses that are kept.
pub const RETURNS: usize = 8;

/// Counters of two bits by address and history (McFarling, "Combining Branch Predictors", 1993: gshare), the last target of
/// computed jumps and calls by address, and a stack of return addresses. Nothing has a tag.
pub struct Predictor {
    /// From 0, surely not taken, to 3.
    counters: Vec<u8>,
    history: usize,
    targets: Vec<u64>,
    /// The newest last; the oldest goes where there are too many.
    returns: Vec<u64>,
}

impl Default for Predictor {
    /// One that has seen nothing: branches are expected to be taken.
    fn default() -> Self {
        Self {
            counters: vec![2; 1 << HISTORY],
            history: 0,
            targets: vec![0; TARGETS],
            returns: Vec::new(),
        }
    }
}

impl Predictor {
    /// Takes in a branch; says whether it went where it was not expected to go. Where direct branches and calls lead is in the instruction.
    pub fn mispredicts(&mut self, record: &BranchRecord) -> bool {
        let BranchRecord {
            kind,
            taken,
            target,
            next,
            ..
        } = *record;
        // The lowest bit of an address is 0.
        let address = (next >> 1) as usize;
        match kind {
            BranchKind::Forward | BranchKind::Backward => self.direct(address, taken),
            BranchKind::Call => {
                self.call(next);
                false
            }
            BranchKind::IndirectCall => {
                self.call(next);
                self.computed(address, target)
            }
            BranchKind::Indirect => self.computed(address, target),
            BranchKind::Return => self.returns.pop() != Some(target),
            BranchKind::Trap | BranchKind::TrapReturn => true,
        }
    }

    fn direct(&mut self, address: usize, taken: bool) -> bool {
        let mask = self.counters.len() - 1;
        let counter = &mut self.counters[(address ^ self.history) & mask];
        let expected = *counter >= 2;
        *counter = match taken {
            true => (*counter + 1).min(3),
            false => counter.saturating_sub(1),
        };
        self.history = (self.history << 1 | usize::from(taken)) & mask;
        expected != taken
    }

    fn call(&mut self, next: u64) {
        if self.returns.len() == RETURNS {
            self.returns.remove(0);
        }
        self.returns.push(next);
    }

    fn computed(&mut self, address: usize, target: u64) -> bool {
        let last = &mut self.targets[address % TARGETS];
        std::mem::replace(last, target) != target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: BranchKind, taken: bool, target: u64, next: u64) -> BranchRecord {
        BranchRecord::new(kind, taken, target, next)
    }

    fn wrong(records: impl IntoIterator<Item = BranchRecord>) -> usize {
        let mut predictor = Predictor::default();
        let wrong = records
            .into_iter()
            .filter(|record| predictor.mispredicts(record));
        wrong.count()
    }

    #[test]
    fn a_pattern_of_outcomes_is_learned() {
        let branch = |round: usize| record(BranchKind::Backward, round % 3 != 2, 0x100, 0x110);
        let seldom = wrong((0..3000).map(branch));
        assert!((1..60).contains(&seldom), "{seldom}");
    }

    #[test]
    fn returns_are_known_as_deep_as_the_stack_is() {
        let calls =
            |depth: u64| (0..depth).map(|at| record(BranchKind::Call, true, 0x800, 0x100 + 4 * at));
        let returns = |depth: u64| {
            (0..depth)
                .rev()
                .map(|at| record(BranchKind::Return, true, 0x100 + 4 * at, 0x900))
        };
        let deep = |depth: u64| wrong(calls(depth).chain(returns(depth)));
        assert_eq!(deep(RETURNS as u64), 0);
        assert_eq!(deep(RETURNS as u64 + 3), 3);
    }

    #[test]
    fn a_computed_jump_is_expected_where_it_went_last() {
        let jump = |target| record(BranchKind::Indirect, true, target, 0x104);
        assert_eq!(wrong([0x200, 0x200, 0x300, 0x300, 0x200].map(jump)), 3);
    }
}
