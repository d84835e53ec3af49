//! libFuzzer around one target, which the variable `HPP_FUZZ_TARGET` names.

#![no_main]

use hpp_fuzz::{TARGET_VARIABLE, Target};
use std::sync::LazyLock;

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var(TARGET_VARIABLE).unwrap_or_default();
    Target::find(&name).unwrap_or_else(|error| panic!("{TARGET_VARIABLE}: {error}"))
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| (TARGET.run)(input));
