//! The reference: the parts of the golden model, each in its clock cycle.
//!
//! The model has no clock. The reference samples the pins in every cycle and steps each part of the model in the cycle
//! in which the circuits act ([`Timing`]). It runs [`LAG`] cycles behind the pins, because a write is known only when
//! it is acknowledged. It processes cycles in batches ([`catch_up`](Reference::catch_up)).

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

pub use timing::Timing;

use super::ingress::IngressModel;
use super::pins::{Access, Drive, Seen};
use super::port::Port;
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

/// Cycles by which the reference is behind the pins; no write takes longer.
pub const LAG: u64 = 16;

#[derive(Debug, Clone, Copy, Default)]
pub struct Past {
    cycle: u64,
    pub drive: Drive,
    pub seen: Seen,
}

/// Cycles that the model processes at once, in addition to the lag. In a batch its code and data stay in the
/// processor's caches.
const BATCH: u64 = 32;

/// Cycles that are kept: those that the model has not processed, and some earlier ones for reports.
const REMEMBERED: usize = 128;

/// Cycles in a report. The difference is not in the last of them, because the reference lags.
const SHOWN: u64 = LAG + BATCH + 32;

const _: () = assert!(SHOWN <= REMEMBERED as u64);

#[derive(Debug)]
pub struct Reference {
    geometry: Geometry,
    reset: ResetValues,
    timing: Timing,
    /// The current cycle of the pins, and the first that the model has not processed.
    now: u64,
    model_now: u64,
    /// The last cycles of the pins, in a ring. They are written in place, because copying data that was just written in
    /// parts stalls the processor.
    past: Box<[Past]>,
    /// Cycles of the pins so far, including resets, and their number at the last reset.
    clocked: u64,
    since: u64,
    port: Port,
    /// The access that ended in the last cycle.
    ended: Option<Access>,
    accesses: VecDeque<Access>,

    /// The possible values of the registers and of the entry read out; mostly one.
    views: Vec<View>,
    /// The model of the ingress, if it is not the native one.
    ingress: Option<Box<dyn IngressModel>>,
    queue: BranchQueue,
    stack: PathStack,
    table: HotPathTable,
    drain: Option<TimedDrain>,
    triggers: Option<TimedTriggers>,
    /// Sum of the counts since the table was cleared, and what had left the table by then.
    counted: [u64; 2],
    /// The ends of lookups, with sequential lookup.
    lookups: Option<Lookups>,
    /// The way with which the last sequential lookup ended, and the set of the last path.
    ended_with: Option<usize>,
    shown_set: usize,
    /// Results of lookups in progress, with the cycle in which a parallel table would report them.
    due: VecDeque<(u64, Lookup)>,
    /// Values of `SHADOW`, with the cycle from which each holds.
    scales: VecDeque<(u64, u32)>,
    tally: Tally,
    sticky: Sticky,
    /// Clear commands: the first cycle without lookups and the first with them again.
    clearing: (u64, u64),
    /// No record leaves the queue before this cycle, because of a return.
    passes_from: u64,
    to_stack: VecDeque<(u64, QueuedRecord)>,
    /// The records between queue and table, if the table may stall them.
    stages: Stages,
    to_table: VecDeque<(u64, CompletedPath)>,
    expected: VecDeque<(u64, CompletedPath)>,
    /// The table as the readout sees it.
    shown: Shown,
    no_counters: Counters,
    records: u64,
    paths: u64,
}

impl Reference {
    /// The reference of a profiler after reset, with the native ingress.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        let past = vec![Past::default(); REMEMBERED].into();
        Self::after(geometry, reset, (past, 0))
    }

    pub fn with_ingress(self, ingress: Option<Box<dyn IngressModel>>) -> Self {
        Self { ingress, ..self }
    }

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
            scales: VecDeque::new(),
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
        reference.restart_scale(0);
        reference.apply_control();
        reference
    }

    /// From that cycle on s has its reset value.
    fn restart_scale(&mut self, from: u64) {
        if self.table.shadow().is_some() {
            let word = registers::shadow::SCALE.put(FIRST_SCALE);
            self.scales.push_back((from, word));
        }
    }

    /// The place of the next cycle of the pins.
    #[inline]
    pub fn next_cycle(&mut self) -> &mut Past {
        &mut self.past[self.clocked as usize % REMEMBERED]
    }

    #[inline]
    pub fn last_seen(&self) -> &Seen {
        &self.past[(self.clocked as usize).wrapping_sub(1) % REMEMBERED].seen
    }

    /// The access that ended in the last cycle.
    #[inline]
    pub const fn ended(&self) -> Option<Access> {
        self.ended
    }

    /// Processes the cycle of the pins in [`next_cycle`](Self::next_cycle). The model sees it in this call, in a later one, or
    /// in the next [`catch_up`](Self::catch_up).
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

    /// Processes a cycle of pins without a bus, and an access that has taken effect. It ended in the cycle
    /// [`Access::ack`], less than [`LAG`] cycles ago.
    pub fn observe(&mut self, access: Option<Access>) -> Result<(), String> {
        self.ended = access;
        self.see()
    }

    fn see(&mut self) -> Result<(), String> {
        let now = self.now;
        let past = self.next_cycle();
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

    /// Steps the model through all cycles of the pins except the last [`LAG`].
    pub fn catch_up(&mut self) -> Result<(), String> {
        self.advance_to(self.now.saturating_sub(LAG))
    }

    /// Catches up with the pins and starts again. Everything in flight is gone, and no path of it may be output.
    fn reset(&mut self) -> Result<(), String> {
        self.advance_to(self.now)?;
        let (records, paths) = self.compared();
        let Past { drive, seen, .. } = self.past[(self.clocked as usize - 1) % REMEMBERED];
        let mut ingress = self.ingress.take();
        if let Some(ingress) = &mut ingress {
            // Before the first reset only the pin reveals the selected event type.
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

    fn registers(&self) -> &RegisterFile {
        &self.views[0].registers
    }
}
