//! A path stack for records by number, fast.
//!
//! What a record does depends on the entry that is on top, and on nothing else: the entry is a [state](crate::states). The states of the entries below
//! the top wait on a stack of their own, as the entries would. A checked stack, where frames decide too, goes through the model record by record.

use std::collections::VecDeque;

use hpp_golden::branch::BranchRecord;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{PathStack, StackEntry, StackTally, Then};
use indexmap::IndexSet;
use indexmap::set::Slice;
use rustc_hash::FxBuildHasher;

use crate::states::{Edge, NONE, Once, States};

/// How many states are kept; with their edges some 25 MB.
const MOST_STATES: usize = 1 << 17;

/// A path, by number, that completed several times in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Which path.
    pub path: u32,
    /// How often, at least once.
    pub times: u32,
}

/// The states that wait for a return: with the one on top, which is not here, as many as a path stack has entries.
#[derive(Clone, Debug)]
pub struct Waiting {
    states: VecDeque<u32>,
    room: usize,
}

impl Waiting {
    /// No waiting states, for a path stack of so many entries (at least one).
    #[must_use]
    pub fn new(depth: usize) -> Self {
        Self {
            states: VecDeque::with_capacity(depth),
            room: depth - 1,
        }
    }

    /// Adds a waiting state. Returns whether there was no room, so that the oldest one is dropped.
    #[inline]
    pub fn push(&mut self, state: u32) -> bool {
        let is_full = self.states.len() == self.room;
        if is_full {
            self.states.pop_front();
        }
        if self.room > 0 {
            self.states.push_back(state);
        }
        is_full
    }

    /// Takes the newest waiting state; `None` if there is none.
    #[inline]
    pub fn pop(&mut self) -> Option<u32> {
        self.states.pop_back()
    }

    /// The numbers of the waiting states, the newest first.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut u32> {
        self.states.iter_mut().rev()
    }
}

/// What happens to the waiting states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// None of them changes.
    Stays,
    /// This state is to wait.
    Pushes(u32),
    /// The newest waiting state becomes the current one; if there is none, the stack begins again in the state that the edge leads to.
    Pops,
}

#[derive(Clone, Copy, Debug)]
struct Effect {
    /// The number of the path it completes, or [`NONE`].
    path: u32,
    after: After,
    splits: bool,
    saturates: bool,
}

/// What records did.
#[derive(Clone, Debug, Default)]
pub struct Completed {
    /// The paths they completed, in order.
    pub paths: Vec<Times>,
    /// What happened on the stack.
    pub tally: StackTally,
}

impl Completed {
    #[inline(always)]
    fn push(&mut self, path: u32) {
        match self.paths.last_mut() {
            Some(last) if last.path == path && last.times < u32::MAX => last.times += 1,
            _ => self.paths.push(Times { path, times: 1 }),
        }
    }
}

/// A path stack whose records and paths have numbers.
#[derive(Clone, Debug)]
pub struct NumberedStack {
    /// The model's stack, which computes effects. For a checked stack it also holds the entries.
    stack: PathStack,
    is_checked: bool,
    paths: IndexSet<CompletedPath, FxBuildHasher>,
    /// The entry on top, by number; none if the stack is empty.
    states: States<Option<StackEntry>>,
    most_states: usize,
    once: Once,
    /// The effects by number. The first is used for a step whose state has no number.
    effects: Vec<Effect>,
    state: u32,
    /// The entry on top where that has no number.
    unnumbered: Option<StackEntry>,
    waiting: Waiting,
}

const UNNUMBERED: u32 = States::<Option<StackEntry>>::UNNUMBERED;

impl NumberedStack {
    /// The fast form of this stack, which must be empty.
    #[must_use]
    pub fn new(stack: PathStack) -> Self {
        let mut states = States::new();
        Self {
            is_checked: stack.is_checked(),
            waiting: Waiting::new(stack.depth()),
            stack,
            paths: IndexSet::default(),
            state: states.number(None),
            states,
            most_states: MOST_STATES,
            once: Once::new(),
            effects: vec![Effect {
                path: NONE,
                after: After::Stays,
                splits: false,
                saturates: false,
            }],
            unnumbered: None,
        }
    }

    /// Records are missing: what is under way is dropped, and the stack is empty as it was at first.
    pub fn purge(&mut self) {
        self.stack.purge();
        self.state = self.states.number(None);
        self.unnumbered = None;
        self.waiting.states.clear();
    }

    /// The paths that completed, by number.
    #[must_use]
    pub fn paths(&self) -> &Slice<CompletedPath> {
        self.paths.as_slice()
    }

    /// Processes records by their numbers and adds what they did. Constant time a record, on average.
    ///
    /// # Panics
    ///
    /// If there is no record with one of the numbers. A number must be that of the same record each time.
    pub fn run(&mut self, records: &[BranchRecord], numbers: &[u32], completed: &mut Completed) {
        if self.is_checked {
            return self.run_checked(records, numbers, completed);
        }
        let mut state = self.state;
        for &number in numbers {
            let edge = match self.states.taken_last(state, number) {
                Some(&edge) => edge,
                None => {
                    self.state = state;
                    self.look_up(number, &records[number as usize])
                }
            };
            state = edge.next;
            if edge.effect != Edge::BRANCH {
                state = self.act(edge, completed);
            }
        }
        self.state = state;
    }

