//! The path stack: turns branch records into completed paths.
//!
//! An entry holds the path its procedure is currently on: a descriptor, an event counter that saturates, and the
//! number of backward branches or calls the path has extended across. A record acts on the top entry as the row of
//! its kind says: update, then (if the path is now as long as it may be) split, then pop, then push. At most one
//! path leaves for each record. A step takes constant time; the stack is a ring, so dropping its oldest entry costs
//! nothing. A checked stack may drop entries at a return (`frames`), in time linear in its depth.
//!
//! Source: Vaswani's thesis, sections 5.2 and 5.3; `docs/behaviour.md` lists the corners.

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::context::ContextFilter;
use crate::profiler::frames::{FrameKeeper, Frames, Unchecked};
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
    /// Returns that went elsewhere than the frame on top was to return to; only a checked stack counts them.
    pub repairs: u64,
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
    /// It pops alone, and is held against the frames.
    leaves: bool,
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
            leaves: row.has(Operation::Pop) && !row.has(Operation::Push),
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
    start_mask: u64,
    event_limit: u32,
    max_branches: u32,
    /// Which bits of the extension counter a path hands on to the one that takes its place: all if it stays inside the
    /// same calls, else none.
    inherits: u8,
    counts_events: bool,
    /// Bits of a start that a path must have to be shown, and what they must be.
    shown: (u64, u64),
}

/// The path stack and the detector around it.
#[derive(Clone, Debug)]
pub struct PathStack {
    /// The entries below the top, in a ring: an entry stays where it was pushed. Its size is a power of two.
    ring: Box<[StackEntry]>,
    state: State,
    /// The frames, if they are checked.
    frames: Option<Frames>,
    rules: Rules,
    ppcr: Ppcr,
    geometry: Geometry,
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
        Self {
            ring: vec![StackEntry::default(); geometry.stack_depth as usize].into(),
            state: State::default(),
            frames: geometry.stack_check.then(|| Frames::new(geometry)),
            rules: Rules {
                actions: decode(&ppcr, event_mask(geometry)),
                start_mask: Geometry::mask(geometry.start_bits()) & !Geometry::mask(geometry.align),
                event_limit: Geometry::mask(geometry.event_counter_bits) as u32,
                max_branches: geometry.max_branches,
                inherits: inherits(&ppcr),
                counts_events: ppcr.metric == Metric::Events,
                shown: (0, 0),
            },
            ppcr,
            geometry: *geometry,
        }
    }

    /// The control register in force.
    #[must_use]
    pub const fn ppcr(&self) -> &Ppcr {
        &self.ppcr
    }

    /// Changes the control register from the next record on; entries stay as they are.
    pub fn set_ppcr(&mut self, ppcr: Ppcr) {
        self.rules.actions = decode(&ppcr, event_mask(&self.geometry));
        self.rules.inherits = inherits(&ppcr);
        self.rules.counts_events = ppcr.metric == Metric::Events;
        self.ppcr = ppcr;
    }

    /// Changes which contexts' paths are shown from the next record on.
    pub const fn set_filter(&mut self, filter: ContextFilter) {
        let ContextFilter { mask, value } = filter;
        let at = &self.geometry;
        self.rules.shown = (at.in_context(0, mask), at.in_context(0, value));
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
        let completes = match &mut self.frames {
            None => {
                let ring = &mut self.ring;
                self.state
                    .step(&self.rules, ring, &mut Unchecked, record, &mut path)
            }
            Some(frames) => {
                let ring = &mut self.ring;
                self.state
                    .step(&self.rules, ring, frames, record, &mut path)
            }
        };
        (completes && self.rules.shows(&path)).then_some(path)
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
        let (rules, ring) = (&self.rules, &mut self.ring);
        let completed = match &mut self.frames {
            None => self
                .state
                .run(rules, ring, &mut Unchecked, (records, paths)),
            Some(frames) => self.state.run(rules, ring, frames, (records, paths)),
        };
        match rules.shown.0 {
            0 => completed,
            _ => rules.keep_shown(&mut paths[..completed]),
        }
    }
}

impl Rules {
    /// Whether a path's context is shown.
    #[inline(always)]
    const fn shows(&self, path: &CompletedPath) -> bool {
        let (mask, value) = self.shown;
        (path.descriptor.start ^ value) & mask == 0
    }

    /// Moves the paths that are shown to the front, in order; how many they are.
    fn keep_shown(&self, paths: &mut [CompletedPath]) -> usize {
        let mut kept = 0;
        for i in 0..paths.len() {
            if self.shows(&paths[i]) {
                paths[kept] = paths[i];
                kept += 1;
            }
        }
        kept
    }
}

