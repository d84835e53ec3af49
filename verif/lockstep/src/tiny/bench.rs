//! A tiny profiler beside the golden model: the bench observes the pins, orders records and accesses, and compares all
//! reads.
//!
//! A tiny profiler does one thing at a time, so the model needs no clock. A record takes effect when `retire_stall`
//! falls after it, and an access in the cycle of its answer.

use crate::pins::Request;
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Profiler, ResetValues};
use hpp_golden::registers::{Counter, at, command, errors, status};
use hpp_riscv::{LastStage, Retire, Xlen};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A tiny profiler under simulation.
///
/// It panics on a failure of the simulation and on a port that does not exist.
pub trait Pins {
    fn set(&mut self, port: &str, value: u64);
    /// The value of an output for the current inputs.
    fn get(&mut self, port: &str) -> u64;
    fn tick(&mut self);
}

const BRANCH: u32 = 0x63;

/// `jr t0`.
const JUMP: u32 = 0x0002_8067;

/// Cycles of the longest access, without the record before it.
const ACCESS: u32 = 14;

/// The device and the model. Every difference is a panic.
#[derive(Debug)]
pub struct Bench<P> {
    pins: P,
    geometry: Geometry,
    model: Profiler,
    ingress: Retire,
    last: Option<LastStage>,
    /// The waiting record, and whether others were lost after it.
    pending: Option<BranchRecord>,
    gap: bool,
    /// It was disabled in the previous cycle: a record may still seem to wait.
    disables: bool,
    /// Losses that the model does not know.
    lost: u32,
    lost_error: bool,
    /// The access in progress, and its age.
    access: Option<(Request, u32)>,
    /// The random values of an idle bus, and of pauses.
    pub(super) noise: StdRng,
    /// Cycles since the clear of the table began.
    clearing: Option<u32>,
    /// Cycles in which the core was asked to hold, without an access or a clear.
    held: u32,
    /// Cycles in which counters may still be zeroed, after a command.
    zeroing: u32,
    pub data: u32,
    pub records: u64,
    pub paths: u64,
    pub cycles: u64,
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
            last: None,
            pending: None,
            gap: false,
            disables: false,
            lost: 0,
            lost_error: false,
            access: None,
            noise: StdRng::seed_from_u64(0),
            clearing: None,
            held: 0,
            zeroing: 0,
            data: 0,
            records: 0,
            paths: 0,
            cycles: 0,
        };
        bench.restart(1);
        bench.settle();
        bench
    }

    pub fn restart(&mut self, cycles: u32) {
        self.pins.set("rst", 1);
        self.pins.set("retire_valid", 0);
        self.drive(None);
        (0..cycles).for_each(|_| self.pins.tick());
        self.pins.set("rst", 0);
        self.model.reset();
        self.ingress = Retire::new(Xlen::Rv32, 8).with_geometry(&self.geometry);
        (self.last, self.pending) = (None, None);
        (self.gap, self.access) = (false, None);
        (self.lost, self.lost_error) = (0, false);
        self.clearing = Some(0);
        self.model.set_clearing(true);
    }

    /// Whether the effect of a record is known.
    pub fn is_certain(&self) -> bool {
        self.model.registers().frozen() || self.knows_table()
    }

    /// Whether it is certain that a clear is in progress or has ended. The effect of an access is then known.
    pub fn knows_table(&self) -> bool {
        self.clearing.is_none_or(|cycles| {
            cycles + self.geometry.longest_access() < 3 * self.geometry.entries()
        })
    }

    /// Whether a clear that is in progress may have ended.
    fn may_be_empty(&self) -> bool {
        let least = 3 * self.geometry.entries();
        self.clearing.is_some_and(|cycles| cycles >= least)
    }

    pub(super) fn ends_clearing(&mut self) {
        self.clearing = None;
        self.model.set_clearing(false);
    }

    /// Whether software has not seen the end of a clear yet.
    pub const fn is_clearing(&self) -> bool {
        self.clearing.is_some()
    }

    pub const fn pins(&self) -> &P {
        &self.pins
    }

    pub const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub fn stalls(&mut self) -> bool {
        self.pins.get("retire_stall") == 1
    }

    pub fn is_free(&self) -> bool {
        self.access.is_none()
    }

    /// Begins an access. The bus must be free.
    pub fn begin(&mut self, access: Request) {
        self.access = Some((access, 0));
    }

    pub fn give_up(&mut self) {
        self.access = None;
    }

    /// Random values for an idle bus, except a request.
    fn idle(&mut self) -> (u64, u64, Request) {
        let rng = &mut self.noise;
        let (cycle, strobe) = [(0, 0), (1, 0), (0, 1)][rng.random_range(0..3)];
        let access = Request {
            address: rng.random_range(0..32),
            write: rng.random::<bool>().then(|| rng.random()),
            select: rng.random_range(0..16),
        };
        (cycle, strobe, access)
    }

    fn drive(&mut self, access: Option<Request>) {
        let (cycle, strobe, access) = match access {
            Some(access) => (1, 1, access),
            None => self.idle(),
        };
        for (port, value) in [
            ("wb_cyc_i", cycle),
            ("wb_stb_i", strobe),
            ("wb_we_i", access.write.is_some().into()),
            ("wb_adr_i", access.address.into()),
            ("wb_sel_i", access.select.into()),
            ("wb_dat_i", access.write.unwrap_or(0).into()),
        ] {
            self.pins.set(port, value);
        }
    }

    /// One cycle, with or without an instruction from the core. A branch reaches 4 KiB: if the instruction is of another
    /// program, further away, a jump comes first.
    pub fn cycle(&mut self, shown: Option<LastStage>) {
        if let (Some(last), Some(stage)) = (self.last, shown)
            && !last.trap
            && last.insn & 0x7f == BRANCH
            && (stage.pc as i32)
                .wrapping_sub(last.pc as i32)
                .unsigned_abs()
                >= 4096
        {
            let jump = LastStage {
                pc: last.pc.wrapping_add(4) & u64::from(u32::MAX),
                insn: JUMP,
                ..last
            };
            self.one_cycle(Some(jump));
            while self.stalls() {
                self.one_cycle(None);
            }
        }
        self.last = shown.or(self.last);
        self.one_cycle(shown);
    }

    fn one_cycle(&mut self, shown: Option<LastStage>) {
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
        self.holds(stalls);
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
        // A disabled ingress sees nothing and forgets what it knows.
        let record = match before {
            true => shown.and_then(|stage| self.ingress.step(&stage, 0)),
            false => {
                self.ingress = Retire::new(Xlen::Rv32, 8).with_geometry(&self.geometry);
                None
            }
        };
        if let Some(record) = record.filter(|_| enabled) {
            match stalls {
                true => self.gap = true,
                false => self.pending = Some(record),
            }
        }
        self.clearing = self.clearing.map(|cycles| cycles + 1);
        self.cycles += 1;
        self.pins.tick();
    }

    /// The core is asked to hold if a record waits: at most for the longest record and the three steps before it.
    fn holds(&mut self, stalls: bool) {
        let waits = self.pending.is_some();
        assert!(
            stalls == waits || self.disables,
            "the core holds for a record"
        );
        let quiet = self.access.is_none() && self.clearing.is_none() && self.zeroing == 0;
        self.zeroing = self.zeroing.saturating_sub(1);
        self.held = match stalls && quiet {
            true => self.held + 1,
            false => 0,
        };
        let longest = self.geometry.longest_access() - ACCESS + 3;
        assert!(self.held <= longest, "a record takes {} cycles", self.held);
    }

    fn process(&mut self, record: &BranchRecord) {
        let before = self.count(Counter::Paths);
        self.model.profile(record);
        self.records += 1;
        self.paths += u64::from(self.count(Counter::Paths) != before);
        if std::mem::take(&mut self.gap) {
            self.lost = self.lost.wrapping_add(1);
            self.lost_error = true;
            let purge = command::PURGE.mask();
            self.model.write(at::COMMAND, purge);
        }
    }

    fn act(&mut self, access: Request, data: u32) {
        let (offset, lanes) = (access.offset(), access.select);
        let Some(value) = access.write else {
            self.data = data;
            let is_over = offset == at::STATUS && data & status::CLEARING.mask() == 0;
            if is_over && self.may_be_empty() {
                self.ends_clearing();
            }
            let said = self.model.read(offset) | self.losses(offset);
            assert_eq!(data, said, "at {offset:#x}, {data:#x} is not {said:#x}");
            return;
        };
        let frozen = self.model.registers().frozen();
        self.model.write_lanes(offset, value, lanes);
        assert!(
            !frozen || self.model.registers().frozen() || !self.may_be_empty(),
            "a freeze ends while nobody knows whether the table is empty"
        );
        if lanes & 1 == 0 {
            return;
        }
        if offset == at::ERRORS {
            self.lost_error &= value & errors::RECORDS_LOST.mask() == 0;
        }
        if offset == at::COMMAND {
            if command::CLEAR_COUNTERS.get(value) == 1 {
                self.lost = 0;
                self.zeroing = Counter::COUNT as u32;
            }
            // While the table is being emptied, it is not begun again.
            if command::CLEAR.get(value) == 1 && self.clearing.is_none() {
                self.clearing = Some(0);
                self.model.set_clearing(true);
            }
        }
    }

    fn losses(&self, offset: u32) -> u32 {
        match offset {
            _ if offset == Counter::LostRecords.offset() => self.lost,
            _ if offset == at::ERRORS => errors::RECORDS_LOST.put(self.lost_error.into()),
            _ => 0,
        }
    }

    pub fn count(&self, counter: Counter) -> u64 {
        self.model.counters().get(counter)
    }

    pub const fn lost(&self) -> u32 {
        self.lost
    }
}
