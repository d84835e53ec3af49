//! A clock that stands still at any moment, for any time, whatever the inputs do meanwhile, changes nothing.

use hpp_lockstep::geometries::Named;
use hpp_lockstep::{
    Device, Drive, Protocol, Rig, Seen, VerilatedDevice, epoch, first_seed, stream,
};
use rand::{Rng, RngExt};
use verilated::{Direction, Input};

/// A profiler whose clock is gated at random.
struct Gated {
    device: VerilatedDevice,
    clk: Input,
    inputs: Vec<(Input, u32)>,
    rng: stream::StreamRng,
    stood: u64,
}

impl Gated {
    fn new(mut device: VerilatedDevice, rig: &Rig, seed: u64) -> Self {
        let model = device.model_mut();
        let ports = rig.design().ports().iter();
        let inputs = ports.filter(|port| port.direction == Direction::Input && port.name != "clk");
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
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        while self.rng.random_range(0..4) == 0 {
            let model = self.device.model_mut();
            for (input, width) in &self.inputs {
                model.set(*input, self.rng.next_u64() >> (64 - width));
            }
            model.fall(self.clk).map_err(|error| error.to_string())?;
            self.stood += 1;
        }
        self.device.cycle(drive)
    }
}

#[test]
fn a_gated_clock_changes_nothing() {
    let first = first_seed("gated");
    let names = [
        "default",
        "guarded",
        "serial-odd",
        "protected",
        "drained-rrip",
        "shadow",
    ];
    for (name, seed) in names.into_iter().zip(first..) {
        let named = Named::find(name).expect("a geometry of the tests");
        let rig = Rig::build(&named, |builder| builder).expect("it can be built");
        let protocol = Protocol::of_seed(seed);
        let bench = rig.bench_around(protocol, |device| Gated::new(device, &rig, seed));
        let mut bench = bench.expect("a bench");
        if let Err(difference) = epoch::run(&mut bench, seed, 3000) {
            panic!("HPP_SEED={seed}, {name}: {difference}");
        }
        assert!(bench.device().stood > 1000);
    }
}
