//! The path stack: turns branch records into completed paths.
//!
//! An entry holds the path its procedure is currently on: a descriptor, an event counter that saturates, and the
//! number of backward branches or calls the path has extended across. A record acts on the top entry as the row of
//! its kind says: update, then (if the path is now as long as it may be) split, then pop, then push. At most one
//! path leaves for each record. A step takes constant time; the stack is a ring, so dropping its oldest entry costs
//! nothing.
//!
//! Source: Vaswani's thesis, sections 5.2 and 5.3; `docs/behaviour.md` lists the corners.

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::ppcr::{BackwardNotTaken, Extension, Metric, Operation, Ppcr, Row};

/// A path under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackEntry {
    /// The path so far; shorter than [`max_branches`](Geometry::max_branches) between two records.
    pub descriptor: PathDescriptor,
    /// Events along the path, [`event_counter_bits`](Geometry::event_counter_bits) wide, saturating.
    pub events: u32,
    /// Backward branches the path has crossed, or calls it is inside of.
    pub extension: u8,
}

impl StackEntry {
    const fn new(start: u64, extension: u8) -> Self {
        Self {
            descriptor: PathDescriptor::new(start),
            events: 0,
            extension,
        }
    }
}

/// What happened on the stack since the last [`PathStack::take_tally`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackTally {
    /// Paths split at the maximum length.
    pub splits: u64,
    /// Pops that left the stack empty.
    pub underflows: u64,
    /// Pushes that dropped the oldest entry.
    pub overflows: u64,
    /// Events did not fit into an event counter.
    pub event_counter_saturated: bool,
}

/// What a record does, as masks to apply without asking.
#[derive(Clone, Copy, Debug, Default)]
struct Action {
    /// 1 if an outcome is appended that is taken.
    outcome: u64,
    /// 1 if an outcome is appended.
    length: u32,
    /// The bits of the record's events that are added.
    events: u32,
    pops: bool,
    pushes: bool,
    /// The path goes on instead if its extension counter is below this.
    extends_below: u8,
    /// The record takes an extension back if the counter is above 0.
    retracts: bool,
}

impl Action {
    fn new(row: Row, taken: bool, events: u32) -> Self {
        let appends = row.has(Operation::Update);
        let adds = appends || row.has(Operation::UpdateCount);
        Self {
            outcome: u64::from(appends && taken),
            length: appends.into(),
            events: if adds { events } else { 0 },
            pops: row.has(Operation::Pop),
            pushes: row.has(Operation::Push),
            extends_below: 0,
            retracts: false,
        }
    }
}

/// An action for each `2 * kind + taken`.
type Actions = [Action; 2 * BranchKind::COUNT];

/// The actions of a control register, of which the geometry leaves some bits of the events.
fn decode(ppcr: &Ppcr, events: u32) -> Actions {
    core::array::from_fn(|code| {
        let (kind, taken) = (BranchKind::from_code((code >> 1) as u8), code & 1 == 1);
        let kind = match (kind, taken, ppcr.backward_not_taken) {
            (BranchKind::Backward, false, BackwardNotTaken::AsForward) => BranchKind::Forward,
            _ => kind,
        };
        let action = Action::new(ppcr.rows[kind], taken, events);
        match (ppcr.extension, kind) {
            (Extension::Loop, BranchKind::Backward) | (Extension::Procedure, BranchKind::Call) => {
                Action {
                    extends_below: ppcr.max_extension,
                    ..action
                }
            }
            (Extension::Procedure, BranchKind::Return) => Action {
                retracts: true,
                ..action
            },
            _ => action,
        }
    })
}

/// What does not change from one record to the next.
#[derive(Clone, Debug)]
struct Rules {
    actions: Actions,
    pc_mask: u64,
    event_limit: u32,
    max_branches: u32,
    /// Which bits of the extension counter a path hands on to the one that takes its place: all if it stays inside the
    /// same calls, else none.
    inherits: u8,
    counts_events: bool,
}