    fn run_checked(&mut self, records: &[BranchRecord], numbers: &[u32], to: &mut Completed) {
        for &number in numbers {
            if let Some(path) = self.stack.step(&records[number as usize]) {
                to.push(number_of(&mut self.paths, path));
            }
        }
        let tally = self.stack.take_tally();
        to.tally.splits += tally.splits;
        to.tally.underflows += tally.underflows;
        to.tally.overflows += tally.overflows;
        to.tally.repairs += tally.repairs;
        to.tally.event_counter_saturated |= tally.event_counter_saturated;
    }

    #[inline(never)]
    fn look_up(&mut self, number: u32, record: &BranchRecord) -> Edge {
        let has_state = self.state != UNNUMBERED;
        if has_state && let Some(edge) = self.states.edge(self.state, number) {
            return edge;
        }
        if self.states.count() >= self.most_states {
            self.forget();
        }
        let top = match self.state {
            UNNUMBERED => self.unnumbered,
            state => self.states.known(state),
        };
        let (effect, next) = self.work_out(top.as_ref(), record);
        if !has_state || self.once.is_first(self.state, number) {
            self.effects[0] = effect;
            let begins = next.is_none_or(|top| top.descriptor.length == 0);
            self.unnumbered = next;
            let next = if begins {
                self.states.number(next)
            } else {
                UNNUMBERED
            };
            return Edge::new(number, next, 0);
        }
        let leads_on = effect.path == NONE
            && effect.after == After::Stays
            && !(effect.splits || effect.saturates);
        let effect = match leads_on {
            true => Edge::BRANCH,
            false => {
                self.effects.push(effect);
                u32::try_from(self.effects.len() - 1).expect("a state has few of them")
            }
        };
        let edge = Edge::new(number, self.states.number(next), effect);
        self.states.keep(self.state, edge);
        edge
    }

    /// The effect of a record on this top entry, and the top entry after it.
    fn work_out(
        &mut self,
        top: Option<&StackEntry>,
        record: &BranchRecord,
    ) -> (Effect, Option<StackEntry>) {
        let on_top = self.stack.effect(top, record);
        let (after, next) = match on_top.then {
            Then::Stays(top) => (After::Stays, top),
            Then::Pops { restarted } => (After::Pops, restarted),
            Then::Pushes { below, top } => (After::Pushes(self.states.number(Some(below))), top),
        };
        let path = on_top.path;
        let effect = Effect {
            path: path.map_or(NONE, |path| number_of(&mut self.paths, path)),
            after,
            splits: on_top.splits,
            saturates: on_top.saturates,
        };
        (effect, Some(next))
    }

    /// Applies a record's effect on the stack; returns the state that it leads to.
    #[inline(always)]
    fn act(&mut self, edge: Edge, completed: &mut Completed) -> u32 {
        let effect = self.effects[edge.effect as usize];
        if effect.path != NONE {
            completed.push(effect.path);
        }
        let tally = &mut completed.tally;
        tally.splits += u64::from(effect.splits);
        tally.event_counter_saturated |= effect.saturates;
        match effect.after {
            After::Stays => edge.next,
            After::Pushes(waits) => {
                tally.overflows += u64::from(self.waiting.push(waits));
                edge.next
            }
            After::Pops => self.waiting.pop().unwrap_or_else(|| {
                tally.underflows += 1;
                edge.next
            }),
        }
    }

    /// Forgets all states but the one it is in and those that wait.
    fn forget(&mut self) {
        self.effects.truncate(1);
        let numbers = core::iter::once(&mut self.state).chain(self.waiting.numbers());
        self.states.forget_all_but(numbers);
    }
}

/// A path's number, a new one if it never completed before.
fn number_of(paths: &mut IndexSet<CompletedPath, FxBuildHasher>, path: CompletedPath) -> u32 {
    u32::try_from(paths.insert_full(path).0).expect("memory ends before the numbers do")
}

#[cfg(test)]
mod tests {
    use hpp_golden::branch::BranchKind;
    use hpp_golden::config::Geometry;
    use hpp_golden::profiler::Ppcr;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// With room for so few states that they are forgotten again and again.
        #[test]
        fn states_that_are_forgotten_are_worked_out_again(
            most_states in 1..40_usize,
            codes in prop::collection::vec((0..8_u8, 0..4_u64, any::<bool>()), 1..20),
            chosen in prop::collection::vec(any::<prop::sample::Index>(), 0..900),
        ) {
            let record = |&(code, to, taken): &_| {
                BranchRecord::new(BranchKind::from_code(code), taken, 0x1000 + 4 * to, 0x2000)
            };
            let records: Vec<BranchRecord> = codes.iter().map(record).collect();
            let numbers: Vec<u32> = chosen.iter().map(|n| n.index(records.len()) as u32).collect();
            let geometry = Geometry { stack_depth: 4, max_branches: 6, ..Geometry::default() };
            let mut plain = PathStack::new(&geometry, Ppcr::ball_larus());
            let mut fast = NumberedStack { most_states, ..NumberedStack::new(plain.clone()) };
            let mut completed = Completed::default();
            numbers.chunks(50).for_each(|numbers| fast.run(&records, numbers, &mut completed));
            let times = completed.paths.iter();
            let paths = times.flat_map(|times| {
                let path = fast.paths()[times.path as usize];
                (0..times.times).map(move |_| path)
            });
            let expected = numbers.iter().filter_map(|&n| plain.step(&records[n as usize]));
            prop_assert!(paths.eq(expected));
            prop_assert_eq!(completed.tally, plain.take_tally());
        }
    }
}
