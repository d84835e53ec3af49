//! A record's step on the path stack.

use super::rules::{Action, Rules};
use super::{BATCH, StackEntry, StackTally};
use crate::branch::BranchRecord;
use crate::path::CompletedPath;
use crate::profiler::frames::FrameKeeper;

/// What a record may change, but for the entries below the top.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// The top entry; its place in the ring holds nothing of use.
    pub top: StackEntry,
    /// The place of the top entry in the ring.
    pub place: usize,
    pub occupancy: usize,
    pub tally: StackTally,
}

impl State {
    /// Processes records; how many paths they completed.
    #[inline(always)]
    pub fn run<F: FrameKeeper>(
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
    pub fn step<F: FrameKeeper>(
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
