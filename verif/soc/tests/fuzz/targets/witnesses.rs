use super::Target;
use hpp_paths::graph::{BlockId, EdgeId};
use hpp_paths::interprocedural::ProcedureId;
use hpp_paths::trace::{Activation, EarlyExit, Note, Trace};

/// Magic and CRC-32.
const HEAD: usize = 12;

pub const TARGET: Target = Target {
    name: "witnesses",
    run: |input| match input.split_first() {
        // A sum goes before the rest, which is bred apart.
        Some((0, body)) => {
            let sum = crc32fast::hash(body).to_le_bytes();
            read(&[b"HPPWTN01", &sum[..], body].concat());
        }
        _ => read(input),
    },
    seeds: || {
        let file = written();
        let body = [&[0], &file[HEAD..]].concat();
        vec![file, body]
    },
};

fn written() -> Vec<u8> {
    let procedure = ProcedureId::new(1);
    let active = Activation {
        procedure,
        block: BlockId::new(3),
        site: Some(EdgeId::new(2)),
    };
    let exit = EarlyExit {
        witnesses: 2,
        stack: vec![active],
        resumed: Some((1, BlockId::new(300))),
    };
    let notes = vec![Note::Callee(procedure), Note::Escape(exit)];
    let trace = Trace::new(procedure, vec![0xa5, 1], 9, 3, notes);
    trace.expect("nine bits are two bytes").to_bytes()
}

/// What is read is written and read back the same.
fn read(file: &[u8]) {
    if let Ok(trace) = Trace::from_bytes(file) {
        assert_eq!(Trace::from_bytes(&trace.to_bytes()), Ok(trace));
    }
}
