//! The printed profile: what is written is read back, and damage is noticed.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::printout::{Printout, PrintoutError};
use hpp_golden::profiler::{Profiler, ResetValues, geometry_words};
use proptest::prelude::*;

prop_compose! {
    fn record()(
        kind in prop::sample::select(BranchKind::ALL.to_vec()),
        taken: bool,
        target in 0u64..64,
        high in prop_oneof![Just(0u64), Just(0xffff_ffff_0000_0000)],
    ) -> BranchRecord {
        BranchRecord {
            kind,
            taken,
            target: high | (4 * target),
            next: 0,
            events: 1,
        }
    }
}

/// The profile of a random run, under a geometry with one- and two-word descriptors.
fn printout() -> impl Strategy<Value = Printout> {
    let geometry = (
        1u32..5,
        1u32..5,
        prop::sample::select(vec![3, 32, 33, 64]),
        32u32..65,
    );
    let records = prop::collection::vec(record(), 0..400);
    (geometry, records).prop_map(|((log2_sets, ways, max_branches, pc_bits), records)| {
        let sets = 1 << log2_sets;
        let geometry = Geometry {
            sets,
            ways,
            max_branches,
            pc_bits,
            ..Geometry::default()
        };
        let reset = ResetValues {
            enable: true,
            ..ResetValues::default()
        };
        let mut profiler = Profiler::new(&geometry, &reset).expect("a legal geometry");
        for record in &records {
            profiler.profile(record);
        }
        Printout::of(&profiler)
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(printout in printout(), before in "[a-z \n]{0,40}") {
        let uart = format!("{before}\n{printout}later\n");
        prop_assert_eq!(Printout::read(&uart), Ok(printout.clone()));
        let sizes = printout.sizes().expect("a legal geometry");
        prop_assert_eq!(geometry_words(&sizes), printout.geometry);
        let serial = uart.replace('\n', "\r\n");
        prop_assert_eq!(Printout::read(&serial), Ok(printout));
    }

    #[test]
    fn no_single_damaged_character_goes_unnoticed(
        printout in printout(),
        at: prop::sample::Index,
        with in "[0-9a-z \n]",
    ) {
        let text = printout.to_string();
        let at = at.index(text.len() - 1);
        prop_assume!(text[at..=at] != with);
        let damaged = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        prop_assert!(Printout::read(&damaged).is_err(), "{damaged}");
    }

    #[test]
    fn a_profile_cut_short_is_no_profile(printout in printout(), at: prop::sample::Index) {
        let text = printout.to_string();
        let cut = &text[..at.index(text.len() - 1)];
        prop_assert!(Printout::read(cut).is_err(), "{cut}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let text = |uart: &str| Printout::read(uart).expect_err("no profile").to_string();
    assert_eq!(Printout::read("Hello\n"), Err(PrintoutError::Missing));
    assert_eq!(
        text("Hello\nHPP profile begins\n"),
        "the profile breaks off after line 2: wait for the line that starts with `HPP profile ends`"
    );
    assert_eq!(
        text("HPP profile begins\ngeometry 1 2 x\n"),
        "line 2: `geometry 1 2 x` should be `geometry` and 3 words; was the text damaged on its way?"
    );
}
