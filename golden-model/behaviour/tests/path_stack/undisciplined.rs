//! Programs that break the discipline of calls and returns: no path is reported that was not executed by one activation.
//!
//! The machine below knows which activation executes. A path is *true* if the activation that ends it arrived at its start, and the
//! outcomes since then are the path's, whatever was called and trapped meanwhile.

use crate::*;
use proptest::prelude::*;

const HANDLER_CONTEXT: u8 = 3;

#[derive(Clone, Debug)]
enum Action {
    /// A branch to a slot of its procedure: backward or not, taken or not.
    Branch(bool, bool, u64),
    /// A call from a slot; few slots, so that activations of one call pile up.
    Call(u64, u64),
    Return,
    /// `setjmp` in the activation on top.
    Mark(u64),
    /// `longjmp` to the so-manieth activation with a mark, from the bottom.
    Jump(prop::sample::Index),
    /// An exception that an activation further out handles.
    Throw(prop::sample::Index),
    Trap,
    /// The handler returns so many bytes after the instruction.
    TrapReturn(u64),
    /// To another thread, by a call of the scheduler.
    Switch(u8),
}

fn step() -> impl Strategy<Value = Action> {
    prop_oneof![
        8 => (any::<bool>(), any::<bool>(), 0..6_u64).prop_map(|(back, taken, to)| Action::Branch(back, taken, to)),
        6 => (0..3_u64, 0..3_u64).prop_map(|(from, to)| Action::Call(from, to)),
        6 => Just(Action::Return),
        1 => (0..2_u64).prop_map(Action::Mark),
        1 => any::<prop::sample::Index>().prop_map(Action::Jump),
        1 => any::<prop::sample::Index>().prop_map(Action::Throw),
        1 => Just(Action::Trap),
        2 => prop::sample::select(vec![0_u64, 2, 4]).prop_map(Action::TrapReturn),
        1 => (0..3_u8).prop_map(Action::Switch),
    ]
}

#[derive(Clone)]
struct Activation {
    procedure: u64,
    trap: bool,
    /// Where it goes on, once what it called returns.
    resume: u64,
    mark: Option<u64>,
    outcomes: Vec<bool>,
    /// Where it was, and how many outcomes it had then.
    arrivals: Vec<(u64, usize)>,
}

impl Activation {
    fn new(procedure: u64, trap: bool) -> Self {
        Self {
            procedure,
            trap,
            resume: 0,
            mark: None,
            outcomes: Vec::new(),
            arrivals: Vec::new(),
        }
    }

    fn executed(&self, path: &PathDescriptor) -> bool {
        let Some(first) = self.outcomes.len().checked_sub(path.length as usize) else {
            return false;
        };
        let bits = self.outcomes[first..].iter().enumerate();
        let outcomes = bits.fold(0, |word, (i, &taken)| word | u64::from(taken) << i);
        outcomes == path.outcomes && self.arrivals.contains(&(path.start, first))
    }
}

struct Machine {
    geometry: Geometry,
    stack: PathStack,
    threads: Vec<Vec<Activation>>,
    thread: usize,
    /// Paths that were reported, and those among them that nobody executed.
    paths: u64,
    wrong: Vec<PathDescriptor>,
}

/// The code of a procedure; handlers are procedure 9, the library 8.
fn address(procedure: u64, slot: u64) -> u64 {
    0x1_0000 * (procedure + 1) + 8 * slot
}

impl Machine {
    fn new(stack_check: bool) -> Self {
        let geometry = Geometry {
            stack_depth: 16,
            align: 1,
            context_bits: 2,
            stack_check,
            ..Geometry::default()
        };
        Self {
            geometry,
            stack: PathStack::new(&geometry, Ppcr::ball_larus()),
            threads: vec![vec![Activation::new(0, false)]; 3],
            thread: 0,
            paths: 0,
            wrong: Vec::new(),
        }
    }

    fn top(&mut self) -> &mut Activation {
        let thread = &mut self.threads[self.thread];
        thread.last_mut().expect("a thread has an activation")
    }

    /// The context of what executes on top.
    fn context(&self) -> u8 {
        let handles = |activation: &Activation| activation.trap;
        match self.threads[self.thread].iter().any(handles) {
            true => HANDLER_CONTEXT,
            false => self.thread as u8,
        }
    }

    /// A transfer from the present activation; `go` changes which one executes.
    fn transfer(
        &mut self,
        (kind, taken): (BranchKind, bool),
        (address, next): (u64, u64),
        go: impl FnOnce(&mut Self),
    ) {
        if matches!(kind, BranchKind::Forward | BranchKind::Backward) {
            self.top().outcomes.push(taken);
        }
        let before = self.top().clone();
        go(self);
        let target = self.geometry.in_context(address, self.context());
        let record = BranchRecord::new(kind, taken, target, next);
        if let Some(path) = self.stack.step(&record) {
            self.paths += 1;
            if !before.executed(&path.descriptor) {
                self.wrong.push(path.descriptor);
            }
        }
        let top = self.top();
        top.arrivals.push((target, top.outcomes.len()));
    }

