//! Profilers with every ingress but the native one, on every bus, in lockstep with the model: whatever a core shows and whenever it
//! holds, what comes of it is compared in every cycle, as it is with the native ingress.

use hpp_lockstep::{Subject, epoch, first_seed, stress};

const EPOCHS: u64 = 2;
/// Records that the core is asked for, in an epoch.
const RECORDS: u64 = 20_000;
const OF_A_HAZARD: u64 = 500;
/// Lives of a stress run.
const LIVES: u64 = 150;

/// Whole lives of profilers: epochs, hazards and stress, each from another power-up.
fn live(labels: &[&str]) {
    let first = first_seed("ingresses");
    for label in labels {
        let place = |what: &str, seed: u64| format!("{what} of `{label}`, HPP_SEED={seed}");
        let subject = Subject::find(label).expect("a label");
        let built = subject.build();
        let built = built.unwrap_or_else(|error| panic!("{error:#}"));
        for seed in first..first + EPOCHS {
            let mut bench = built.seeded(seed).expect("it resets");
            epoch::run(&mut bench, seed, RECORDS)
                .unwrap_or_else(|error| panic!("{}: {error}", place("epoch", seed)));
            let (records, paths) = bench.reference().compared();
            let enough = records > RECORDS / 4 && paths > RECORDS / 40;
            assert!(enough, "{label}: {records} records, {paths} paths");
        }
        let mut bench = built.seeded(first).expect("it resets");
        epoch::hazards(&mut bench, first, OF_A_HAZARD).unwrap_or_else(|(hazard, error)| {
            panic!("{hazard:?}, {}: {error}", place("alone", first))
        });
        let mut bench = built.seeded(first).expect("it resets");
        stress::run(&mut bench, first, LIVES)
            .unwrap_or_else(|error| panic!("{}: {error}", place("stress", first)));
    }
}

verilated::tests! {
    one_channel_of_rvfi_agrees_with_the_model: live(&["parallel+rvfi", "sequential-smallest+rvfi:8", "drained+rvfi~1"]);
    rvfi_without_next_addresses_agrees_with_the_model: live(&["parallel+rvfi-next", "guarded+rvfi4-next:2~1"]);
    several_channels_of_rvfi_agree_with_the_model:
        live(&["rv64+rvfi2:2", "guarded+rvfi3", "shadow+rvfi4@apb", "drained-sequential+rvfi2@axi4-lite~2"]);
    the_last_stage_agrees_with_the_model:
        live(&["rv64+retire:3", "guarded+retire@axi4-lite", "sequential+retire~3", "drained-rrip+retire"]);
    the_trace_interface_agrees_with_the_model: live(&[
        "parallel+trace",
        "smallest+trace:5",
        "rrip+trace-short:2",
        "guarded+trace-single@apb~4",
        "sequential-odd+trace-short-single:3",
    ]);
}
