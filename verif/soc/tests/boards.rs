//! The demonstration on every board, as it is synthesised: what comes out of the serial line is the golden model's profile.
//!
//! The profile that [`Profiled`] expects is that of the model after the very retirements of the run.

use hpp_fpga::board::{BOARDS, Board};
use hpp_fpga::core::Core;
use hpp_golden::registers::Counter;
use hpp_soc::Profiled;

fn demonstrate(key: &str, core: Core) {
    let board = Board::by_key(key).expect("a board of that name");
    let profiled = Profiled::on_board(&board, core).expect("a profile whose every path walks");
    assert_eq!(profiled.dump, profiled.expected);
    let counter = |counter: Counter| profiled.dump.counters[counter as usize];
    // 16 rounds of sorting 64 numbers move about 1,000 of them each.
    assert!(counter(Counter::Paths) > 16_000, "{:?}", profiled.dump);
    assert_eq!(counter(Counter::LostRecords), 0);
    assert!(!profiled.report.paths.is_empty());
    assert!(profiled.overlap() > 0.8, "{}", profiled.overlap());
}

#[test]
fn the_ulx3s_prints_the_models_profile() {
    demonstrate("ulx3s", Core::PicoRv32);
}

#[test]
fn the_icebreaker_prints_the_models_profile() {
    demonstrate("icebreaker", Core::PicoRv32);
}

#[test]
fn the_hx8k_board_prints_the_models_profile() {
    demonstrate("hx8k", Core::PicoRv32);
}

#[test]
fn the_tang_nano_prints_the_models_profile() {
    demonstrate("tangnano9k", Core::PicoRv32);
}

/// The system that the profiler's effect on the clock is measured with.
#[test]
fn vexriscv_in_the_place_of_picorv32_prints_the_models_profile() {
    demonstrate("ulx3s", Core::VexRiscv);
}

#[test]
fn no_board_is_left_out() {
    assert_eq!(
        BOARDS.map(|board| board.key),
        ["ulx3s", "icebreaker", "hx8k", "tangnano9k"]
    );
}
