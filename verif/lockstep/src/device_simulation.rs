//! The rust-hdl simulation of the circuits as a [`Device`].

use super::pins::{Device, Drive, Seen};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{ResetValues, TableEntry};
use hpp_hdl::IngressOptions;
use hpp_hdl::sim::Simulator;
use hpp_hdl::top::native;

/// A profiler in rust-hdl simulation.
pub struct SimulationDevice {
    geometry: Geometry,
    simulator: Simulator<native::OnWishbone>,
}

impl SimulationDevice {
    /// The circuits of a legal geometry, powered up.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        let simulator = Simulator::new(native::OnWishbone::new(
            geometry,
            reset,
            &IngressOptions::default(),
        ));
        Self {
            geometry: *geometry,
            simulator,
        }
    }

    fn drive(&mut self, drive: &Drive) {
        let record = drive
            .record
            .unwrap_or(BranchRecord::new(BranchKind::Trap, false, 0, 0));
        let request = drive.request.as_ref();
        let write = request.and_then(|request| request.write);
        let (target, context) = self.geometry.address_and_context(record.target);
        for (port, value) in [
            ("rst", u64::from(drive.reset)),
            ("br_valid", u64::from(drive.record.is_some())),
            ("br_kind", u64::from(record.kind.code())),
            ("br_taken", u64::from(record.taken)),
            ("br_target", target),
            ("br_context", u64::from(context)),
            ("br_next", record.next),
            ("br_events", u64::from(record.events)),
            ("wb_cyc_i", u64::from(drive.bus_cycle)),
            ("wb_stb_i", u64::from(request.is_some())),
            ("wb_we_i", u64::from(write.is_some())),
            (
                "wb_adr_i",
                request.map_or(0, |request| u64::from(request.address)),
            ),
            (
                "wb_sel_i",
                request.map_or(0, |request| u64::from(request.select)),
            ),
            ("wb_dat_i", u64::from(write.unwrap_or(0))),
        ] {
            self.simulator.set(port, value);
        }
        if self.geometry.has_drain() {
            let ready = u64::from(drive.drain_ready);
            self.simulator.set("drain_ready", ready);
        }
        if self.geometry.triggers {
            let [start, stop] = [drive.trigger_start, drive.trigger_stop].map(u64::from);
            self.simulator.set("trigger_start", start);
            self.simulator.set("trigger_stop", stop);
        }
    }

    fn seen(&self) -> Seen {
        let get = |port| self.simulator.get(port);
        Seen {
            ready: get("br_ready") == 1,
            path: (get("path_valid") == 1).then(|| CompletedPath {
                descriptor: PathDescriptor {
                    start: get("path_start"),
                    length: get("path_length") as u32,
                    outcomes: get("path_outcomes"),
                },
                count: get("path_count") as u32,
            }),
            ack: (get("wb_ack_o") == 1).then(|| get("wb_dat_o") as u32),
            stall: get("wb_stall_o") == 1,
            error: get("wb_err_o") == 1,
            event_select: get("event_select") as u8,
            drain: (self.geometry.has_drain() && get("drain_valid") == 1).then(|| TableEntry {
                descriptor: PathDescriptor {
                    start: get("drain_start"),
                    length: get("drain_length") as u32,
                    outcomes: get("drain_outcomes"),
                },
                count: get("drain_count") as u32,
            }),
            drain_irq: self.geometry.has_drain() && get("drain_irq") == 1,
            trigger_irq: self.geometry.triggers && get("trigger_irq") == 1,
        }
    }
}

impl Device for SimulationDevice {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        self.drive(drive);
        self.simulator.settle();
        *seen = self.seen();
        self.simulator.tick();
        Ok(())
    }
}

/// Two devices under the same stimulus; a pin that differs in any cycle is an error.
#[derive(Debug)]
pub struct Pair<A, B>(pub A, pub B);

impl<A: Device, B: Device> Device for Pair<A, B> {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        self.0.cycle_into(drive, seen)?;
        let other = self.1.cycle(drive)?;
        // Before the first clock edge of a reset the outputs are undefined.
        if *seen == other || drive.reset {
            Ok(())
        } else {
            Err(format!(
                "the devices differ: one shows {seen:?}, the other {other:?}"
            ))
        }
    }
}
