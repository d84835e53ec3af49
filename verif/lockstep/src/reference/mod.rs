//! The reference: the golden model's parts, each in its cycle.
//!
//! The model has no clock. The reference gives it one: it sees the pins cycle by cycle and lets each part of the model
//! see each event in the cycle in which the circuits do ([`Timing`]). It lags [`LAG`] cycles behind the pins, because a
//! write is known only when it is acknowledged, and sees them some at a time ([`catch_up`](Reference::catch_up)).

mod advance;
mod bus;
mod drain;
mod entry_watch;
mod intake;
mod lookups;
mod paths;
mod questions;
mod shown;
mod stages;
mod table;
mod tally;
mod timing;
mod triggers;
mod view;

pub use lookups::SequentialTiming;
pub use timing::Timing;

use super::ingress::IngressModel;
use super::pins::{Drive, Seen};
use super::port::{Access, Port};
use drain::TimedDrain;
use entry_watch::EntryWatch;
use hpp_golden::config::Geometry;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::table::shadow::FIRST_SCALE;
use hpp_golden::profiler::{
    BranchQueue, Counters, HotPathTable, Lookup, PathStack, QueuedRecord, RegisterFile, ResetValues,
};
use hpp_golden::registers;
use lookups::Lookups;
use shown::Shown;
use stages::Stages;
use std::collections::VecDeque;
use tally::{Sticky, Tally};
use triggers::TimedTriggers;
use view::View;

/// How many cycles the reference is behind the pins; more than any write takes.
pub const LAG: u64 = 16;

/// A cycle of the pins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Past {
    /// Its number since reset.
    cycle: u64,
    /// What was driven.
    pub drive: Drive,
    /// What was seen.
    pub seen: Seen,
}

/// So many cycles more the model may be behind within a run of them: it sees them at once, since between two cycles of a device its
/// instructions and data leave the processor's caches.
const BATCH: u64 = 32;

/// Cycles that are remembered: those that the model has not seen, and some before them to show with a difference.
const REMEMBERED: usize = 128;

/// How many of them are shown; the reference lags, so the difference is not in the last of them.
const SHOWN: u64 = LAG + BATCH + 32;

const _: () = assert!(SHOWN <= REMEMBERED as u64);

/// The golden model with a clock.
#[derive(Debug)]
pub struct Reference {
    geometry: Geometry,
    reset: ResetValues,
    timing: Timing,
    /// The cycle the pins are in, and the first the model has not seen.
    now: u64,
    model_now: u64,
    /// The last cycles of the pins, in a ring; they are written where they stay, since a copy of what was just written in
    /// parts makes a processor wait.
    past: Box<[Past]>,
    /// Cycles of the pins so far, resets included, and how many they were at the last reset.
    clocked: u64,
    since: u64,
    port: Port,
    /// The access that ended in the last cycle.
    ended: Option<Access>,
    accesses: VecDeque<Access>,

    /// What the registers and the entry read out may be; one possibility, mostly.
    views: Vec<View>,
    /// What is before the queue, if it is not the native ingress.
    ingress: Option<Box<dyn IngressModel>>,
    queue: BranchQueue,
    stack: PathStack,
    table: HotPathTable,
    drain: Option<TimedDrain>,
    triggers: Option<TimedTriggers>,
    /// What was counted in the table since it was emptied last, and what had left it by then.
    counted: [u64; 2],
    /// When lookups end, if they take time.
    lookups: Option<Lookups>,
    /// The way with which the latest lookup in turn ended, and the set of the path shown last.
    ended_with: Option<usize>,
    shown_set: usize,
    /// What lookups say that are not over yet, with the cycle in which they would be in a table that takes a path a cycle.
    due: VecDeque<(u64, Lookup)>,
    /// What a table with shadows decides by, from which cycle on.
    chances: VecDeque<(u64, u32)>,
    tally: Tally,
    sticky: Sticky,
    /// Clear commands: first cycle without paths and first with them again.
    clearing: (u64, u64),
    /// No record leaves the queue before this cycle, because of a return.
    passes_from: u64,
    to_stack: VecDeque<(u64, QueuedRecord)>,
    /// What is between queue and table, if that may have to wait for the table.
    stages: Stages,
    to_table: VecDeque<(u64, CompletedPath)>,
    expected: VecDeque<(u64, CompletedPath)>,
    /// The table as it is read out.
    shown: Shown,
    no_counters: Counters,
    records: u64,
    paths: u64,
}

