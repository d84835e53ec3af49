//! A tiny profiler beside the golden model: the bench observes the pins, orders records and accesses, and compares all
//! reads.
//!
//! A tiny profiler does one thing at a time, so the model needs no clock. A record takes effect when `retire_stall`
//! falls after it, and an access in the cycle of its answer.

use super::access::Access;
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Profiler, ResetValues};
use hpp_golden::registers::{self, Counter, command, control, errors, status};
use hpp_riscv::{LastStage, Retire, Xlen};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A tiny profiler under simulation.
///
/// It panics on a failure of the simulation and on a port that does not exist.
pub trait Pins {
    /// Drives an input.
    fn set(&mut self, port: &str, value: u64);
    /// The value of an output for the current inputs.
    fn get(&mut self, port: &str) -> u64;
    /// Ends the cycle.
    fn tick(&mut self);
}

/// The device and the model. Every difference is a panic.
#[derive(Debug)]
pub struct Bench<P> {
    pins: P,
    geometry: Geometry,
    model: Profiler,
    ingress: Retire,
    /// The waiting record, and whether others were lost after it.
    pending: Option<BranchRecord>,
    gap: bool,
    /// It was disabled in the previous cycle: a record may still seem to wait.
    disables: bool,
    /// Losses that the model does not know.
    lost: u32,
    lost_error: bool,
    /// The access in progress, and its age.
    access: Option<(Access, u32)>,
    /// The random values of an idle bus.
    noise: StdRng,
    /// Cycles since the clear of the table began.
    clearing: Option<u32>,
    /// The data of the last read.
    pub data: u32,
    /// Records that the model processed.
    pub records: u64,
}

impl<P: Pins> Bench<P> {
    /// Device and model after a reset, with an empty table.
    pub fn new(pins: P, geometry: Geometry) -> Self {
        let model = Profiler::new(&geometry, &ResetValues::default()).expect("a legal geometry");
        let mut bench = Self {
            pins,
            geometry,
            model,
            ingress: Retire::new(Xlen::Rv32, 8).with_geometry(&geometry),
            pending: None,
            gap: false,
            disables: false,
            lost: 0,
            lost_error: false,
            access: None,
            noise: StdRng::seed_from_u64(0),
            clearing: None,
            data: 0,
            records: 0,
        };
        bench.reset(2);
        bench
    }

    /// Holds the reset for `cycles` cycles, then waits until the table is empty.
    pub fn reset(&mut self, cycles: u32) {
        self.pins.set("rst", 1);
        self.pins.set("retire_valid", 0);
        self.drive(None);
        (0..cycles).for_each(|_| self.pins.tick());
        self.pins.set("rst", 0);
        self.model.reset();
        self.ingress = Retire::new(Xlen::Rv32, 8).with_geometry(&self.geometry);
        (self.pending, self.gap, self.access) = (None, false, None);
        (self.lost, self.lost_error) = (0, false);
        self.begin_clearing();
        self.settle();
    }

    fn begin_clearing(&mut self) {
        self.clearing = Some(0);
        self.model.set_clearing(true);
    }

    /// Whether it is certain that a clear is in progress or has ended. The effect of a record is then known.
    pub fn is_certain(&self) -> bool {
        self.clearing.is_none_or(|cycles| {
            cycles + self.geometry.longest_access() < 3 * self.geometry.entries()
        })
    }

    /// Whether software has not seen the end of a clear yet.
    pub const fn is_clearing(&self) -> bool {
        self.clearing.is_some()
    }

    /// Its size.
    pub const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Whether the core is stalled.
    pub fn stalls(&mut self) -> bool {
        self.pins.get("retire_stall") == 1
    }

    /// Whether the bus is free.
    pub fn is_free(&self) -> bool {
        self.access.is_none()
    }

    /// Begins an access. The bus must be free.
    pub fn begin(&mut self, access: Access) {
        self.access = Some((access, 0));
    }

    /// Random values for an idle bus, except a request.
    fn idle(&mut self) -> (u64, u64, Access) {
        let rng = &mut self.noise;
        let (cycle, strobe) = [(0, 0), (1, 0), (0, 1)][rng.random_range(0..3)];
        let access = Access {
            offset: 4 * rng.random_range(0..32),
            write: rng.random::<bool>().then(|| rng.random()),
            lanes: rng.random_range(0..16),
        };
        (cycle, strobe, access)
    }

    fn drive(&mut self, access: Option<Access>) {
        let (cycle, strobe, access) = match access {
            Some(access) => (1, 1, access),
            None => self.idle(),
        };
        for (port, value) in [
            ("wb_cyc_i", cycle),
            ("wb_stb_i", strobe),
            ("wb_we_i", access.write.is_some().into()),
            ("wb_adr_i", u64::from(access.offset / 4)),
            ("wb_sel_i", access.lanes.into()),
            ("wb_dat_i", access.write.unwrap_or(0).into()),
        ] {
            self.pins.set(port, value);
        }
    }

