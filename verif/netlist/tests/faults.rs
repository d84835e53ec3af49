//! No flipped bit makes a protected profiler wrong in silence.

use hpp_gen::Config;
use hpp_golden::registers;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::stream::{self, Mixture};
use hpp_lockstep::{
    Built, Device, Disagreement, Drive, Master, Pace, Protocol, Request, Subject, VerilatedDevice,
    first_seed,
};
use hpp_netlist::faults::{Bit, Campaign, FlippingDevice, Outcome, Place, Sight, Tally, bits};
use rand::RngExt;
use std::num::NonZeroU32;
use std::rc::Rc;
use verilated::Builder;

/// Most cycles from a flip of a register to `fault` (docs/faults.md).
const LATEST: u64 = 8;

/// Flips of a geometry at a place, and none of them silent.
fn tally(campaign: &Campaign, place: Place, flips: u64) -> Tally {
    let first = first_seed("faults");
    let mut tally = Tally::default();
    for seed in (first..).take(flips as usize) {
        let (what, outcome) = campaign.flip(place, seed).expect("a bench");
        assert!(
            outcome != Outcome::Silent,
            "HPP_SEED={seed}: {what} made something wrong, and was not reported"
        );
        tally.add(outcome);
    }
    tally
}

fn check(name: &str, places: &[Place], flips: u64) {
    let subject = Subject::find(name).expect("a label");
    let campaign = Campaign::build(subject).expect("it can be built");
    for place in places {
        let tally = tally(&campaign, *place, flips);
        println!("{name}, {place:?}: {tally:?}");
        if *place == Place::Register {
            assert!(tally.latest <= LATEST, "{name} tells too late: {tally:?}");
        }
        assert!(tally.reported > 0, "{name} tells some: {tally:?}");
    }
}

const BOTH: [Place; 2] = [Place::Register, Place::Memory];

#[test]
fn no_flip_is_silent_with_a_drain_and_a_checked_stack() {
    check("protected", &BOTH, 300);
}

#[test]
fn no_flip_is_silent_with_sequential_lookup() {
    check("protected-sequential", &BOTH, 300);
}

#[test]
fn no_flip_is_silent_with_shadows() {
    check("protected-shadow", &BOTH, 300);
}

#[test]
fn no_flip_of_a_memory_is_silent_with_protected_memories() {
    check("protected-memories", &[Place::Memory], 300);
}

#[test]
fn no_flip_is_silent_in_an_ingress_or_a_bus() {
    for label in [
        "protected+rvfi2@axi4-lite",
        "protected-sequential+retire:2@apb",
        "protected-shadow+trace@axi4-lite",
    ] {
        check(label, &BOTH, 100);
    }
}

/// A bit of a memory that flips while nothing moves, and what `docs/faults.md` has software do then: after it everything is as if it had not.
fn flip_and_begin_again(built: &Built, verilog: &str, seed: u64) -> Result<(), String> {
    let mut rng = stream::rng(seed);
    let sight = Rc::new(Sight::default());
    let power = (NonZeroU32::MIN, Protocol::of_seed(seed));
    let bench = built.bench_around(power, |device| {
        FlippingDevice::new(device, None, u64::MAX, sight)
    });
    let mut bench = bench.expect("it resets");
    let model = bench.device().model().expect("it was built");
    let memories = bits(model, verilog, "hpp", Place::Memory).expect("memories");
    let variable = memories[rng.random_range(0..memories.len())].clone();
    let bit = Bit {
        element: rng.random_range(0..variable.elements),
        bit: rng.random_range(0..variable.width),
        variable,
    };
    let name = bit.to_string();
    let run = || -> Result<(), Disagreement> {
        let geometry = *bench.geometry();
        let mut mixture = Mixture::new(&geometry, &mut rng);
        bench.enable()?;
        bench.stream(400, &mut mixture, Pace::Full, &mut rng)?;
        bench.write(registers::CONTROL.offset, 0);
        bench.settle()?;
        bench.device_mut().flip_next(bit);
        bench.write(registers::COMMAND.offset, u32::MAX);
        if geometry.has_drain() {
            let clear = registers::drain_command::CLEAR.mask();
            bench.write(registers::DRAIN_COMMAND.offset, clear);
        }
        bench.settle()?;
        bench.enable()?;
        bench.stream(400, &mut mixture, Pace::Full, &mut rng)?;
        bench.settle()?;
        bench.write(registers::TABLE_INDEX.offset, 0);
        (0..geometry.entries()).for_each(|_| bench.read_entry());
        // What tells of flipped bits goes on to do so.
        let reported = [registers::ERRORS, registers::STATUS].map(|register| register.offset);
        let rest = registers::registers(&geometry);
        let rest = rest.filter(|register| register.offset != registers::TABLE_DATA.offset);
        for register in rest.filter(|register| !reported.contains(&register.offset)) {
            bench.read(register.offset);
        }
        bench.finish_bus()?;
        bench.idle(bench.reference().settling())?;
        bench.balance()
    };
    run().map_err(|difference| format!("{name}: {difference}"))
}

