//! The test bench: a device and the reference under one clock.

use super::bus::{Master, Protocol, Transfer};
use super::pins::{Device, Drive, Request, Seen};
use super::reference::{LAG, Reference, Timing};
use super::stream::{Stream, StreamRng};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{self, Counter, REGISTERS, control};
use rand::RngExt;
use std::collections::VecDeque;
use std::fmt;

/// How many of the last cycles a disagreement shows; the reference lags, so the difference is not in the last of them.
const SHOWN: usize = LAG as usize + 16;

/// A difference between the device and the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Cycle, counted since reset.
    pub cycle: u64,
    /// What differs.
    pub what: String,
    /// The last cycles, one a line.
    pub recent: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cycle {}: {}\nbefore it:\n{}",
            self.cycle, self.what, self.recent
        )
    }
}

impl std::error::Error for Disagreement {}

/// How densely records are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// One in every cycle.
    Full,
    /// One in a cycle with this chance of 256.
    Random(u8),
}

/// A device, the reference, and a bus master between them.
#[derive(Debug)]
pub struct Bench<D> {
    device: D,
    geometry: Geometry,
    reference: Reference,
    master: Master,
    recent: VecDeque<(u64, Drive, Seen)>,
    cycles: u64,
}

impl<D: Device> Bench<D> {
    /// A bench around a device that was never clocked; resets it.
    ///
    /// # Errors
    ///
    /// A failure of the device.
    pub fn new(
        device: D,
        geometry: &Geometry,
        reset: &ResetValues,
        timing: Timing,
        protocol: Protocol,
    ) -> Result<Self, Disagreement> {
        let mut bench = Self {
            device,
            geometry: *geometry,
            reference: Reference::new(geometry, reset, timing),
            master: Master::new(protocol),
            recent: VecDeque::with_capacity(SHOWN),
            cycles: 0,
        };
        bench.reset(2)?;
        Ok(bench)
    }

    /// The device.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// The sizes of the device.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The reference.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// Clock cycles given so far.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Queues a request on the bus; later cycles carry it out.
    pub fn request(&mut self, request: Request) {
        self.master.push(request);
    }

    /// Queues a write of a whole register.
    pub fn write(&mut self, offset: u32, value: u32) {
        self.request(Request {
            address: offset / 4,
            write: Some(value),
            select: 0xf,
        });
    }

    /// Queues a read; the reference checks what it gives.
    pub fn read(&mut self, offset: u32) {
        self.request(Request {
            address: offset / 4,
            write: None,
            select: 0xf,
        });
    }

    /// Holds reset for some cycles. Transfers under way are given up.
    ///
    /// # Errors
    ///
    /// A path shown before the reset that differs from the model's.
    pub fn reset(&mut self, cycles: u32) -> Result<(), Disagreement> {
        let bus_cycle = !self.master.is_idle();
        self.master.reset();
        for _ in 0..cycles {
            let drive = Drive {
                reset: true,
                bus_cycle,
                ..Drive::default()
            };
            let seen = self.clock(&drive)?;
            let outcome = self.reference.cycle(&drive, &seen, None);
            self.judge(outcome)?;
        }
        Ok(())
    }