impl Reference {
    /// The reference of a profiler just out of reset, with the native ingress.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        let past = vec![Past::default(); REMEMBERED].into();
        Self::after(geometry, reset, (past, 0))
    }

    /// The same of a profiler with another ingress, if there is one.
    pub fn with_ingress(self, ingress: Option<Box<dyn IngressModel>>) -> Self {
        Self { ingress, ..self }
    }

    /// The same after cycles of the pins.
    fn after(
        geometry: &Geometry,
        reset: &ResetValues,
        (past, clocked): (Box<[Past]>, u64),
    ) -> Self {
        let registers = RegisterFile::new(geometry, reset);
        let timing = Timing::of(geometry);
        let lookups = timing.sequential;
        let lookups = lookups.map(|_| Lookups::new(u64::from(geometry.longest_lookup()) + 1));
        let mut reference = Self {
            geometry: *geometry,
            reset: *reset,
            timing,
            now: 0,
            model_now: 0,
            past,
            clocked,
            since: clocked,
            ended: None,
            port: Port::new(geometry.longest_access().into()),
            accesses: VecDeque::new(),
            ingress: None,
            queue: BranchQueue::new(geometry),
            stack: PathStack::new(geometry, *registers.ppcr()),
            views: vec![View::new(registers, geometry.entry_words())],
            table: HotPathTable::seeded(geometry, reset.seed),
            drain: TimedDrain::new(geometry, reset.counters),
            triggers: TimedTriggers::new(geometry),
            counted: [0; 2],
            lookups,
            ended_with: None,
            shown_set: 0,
            due: VecDeque::new(),
            chances: VecDeque::new(),
            tally: Tally::new(geometry, timing.counted, timing.forgets, reset.counters),
            sticky: Sticky::new(timing.errors),
            clearing: (0, u64::from(geometry.clear_cycles())),
            passes_from: 0,
            to_stack: VecDeque::new(),
            stages: Stages::default(),
            to_table: VecDeque::new(),
            expected: VecDeque::new(),
            shown: Shown::new(geometry),
            no_counters: Counters::new(geometry),
            records: 0,
            paths: 0,
        };
        reference.restart_chances(0);
        reference.apply_control();
        reference
    }

    /// From that cycle on k is as after reset.
    fn restart_chances(&mut self, from: u64) {
        if self.timing.sequential.is_some()
            && let Some(shadow) = self.table.shadow()
        {
            let word = registers::shadow::CHANCE.put(shadow.chance())
                | registers::shadow::SCALE.put(FIRST_SCALE);
            self.chances.push_back((from, word));
        }
    }

    /// Where the next cycle of the pins is to be written.
    #[inline]
    pub fn coming(&mut self) -> &mut Past {
        &mut self.past[self.clocked as usize % REMEMBERED]
    }

    /// What was seen in the last cycle of the pins.
    #[inline]
    pub fn last_seen(&self) -> &Seen {
        &self.past[(self.clocked as usize).wrapping_sub(1) % REMEMBERED].seen
    }

    /// The access that ended in the last cycle of the pins.
    #[inline]
    pub const fn ended(&self) -> Option<Access> {
        self.ended
    }

    /// One cycle of the pins, which is in [`coming`](Self::coming). The model sees it in this call, in a later one, or in the next
    /// [`catch_up`](Self::catch_up).
    ///
    /// # Errors
    ///
    /// What differs from the model.
    pub fn cycle(&mut self) -> Result<(), String> {
        let past = &self.past[self.clocked as usize % REMEMBERED];
        self.ended = None;
        if !past.drive.reset
            && let Some(access) = self.port.cycle(self.now, &past.drive, &past.seen)?
        {
            self.ended = Some(access);
        }
        self.see()
    }

    /// One cycle of the pins that are no bus's, and an access that has acted: it was over in the cycle [`Access::ack`], less than
    /// [`LAG`] cycles ago.
    ///
    /// # Errors
    ///
    /// What differs from the model.
    pub fn observe(&mut self, access: Option<Access>) -> Result<(), String> {
        self.ended = access;
        self.see()
    }

    fn see(&mut self) -> Result<(), String> {
        let now = self.now;
        let past = self.coming();
        past.cycle = now;
        let reset = past.drive.reset;
        self.clocked += 1;
        if reset {
            return self.reset();
        }
        if let Some(access) = self.ended {
            self.accesses.push_back(access);
        }
        self.now += 1;
        if self.now - self.model_now < LAG + BATCH {
            return Ok(());
        }
        self.catch_up()
    }

    /// Lets the model see every cycle of the pins but the last [`LAG`].
    ///
    /// # Errors
    ///
    /// What differs from the model.
    pub fn catch_up(&mut self) -> Result<(), String> {
        self.advance_to(self.now.saturating_sub(LAG))
    }

    /// Catches up with the pins and starts again. What was in flight is gone: no path of it may show.
    fn reset(&mut self) -> Result<(), String> {
        self.advance_to(self.now)?;
        let (records, paths) = self.compared();
        let Past { drive, seen, .. } = self.past[(self.clocked as usize - 1) % REMEMBERED];
        let mut ingress = self.ingress.take();
        if let Some(ingress) = &mut ingress {
            // What was selected before the first reset nobody but the pin can tell.
            ingress.reset(drive.event_in, seen.event_select);
        }
        let before = (std::mem::take(&mut self.past), self.clocked);
        *self = Self {
            records,
            paths,
            ingress,
            ..Self::after(&self.geometry, &self.reset, before)
        };
        Ok(())
    }

    /// The model's registers.
    fn registers(&self) -> &RegisterFile {
        &self.views[0].registers
    }
}
