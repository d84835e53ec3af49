//! Blocks in order to branch records and to the paths they complete, both by number.
//!
//! It goes from [state](known) to state, so that almost always a block costs a comparison. The states of the entries
//! below the top wait on a stack of their own, as the entries would.

mod effect;
mod interrupts;
mod known;
mod making;
mod repeats;
pub mod segments;
mod stack;
mod transition;

use hpp_explore::Times;
use hpp_explore::run::Table;
use hpp_explore::stack::{After, Waiting};
use hpp_explore::states::{Edge, NONE, Once, States};
use hpp_explore::trace::Numbering;
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{Frames, PathStack, StackTally};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::blocks::Translated;
use effect::{Effect, Reach, Signal};
use known::Known;
use repeats::Round;
use segments::Segments;

/// Not one of the kept states.
const UNNUMBERED: u32 = States::<Known>::UNNUMBERED;

/// How many states are kept; with their edges some 100 MB.
const MOST_STATES: usize = 1 << 19;

/// In the stream of blocks of a whole machine, numbers from this one on, at most 256, say which context user code has from here on.
pub const SPACES: u32 = u32::MAX - 0xff;

/// How many interrupted blocks are kept, one within the handler of another. Handlers left by `longjmp` never return, so only the last ones are kept.
const INTERRUPTED: usize = 64;

/// What blocks made: records in order, the paths they completed that no table has taken yet, and what else happened on the path stack.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub records: u64,
    /// The records, by number, if they are kept.
    pub numbers: Vec<u32>,
    pub paths: Vec<Times>,
    /// What happened on the path stack.
    pub tally: StackTally,
    /// Handlers of signals that were left and not seen to begin.
    pub unseen_signals: u64,
}

impl Batch {
    pub fn clear(&mut self) {
        self.records = 0;
        self.numbers.clear();
        self.paths.clear();
        self.tally = StackTally::default();
        self.unseen_signals = 0;
    }
}

/// Turns blocks into records and paths.
#[derive(Debug)]
pub struct Recorder {
    blocks: Translated,
    detector: Option<PathStack>,
    /// Whether records are kept, too.
    tells_records: bool,
    numbering: Numbering,
    /// The geometry that says where in an address the context is.
    geometry: Geometry,
    /// The context of user code.
    space: u8,
    /// Whether a whole machine is recorded, in which the context changes.
    is_machine: bool,
    paths: IndexSet<CompletedPath, FxBuildHasher>,
    states: States<Known>,
    most_states: usize,
    once: Once,
    /// The effects by number, with what each changes. The first is used for a step whose state has no number.
    effects: Vec<(Effect, Reach)>,
    /// What is known where the state has no number.
    unnumbered: Known,
    /// The state between the block that runs and the next.
    state: u32,
    waiting: Waiting,
    /// The frames of the top entry and of those that wait, if returns are checked.
    frames: Option<Frames>,
    /// What is known of several blocks at once. It is here but while they are used.
    segments: Option<Segments>,
    /// Whether states were given other numbers.
    renumbered: bool,
    /// The blocks that were interrupted, the last one last, and the context of user code then.
    interrupted: Vec<(u32, u8)>,
    /// Where handlers of signals begin, and where such were found since the last run.
    handlers: FxHashSet<u64>,
    found: Vec<u64>,
}

impl Recorder {
    /// A recorder before the first of these blocks. With a detector it finds the paths; if that checks returns, all records must lead to one context. Without a
    /// detector, or if asked to, it tells the records.
    pub fn new(blocks: Translated, detector: Option<PathStack>, tells_records: bool) -> Self {
        let depth = detector.as_ref().map_or(1, PathStack::depth);
        let mut states = States::new();
        let tells_records = tells_records || detector.is_none();
        Self {
            blocks,
            segments: Some(Segments::new(tells_records)),
            renumbered: false,
            tells_records,
            frames: detector.as_ref().and_then(PathStack::frames),
            detector,
            numbering: Numbering::new(),
            geometry: Geometry::default(),
            space: 0,
            is_machine: false,
            paths: IndexSet::default(),
            state: states.number(Known::default()),
            states,
            most_states: MOST_STATES,
            once: Once::new(),
            effects: vec![(Effect::NOTHING, Reach::Branch)],
            unnumbered: Known::default(),
            waiting: Waiting::new(depth),
            interrupted: Vec::new(),
            handlers: FxHashSet::default(),
            found: Vec::new(),
        }
    }

    /// The same, whose records lead to a context of this geometry: that of a program, or of a whole machine's user code to begin with.
    #[must_use]
    pub fn in_context(mut self, geometry: Geometry, context: u8, is_machine: bool) -> Self {
        (self.geometry, self.is_machine) = (geometry, is_machine);
        self.enter(context);
        self
    }

    /// User code has this context from now on.
    fn enter(&mut self, space: u8) {
        self.space = space;
        let known = self.known();
        self.state = self.states.number(Known { space, ..known });
    }

    fn known(&self) -> Known {
        match self.state {
            UNNUMBERED => self.unnumbered,
            state => self.states.known(state),
        }
    }

