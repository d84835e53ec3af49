//! The statistics counters alone, in every cycle against counts kept beside them, from anywhere near a wrap of the low word.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::Counters as Model;
use hpp_golden::registers::{Counter, status};
use hpp_hdl::counters::Counters;
use hpp_hdl::registers::FaultCounter;
use hpp_hdl::sim::Simulator;
use proptest::prelude::*;

/// What happens in one cycle: an event for each bit, and perhaps a command.
#[derive(Clone, Copy, Debug)]
struct Cycle {
    events: u8,
    clear: bool,
}

fn quiet(events: u8) -> Cycle {
    Cycle {
        events,
        clear: false,
    }
}

fn cycle() -> impl Strategy<Value = Cycle> {
    let events = prop_oneof![3 => any::<u8>(), 2 => Just(0xff), 1 => Just(0)];
    (events, prop::bool::weighted(0.02)).prop_map(|(events, clear)| Cycle { events, clear })
}

/// The scan shows in cycle *v* what has happened up to cycle *v* - 2; a high word is that of the low word before it, unless a clear
/// struck between the two.
fn check(counter_bits: u32, start: u64, cycles: &[Cycle]) -> Result<(), TestCaseError> {
    let geometry = Geometry {
        counter_bits,
        ..Geometry::default()
    };
    let mut circuit = Simulator::new(Counters::new(&geometry, start));
    circuit.reset();
    let mut model = Model::starting(&geometry, start);
    let mut before = [quiet(0); 2];
    let mut high = start >> 32;
    let settled = [quiet(0); 40];
    for (now, cycle) in cycles.iter().chain(&settled).enumerate() {
        circuit.set("events", cycle.events.into());
        circuit.set("clear", cycle.clear.into());
        circuit.settle();
        let [seen, between] = before;
        for counter in Counter::ALL {
            model.add(counter, u64::from(seen.events >> counter as u8 & 1));
        }
        if seen.clear {
            model.clear();
            high = 0;
        }
        before = [between, *cycle];
        let word = circuit.get("word");
        prop_assert_eq!(word, now as u64 % 16);
        let value = model.get(Counter::ALL[(word / 2) as usize]);
        if word.is_multiple_of(2) {
            high = value >> 32;
        }
        let expected = [value & 0xffff_ffff, high][(word % 2) as usize];
        prop_assert_eq!(
            circuit.get("value"),
            expected,
            "word {} in cycle {}",
            word,
            now
        );
        circuit.tick();
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_scan_shows_every_event_two_cycles_later(
        counter_bits in 32_u32..65,
        wraps in 0_u64..3,
        below in 0_u64..300,
        cycles in prop::collection::vec(cycle(), 1..500),
    ) {
        let start = (wraps << 32).wrapping_sub(below) & Geometry::mask(counter_bits);
        check(counter_bits, start, &cycles)?;
    }
}

/// A low word that wrapped in the cycle of a clear left a 1 in the high word: the carry was on its way.
#[test]
fn a_clear_at_every_alignment_to_a_wrap_leaves_nothing() -> Result<(), TestCaseError> {
    for below in 0..48 {
        for moment in 0..48 {
            let mut cycles = vec![quiet(0xff); 100];
            cycles[moment].clear = true;
            check(64, (1 << 32) - below, &cycles)?;
        }
    }
    Ok(())
}

#[test]
fn faults_are_counted_to_the_maximum_and_begin_anew_on_command() {
    let mut faults = Simulator::new(FaultCounter::new());
    faults.reset();
    let count = |faults: &Simulator<FaultCounter>| faults.get("word") >> status::FAULTS.lsb;
    for cycle in 0..70_000_u64 {
        faults.set("fault", 1);
        faults.tick();
        assert_eq!(count(&faults), (cycle + 1).min(0xffff));
    }
    faults.set("clear", 1);
    faults.tick();
    assert_eq!(count(&faults), 0);
}
