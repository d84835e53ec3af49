use hpp_paths::interprocedural::ProcedureId;
use hpp_paths::trace::{Instrumentation, Regeneration, Step, Trace, TraceBytesError, Tracer};
use proptest::prelude::*;

use crate::programs::{execute, program, start};

/// A program that writes every outcome, and the trace of an execution.
fn traced() -> impl Strategy<Value = (Instrumentation, Vec<Step>, Trace)> {
    let choices = prop::collection::vec(any::<u8>(), 0..200);
    (program(), choices).prop_map(|(program, choices)| {
        let execution = execute(&program, &choices);
        let instrumentation = Instrumentation::every_outcome(&program);
        let trace = Tracer::trace(&instrumentation, start(), execution.iter().copied());
        (instrumentation, execution, trace.expect("an execution"))
    })
}

proptest! {
    #[test]
    fn a_trace_comes_back_from_its_bytes((instrumentation, execution, trace) in traced()) {
        let read = Trace::from_bytes(&trace.to_bytes());
        prop_assert_eq!(read.as_ref(), Ok(&trace));
        let steps: Result<Vec<Step>, _> = Regeneration::new(&instrumentation, &read.expect("a trace")).collect();
        prop_assert_eq!(steps, Ok(execution));
    }

    #[test]
    fn damage_is_found((_, _, trace) in traced(), at in any::<prop::sample::Index>(), flip in 1..255u8, cut in any::<bool>()) {
        let mut bytes = trace.to_bytes();
        let at = at.index(bytes.len());
        match cut {
            true => bytes.truncate(at),
            false => bytes[at] ^= flip,
        }
        prop_assert!(Trace::from_bytes(&bytes).is_err());
    }

    /// Whatever a trace says, regeneration ends with the steps or with an error.
    #[test]
    fn foreign_traces_are_no_panic(
        (instrumentation, ..) in traced(), (_, _, other) in traced(),
        bytes in prop::collection::vec(any::<u8>(), 0..20), witnesses in 0..200u64, first in 0..6usize,
    ) {
        let bits = 8 * bytes.len() as u64;
        let made = Trace::new(ProcedureId::new(first), bytes, bits, witnesses, other.notes().to_vec());
        for trace in [&other, &made.expect("as many bytes as bits need")] {
            let _: Result<Vec<Step>, _> = Regeneration::new(&instrumentation, trace).take(10_000).collect();
        }
    }
}

#[test]
fn bytes_and_bits_must_agree() {
    let error = Trace::new(start(), vec![1, 2], 3, 3, Vec::new()).expect_err("a byte too many");
    assert_eq!(
        error.to_string(),
        "3 bits of witnesses need 1 bytes, and there are 2"
    );
    assert_eq!(
        Trace::from_bytes(b"HPPTRACE"),
        Err(TraceBytesError::Foreign)
    );
}
