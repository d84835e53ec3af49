//! The tiny profiler in lockstep with the golden model: the circuit, and its Verilog.

use hpp_golden::config::Geometry;
use hpp_golden::registers::{self, Counter};
use hpp_hdl::sim::Simulator;
use hpp_hdl::tiny::{TinyProfiler, unreached_steps};
use hpp_lockstep::first_seed;
use hpp_lockstep::tiny::{Bench, Manner, Pins, Verilated, all, config, each, few, fills};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verilated::{Builder, Design};

/// The circuit under rust-hdl.
struct Circuit(Simulator<TinyProfiler>);

impl Circuit {
    fn of(geometry: &Geometry) -> Self {
        Self(Simulator::new(TinyProfiler::new(geometry)))
    }
}

impl Pins for Circuit {
    fn set(&mut self, port: &str, value: u64) {
        self.0.set(port, value);
    }

    fn get(&mut self, port: &str) -> u64 {
        self.0.settle();
        self.0.get(port)
    }

    fn tick(&mut self) {
        self.0.tick();
    }
}

/// As many seeds as make every counter but that of losses count, whatever they are.
fn tried<P: Pins>(device: impl Fn(&Geometry) -> P, seeds: u64, cycles: u32) {
    let mut counted = [0; Counter::COUNT];
    let first = first_seed("tiny");
    for seed in first..first + seeds {
        let counts = all(&device, seed, cycles);
        counted = std::array::from_fn(|counter| counted[counter] + counts[counter]);
    }
    let counted = &counted[..Counter::COUNT - 1];
    assert!(counted.iter().all(|&count| count > 0), "{counted:?}");
}

#[test]
fn the_circuit_is_the_model_whatever_retires_and_whatever_software_does() {
    tried(Circuit::of, 12, 2_000);
}

#[test]
fn its_verilog_is_the_model_too() {
    tried(Verilated::of, 6, 20_000);
}

/// A profiler whose Verilog has `sound` replaced.
fn altered(geometry: &Geometry, sound: &str, damage: &str) -> Verilated {
    let output = hpp_gen::generate(&config(geometry)).expect("a legal configuration");
    let text = output.verilog();
    assert!(text.contains(sound), "{sound} is nowhere");
    let builder = Builder::new("hpp").source_text("hpp.v", text.replace(sound, damage));
    let builder = builder.flag("-Wno-fatal");
    Verilated::new(&builder).expect("it can be built")
}

/// Mistakes in the Verilog of a profiler with [`few`] places of everything: what stands there, and what stands there instead.
const MISTAKES: [(&str, &str); 20] = [
    ("memory_word < least", "memory_word <= least"),
    ("gap | (rows_known & retire_stall & enable)", "gap"),
    (
        "(purge & !program_restarts) | !enable | program_loses",
        "(purge & program_restarts) | !enable | program_loses",
    ),
    (
        "(purge & !program_restarts) | !enable | program_loses",
        "(purge & !program_restarts) | !enable",
    ),
    ("{30'd0, freeze, enable}", "{30'd0, enable, freeze}"),
    ("pops | (updates & full)", "pops"),
    ("freeze | clearing", "clearing"),
    ("wb_ack_o & wb_we_i & wb_sel_i[0]", "wb_ack_o & wb_we_i"),
    ("zeroing & !program_zeroed", "zeroing"),
    ("clearing & !wraps", "clearing"),
    ("{taken, outcomes[16:1]}", "{!taken, outcomes[16:1]}"),
    ("start[4:0] ^ start[9:5]", "start[4:0]"),
    ("lost & !wb_dat_i[3]", "lost"),
    ("purge | !enable | wb_dat_i[1]", "purge | !enable"),
    ("clearing | wb_dat_i[0]", "clearing"),
    (
        "wb_ack_o & !wb_we_i & at_data & !clearing",
        "wb_ack_o & at_data & !clearing",
    ),
    ("gap_now & enable & !program_loses", "gap_now & enable"),
    ("retire_stall & !program_ends", "retire_stall"),
    ("retire_stall & !starting", "1'b0"),
    (
        "program_answers & wb_cyc_i & wb_stb_i",
        "program_answers & wb_cyc_i & wb_stb_i & !retire_stall",
    ),
];