    fn call(&mut self, from: u64, procedure: u64) {
        let next = from + 4;
        self.top().resume = next;
        self.transfer(
            (BranchKind::Call, true),
            (address(procedure, 0), next),
            |m| {
                let thread = m.thread;
                m.threads[thread].push(Activation::new(procedure, false));
            },
        );
    }

    /// A return out of the activation on top, to an address in the one at `depth`.
    fn leave(&mut self, kind: BranchKind, depth: usize, to: u64) {
        self.transfer((kind, true), (to, 0), |m| {
            let thread = m.thread;
            m.threads[thread].truncate(depth + 1);
        });
    }

    fn step(&mut self, step: &Action) {
        let depth = self.threads[self.thread].len() - 1;
        let procedure = self.top().procedure;
        match *step {
            Action::Branch(back, taken, to) => {
                let kind = if back {
                    BranchKind::Backward
                } else {
                    BranchKind::Forward
                };
                let to = address(procedure, 0x100 + to);
                self.transfer((kind, taken), (to, 0), |_| {});
            }
            Action::Call(from, to) => self.call(address(procedure, 0x200 + from), to),
            Action::Return if depth > 0 && !self.top().trap => {
                let to = self.threads[self.thread][depth - 1].resume;
                self.leave(BranchKind::Return, depth - 1, to);
            }
            Action::Mark(at) => {
                let at = address(procedure, 0x300 + at);
                self.call(at, 8);
                self.leave(BranchKind::Return, depth, at + 4);
                self.top().mark = Some(at + 4);
            }
            Action::Jump(ref to) => {
                let thread = &self.threads[self.thread];
                let handler = thread.iter().rposition(|a| a.trap).unwrap_or(0);
                let marked = (handler..=depth).filter_map(|i| Some((i, thread[i].mark?)));
                let marked: Vec<_> = marked.collect();
                if !marked.is_empty() {
                    let (at, to) = marked[to.index(marked.len())];
                    self.call(address(procedure, 0x400), 8);
                    self.leave(BranchKind::Return, at, to);
                }
            }
            Action::Throw(ref to) => {
                let thread = &self.threads[self.thread];
                let handler = thread.iter().rposition(|a| a.trap).unwrap_or(0);
                let at = handler + to.index(depth + 1 - handler);
                let pad = address(thread[at].procedure, 0x500);
                self.call(address(procedure, 0x600), 8);
                self.leave(BranchKind::Return, at, pad);
            }
            Action::Trap => {
                let from = address(procedure, 0x700);
                self.top().resume = from;
                self.transfer((BranchKind::Trap, true), (address(9, 0), from), |m| {
                    let thread = m.thread;
                    m.threads[thread].push(Activation::new(9, true));
                });
            }
            Action::TrapReturn(skip) if self.top().trap => {
                let to = self.threads[self.thread][depth - 1].resume + skip;
                self.leave(BranchKind::TrapReturn, depth - 1, to);
            }
            Action::Switch(to) if !self.threads[self.thread].iter().any(|a| a.trap) => {
                // Every thread that was switched from waits at the same call.
                let next = address(8, 0x800);
                self.top().resume = next;
                self.call(address(8, 0x7ff), 8);
                self.transfer((BranchKind::Return, true), (next, 0), |m| {
                    let thread = m.thread;
                    m.threads[thread].pop();
                    m.thread = to.into();
                });
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_checked_stack_reports_what_one_activation_executed(
        steps in proptest::collection::vec(step(), 1..400),
    ) {
        let mut machine = Machine::new(true);
        for step in &steps {
            machine.step(step);
            prop_assert!(machine.wrong.is_empty(), "{:?}: {}", step, machine.wrong[0]);
        }
    }
}

/// The same programs on a stack that is not checked: what the check is there for.
#[test]
fn an_unchecked_stack_reports_paths_that_nobody_executed() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = proptest::collection::vec(step(), 300..400);
    let (mut wrong, mut paths, mut checked, mut repairs) = (0, 0, 0, 0);
    for _ in 0..100 {
        let steps = strategy.new_tree(&mut runner).expect("steps").current();
        let [mut plain, mut guarded] = [false, true].map(Machine::new);
        for step in &steps {
            plain.step(step);
            guarded.step(step);
        }
        wrong += plain.wrong.len();
        paths += plain.paths;
        checked += guarded.paths;
        repairs += guarded.stack.take_tally().repairs;
    }
    assert!(wrong > 100, "{wrong} of {paths}");
    assert!(
        repairs > 100 && 2 * checked > paths,
        "{repairs} repairs, {checked} of {paths} paths"
    );
}
