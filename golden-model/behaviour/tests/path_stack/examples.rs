//! Worked examples: the sequence of paths a whole run gives.

use crate::*;
use BranchKind::{Backward, Call, Forward, Indirect, Return};

/// The paths a run completes, in order; of addresses the lowest digits.
fn run(ppcr: Ppcr, records: &[BranchRecord]) -> String {
    let mut stack = PathStack::new(&Geometry::default(), ppcr);
    let paths = records.iter().filter_map(|record| stack.step(record));
    let paths: Vec<String> = paths.map(|path| path.descriptor.to_string()).collect();
    paths.join(" ").replace("0x00000", "")
}

fn extended(extension: Extension, max_extension: u8) -> Ppcr {
    Ppcr {
        extension,
        max_extension,
        ..Ppcr::ball_larus()
    }
}

fn falls_through(kind: BranchKind, target: u64) -> BranchRecord {
    BranchRecord::new(kind, false, target, 0)
}

/// The example of `docs/behaviour.md`: two iterations of a loop with a branch in it.
#[test]
fn two_iterations_of_a_loop() {
    let records = [
        taken(Call, 0x100),
        taken(Forward, 0x120),
        taken(Backward, 0x100),
        falls_through(Forward, 0x110),
        falls_through(Backward, 0x130),
        taken(Return, 0x20),
    ];
    assert_eq!(run(Ppcr::ball_larus(), &records), "100:TT 100:NN");
    let spanning = extended(Extension::Loop, 1);
    assert_eq!(run(spanning, &records), "100:TTNN");
}

/// A procedure: S falls into A; A jumps to B; B branches to C or D; C falls into D; D branches back to A, or falls
/// into E; E branches to X or falls into F; F branches back to B, or falls into X, which returns.
mod procedure {
    use super::*;

    const S: u64 = 0x100;
    const A: u64 = 0x108;
    const B: u64 = 0x120;
    const C: u64 = 0x128;
    const D: u64 = 0x140;
    const E: u64 = 0x148;
    const F: u64 = 0x150;
    const X: u64 = 0x160;

    fn records() -> Vec<BranchRecord> {
        vec![
            taken(Call, S),
            // S A B D, back to A
            taken(Forward, B),
            taken(Forward, D),
            taken(Backward, A),
            // A B C D, back to A
            taken(Forward, B),
            falls_through(Forward, C),
            taken(Backward, A),
            // A B D E F, back to B
            taken(Forward, B),
            taken(Forward, D),
            falls_through(Backward, E),
            falls_through(Forward, F),
            taken(Backward, B),
            // B C D E X
            falls_through(Forward, C),
            falls_through(Backward, E),
            taken(Forward, X),
            taken(Return, 0x20),
        ]
    }

    #[test]
    fn its_ball_larus_paths() {
        assert_eq!(
            run(Ppcr::ball_larus(), &records()),
            "100:TTT 108:TNT 108:TTNNT 120:NNT"
        );
    }

    #[test]
    fn its_paths_across_one_back_edge() {
        assert_eq!(
            run(extended(Extension::Loop, 1), &records()),
            "100:TTTTNT 108:TTNNTNNT"
        );
    }

    #[test]
    fn its_paths_across_two_back_edges() {
        assert_eq!(
            run(extended(Extension::Loop, 2), &records()),
            "100:TTTTNTTTNNT 120:NNT"
        );
    }

    #[test]
    fn backward_branches_that_end_paths_whatever_their_outcome() {
        let literal = Ppcr {
            backward_not_taken: BackwardNotTaken::AsBackward,
            ..Ppcr::ball_larus()
        };
        assert_eq!(
            run(literal, &records()),
            "100:TTT 108:TNT 108:TTN 148:NT 120:NN 148:T"
        );
    }
}

/// A procedure at 0x100 calls one at 0x200 in a loop; the latter calls itself once.
fn nest_of_calls() -> [BranchRecord; 9] {
    [
        taken(Call, 0x100),
        taken(Forward, 0x110),
        taken(Call, 0x200),
        falls_through(Forward, 0x204),
        taken(Call, 0x200),
        taken(Forward, 0x220),
        taken(Return, 0x208),
        taken(Return, 0x114),
        taken(Return, 0x20),
    ]
}

#[test]
fn ball_larus_paths_of_a_nest_of_calls() {
    assert_eq!(
        run(Ppcr::ball_larus(), &nest_of_calls()),
        "200:T 200:N 100:T"
    );
}

#[test]
fn paths_of_a_whole_program_path_never_span_a_call() {
    assert_eq!(
        run(Ppcr::whole_program_path(), &nest_of_calls()),
        "100:T 200:N 200:T 208: 114:"
    );
}

#[test]
fn inter_procedural_paths_of_a_nest_of_calls() {
    assert_eq!(
        run(extended(Extension::Procedure, 1), &nest_of_calls()),
        "200:T 100:TN"
    );
    assert_eq!(
        run(extended(Extension::Procedure, 2), &nest_of_calls()),
        "100:TNT"
    );
}

#[test]
fn an_indirect_jump_ends_a_path_in_every_mode() {
    let records = [
        taken(Call, 0x100),
        taken(Forward, 0x110),
        taken(Indirect, 0x180),
    ];
    for extension in [Extension::None, Extension::Loop, Extension::Procedure] {
        assert_eq!(run(extended(extension, 3), &records), "100:TT");
    }
}

#[test]
fn sixty_four_branches_fill_a_descriptor() {
    let geometry = Geometry {
        max_branches: 64,
        ..small()
    };
    let mut stack = started(geometry, Ppcr::ball_larus());
    for _ in 0..63 {
        assert_eq!(stack.step(&taken(Forward, 0x200)), None);
    }
    let path = stack.step(&taken(Forward, 0x200)).expect("a split");
    let PathDescriptor {
        length, outcomes, ..
    } = path.descriptor;
    assert_eq!((length, outcomes), (64, u64::MAX));
}
