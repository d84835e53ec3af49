//! The pins of a verilated profiler with RVFI ingress.

use crate::Rig;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_riscv::Retirement;
use verilated::{Input, Model, Output};

/// What a cycle showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cycle {
    /// The retirement offered happened: the core did not hold.
    pub retired: bool,
    /// `rvfi_stall`.
    pub stall: bool,
    /// The path shown.
    pub path: Option<CompletedPath>,
    /// `wb_ack_o`, with `wb_dat_o`.
    pub ack: Option<u32>,
}

/// A verilated profiler, and whether the core before it holds when it is told to.
#[derive(Debug)]
pub struct RetirementDevice {
    model: Model,
    ports: Ports,
    holds: bool,
    /// Most cycles an access may take.
    longest_access: u32,
    /// `event_in`, in every cycle.
    events: u64,
}

#[derive(Debug, Clone, Copy)]
struct Ports {
    clk: Input,
    rst: Input,
    valid: Input,
    insn: Input,
    trap: Input,
    intr: Input,
    pc: Input,
    next_pc: Input,
    event_in: Input,
    stall: Output,
    path_valid: Output,
    path_start: Output,
    path_length: Output,
    path_outcomes: Output,
    path_count: Output,
    wb_cyc: Input,
    wb_stb: Input,
    wb_we: Input,
    wb_adr: Input,
    wb_sel: Input,
    wb_dat_i: Input,
    wb_dat_o: Output,
    wb_ack: Output,
}

impl Ports {
    fn find(model: &Model) -> verilated::Result<Self> {
        Ok(Self {
            clk: model.input("clk")?,
            rst: model.input("rst")?,
            valid: model.input("rvfi_valid")?,
            insn: model.input("rvfi_insn")?,
            trap: model.input("rvfi_trap")?,
            intr: model.input("rvfi_intr")?,
            pc: model.input("rvfi_pc_rdata")?,
            next_pc: model.input("rvfi_pc_wdata")?,
            event_in: model.input("event_in")?,
            stall: model.output("rvfi_stall")?,
            path_valid: model.output("path_valid")?,
            path_start: model.output("path_start")?,
            path_length: model.output("path_length")?,
            path_outcomes: model.output("path_outcomes")?,
            path_count: model.output("path_count")?,
            wb_cyc: model.input("wb_cyc_i")?,
            wb_stb: model.input("wb_stb_i")?,
            wb_we: model.input("wb_we_i")?,
            wb_adr: model.input("wb_adr_i")?,
            wb_sel: model.input("wb_sel_i")?,
            wb_dat_i: model.input("wb_dat_i")?,
            wb_dat_o: model.output("wb_dat_o")?,
            wb_ack: model.output("wb_ack_o")?,
        })
    }
}

impl RetirementDevice {
    /// The model, for its coverage.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The profiler of a rig built with RVFI ingress, just out of reset. A core that does not hold retires whatever
    /// `rvfi_stall` says.
    ///
    /// # Errors
    ///
    /// If the design lacks a port.
    pub fn new(rig: &Rig, holds: bool) -> verilated::Result<Self> {
        let model = rig.design().model()?;
        let mut device = Self {
            ports: Ports::find(&model)?,
            model,
            holds,
            longest_access: rig.named().geometry.longest_access(),
            events: 0,
        };
        device.model.set(device.ports.rst, 1);
        device.model.cycle(device.ports.clk)?;
        device.model.set(device.ports.rst, 0);
        Ok(device)
    }

    /// From here on `event_in` is that.
    pub fn set_events(&mut self, events: u64) {
        self.events = events;
    }

    fn put(&mut self, port: Input, value: u64) {
        let mask = u64::MAX >> (64 - self.model.input_width(port));
        self.model.set(port, value & mask);
    }

    /// One cycle; the retirement happens unless the core holds.
    pub fn cycle(&mut self, retirement: Option<&Retirement>) -> Cycle {
        let ports = self.ports;
        let shown = retirement.copied().unwrap_or_default();
        for (port, value) in [
            (ports.valid, 0),
            (ports.insn, shown.insn.into()),
            (ports.trap, shown.trap.into()),
            (ports.intr, shown.intr.into()),
            (ports.pc, shown.pc),
            (ports.next_pc, shown.next_pc),
            (ports.event_in, self.events),
        ] {
            self.put(port, value);
        }
        self.model.fall(ports.clk).expect("no assertion fails");
        // A core holds in the cycle itself: the port is 1 or 0 whatever retires.
        let stall = self.model.get(ports.stall) == 1;
        let retired = retirement.is_some() && !(self.holds && stall);
        self.put(ports.valid, retired.into());
        self.model.eval().expect("no assertion fails");
        let get = |port| self.model.get(port);
        let cycle = Cycle {
            retired,
            stall,
            path: (get(ports.path_valid) == 1).then(|| CompletedPath {
                descriptor: PathDescriptor {
                    start: get(ports.path_start),
                    length: get(ports.path_length) as u32,
                    outcomes: get(ports.path_outcomes),
                },
                count: get(ports.path_count) as u32,
            }),
            ack: (get(ports.wb_ack) == 1).then(|| get(ports.wb_dat_o) as u32),
        };
        self.model.rise(ports.clk).expect("no assertion fails");
        cycle
    }

    /// One transfer on the bus; `cycle` is given every cycle of it, and chooses what retires in the next.
    ///
    /// # Panics
    ///
    /// If it takes longer than any access may.
    pub fn transfer(
        &mut self,
        (offset, write): (u32, Option<u32>),
        mut cycle: impl FnMut(&mut Self) -> Cycle,
    ) -> u32 {
        let ports = self.ports;
        for (port, value) in [
            (ports.wb_cyc, 1),
            (ports.wb_stb, 1),
            (ports.wb_adr, u64::from(offset / 4)),
            (ports.wb_we, write.is_some().into()),
            (ports.wb_sel, 0xf),
            (ports.wb_dat_i, write.unwrap_or(0).into()),
        ] {
            self.put(port, value);
        }
        for _ in 0..=self.longest_access {
            if let Some(data) = cycle(self).ack {
                self.put(ports.wb_stb, 0);
                self.put(ports.wb_cyc, 0);
                return data;
            }
        }
        let longest = self.longest_access;
        panic!("an access of {offset:#04x} is not acknowledged within {longest} cycles");
    }
}
