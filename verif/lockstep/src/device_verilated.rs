//! The emitted Verilog in Verilator as a [`Device`].

use super::pins::{Device, Drive, Request, Seen};
use super::random::Nonsense;
use super::record_pins::RecordPins;
use std::num::NonZeroU32;
use verilated::{Design, Model, pins};

pins! {
    WishbonePins {
        cyc: input "wb_cyc_i",
        stb: input "wb_stb_i",
        we: input "wb_we_i",
        adr: input "wb_adr_i",
        sel: input "wb_sel_i",
        dat_i: input "wb_dat_i",
        dat_o: output "wb_dat_o",
        ack: output "wb_ack_o",
        stall: output "wb_stall_o",
        err: output "wb_err_o",
    }
}

impl WishbonePins {
    /// Without a request the fields are driven with `noise`.
    #[inline]
    fn drive(&self, model: &mut Model, cycle: bool, request: Option<&Request>, noise: u64) {
        model.stage(self.cyc, u64::from(cycle));
        model.stage(self.stb, u64::from(request.is_some()));
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
            model.stage(port, value);
        }
    }

    #[inline]
    fn show(&self, model: &Model, seen: &mut Seen) {
        let flag = |port| model.shown(port) == 1;
        seen.ack = flag(self.ack).then(|| model.shown(self.dat_o) as u32);
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
pub fn powered_up(design: &Design, seed: NonZeroU32) -> verilated::Result<Model> {
    // Verilator takes seeds of 31 bits.
    let seed = format!("+verilator+seed+{}", (seed.get() & 0x7fff_ffff).max(1));
    design.model_with_arguments(&["+verilator+rand+reset+2", &seed])
}

impl Device for VerilatedDevice {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        let noise = [self.nonsense.draw(), self.nonsense.draw()];
        let model = &mut self.model;
        self.records.drive(model, drive, noise[0]);
        let request = drive.request.as_ref();
        self.bus.drive(model, drive.bus_cycle, request, noise[1]);
        let outcome = model.cycle_staged(self.records.clk());
        outcome.map_err(|error| error.to_string())?;
        self.records.show(model, seen);
        self.bus.show(model, seen);
        Ok(())
    }

    fn stalls(&self) -> Option<bool> {
        self.records.stalls(&self.model)
    }

    fn circuit(&mut self) -> Option<&mut Model> {
        Some(&mut self.model)
    }
}