fn event_mask(geometry: &Geometry) -> u32 {
    Geometry::mask(geometry.event_bits) as u32
}

/// [`Rules::inherits`].
const fn inherits(ppcr: &Ppcr) -> u8 {
    match ppcr.extension {
        Extension::Procedure => u8::MAX,
        Extension::None | Extension::Loop => 0,
    }
}

impl State {
    /// Processes records; how many paths they completed.
    #[inline(always)]
    fn run<F: FrameKeeper>(
        &mut self,
        rules: &Rules,
        ring: &mut [StackEntry],
        frames: &mut F,
        (records, paths): (&[BranchRecord], &mut [CompletedPath; BATCH]),
    ) -> usize {
        // A copy of its own stays in processor registers from record to record.
        let mut state = *self;
        let mut completed = 0;
        for record in records {
            let path = &mut paths[completed & (BATCH - 1)];
            completed += usize::from(state.step(rules, ring, frames, record, path));
        }
        *self = state;
        completed
    }

    /// Processes one record. Whether it completes the path that is then in `path`; if not, that is of no use.
    #[inline(always)]
    fn step<F: FrameKeeper>(
        &mut self,
        rules: &Rules,
        ring: &mut [StackEntry],
        frames: &mut F,
        record: &BranchRecord,
        path: &mut CompletedPath,
    ) -> bool {
        let completes = self.act(rules, ring, frames, record, path);
        frames.passed(record);
        completes
    }

    #[inline(always)]
    fn act<F: FrameKeeper>(
        &mut self,
        rules: &Rules,
        ring: &mut [StackEntry],
        frames: &mut F,
        record: &BranchRecord,
        path: &mut CompletedPath,
    ) -> bool {
        let target = record.target & rules.start_mask;
        if self.occupancy == 0 {
            self.restart(frames, target);
            return false;
        }
        let action =
            &rules.actions[usize::from(record.kind.code()) * 2 + usize::from(record.taken)];
        let (mut pops, mut pushes) = (action.pops, action.pushes);
        if self.extend(action) {
            (pops, pushes) = (false, false);
        } else if action.leaves {
            let leaves = frames.leaves(record, self.place, self.occupancy);
            if leaves != 1 {
                self.repair(ring, frames, (leaves, target));
                return false;
            }
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
                self.push(ring, frames, (record, target));
            }
            return true;
        }
        if pops != pushes {
            if pops {
                self.pop(ring, frames, target);
            } else {
                self.push(ring, frames, (record, target));
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

    /// An empty stack begins at the target.
    #[inline(always)]
    fn restart<F: FrameKeeper>(&mut self, frames: &mut F, target: u64) {
        self.occupancy = 1;
        self.top = StackEntry::new(target, 0);
        frames.restarted();
    }

    /// A pop alone; an emptied stack starts again at the target.
    #[inline(always)]
    fn pop<F: FrameKeeper>(&mut self, ring: &[StackEntry], frames: &mut F, target: u64) {
        if self.occupancy == 1 {
            self.tally.underflows += 1;
            self.restart(frames, target);
        } else {
            self.drop_entries(ring, frames, 1);
        }
    }

    /// The topmost entries are gone, and not all.
    #[inline(always)]
    fn drop_entries<F: FrameKeeper>(&mut self, ring: &[StackEntry], frames: &mut F, count: usize) {
        self.occupancy -= count;
        self.place = self.place.wrapping_sub(count) & (ring.len() - 1);
        self.top = ring[self.place];
        frames.popped(self.place);
    }

    /// A return that went elsewhere takes `leaves` frames away; if that is 0 or all, the stack starts again at the target.
    #[cold]
    fn repair<F: FrameKeeper>(
        &mut self,
        ring: &[StackEntry],
        frames: &mut F,
        (leaves, target): (usize, u64),
    ) {
        self.tally.repairs += 1;
        if leaves == 0 || leaves == self.occupancy {
            self.restart(frames, target);
        } else {
            self.drop_entries(ring, frames, leaves);
        }
    }

    /// A push alone; in a full ring it takes the place of the oldest entry.
    #[inline(always)]
    fn push<F: FrameKeeper>(
        &mut self,
        ring: &mut [StackEntry],
        frames: &mut F,
        (record, target): (&BranchRecord, u64),
    ) {
        ring[self.place] = self.top;
        frames.pushed(record, self.place);
        if self.occupancy == ring.len() {
            self.tally.overflows += 1;
        } else {
            self.occupancy += 1;
        }
        self.place = (self.place + 1) & (ring.len() - 1);
        self.top = StackEntry::new(target, 0);
    }
}
