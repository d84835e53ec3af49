//! Several harts share a table, with streams that stress it.

use hpp_golden::config::{Geometry, LookupScheme, MAX_CONTEXT_BITS, Replacement};
use hpp_golden::registers::{self, command, context, control, drain_control};
use hpp_lockstep::first_seed;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::harts::{Bench, QUIET, design, random};
use rand::RngExt;

/// Harts, and what else the table has to do; the last are random.
fn geometries(seed: u64) -> Vec<Geometry> {
    let any = |seed| {
        let geometry = Named::random(seed).geometry;
        let harts = 2 + seed as u32 % 7;
        let context_bits = harts.next_power_of_two().trailing_zeros();
        Geometry {
            harts,
            context_bits: context_bits.max(geometry.context_bits),
            pc_bits: geometry.pc_bits.min(u64::BITS - MAX_CONTEXT_BITS),
            lookup: LookupScheme::Sequential,
            triggers: false,
            ..geometry
        }
    };
    let small = |harts: u32, context_bits| Geometry {
        sets: 8,
        ways: 2,
        stack_depth: 4,
        max_branches: 8,
        harts,
        context_bits,
        ..Geometry::default()
    };
    let mut all = vec![
        small(2, 1),
        Geometry {
            stack_check: true,
            pc_bits: 39,
            align: 1,
            ..small(3, 5)
        },
        Geometry {
            ways: 3,
            replacement: Replacement::Rrip,
            drain_depth: 64,
            ..small(4, 2)
        },
        Geometry {
            sets: 16,
            replacement: Replacement::Shadow,
            ..small(5, 4)
        },
        Geometry {
            queue_depth: 2,
            drain_depth: 64,
            stack_check: true,
            ..small(8, 3)
        },
    ];
    all.extend((seed..).take(3).map(any));
    all
}

#[test]
fn each_hart_has_its_paths_and_the_table_those_of_all() {
    let first = first_seed("harts");
    for (geometry, seed) in geometries(first).into_iter().zip(first..) {
        let mut bench = Bench::new(&design(&geometry), &geometry, seed, |_, rng| {
            random(&geometry, rng)
        });
        for (round, pace) in [16, 5, 1, 16].into_iter().enumerate() {
            eprintln!("HPP_SEED={first}, round {round}: {geometry:?}");
            if round > 0 {
                bench.pace = 16;
                (0..40 * round).for_each(|_| bench.cycle());
                bench.pace = 0;
                bench.reset();
            }
            // The filter shows one hart's paths, or those of some.
            if round == 2 {
                let all = Geometry::mask(geometry.context_bits) as u32;
                let number = bench.rng.random_range(0..geometry.harts);
                let lsb = geometry.context_bits - geometry.hart_bits();
                let value = context::MASK.put(all & all << lsb) | context::VALUE.put(number << lsb);
                bench.write(registers::CONTEXT, value);
            }
            if geometry.has_drain() {
                let both = drain_control::STREAM.mask() | drain_control::HOLD.mask();
                bench.write(registers::DRAIN_CONTROL, both);
            }
            bench.write(registers::CONTROL, control::ENABLE.put(1));
            bench.pace = pace;
            // Where nobody takes what is evicted, all harts are held.
            bench.takes = 1;
            (0..6000).for_each(|_| bench.cycle());
            bench.takes = 16;
            // Reads delay nobody and see whole words.
            for _ in 0..20 {
                bench.access(registers::ID_REGISTER.offset, None);
            }
            bench.pace = 0;
            bench.idle(QUIET);
            bench.check();
            bench.write(registers::COMMAND, command::PURGE.mask());
        }
        assert!(bench.board.paths > 500, "{} paths", bench.board.paths);
    }
}

/// A record waits for a lookup of each hart. A return of a checked stack may wait for two, and for a repair.
#[test]
fn no_hart_waits_longer_than_for_one_path_of_each() {
    let seed = first_seed("harts");
    let of = |harts, replacement, stack_check| Geometry {
        sets: 8,
        harts,
        context_bits: 3,
        replacement,
        stack_check,
        ..Geometry::default()
    };
    let all = [
        of(2, Replacement::Lfu, false),
        of(3, Replacement::Lfu, false),
        of(8, Replacement::Lfu, false),
        of(3, Replacement::Rrip, false),
        of(3, Replacement::Shadow, false),
        of(3, Replacement::Lfu, true),
    ];
    for geometry in all {
        let harts = geometry.harts;
        let mut bench = Bench::new(&design(&geometry), &geometry, seed, |_, rng| {
            random(&geometry, rng)
        });
        bench.write(registers::CONTROL, control::ENABLE.put(1));
        bench.pace = 16;
        (0..20_000).for_each(|_| bench.cycle());
        let lookup = geometry.longest_lookup() + u32::from(!geometry.repeats_paths());
        let bound = match geometry.stack_check {
            true => 2 * harts * lookup + geometry.stack_depth,
            false => harts * lookup,
        };
        println!(
            "{harts} harts, {:?}, checked {}: {} of {bound}",
            geometry.replacement, geometry.stack_check, bench.longest
        );
        assert!(
            bench.longest <= bound,
            "{harts} harts: {} of {bound} cycles",
            bench.longest
        );
        // The longest lookup of a table with shadows comes after many paths.
        let least = bound / (2 + 2 * u32::from(geometry.replacement == Replacement::Shadow));
        assert!(
            bench.longest > least,
            "{} cycles: nobody waited",
            bench.longest
        );
        bench.pace = 0;
        bench.check();
    }
}