    /// One cycle, with or without an instruction from the core.
    pub fn cycle(&mut self, shown: Option<LastStage>) {
        self.pins.set("retire_valid", shown.is_some().into());
        if let Some(stage) = shown {
            self.pins.set("retire_trap", stage.trap.into());
            self.pins.set("retire_insn", stage.insn.into());
            self.pins.set("retire_pc", stage.pc);
        }
        self.drive(self.access.map(|(access, _)| access));
        let stalls = self.stalls();
        if !stalls && let Some(record) = self.pending.take() {
            self.process(&record);
        }
        let holds = self.pending.is_some();
        assert!(
            stalls == holds || self.disables,
            "the core holds for a record"
        );
        let before = self.model.registers().enabled();
        let answered = self.pins.get("wb_ack_o");
        assert_eq!(self.pins.get("wb_stall_o"), 1 - answered);
        assert_eq!(self.pins.get("wb_err_o"), 0);
        if answered == 1 {
            let (access, _) = self.access.take().expect("an answer to an access");
            let data = self.pins.get("wb_dat_o") as u32;
            self.act(access, data);
        } else if let Some((access, waited)) = &mut self.access {
            *waited += 1;
            assert!(
                *waited <= self.geometry.longest_access(),
                "{access:x?} waits for {waited} cycles"
            );
        }
        let enabled = before && self.model.registers().enabled();
        self.disables = before && !enabled;
        if !enabled {
            (self.pending, self.gap) = (None, false);
        }
        let record = shown.and_then(|stage| self.ingress.step(&stage, 0));
        if let Some(record) = record.filter(|_| enabled) {
            match stalls {
                true => self.gap = true,
                false => self.pending = Some(record),
            }
        }
        self.clearing = self.clearing.map(|cycles| cycles + 1);
        self.pins.tick();
    }

    fn process(&mut self, record: &BranchRecord) {
        self.model.profile(record);
        self.records += 1;
        if std::mem::take(&mut self.gap) {
            self.lost = self.lost.wrapping_add(1);
            self.lost_error = true;
            let purge = command::PURGE.mask();
            self.model.write(registers::COMMAND.offset, purge);
        }
    }

    fn act(&mut self, access: Access, data: u32) {
        let Access {
            offset,
            write,
            lanes,
        } = access;
        let Some(value) = write else {
            self.data = data;
            let is_over = offset == registers::STATUS.offset && data & status::CLEARING.mask() == 0;
            if is_over
                && self
                    .clearing
                    .is_some_and(|cycles| cycles >= 3 * self.geometry.entries())
            {
                self.clearing = None;
                self.model.set_clearing(false);
            }
            let said = self.model.read(offset) | self.losses(offset);
            assert_eq!(data, said, "at {offset:#x}, {data:#x} is not {said:#x}");
            return;
        };
        self.model.write_lanes(offset, value, lanes);
        if lanes & 1 == 0 {
            return;
        }
        if offset == registers::ERRORS.offset {
            self.lost_error &= value & errors::RECORDS_LOST.mask() == 0;
        }
        if offset == registers::COMMAND.offset {
            if command::CLEAR_COUNTERS.get(value) == 1 {
                self.lost = 0;
            }
            if command::CLEAR.get(value) == 1 {
                self.begin_clearing();
            }
        }
    }

    fn losses(&self, offset: u32) -> u32 {
        match offset {
            _ if offset == Counter::LostRecords.offset() => self.lost,
            _ if offset == registers::ERRORS.offset => {
                errors::RECORDS_LOST.put(self.lost_error.into())
            }
            _ => 0,
        }
    }

    /// A single access.
    pub fn now(&mut self, access: Access) -> u32 {
        while !self.is_free() {
            self.cycle(None);
        }
        self.begin(access);
        while !self.is_free() {
            self.cycle(None);
        }
        self.data
    }

    /// Enables the profiler.
    pub fn enable(&mut self) {
        self.now(Access::write(
            registers::CONTROL.offset,
            control::ENABLE.mask(),
        ));
    }

    /// Waits until nothing is pending and no clear is in progress.
    pub fn settle(&mut self) {
        for _ in 0..=8 * self.geometry.entries() {
            if self.now(Access::read(registers::STATUS.offset)) & status::CLEARING.mask() == 0 {
                self.clearing = None;
                self.model.set_clearing(false);
                return;
            }
        }
        panic!("the table is still being emptied");
    }

    /// Reads every register and every entry.
    pub fn compare(&mut self) {
        self.settle();
        for offset in (0..128).step_by(4) {
            if offset != registers::TABLE_DATA.offset {
                self.now(Access::read(offset));
            }
        }
        self.now(Access::write(registers::TABLE_INDEX.offset, 0));
        for _ in 0..self.geometry.entries() * self.geometry.entry_words() {
            self.now(Access::read(registers::TABLE_DATA.offset));
        }
    }

    /// The model's count.
    pub fn count(&self, counter: Counter) -> u64 {
        self.model.counters().get(counter)
    }

    /// Number of runs of lost records.
    pub const fn lost(&self) -> u32 {
        self.lost
    }
}
