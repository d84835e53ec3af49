//! The Verilog of the tiny profiler in lockstep with the golden model.

use hpp_golden::config::Geometry;
use hpp_golden::registers::{Counter, at, errors};
use hpp_hdl::tiny::unreached_steps;
use hpp_lockstep::first_seed;
use hpp_lockstep::mistakes::{INPUT, build, mistaken};
use hpp_lockstep::tiny::{
    Bench, Manner, Pins, Verilated, all, config, each, ends, few, fills, held,
};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verilated::Design;

/// As many seeds as make every counter but that of losses count, whatever they are.
fn tried(seeds: u64, cycles: u32) {
    let mut counted = [0; Counter::COUNT];
    let first = first_seed("tiny");
    for seed in first..first + seeds {
        let counts = all(Verilated::of, seed, cycles);
        counted = std::array::from_fn(|counter| counted[counter] + counts[counter]);
    }
    let counted = &counted[..Counter::COUNT - 1];
    assert!(counted.iter().all(|&count| count > 0), "{counted:?}");
}

#[test]
fn its_verilog_is_the_model_whatever_retires_and_whatever_software_does() {
    tried(6, 20_000);
}

/// Mistakes in the Verilog of a profiler with [`few`] places of everything: what stands there, and what stands there instead.
const MISTAKES: &str = "
memory_word < least => memory_word <= least
gap | (rows_known & retire_stall) => gap
(purge & !program_restarts) | !enable | program_loses => (purge & program_restarts) | !enable | program_loses
(purge & !program_restarts) | !enable | program_loses => (purge & !program_restarts) | !enable
{30'd0, freeze, enable} => {30'd0, enable, freeze}
pops | full => pops
freeze | clearing => clearing
freeze | clearing => freeze
wb_ack_o & wb_we_i & wb_sel_i[0] => wb_ack_o & wb_we_i
wb_dat_i[2] => 1'b0
clearing & !wraps => clearing
{taken, outcomes[16:1]} => {!taken, outcomes[16:1]}
start[4:0] ^ start[9:5] => start[4:0]
lost & !wb_dat_i[3] => lost
purge | wb_dat_i[1] => purge
clearing | wb_dat_i[0] => clearing
wb_ack_o & !wb_we_i & at_data & !clearing => wb_ack_o & at_data & !clearing
gap_now & enable & !program_loses => gap_now & enable
retire_stall & !program_ends => retire_stall
retire_stall & !starting => 1'b0
program_answers & wb_cyc_i & wb_stb_i => program_answers & wb_stb_i
program_answers & wb_cyc_i & wb_stb_i => program_answers & wb_cyc_i & wb_stb_i & !retire_stall
writes_register & (wb_adr_i == 5'd5) & wb_dat_i[0] & !clearing => 1'b0
(purge & !program_restarts) | !enable | program_loses => (purge & !program_restarts) | program_loses
";

/// The mistakes of a table. Their order matters: the text that one looks for may also stand in what one before it writes.
fn rows(table: &'static str) -> Vec<(&'static str, &'static str)> {
    let rows = table.lines().filter_map(|row| row.split_once(" => "));
    rows.map(|(from, to)| (from, if to == "nothing" { "" } else { to }))
        .collect()
}

fn with_all(text: &str, mistakes: &[(&str, &str)]) -> Design {
    let own = mistakes.iter().map(|(from, to)| ("hpp", *from, *to));
    // One that a module below the top makes: a compressed instruction is taken for a transfer.
    let below = ("hpp_fixed_rows", "wide & class_transfer", "class_transfer");
    let text = mistaken(text, own.chain([below])).expect("the texts are there");
    build(&text).expect("it can be built")
}

/// The profiler with one of the mistakes; 0 is none.
fn with_mistake(design: &Design, mistake: usize) -> Verilated {
    let mut device = Verilated::powered_up(design, NonZeroU32::MIN).expect("it starts");
    device.set(INPUT, mistake as u64);
    device
}

fn verilog(geometry: &Geometry) -> String {
    let output = hpp_gen::generate(&config(geometry)).expect("a legal configuration");
    output.verilog().to_string()
}

#[test]
fn each_mistake_is_found() {
    let mistakes = rows(MISTAKES);
    let design = with_all(&verilog(&few()), &mistakes);
    let finds = |mistake: usize, seed: u64| {
        let manner = Manner::any(&mut StdRng::seed_from_u64(seed));
        let tried = AssertUnwindSafe(|| {
            let device = || with_mistake(&design, mistake);
            each(device(), few(), seed, manner, 2_000);
            fills(&mut Bench::new(device(), few()), seed, 500);
        });
        catch_unwind(tried).is_err()
    };
    let first = first_seed("tiny");
    assert!(!(first..first + 8).any(|seed| finds(0, seed)));
    // Some show only where the core does not hold.
    let found = |mistake| (first..first + 64).any(|seed| finds(mistake, seed));
    let numbered = (1..).zip(&mistakes);
    let missed: Vec<_> = numbered.filter(|(number, _)| !found(*number)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(found(mistakes.len() + 1), "a mistake below the top");
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

/// Mistakes with a count that would not fit.
const OVERFLOWS: &str = "
saturated <= 1'b0; => nothing
total[32] => total[31]
if (program_saturates) saturated <= 1'b1; => nothing
if (program_saturates) saturated <= 1'b1; => saturated <= 1'b1;
saturated <= saturated & !wb_dat_i[1]; => nothing
saturated <= saturated & !wb_dat_i[1]; => saturated <= saturated & !wb_dat_i[2];
saturated <= saturated & !wb_dat_i[1]; => saturated <= saturated & wb_dat_i[1];
saturated <= saturated & !wb_dat_i[1]; => saturated <= 1'b0;
program_follows[0] & !rst => (program_follows[0] ^ program_saturates) & !rst
";

/// Counting to 2^32 takes too long: here a path counts by 2^31.
#[test]
fn a_count_that_would_not_fit_stays_and_is_reported() {
    let one = "{32'd0, program_adds_one}";
    let count = "{1'd0, program_adds_one & (program_space == 2'd0), 30'd0, program_adds_one & (program_space != 2'd0)}";
    let mistakes = rows(OVERFLOWS);
    let text = verilog(&Geometry::tiny());
    assert!(text.contains(one), "{one} is nowhere");
    let design = with_all(&text.replace(one, count), &mistakes);
    overflows(with_mistake(&design, 0));
    let missed: Vec<_> = (1..)
        .zip(mistakes)
        .filter(|(number, _)| {
            let device = with_mistake(&design, *number);
            catch_unwind(AssertUnwindSafe(|| overflows(device))).is_ok()
        })
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

fn overflows(mut pins: Verilated) {
    let geometry = Geometry::tiny();
    let read = |pins: &mut Verilated, offset| access(pins, offset, None);
    let restart = |pins: &mut Verilated| {
        for port in ["retire_valid", "retire_trap", "wb_cyc_i"] {
            pins.set(port, 0);
        }
        for rst in [1, 1, 0] {
            pins.set("rst", rst);
            pins.tick();
        }
        while access(pins, at::STATUS, None) & 1 == 1 {}
    };
    // A jump to itself: the first record begins a path, each of the others completes it.
    let count = |pins: &mut Verilated| {
        access(pins, at::CONTROL, Some(1));
        for _ in 0..5 {
            pins.set("retire_valid", 1);
            pins.set("retire_insn", 0x6f);
            pins.set("retire_pc", 0x100);
            pins.tick();
            pins.set("retire_valid", 0);
            (0..geometry.longest_access()).for_each(|_| pins.tick());
        }
    };
    restart(&mut pins);
    assert_eq!(read(&mut pins, at::ERRORS), 0);
    count(&mut pins);
    let words = geometry.entries() * geometry.entry_words();
    access(&mut pins, at::TABLE_INDEX, Some(0));
    let words: Vec<u32> = (0..words)
        .map(|_| read(&mut pins, at::TABLE_DATA))
        .filter(|word| *word != 0)
        .collect();
    assert_eq!(words, [0x101, 0xc000_0000, 1 << 31]);
    assert_eq!(read(&mut pins, Counter::Hits.offset()), 2);
    // It stays until a 1 is written to it, or a reset.
    let saturated = errors::ACCUMULATOR_SATURATED.mask();
    for (written, left) in [(0, saturated), (!saturated, saturated), (saturated, 0)] {
        access(&mut pins, at::ERRORS, Some(written));
        assert_eq!(read(&mut pins, at::ERRORS), left);
    }
    count(&mut pins);
    assert_eq!(read(&mut pins, at::ERRORS), saturated);
    restart(&mut pins);
    assert_eq!(read(&mut pins, at::ERRORS), 0);
}

/// The walk behind a reset once read registers, and wrote them into the entries that it came to next.
#[test]
fn the_table_is_empty_behind_a_reset_that_is_left_alone() {
    for geometry in [few(), Geometry::tiny()] {
        let mut bench = Bench::new(Verilated::of(&geometry), geometry);
        bench.restart(1);
        bench.waits_until_empty();
        bench.compare();
    }
}

#[test]
fn a_clear_ends_at_every_step_of_the_microprogram_and_whatever_the_bus_does() {
    let seed = first_seed("tiny");
    let mut bench = Bench::new(Verilated::of(&few()), few());
    ends(&mut bench, seed, 150);
    bench.enable();
    held(&mut bench, seed);
}

#[test]
fn every_step_of_the_microprogram_is_reached() {
    assert!(unreached_steps().is_empty(), "{:?}", unreached_steps());
}