/// The profiler with all of them, each a choice of an input.
fn mistaken() -> Design {
    let output = hpp_gen::generate(&config(&few())).expect("a legal configuration");
    let choices = MISTAKES.iter().zip(1..);
    let text = choices.fold(
        output.verilog().to_string(),
        |text, ((sound, damage), number)| {
            assert!(text.contains(sound), "{sound} is nowhere");
            let choice = format!("((mistake == 8'd{number}) ? ({damage}) : ({sound}))");
            text.replacen(sound, &choice, 1)
        },
    );
    let clk = "  input  wire        clk,";
    let text = text.replacen(clk, &format!("  input  wire [7:0]  mistake,\n{clk}"), 1);
    let builder = Builder::new("hpp").source_text("hpp.v", text);
    builder.flag("-Wno-fatal").build().expect("it can be built")
}

#[test]
fn each_mistake_is_found() {
    let design = mistaken();
    let finds = |mistake: usize, seed: u64| {
        let manner = Manner::any(&mut StdRng::seed_from_u64(seed));
        let tried = AssertUnwindSafe(|| {
            let device = || {
                let mut device =
                    Verilated::powered_up(&design, NonZeroU32::MIN).expect("it starts");
                device.set("mistake", mistake as u64);
                device
            };
            each(device(), few(), seed, manner, 2_000);
            fills(&mut Bench::new(device(), few()), seed, 500);
        });
        catch_unwind(tried).is_err()
    };
    let first = first_seed("tiny");
    assert!(!(first..first + 8).any(|seed| finds(0, seed)));
    // Some show only where the core does not hold.
    let found = |mistake| (first..first + 32).any(|seed| finds(mistake, seed));
    let mistakes = (1..).zip(MISTAKES);
    let missed: Vec<_> = mistakes.filter(|(number, _)| !found(*number)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// An access without a model beside it.
fn access(pins: &mut impl Pins, offset: u32, write: Option<u32>) -> u32 {
    for (port, value) in [
        ("wb_cyc_i", 1),
        ("wb_stb_i", 1),
        ("wb_we_i", write.is_some().into()),
        ("wb_adr_i", u64::from(offset / 4)),
        ("wb_sel_i", 0xf),
        ("wb_dat_i", write.unwrap_or(0).into()),
    ] {
        pins.set(port, value);
    }
    while pins.get("wb_ack_o") == 0 {
        pins.tick();
    }
    let data = pins.get("wb_dat_o") as u32;
    pins.tick();
    pins.set("wb_cyc_i", 0);
    data
}

/// Counting to 2^32 takes too long: here a path counts by 2^31.
#[test]
fn a_count_that_would_not_fit_stays_and_is_reported() {
    let geometry = Geometry::tiny();
    let count = "{1'd0, program_adds_one & (program_space == 2'd0), 30'd0, program_adds_one & (program_space != 2'd0)}";
    let mut pins = altered(&geometry, "{32'd0, program_adds_one}", count);
    for rst in [1, 1, 0] {
        pins.set("rst", rst);
        pins.tick();
    }
    while access(&mut pins, registers::STATUS.offset, None) & 1 == 1 {}
    access(&mut pins, registers::CONTROL.offset, Some(1));
    // A jump to itself: the first record begins a path, each of the others completes it.
    for _ in 0..5 {
        pins.set("retire_valid", 1);
        pins.set("retire_insn", 0x6f);
        pins.set("retire_pc", 0x100);
        pins.tick();
        pins.set("retire_valid", 0);
        (0..geometry.longest_access()).for_each(|_| pins.tick());
    }
    let read = |pins: &mut Verilated, offset| access(pins, offset, None);
    assert_eq!(read(&mut pins, registers::ERRORS.offset), 2);
    let words = geometry.entries() * geometry.entry_words();
    access(&mut pins, registers::TABLE_INDEX.offset, Some(0));
    let words: Vec<u32> = (0..words)
        .map(|_| read(&mut pins, registers::TABLE_DATA.offset))
        .filter(|word| *word != 0)
        .collect();
    assert_eq!(words, [0x101, 0xc000_0000, 1 << 31]);
    assert_eq!(read(&mut pins, Counter::Hits.offset()), 2);
}

#[test]
fn every_step_of_the_microprogram_is_reached() {
    assert!(unreached_steps().is_empty(), "{:?}", unreached_steps());
}
