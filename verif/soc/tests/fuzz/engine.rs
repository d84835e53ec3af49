//! libFuzzer around one target, which the variable `HPP_FUZZ_TARGET` names.

#![no_main]

#[allow(
    dead_code,
    reason = "the engine begins with the kept corpus, not with the seeds"
)]
mod targets;

use std::sync::LazyLock;
use targets::{TARGETS, Target};

const VARIABLE: &str = "HPP_FUZZ_TARGET";

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var(VARIABLE).unwrap_or_default();
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| {
        let names = TARGETS.map(|target| target.name).join(", ");
        panic!("{VARIABLE}: there is no target `{name}`; there are {names}")
    })
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| (TARGET.run)(input));
