//! A clock that stands still at any moment, for any time, whatever the inputs do meanwhile, changes nothing.

use hpp_lockstep::{
    Access, BusMaster, Device, Drive, Harness, Seen, Subject, epoch, first_seed, stream,
};
use rand::{Rng, RngExt};
use verilated::{Direction, Input};

/// A profiler whose clock is gated at random.
struct Gated {
    device: Box<dyn Device>,
    clk: Input,
    inputs: Vec<(Input, u32)>,
    rng: stream::StreamRng,
    stood: u64,
}

/// The widest input that is changed while the clock stands still.
const WIDEST: u32 = 64;

impl Gated {
    fn new(mut device: Box<dyn Device>, harness: &Harness, seed: u64) -> Self {
        let model = device.circuit().expect("a verilated profiler");
        let ports = harness.design().ports().iter();
        let inputs = ports.filter(|port| {
            port.direction == Direction::Input && port.name != "clk" && port.width <= WIDEST
        });
        let find = |name: &str| model.input(name).expect("a port of the design");
        Self {
            clk: find("clk"),
            inputs: inputs.map(|port| (find(&port.name), port.width)).collect(),
            device,
            rng: stream::rng(seed),
            stood: 0,
        }
    }
}

impl Device for Gated {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        while self.rng.random_range(0..4) == 0 {
            let model = self.device.circuit().expect("a verilated profiler");
            for (input, width) in &self.inputs {
                model.set(*input, self.rng.next_u64() >> (WIDEST - width));
            }
            model.fall(self.clk).map_err(|error| error.to_string())?;
            self.stood += 1;
        }
        self.device.cycle_into(drive, seen)
    }

    fn stalls(&self) -> Option<bool> {
        self.device.stalls()
    }

    fn bus(&mut self) -> Option<&mut dyn BusMaster> {
        self.device.bus()
    }

    fn finished(&mut self) -> Option<Access> {
        self.device.finished()
    }
}

#[test]
fn a_gated_clock_changes_nothing() {
    let first = first_seed("gated");
    let labels = [
        "parallel",
        "guarded",
        "sequential-odd",
        "drained-guarded",
        "drained-rrip",
        "shadow",
        "guarded+rvfi2@axi4-lite",
        "sequential-odd+trace@apb",
        "drained+retire",
    ];
    for (label, seed) in labels.into_iter().zip(first..) {
        let subject = Subject::find(label).expect("a label");
        let harness = subject.build().expect("it can be built");
        let bench = harness.seeded_around(seed, |device| Gated::new(device, &harness, seed));
        let mut bench = bench.expect("a bench");
        if let Err(difference) = epoch::run(&mut bench, seed, 3000) {
            panic!("HPP_SEED={seed}, {label}: {difference}");
        }
        assert!(bench.device().stood > 1000);
    }
}
