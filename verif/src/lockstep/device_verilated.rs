//! The emitted Verilog in Verilator as a [`Device`].

use super::pins::{Device, Drive, Request, Seen};
use hpp_golden::branch::BranchRecord;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use std::num::NonZeroU32;
use verilated::{Design, Input, Model, Output};

/// The ports of module `hpp` with native ingress and Wishbone.
#[derive(Debug, Clone, Copy)]
struct Ports {
    clk: Input,
    rst: Input,
    br_valid: Input,
    br_ready: Output,
    br_kind: Input,
    br_taken: Input,
    br_target: Input,
    br_next: Input,
    br_events: Input,
    path_valid: Output,
    path_start: Output,
    path_length: Output,
    path_outcomes: Output,
    path_count: Output,
    event_select: Output,
    wb_cyc: Input,
    wb_stb: Input,
    wb_we: Input,
    wb_adr: Input,
    wb_sel: Input,
    wb_dat_i: Input,
    wb_dat_o: Output,
    wb_ack: Output,
    wb_stall: Output,
    wb_err: Output,
}

impl Ports {
    fn find(model: &Model) -> verilated::Result<Self> {
        Ok(Self {
            clk: model.input("clk")?,
            rst: model.input("rst")?,
            br_valid: model.input("br_valid")?,
            br_ready: model.output("br_ready")?,
            br_kind: model.input("br_kind")?,
            br_taken: model.input("br_taken")?,
            br_target: model.input("br_target")?,
            br_next: model.input("br_next")?,
            br_events: model.input("br_events")?,
            path_valid: model.output("path_valid")?,
            path_start: model.output("path_start")?,
            path_length: model.output("path_length")?,
            path_outcomes: model.output("path_outcomes")?,
            path_count: model.output("path_count")?,
            event_select: model.output("event_select")?,
            wb_cyc: model.input("wb_cyc_i")?,
            wb_stb: model.input("wb_stb_i")?,
            wb_we: model.input("wb_we_i")?,
            wb_adr: model.input("wb_adr_i")?,
            wb_sel: model.input("wb_sel_i")?,
            wb_dat_i: model.input("wb_dat_i")?,
            wb_dat_o: model.output("wb_dat_o")?,
            wb_ack: model.output("wb_ack_o")?,
            wb_stall: model.output("wb_stall_o")?,
            wb_err: model.output("wb_err_o")?,
        })
    }
}

/// A verilated profiler.
///
/// What belongs to no record or request is driven with changing nonsense, so nothing can come to depend on it.
#[derive(Debug)]
pub struct VerilatedDevice {
    model: Model,
    ports: Ports,
    nonsense: u64,
}

impl VerilatedDevice {
    /// A fresh model of a design; what the design leaves undefined at the start is drawn from a seed, which is not 0.
    ///
    /// # Errors
    ///
    /// If the design lacks a port.
    pub fn new(design: &Design, seed: NonZeroU32) -> verilated::Result<Self> {
        // Verilator takes 31 bits.
        let seed = format!("+verilator+seed+{}", (seed.get() & 0x7fff_ffff).max(1));
        let model = design.model_with_arguments(&["+verilator+rand+reset+2", &seed])?;
        Ok(Self {
            ports: Ports::find(&model)?,
            model,
            nonsense: 0x9e37_79b9_7f4a_7c15,
        })
    }

    /// The model, for its coverage.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Sets a port to the low bits of a value.
    fn put(&mut self, port: Input, value: u64) {
        let mask = u64::MAX >> (64 - self.model.input_width(port));
        self.model.set(port, value & mask);
    }

    fn nonsense(&mut self) -> u64 {
        // Marsaglia's xorshift: cheap, and no two neighbours alike.
        self.nonsense ^= self.nonsense << 13;
        self.nonsense ^= self.nonsense >> 7;
        self.nonsense ^= self.nonsense << 17;
        self.nonsense
    }

    fn drive_record(&mut self, record: Option<&BranchRecord>) {
        let ports = self.ports;
        self.put(ports.br_valid, u64::from(record.is_some()));
        let fields = match record {
            Some(record) => [
                u64::from(record.kind.code()),
                u64::from(record.taken),
                record.target,
                record.next,
                u64::from(record.events),
            ],
            None => {
                let noise = self.nonsense();
                [noise >> 3, noise >> 7, noise, !noise, noise >> 11]
            }
        };
        let targets = [
            ports.br_kind,
            ports.br_taken,
            ports.br_target,
            ports.br_next,
            ports.br_events,
        ];
        for (port, value) in targets.into_iter().zip(fields) {
            self.put(port, value);
        }
    }

    fn drive_bus(&mut self, cycle: bool, request: Option<&Request>) {
        let ports = self.ports;
        self.put(ports.wb_cyc, u64::from(cycle));
        self.put(ports.wb_stb, u64::from(request.is_some()));
        let noise = if request.is_none() {
            self.nonsense()
        } else {
            0
        };
        let fields = match request {
            Some(Request {
                address,
                write,
                select,
            }) => [
                u64::from(write.is_some()),
                u64::from(*address),
                u64::from(*select),
                u64::from(write.unwrap_or(0)),
            ],
            None => [noise >> 5, noise, noise >> 9, noise >> 13],
        };
        let targets = [ports.wb_we, ports.wb_adr, ports.wb_sel, ports.wb_dat_i];
        for (port, value) in targets.into_iter().zip(fields) {
            self.put(port, value);
        }
    }

    fn flag(&self, port: Output) -> bool {
        self.model.get(port) == 1
    }

    fn seen(&self) -> Seen {
        let ports = &self.ports;
        let get = |port| self.model.get(port);
        Seen {
            ready: self.flag(ports.br_ready),
            path: self.flag(ports.path_valid).then(|| CompletedPath {
                descriptor: PathDescriptor {
                    start: get(ports.path_start),
                    length: get(ports.path_length) as u32,
                    outcomes: get(ports.path_outcomes),
                },
                count: get(ports.path_count) as u32,
            }),
            ack: self.flag(ports.wb_ack).then(|| get(ports.wb_dat_o) as u32),
            stall: self.flag(ports.wb_stall),
            error: self.flag(ports.wb_err),
            event_select: get(ports.event_select) as u8,
        }
    }
}

impl Device for VerilatedDevice {
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        let ports = self.ports;
        self.put(ports.rst, u64::from(drive.reset));
        self.drive_record(drive.record.as_ref());
        self.drive_bus(drive.bus_cycle, drive.request.as_ref());
        self.model.fall(ports.clk).map_err(|e| e.to_string())?;
        let seen = self.seen();
        self.model.rise(ports.clk).map_err(|e| e.to_string())?;
        Ok(seen)
    }
}
