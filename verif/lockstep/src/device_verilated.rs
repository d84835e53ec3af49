//! The emitted Verilog in Verilator as a [`Device`].

use super::pins::{Device, Drive, Request, Seen};
use super::record_pins::{Nonsense, RecordPins, Staged, Wires};
use std::num::NonZeroU32;
use verilated::{Design, Input, Model, Output};

/// The Wishbone port.
#[derive(Debug, Clone, Copy)]
struct WishbonePins {
    cyc: Input,
    stb: Input,
    we: Input,
    adr: Input,
    sel: Input,
    dat_i: Input,
    dat_o: Output,
    ack: Output,
    stall: Output,
    err: Output,
}

impl WishbonePins {
    fn find(model: &Model) -> verilated::Result<Self> {
        Ok(Self {
            cyc: model.input("wb_cyc_i")?,
            stb: model.input("wb_stb_i")?,
            we: model.input("wb_we_i")?,
            adr: model.input("wb_adr_i")?,
            sel: model.input("wb_sel_i")?,
            dat_i: model.input("wb_dat_i")?,
            dat_o: model.output("wb_dat_o")?,
            ack: model.output("wb_ack_o")?,
            stall: model.output("wb_stall_o")?,
            err: model.output("wb_err_o")?,
        })
    }

    /// Without a request the fields are driven with `noise`.
    #[inline]
    fn drive(&self, wires: &mut impl Wires, cycle: bool, request: Option<&Request>, noise: u64) {
        wires.put(self.cyc, u64::from(cycle));
        wires.put(self.stb, u64::from(request.is_some()));
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
        for (port, value) in [self.we, self.adr, self.sel, self.dat_i]
            .into_iter()
            .zip(fields)
        {
            wires.put(port, value);
        }
    }

    #[inline]
    fn show(&self, wires: &impl Wires, seen: &mut Seen) {
        let flag = |port| wires.get(port) == 1;
        seen.ack = flag(self.ack).then(|| wires.get(self.dat_o) as u32);
        seen.stall = flag(self.stall);
        seen.error = flag(self.err);
    }
}

/// A verilated profiler with any ingress and a Wishbone port.
///
/// Inputs without a valid record or request are driven with random values, so that no logic can depend on them.
#[derive(Debug)]
pub struct VerilatedDevice {
    model: Model,
    records: RecordPins,
    bus: WishbonePins,
    nonsense: Nonsense,
}

impl VerilatedDevice {
    /// A fresh model of a design. The seed, which is not 0, chooses the initial values that the design leaves
    /// undefined.
    ///
    /// # Errors
    ///
    /// If the design lacks a port.
    pub fn new(design: &Design, seed: NonZeroU32) -> verilated::Result<Self> {
        let model = powered_up(design, seed)?;
        Ok(Self {
            records: RecordPins::find(&model)?,
            bus: WishbonePins::find(&model)?,
            model,
            nonsense: Nonsense::default(),
        })
    }

    /// The model, to drive inputs that do not belong to the profiler.
    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }
}

/// A fresh model of a design. The seed chooses the initial values that the design leaves undefined.
///
/// # Errors
///
/// An error of Verilator's library.
pub fn powered_up(design: &Design, seed: NonZeroU32) -> verilated::Result<Model> {
    // Verilator takes seeds of 31 bits.
    let seed = format!("+verilator+seed+{}", (seed.get() & 0x7fff_ffff).max(1));
    design.model_with_arguments(&["+verilator+rand+reset+2", &seed])
}

impl Device for VerilatedDevice {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        let noise = [self.nonsense.draw(), self.nonsense.draw()];
        let (mut wires, clk) = (Staged(&mut self.model), self.records.clk);
        self.records.drive(&mut wires, drive, noise[0]);
        let request = drive.request.as_ref();
        self.bus
            .drive(&mut wires, drive.bus_cycle, request, noise[1]);
        let outcome = wires.0.cycle_staged(clk);
        outcome.map_err(|error| error.to_string())?;
        self.records.show(&wires, seen);
        self.bus.show(&wires, seen);
        Ok(())
    }

    fn stalls(&self) -> Option<bool> {
        self.records.stalls(&self.model)
    }

    fn model(&self) -> Option<&Model> {
        Some(&self.model)
    }

    fn circuit(&mut self) -> Option<&mut Model> {
        Some(&mut self.model)
    }
}