#[test]
fn whoever_begins_again_is_rid_of_a_flip_in_a_memory() {
    let first = first_seed("faults");
    for label in [
        "protected",
        "protected-sequential",
        "protected-shadow",
        "protected-memories",
        "drained-rrip",
    ] {
        let subject = Subject::find(label).expect("a label");
        let verilog = subject.verilog().expect("a legal configuration");
        let built = subject.build(|builder| builder.state(true));
        let built = built.expect("it can be built");
        for seed in first..first + 300 {
            flip_and_begin_again(&built, &verilog, seed)
                .unwrap_or_else(|what| panic!("{label}, HPP_SEED={seed}: {what}"));
        }
    }
}

/// The test can fail: without protection what is wrong is silent.
#[test]
fn flips_are_silent_without_protection() {
    let subject = Subject::find("odd").expect("a label");
    let campaign = Campaign::build(subject).expect("it can be built");
    let mut tally = Tally::default();
    for seed in 0..100 {
        let (_, outcome) = campaign.flip(Place::Register, seed).expect("a bench");
        tally.add(outcome);
    }
    assert!(tally.silent > 0 && tally.reported == 0, "{tally:?}");
}

/// An access on the bus, and what it reads; adds the cycles in which `fault` is 1 to `told`.
fn access(device: &mut VerilatedDevice, request: Request, reported: &mut u32) -> u32 {
    let mut master = Master::new(Protocol::Pipelined);
    master.push(request);
    for _ in 0..64 {
        let (bus_cycle, request) = master.drive();
        let drive = Drive {
            bus_cycle,
            request,
            ..Drive::default()
        };
        let seen = device.cycle(&drive).expect("no assertion fails");
        *reported += u32::from(seen.fault);
        master.see(&seen);
        if let Some(word) = seen.ack {
            return word;
        }
    }
    panic!("no acknowledgement within 64 cycles");
}