/// The path stack and the detector around it.
#[derive(Clone, Debug)]
pub struct PathStack {
    /// The entries below the top, in a ring: an entry stays where it was pushed. Its size is a power of two.
    ring: Box<[StackEntry]>,
    state: State,
    rules: Rules,
    ppcr: Ppcr,
    event_mask: u32,
}

/// What a record may change, but for the entries below the top.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// The top entry; its place in the ring holds nothing of use.
    top: StackEntry,
    /// The place of the top entry in the ring.
    place: usize,
    occupancy: usize,
    tally: StackTally,
}

/// Paths that [`PathStack::run`] hands over at once, at most.
pub const BATCH: usize = 256;

impl PathStack {
    /// An empty stack of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry, ppcr: Ppcr) -> Self {
        let event_mask = Geometry::mask(geometry.event_bits) as u32;
        Self {
            ring: vec![StackEntry::default(); geometry.stack_depth as usize].into(),
            state: State::default(),
            rules: Rules {
                actions: decode(&ppcr, event_mask),
                pc_mask: Geometry::mask(geometry.pc_bits) & !Geometry::mask(geometry.align),
                event_limit: Geometry::mask(geometry.event_counter_bits) as u32,
                max_branches: geometry.max_branches,
                inherits: inherits(&ppcr),
                counts_events: ppcr.metric == Metric::Events,
            },
            ppcr,
            event_mask,
        }
    }

    /// The control register in force.
    #[must_use]
    pub const fn ppcr(&self) -> &Ppcr {
        &self.ppcr
    }

    /// Changes the control register from the next record on; entries stay as they are.
    pub fn set_ppcr(&mut self, ppcr: Ppcr) {
        self.rules.actions = decode(&ppcr, self.event_mask);
        self.rules.inherits = inherits(&ppcr);
        self.rules.counts_events = ppcr.metric == Metric::Events;
        self.ppcr = ppcr;
    }

    /// Entries in use.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.state.occupancy
    }

    /// Whether there is no entry: before the first record, and after a purge.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.state.occupancy == 0
    }

    /// The entries, from the top downwards.
    pub fn entries(&self) -> impl Iterator<Item = &StackEntry> {
        let State {
            top,
            place,
            occupancy,
            ..
        } = &self.state;
        let below = move |depth| &self.ring[place.wrapping_sub(depth) & (self.ring.len() - 1)];
        (0..*occupancy).map(move |depth| if depth == 0 { top } else { below(depth) })
    }

    /// Drops every entry; none of them completes.
    pub const fn purge(&mut self) {
        self.state.occupancy = 0;
    }

    /// What happened since the last call.
    pub fn take_tally(&mut self) -> StackTally {
        core::mem::take(&mut self.state.tally)
    }

    /// Processes one record and returns the path it completes, if any.
    ///
    /// Address and events are cut to the width the geometry gives them. Constant time.
    // Always inlined: a path handed over in memory, written field by field and read at once as a whole, stalls.
    #[inline(always)]
    pub fn step(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        let mut path = CompletedPath::default();
        let completes = self
            .state
            .step(&self.rules, &mut self.ring, record, &mut path);
        completes.then_some(path)
    }

    /// Processes records in their order, as [`step`](Self::step) would one by one, and hands over the paths they complete,
    /// in order and at most [`BATCH`] at once.
    #[inline]
    pub fn run(&mut self, records: &[BranchRecord], mut sink: impl FnMut(&[CompletedPath])) {
        let mut paths = [CompletedPath::default(); BATCH];
        for records in records.chunks(BATCH) {
            let completed = self.run_batch(records, &mut paths);
            sink(&paths[..completed]);
        }
    }

    /// Processes at most [`BATCH`] records; how many paths they completed.
    fn run_batch(&mut self, records: &[BranchRecord], paths: &mut [CompletedPath; BATCH]) -> usize {
        // A copy of its own stays in processor registers from record to record.
        let mut state = self.state;
        let mut completed = 0;
        for record in records {
            let path = &mut paths[completed & (BATCH - 1)];
            completed += usize::from(state.step(&self.rules, &mut self.ring, record, path));
        }
        self.state = state;
        completed
    }
}

