//! Probes in native programs count what `hpp trace` sees them do.

use hpp_research::Method;
use hpp_research::method::{Frequencies, Placement};
use hpp_research::native::{Native, PATHS};

/// Needs QEMU (`scripts/setup-tools.sh --qemu`) and the command (`cargo build --release --bin hpp`, `-p hpp-qemu --lib`).
#[test]
fn counters_of_a_native_program_are_what_it_did() {
    let native = Native::find("zlib").expect("its sources");
    let listing = native.listing().expect("assembly");
    let methods = [
        Method::Blocks,
        Method::Edges(Frequencies::Guessed),
        Method::BallLarus(Placement::Naive, PATHS as usize),
        Method::BallLarus(Placement::Optimised, PATHS as usize),
    ];
    for (number, method) in methods.into_iter().enumerate() {
        let (plans, memory) = listing.plan(method, &[], &[]).expect("numbers that fit");
        let key = format!("test-{number}");
        let built = native.instrumented(&key, &listing, &plans, &memory);
        let (_, (different, all)) = built
            .and_then(|built| built.checked(&listing, &plans))
            .expect("equal counters");
        assert!(
            different > 100 && all > 1000,
            "{method} counts {different}, {all}"
        );
    }
}
