//! A profiler with RVFI ingress against the model: random retirements to classified records to paths. The core holds
//! when it is told to, so every path is known beforehand.

use super::{Cycle, Mix, RetirementDevice, Retirements, xlen};
use crate::{Rig, stream};
use hpp_golden::config::Geometry;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{Metric, PathStack, Ppcr};
use hpp_golden::registers::{self, Counter, control, ppcr_mode};
use hpp_riscv::{Retirement, Rvfi};
use rand::RngExt;

/// The model of the ingress and what comes behind it, and a verilated profiler.
struct Bench {
    device: RetirementDevice,
    ingress: Rvfi,
    stack: PathStack,
    geometry: Geometry,
    records: u64,
    /// Trap returns whose target nobody showed.
    hidden: u32,
    expected: Vec<CompletedPath>,
    seen: Vec<CompletedPath>,
}

impl Bench {
    fn new(rig: &Rig) -> verilated::Result<Self> {
        let geometry = &rig.named().geometry;
        Ok(Self {
            device: RetirementDevice::new(rig, true)?,
            ingress: Rvfi::new(xlen(geometry), geometry.event_bits),
            stack: stack(geometry),
            geometry: *geometry,
            records: 0,
            hidden: 0,
            expected: Vec::new(),
            seen: Vec::new(),
        })
    }

    /// One cycle. Returns whether the retirement happened.
    fn cycle(&mut self, retirement: Option<&Retirement>) -> bool {
        let seen = self.device.cycle(retirement);
        self.see(retirement, &seen);
        seen.retired
    }

    fn see(&mut self, retirement: Option<&Retirement>, seen: &Cycle) {
        self.seen.extend(seen.path);
        let Some(retirement) = retirement.filter(|_| seen.retired) else {
            self.ingress.idle(1);
            return;
        };
        for offer in self.ingress.step(retirement, 1).offers {
            self.records += 1;
            if offer.after_loss {
                self.hidden += 1;
                self.stack = stack(&self.geometry);
            }
            self.expected.extend(self.stack.step(&offer.record));
        }
    }

    /// One transfer on the bus while nothing retires.
    fn bus(&mut self, offset: u32, write: Option<u32>) -> u32 {
        let (ingress, seen) = (&mut self.ingress, &mut self.seen);
        self.device.transfer((offset, write), |device| {
            let cycle = device.cycle(None);
            seen.extend(cycle.path);
            ingress.idle(1);
            cycle
        })
    }

    /// Every path reported is the model's, and the counters are.
    fn check(&mut self, name: &str) {
        for (index, (seen, expected)) in self.seen.iter().zip(&self.expected).enumerate() {
            assert_eq!(seen, expected, "path {index} of geometry `{name}`");
        }
        assert_eq!(self.seen.len(), self.expected.len());
        let (records, paths) = (self.records as u32, self.expected.len() as u32);
        assert_eq!(self.bus(Counter::Records.offset(), None), records);
        assert_eq!(self.bus(Counter::Paths.offset(), None), paths);
        assert_eq!(self.bus(Counter::LostRecords.offset(), None), self.hidden);
    }
}

/// An empty stack that counts events.
fn stack(geometry: &Geometry) -> PathStack {
    let ppcr = Ppcr {
        metric: Metric::Events,
        ..Ppcr::ball_larus()
    };
    PathStack::new(geometry, ppcr)
}

/// Retirements of so many cycles, a bubble in an eighth of them, then counters. Gives the profiler back, for its coverage.
///
/// # Panics
///
/// If the profiler has no port of RVFI, or does anything else than the model.
pub fn run_held(rig: &Rig, cycles: u64) -> RetirementDevice {
    let named = rig.named();
    let mut bench = Bench::new(rig).expect("the ports of RVFI");
    let mut rng = stream::rng(21);
    bench.bus(registers::PPCR_MODE.offset, Some(ppcr_mode::METRIC.put(1)));
    bench.bus(registers::CONTROL.offset, Some(control::ENABLE.put(1)));
    let mut program = Retirements::new(Mix::Uniform, &named.geometry);
    for _ in 0..cycles {
        let retirement = program.draw(&mut rng);
        let offered = rng.random_range(0..8) > 0;
        if bench.cycle(offered.then_some(&retirement)) {
            program.advance(&retirement);
        }
    }
    for _ in 0..200 {
        bench.cycle(None);
    }
    let paths = bench.expected.len() as u64;
    assert!(paths > cycles / 10, "{paths} paths");
    bench.check(named.name);
    bench.device
}