/// [`Rules::inherits`].
const fn inherits(ppcr: &Ppcr) -> u8 {
    match ppcr.extension {
        Extension::Procedure => u8::MAX,
        Extension::None | Extension::Loop => 0,
    }
}

impl State {
    /// Processes one record. Whether it completes the path that is then in `path`; if not, that is of no use.
    #[inline(always)]
    fn step(
        &mut self,
        rules: &Rules,
        ring: &mut [StackEntry],
        record: &BranchRecord,
        path: &mut CompletedPath,
    ) -> bool {
        let target = record.target & rules.pc_mask;
        if self.occupancy == 0 {
            self.occupancy = 1;
            self.top = StackEntry::new(target, 0);
            return false;
        }
        let action =
            &rules.actions[usize::from(record.kind.code()) * 2 + usize::from(record.taken)];
        let (mut pops, mut pushes) = (action.pops, action.pushes);
        if self.extend(action) {
            (pops, pushes) = (false, false);
        }
        self.update(action, record.events, rules.event_limit);
        *path = CompletedPath {
            descriptor: self.top.descriptor,
            count: if rules.counts_events {
                self.top.events
            } else {
                1
            },
        };
        if self.top.descriptor.length == rules.max_branches && !pops {
            self.tally.splits += 1;
            self.top = StackEntry::new(target, self.top.extension & rules.inherits);
            if pushes {
                self.push(ring, target);
            }
            return true;
        }
        if pops != pushes {
            if pops {
                self.pop(ring, target);
            } else {
                self.push(ring, target);
            }
            return pops;
        }
        // Either both or none: the next path takes the place of this one, or this one goes on.
        if pops {
            self.top = StackEntry::new(target, self.top.extension & rules.inherits);
        }
        pops
    }

    /// Counts an extension up or down. Whether it did: the record neither pops nor pushes then.
    #[inline(always)]
    const fn extend(&mut self, action: &Action) -> bool {
        let up = self.top.extension < action.extends_below;
        let down = action.retracts && self.top.extension > 0;
        self.top.extension = self.top.extension + up as u8 - down as u8;
        up || down
    }

    /// Appends the outcome and adds the events, as far as the row asks for it.
    #[inline(always)]
    fn update(&mut self, action: &Action, events: u32, limit: u32) {
        let path = &mut self.top.descriptor;
        path.outcomes |= action.outcome << (path.length & 63);
        path.length += action.length;
        let sum = u64::from(self.top.events) + u64::from(events & action.events);
        self.tally.event_counter_saturated |= sum > u64::from(limit);
        self.top.events = sum.min(u64::from(limit)) as u32;
    }

    /// A pop alone; an emptied stack starts again at the target.
    #[inline(always)]
    fn pop(&mut self, ring: &[StackEntry], target: u64) {
        if self.occupancy == 1 {
            self.tally.underflows += 1;
            self.top = StackEntry::new(target, 0);
        } else {
            self.occupancy -= 1;
            self.place = self.place.wrapping_sub(1) & (ring.len() - 1);
            self.top = ring[self.place];
        }
    }

    /// A push alone; in a full ring it takes the place of the oldest entry.
    #[inline(always)]
    fn push(&mut self, ring: &mut [StackEntry], target: u64) {
        ring[self.place] = self.top;
        if self.occupancy == ring.len() {
            self.tally.overflows += 1;
        } else {
            self.occupancy += 1;
        }
        self.place = (self.place + 1) & (ring.len() - 1);
        self.top = StackEntry::new(target, 0);
    }
}
