//! Records on their way through the ingress into the queue, and from there to the path stack.

use super::super::ingress::Shown;
use super::super::pins::{Drive, Seen};
use super::Reference;
use super::drain::TimedDrain;
use super::stages::Stepped;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::profiler::{BackwardNotTaken, Offer, Operation, QueuedRecord, Row};
use hpp_golden::registers::{Counter, errors};

impl Reference {
    /// The queue in a cycle.
    pub(super) fn intake(&mut self, cycle: u64, drive: &Drive, seen: &Seen) -> Result<(), String> {
        let (ready, offered, lost) = self.present(drive);
        self.check_intake(cycle, ready, seen)?;
        let mut leaves = !self.queue.is_empty();
        let gone = self.queue.watch(offered.as_ref());
        let offer = offered.map(|record| match &mut self.triggers {
            None => self.queue.offer(&record),
            Some(triggers) => triggers.offer(&mut self.queue, &record),
        });
        if let Some(ingress) = &mut self.ingress
            && offer.is_some_and(|offer| offer != Offer::Stalled)
        {
            ingress.take();
        }
        if offer == Some(Offer::Accepted) {
            self.tally.add(Counter::Records, 1);
            self.records += 1;
        }
        if gone || lost || offer == Some(Offer::Lost) {
            self.tally.add(Counter::LostRecords, 1);
            self.raise(errors::RECORDS_LOST);
        }
        leaves &= cycle >= self.passes_from && !self.stages.stay();
        leaves &= !self.drain.as_ref().is_some_and(TimedDrain::holds);
        if leaves {
            let queued = self.queue.take().expect("a record is in the queue");
            let step = cycle + self.timing.detect - self.timing.leave;
            match self.timing.sequential {
                Some(_) => self.stages.enter(queued),
                None => self.to_stack.push_back((step, queued)),
            }
            let kind = queued.record.kind;
            if let Some(check) = self.timing.check
                && matches!(kind, BranchKind::Return | BranchKind::TrapReturn)
            {
                self.passes_from = cycle + check.passes + 1;
            }
        }
        Ok(())
    }

    /// The input of the queue in a cycle: whether the core may continue, the record, and whether the ingress lost one.
    fn present(&mut self, drive: &Drive) -> (bool, Option<BranchRecord>, bool) {
        let registers = self.registers();
        let (enabled, select) = (registers.enabled(), registers.ppcr().event_select);
        let Some(ingress) = &mut self.ingress else {
            return (self.queue.ready(), drive.record, false);
        };
        // A disabled ingress sees nothing and forgets what it knows.
        let shown = if enabled {
            &drive.shown
        } else {
            &Shown::Nothing
        };
        let presented = ingress.cycle(shown, drive.event_in, select);
        if presented.front.is_some_and(|offer| offer.after_loss) {
            self.queue.purge();
        }
        if !enabled {
            ingress.reset(drive.event_in, select);
        }
        let record = presented.front.map(|offer| offer.record);
        (!presented.stalls, record, presented.lost && enabled)
    }

    /// Compares the pins of the queue's side.
    fn check_intake(&self, cycle: u64, ready: bool, seen: &Seen) -> Result<(), String> {
        if seen.ready != ready {
            let pin = match self.ingress {
                Some(_) => "the inverse of the ingress's stall",
                None => "br_ready",
            };
            return Err(format!(
                "{pin} is {} in cycle {cycle}, the model's is {}, with {} records in the queue",
                u8::from(seen.ready),
                u8::from(ready),
                self.queue.len()
            ));
        }
        let event_select = self.registers().ppcr().event_select;
        if seen.event_select != event_select {
            return Err(format!(
                "event_select is {} in cycle {cycle}, the model's is {event_select}",
                seen.event_select
            ));
        }
        Ok(())
    }

    pub(super) fn process(&mut self, queued: &QueuedRecord) {
        let stepped = self.step(queued);
        self.tell(&stepped);
        self.tell_saturation(&stepped);
        if let Some(path) = stepped.path {
            let late = self.late(queued);
            let accepted = self.model_now - self.timing.detect + late;
            self.expected.push_back((accepted + self.timing.path, path));
            self.to_table
                .push_back((accepted + self.timing.table, path));
        }
    }

    /// Additional cycles before a record takes effect.
    pub(super) fn late(&self, queued: &QueuedRecord) -> u64 {
        let kind = queued.record.kind;
        let is_return = matches!(kind, BranchKind::Return | BranchKind::TrapReturn);
        let late = self.timing.check.filter(|_| is_return);
        late.map_or(0, |check| check.late)
    }

    /// Applies a record to the path stack.
    pub(super) fn step(&mut self, queued: &QueuedRecord) -> Stepped {
        if queued.purge {
            self.stack.purge();
        }
        let before = self.stack.len();
        let below = (before as u64).saturating_sub(1);
        let path = self.stack.step(&queued.record);
        let tally = self.stack.take_tally();
        let after = self.stack.len();
        if let Some(check) = self.timing.check
            && tally.repairs > 0
        {
            self.passes_from = self.model_now + check.looks + below + 1;
        }
        let row = self.row(&queued.record);
        let changes_stack = row.has(Operation::Pop) || row.has(Operation::Push);
        let moves = tally.repairs == 0 && (queued.purge || changes_stack || tally.splits > 0);
        let pushes_split = tally.splits > 0 && (after > before || tally.overflows > 0);
        Stepped {
            path,
            tally,
            cycles: 1 + u64::from(moves) + u64::from(pushes_split),
        }
    }

    fn row(&self, record: &BranchRecord) -> Row {
        let ppcr = self.stack.ppcr();
        let kind = match (record.kind, record.taken, ppcr.backward_not_taken) {
            (BranchKind::Backward, false, BackwardNotTaken::AsForward) => BranchKind::Forward,
            (kind, ..) => kind,
        };
        ppcr.rows[kind]
    }

    /// Counts the effects of a record.
    pub(super) fn tell(&mut self, stepped: &Stepped) {
        let Stepped { path, tally, .. } = stepped;
        self.tally.add_repairs(tally.repairs);
        self.tally.add(Counter::Paths, u64::from(path.is_some()));
        self.tally.add(Counter::Splits, tally.splits);
        self.tally.add(Counter::Underflows, tally.underflows);
        self.tally.add(Counter::Overflows, tally.overflows);
    }

    /// Reports an event counter that a record saturated.
    pub(super) fn tell_saturation(&mut self, stepped: &Stepped) {
        if stepped.tally.event_counter_saturated {
            self.raise(errors::EVENT_COUNTER_SATURATED);
        }
    }
}