    /// One cycle with or without a record, and whatever the bus has to do. Returns whether the record was taken.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn cycle(&mut self, record: Option<&BranchRecord>) -> Result<bool, Disagreement> {
        self.transfer(record).map(|(seen, _)| seen.ready)
    }

    fn transfer(
        &mut self,
        record: Option<&BranchRecord>,
    ) -> Result<(Seen, Option<Transfer>), Disagreement> {
        let (bus_cycle, request) = self.master.drive();
        let drive = Drive {
            reset: false,
            record: record.copied(),
            bus_cycle,
            request,
        };
        let seen = self.clock(&drive)?;
        let outcome = self.master.see(self.reference.now(), &seen);
        let transfer = self.judge(outcome)?;
        let outcome = self.reference.cycle(&drive, &seen, transfer);
        self.judge(outcome)?;
        Ok((seen, transfer))
    }

    fn clock(&mut self, drive: &Drive) -> Result<Seen, Disagreement> {
        let outcome = self.device.cycle(drive);
        let seen = self.judge(outcome)?;
        self.cycles += 1;
        if self.recent.len() == SHOWN {
            self.recent.pop_front();
        }
        self.recent.push_back((self.reference.now(), *drive, seen));
        Ok(seen)
    }

    fn judge<T>(&self, outcome: Result<T, String>) -> Result<T, Disagreement> {
        outcome.map_err(|what| {
            let line = |(cycle, drive, seen): &(u64, Drive, Seen)| {
                format!("{cycle:>8} {drive} | {seen}\n")
            };
            let recent = self.recent.iter().map(line).collect();
            Disagreement {
                cycle: self.reference.now(),
                what,
                recent,
            }
        })
    }

    /// Idle cycles.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn idle(&mut self, cycles: u64) -> Result<(), Disagreement> {
        (0..cycles).try_for_each(|_| self.cycle(None).map(drop))
    }

    /// Cycles without records until the bus has nothing left to do.
    ///
    /// # Errors
    ///
    /// The first difference found, or a transfer that does not end.
    pub fn finish_bus(&mut self) -> Result<(), Disagreement> {
        let mut waited = 0;
        while !self.master.is_idle() {
            let (_, transfer) = self.transfer(None)?;
            waited = if transfer.is_some() { 0 } else { waited + 1 };
            if waited > self.patience() {
                return self.judge(Err("a bus transfer does not end".into()));
            }
        }
        Ok(())
    }

    /// More cycles than any transfer takes while no records come: a readout waits for a clear.
    fn patience(&self) -> u64 {
        u64::from(self.geometry.clear_cycles()) + self.reference.settling() + 1000
    }

    /// A read by itself, between records: what it gives.
    ///
    /// # Errors
    ///
    /// The first difference found, or a transfer that does not end.
    pub fn read_now(&mut self, offset: u32) -> Result<u32, Disagreement> {
        self.finish_bus()?;
        self.read(offset);
        for _ in 0..self.patience() {
            if let (_, Some(transfer)) = self.transfer(None)? {
                return Ok(transfer.data);
            }
        }
        self.judge(Err(format!("a read of {offset:#x} is not acknowledged")))
    }

    /// Offers `count` records of a stream; each stays until it is taken.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn stream(
        &mut self,
        count: u64,
        stream: &mut dyn Stream,
        pace: Pace,
        rng: &mut StreamRng,
    ) -> Result<(), Disagreement> {
        for _ in 0..count {
            while let Pace::Random(chance) = pace
                && rng.random_range(0..256) > i32::from(chance)
            {
                self.cycle(None)?;
            }
            let record = stream.record(rng);
            while !self.cycle(Some(&record))? {}
        }
        Ok(())
    }

    /// Waits until everything can be read exactly, then reads everything: all registers, all counters and errors, and
    /// the table.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn check_everything(&mut self) -> Result<(), Disagreement> {
        self.settle()?;
        let special = [registers::TABLE_DATA.offset, registers::TABLE_INDEX.offset];
        for register in REGISTERS
            .iter()
            .filter(|register| !special.contains(&register.offset))
        {
            self.read(register.offset);
        }
        self.read_table();
        self.finish_bus()?;
        self.idle(self.reference.settling())
    }

    /// Queues the reads of the whole table; of a large one, of the entries in use and some others.
    fn read_table(&mut self) {
        const LARGE: u32 = 1024;
        const STRIDE: usize = 61;
        let entries = self.geometry.entries();
        if entries <= LARGE {
            self.write(registers::TABLE_INDEX.offset, 0);
            self.read(registers::TABLE_INDEX.offset);
            (0..entries).for_each(|_| self.read_entry());
            return;
        }
        let used: Vec<_> = self
            .reference
            .table()
            .entries()
            .map(|(number, _)| number)
            .collect();
        for number in used
            .into_iter()
            .chain((0..entries as usize).step_by(STRIDE))
        {
            self.write(registers::TABLE_INDEX.offset, number as u32);
            self.read_entry();
        }
    }

    fn read_entry(&mut self) {
        (0..self.geometry.entry_words()).for_each(|_| self.read(registers::TABLE_DATA.offset));
    }

    /// Finishes the bus, waits for a clear to end and for everything in flight.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn settle(&mut self) -> Result<(), Disagreement> {
        self.finish_bus()?;
        self.idle(self.reference.settling())?;
        self.idle(self.reference.clearing_left())?;
        self.idle(self.reference.settling())
    }

    /// Enables the profiler, keeping the control register's other fields at 0, and waits until the table is empty.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn enable(&mut self) -> Result<(), Disagreement> {
        self.write(registers::CONTROL.offset, control::ENABLE.put(1));
        self.settle()
    }

    /// What a counter should read once settled, if it was never cleared.
    pub fn total(&self, counter: Counter) -> u64 {
        self.reference.total(counter)
    }
}