    /// How many instructions count for blocks of a program, by word.
    pub fn instructions(&mut self, blocks: &[u32]) -> u64 {
        self.blocks.instructions(blocks)
    }

    pub fn records(&self) -> &[BranchRecord] {
        self.numbering.records()
    }

    /// Signals are handled by what begins at this address, from the next run on.
    pub fn handler(&mut self, address: u64) {
        if !self.handlers.contains(&address) {
            self.found.push(address);
        }
    }

    /// Blocks begin, one after another, by [word](crate::blocks::word). What they were is added to the batch, and the table takes the paths. Constant time a
    /// block, on average.
    pub fn run(&mut self, blocks: &[u32], batch: &mut Batch, table: &mut impl Table) {
        if !self.found.is_empty() {
            self.handlers.extend(self.found.drain(..));
            // What led to a handler by a return or a jump, as it seemed.
            self.forget();
        }
        if !self.is_machine {
            return self.tell_all(blocks, batch, table);
        }
        for part in blocks.chunk_by(|_, next| *next < SPACES) {
            match part {
                [space, rest @ ..] if *space >= SPACES => {
                    self.enter(*space as u8);
                    self.tell_all(rest, batch, table);
                }
                _ => self.tell_all(part, batch, table),
            }
        }
    }

    fn tell<const RECORDS: bool>(&mut self, blocks: &[u32], batch: &mut Batch) {
        let (mut state, mut round, mut at) = (self.state, Round::NONE, 0);
        while let Some(&to) = blocks.get(at) {
            at += 1;
            let edge = match self.states.taken_last(state, to) {
                Some(edge) => edge,
                None => {
                    self.state = state;
                    round = Round::NONE;
                    &self.look_up(to)
                }
            };
            state = edge.next;
            match edge.effect {
                Edge::NO_BRANCH => {}
                Edge::BRANCH => batch.records += 1,
                effect => {
                    self.state = state;
                    let reach = self.act::<RECORDS>(effect, to, batch);
                    state = self.state;
                    match reach {
                        Reach::Branch => {}
                        Reach::Path => at = round.ends(state, blocks, at, batch),
                        Reach::More => round = Round::NONE,
                    }
                }
            }
        }
        self.state = state;
    }

    #[inline(never)]
    fn look_up(&mut self, to: u32) -> Edge {
        let has_state = self.state != UNNUMBERED;
        if has_state && let Some(edge) = self.states.edge(self.state, to) {
            return edge;
        }
        if self.states.count() >= self.most_states {
            self.forget();
        }
        if !has_state {
            return self.walk(self.unnumbered, to);
        }
        let known = self.states.known(self.state);
        if self.once.is_first(self.state, to) {
            return self.walk(known, to);
        }
        let (effect, next) = self.work_out(known, to);
        let effect = match effect {
            None => Edge::NO_BRANCH,
            Some(effect) if effect.is_nothing() => Edge::BRANCH,
            Some(effect) => {
                self.effects.push((effect, effect.reach()));
                u32::try_from(self.effects.len() - 1).expect("a state has few of them")
            }
        };
        let edge = Edge::new(to, self.states.number(next), effect);
        self.states.keep(self.state, edge);
        edge
    }

    /// Goes on without a state; at the beginning of a path into one again.
    fn walk(&mut self, known: Known, to: u32) -> Edge {
        let (effect, next) = self.work_out(known, to);
        let next = if next.begins_path() {
            self.states.number(next)
        } else {
            self.unnumbered = next;
            UNNUMBERED
        };
        let effect = effect.map_or(Edge::NO_BRANCH, |effect| {
            self.effects[0] = (effect, effect.reach());
            0
        });
        Edge::new(to, next, effect)
    }

    /// Does what a record does that led to this block; what it changed.
    #[inline(always)]
    fn act<const RECORDS: bool>(&mut self, effect: u32, to: u32, batch: &mut Batch) -> Reach {
        let (effect, reach) = self.effects[effect as usize];
        if effect.signal == Signal::Leaves {
            self.leave::<RECORDS>(to, batch);
            return reach;
        }
        batch.records += 1;
        if RECORDS {
            batch.numbers.push(effect.record);
        }
        let tally = &mut batch.tally;
        if !self.repairs(&effect, to, tally) {
            if effect.path != NONE {
                let path = effect.path;
                batch.paths.push(Times { path, times: 1 });
            }
            tally.splits += u64::from(effect.splits);
            tally.event_counter_saturated |= effect.saturates;
            match effect.stack {
                After::Stays => {}
                After::Pushes(waits) => tally.overflows += u64::from(self.waiting.push(waits)),
                After::Pops => self.pop(to, tally),
            }
        }
        match effect.signal {
            Signal::None | Signal::Leaves => {}
            Signal::Interrupts(block) => self.interrupt(block),
            Signal::Resumes(block) => self.resume::<RECORDS>(block, to, batch),
        }
        reach
    }

    /// Forgets all states but the one it is in and those that wait.
    fn forget(&mut self) {
        self.renumbered = true;
        self.effects.truncate(1);
        let numbers = core::iter::once(&mut self.state).chain(self.waiting.numbers());
        self.states.forget_all_but(numbers);
    }
}

#[cfg(test)]
mod tests;
