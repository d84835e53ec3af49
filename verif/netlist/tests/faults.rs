//! No flipped bit makes a protected profiler wrong in silence.

use hpp_netlist::faults::{Campaign, Outcome, Place, Tally};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::first_seed;

/// Flips of a geometry at a place, and none of them silent.
fn tally(campaign: &Campaign, place: Place, flips: u64) -> Tally {
    let first = first_seed("faults");
    let mut tally = Tally::default();
    for seed in (first..).take(flips as usize) {
        let (what, outcome) = campaign.flip(place, seed).expect("a bench");
        assert!(
            outcome != Outcome::Silent,
            "HPP_SEED={seed}: {what} made something wrong, and was not told"
        );
        tally.add(outcome);
    }
    tally
}

fn check(name: &str, places: &[Place], flips: u64) {
    let named = Named::find(name).expect("a geometry of the tests");
    let campaign = Campaign::build(&named).expect("it can be built");
    for place in places {
        let tally = tally(&campaign, *place, flips);
        println!("{name}, {place:?}: {tally:?}");
        assert!(tally.told > 0, "{name} tells some: {tally:?}");
    }
}

const BOTH: [Place; 2] = [Place::Register, Place::Memory];

#[test]
fn no_flip_is_silent_with_a_drain_and_a_checked_stack() {
    check("protected", &BOTH, 300);
}

#[test]
fn no_flip_is_silent_with_serial_lookup() {
    check("protected-serial", &BOTH, 300);
}

#[test]
fn no_flip_is_silent_with_shadows() {
    check("protected-shadow", &BOTH, 300);
}

#[test]
fn no_flip_of_a_memory_is_silent_with_protected_memories() {
    check("protected-memories", &[Place::Memory], 300);
}

/// The test can fail: without protection what is wrong is silent.
#[test]
fn flips_are_silent_without_protection() {
    let named = Named::find("odd").expect("a geometry of the tests");
    let campaign = Campaign::build(&named).expect("it can be built");
    let mut tally = Tally::default();
    for seed in 0..100 {
        let (_, outcome) = campaign.flip(Place::Register, seed).expect("a bench");
        tally.add(outcome);
    }
    assert!(tally.silent > 0 && tally.told == 0, "{tally:?}");
}
