//! The demonstration on every board, as it is synthesised: what comes out of the serial line is the golden model's profile.
//!
//! The profile that [`Profiled`] expects is that of the model after the very retirements of the run.

use hpp_fpga::board::{BOARDS, Board, TableOptions};
use hpp_fpga::core::Core;
use hpp_golden::config::Replacement;
use hpp_golden::registers::Counter;
use hpp_soc::Profiled;
use std::collections::HashMap;

fn demonstrate(key: &str, core: Core) {
    let profiled = demonstrate_with(key, core, &TableOptions::default());
    assert!(profiled.overlap() > 0.8, "{}", profiled.overlap());
}

fn demonstrate_with(key: &str, core: Core, table: &TableOptions) -> Profiled {
    let board = Board::by_key(key).expect("a board of that name");
    let profiled =
        Profiled::on_board(&board, core, table).expect("a profile whose every path walks");
    assert_eq!(profiled.dump, profiled.expected);
    let counter = |counter: Counter| profiled.dump.counters[counter as usize];
    // 16 rounds of sorting 64 numbers move about 1,000 of them each.
    assert!(counter(Counter::Paths) > 16_000, "{:?}", profiled.dump);
    assert_eq!(counter(Counter::LostRecords), 0);
    assert!(!profiled.report.paths.is_empty());
    profiled
}

verilated::tests! {
    the_ulx3s_prints_the_models_profile: demonstrate("ulx3s", Core::PicoRv32);
    the_icebreaker_prints_the_models_profile: demonstrate("icebreaker", Core::PicoRv32);
    the_icebreaker_with_serv_prints_the_models_profile: demonstrate("icebreaker-serv", Core::Serv);
    the_hx8k_board_prints_the_models_profile: demonstrate("hx8k", Core::PicoRv32);
    the_tang_nano_prints_the_models_profile: demonstrate("tangnano9k", Core::PicoRv32);
    /// The system that the profiler's effect on the clock is measured with.
    vexriscv_in_the_place_of_picorv32_prints_the_models_profile: demonstrate("ulx3s", Core::VexRiscv);
}

/// Four entries for a program of tens of paths: what the table holds is what is hot.
const FOUR: TableOptions = TableOptions {
    sets: Some(2),
    ways: Some(2),
    replacement: None,
    drain_depth: None,
};

#[test]
fn a_table_with_shadows_on_the_ulx3s_prints_the_models_profile() {
    let shadow = TableOptions {
        replacement: Some(Replacement::Shadow),
        ..FOUR
    };
    let profiled = demonstrate_with("ulx3s", Core::PicoRv32, &shadow);
    assert!(profiled.dump.counters[Counter::Replacements as usize] > 0);
    let lfu = demonstrate_with("ulx3s", Core::PicoRv32, &FOUR);
    let (shadow, lfu) = (profiled.overlap(), lfu.overlap());
    assert!(shadow > lfu, "{shadow} is not above {lfu}");
}

#[test]
fn what_leaves_a_table_on_a_board_is_taken_in_an_interrupt() {
    for (key, replacement) in [
        ("ulx3s", Replacement::Lfu),
        ("tangnano9k", Replacement::Rrip),
    ] {
        let table = TableOptions {
            replacement: Some(replacement),
            drain_depth: Some(64),
            ..FOUR
        };
        let profiled = demonstrate_with(key, Core::PicoRv32, &table);
        assert!(profiled.entries_left > 64, "{}", profiled.entries_left);
        let profile = profiled.dump.profile();
        let kept = profile.iter().map(|(path, count)| (*path, count));
        assert_eq!(kept.collect::<HashMap<_, _>>(), profiled.exact, "{key}");
    }
}

#[test]
fn no_board_is_left_out() {
    assert_eq!(
        BOARDS.map(|board| board.key),
        [
            "ulx3s",
            "icebreaker",
            "icebreaker-serv",
            "hx8k",
            "tangnano9k"
        ]
    );
}