#[test]
fn software_reads_that_a_bit_has_flipped_and_in_how_many_cycles() {
    let named = Named::find("protected").expect("a geometry of the tests");
    let config = Config {
        geometry: named.geometry,
        ..Config::default()
    };
    let output = hpp_gen::generate(&config).expect("a legal configuration");
    let builder = Builder::new("hpp").source_text("hpp.v", output.verilog());
    let design = builder.state(true).build().expect("it can be built");
    let mut device = VerilatedDevice::new(&design, NonZeroU32::MIN).expect("its ports");
    let reset = Drive {
        reset: true,
        ..Drive::default()
    };
    for drive in [reset, reset, Drive::default()] {
        device.cycle(&drive).expect("no assertion fails");
    }
    // A register that takes another value in every cycle: a flip of it is seen once.
    let place = Place::Register;
    let held = bits(device.model_mut(), output.verilog(), "hpp", place).expect("registers");
    let stored = held
        .iter()
        .find(|v| v.scope == "hpp.profiler.counters" && v.name == "stored");
    let stored = stored.expect("the counters' word that was read");

    let mut reported = 0;
    let read = |register: &registers::Register| Request {
        address: register.word(),
        write: None,
        select: 15,
    };
    let write = |register: &registers::Register, value| Request {
        write: Some(value),
        ..read(register)
    };
    let (errors, status) = (read(&registers::ERRORS), read(&registers::STATUS));
    let faults = |word| registers::status::FAULTS.get(word);
    assert_eq!(access(&mut device, errors, &mut reported), 0);
    for flips in 1..4 {
        device.model_mut().flip(stored, 0, 7 * flips);
        let word = access(&mut device, status, &mut reported);
        let again = access(&mut device, status, &mut reported);
        assert!(faults(word) <= flips && faults(again) == flips && reported == flips);
        let fault = registers::errors::FAULT.mask();
        assert_eq!(access(&mut device, errors, &mut reported), fault);
        access(&mut device, write(&registers::ERRORS, fault), &mut reported);
        assert_eq!(access(&mut device, errors, &mut reported), 0);
    }
    let clear = registers::command::CLEAR_COUNTERS.mask();
    access(
        &mut device,
        write(&registers::COMMAND, clear),
        &mut reported,
    );
    let word = access(&mut device, status, &mut reported);
    assert_eq!((faults(word), reported), (0, 3));

    // A register that nobody writes is seen in every cycle: at last oftener than the field counts.
    let mode = held
        .iter()
        .find(|v| v.scope == "hpp.profiler.registers.control_" && v.name == "mode");
    let mode = mode.expect("what PPCR_MODE holds");
    for cycles in [100, MOST] {
        let before = reported;
        device.model_mut().flip(mode, 0, 0);
        for _ in 0..cycles {
            let seen = device.cycle(&Drive::default());
            reported += u32::from(seen.expect("no assertion fails").fault);
        }
        access(&mut device, write(&registers::PPCR_MODE, 0), &mut reported);
        access(&mut device, errors, &mut reported);
        let word = access(&mut device, status, &mut reported);
        assert_eq!(faults(word), (reported - before).min(MOST));
        access(
            &mut device,
            write(&registers::COMMAND, clear),
            &mut reported,
        );
        let word = access(&mut device, status, &mut reported);
        assert_eq!(faults(word), 0);
    }
}

/// The most that `STATUS.FAULTS` says.
const MOST: u32 = 0xffff;

/// A drain writer is a circuit of its own, with a pin of its own.
#[test]
fn a_drain_writer_reports_every_flip_of_its_registers() {
    let named = Named::find("protected").expect("a geometry of the tests");
    let config = Config {
        geometry: named.geometry,
        ..Config::default()
    };
    let output = hpp_gen::generate(&config).expect("a legal configuration");
    let (top, text) = ("hpp_drain_writer", &output.files["hpp_drain_writer.v"]);
    let builder = Builder::new(top).source_text("hpp_drain_writer.v", text);
    let design = builder.state(true).build().expect("it can be built");
    let any = design.model().expect("it starts");
    let held = bits(&any, text, top, Place::Register).expect("registers");
    let mut flips = 0;
    for (place, variable) in held.iter().enumerate() {
        for bit in 0..variable.width {
            let mut model = design.model().expect("it starts");
            let held = bits(&model, text, top, Place::Register).expect("registers");
            let clk = model.input("clk").expect("a clock");
            let fault = model.output("fault").expect("it tells");
            let step = |model: &mut verilated::Model, reset: bool, cycle: u64| {
                // An entry is written at a pace of its own.
                for (port, value) in [
                    ("rst", reset.into()),
                    ("drain_valid", 1),
                    ("room", 100),
                    ("wb_ack_i", u64::from(cycle.is_multiple_of(3))),
                ] {
                    let port = model.input(port).expect("a port");
                    model.set(port, value);
                }
                model.fall(clk).expect("it runs");
                let reported = model.get(fault) == 1;
                model.rise(clk).expect("it runs");
                reported
            };
            // What registers hold before the reset nobody knows.
            step(&mut model, true, 0);
            let quiet = (1..30).all(|cycle| !step(&mut model, false, cycle));
            assert!(quiet, "nothing has flipped");
            model.flip(&held[place], 0, bit);
            let reported = (0..LATEST).any(|cycle| step(&mut model, false, cycle));
            assert!(
                reported,
                "bit {bit} of {}.{}",
                variable.scope, variable.name
            );
            flips += 1;
        }
    }
    assert!(flips > 60, "{flips} flips");
}
