//! A trace holds the records that were written, and damage is named.

use std::io::Cursor;

use hpp_explore::trace::{Ending, Header, Isa, TraceError, TraceReader, TraceWriter};
use hpp_golden::branch::{BranchKind, BranchRecord};
use proptest::prelude::*;

fn record() -> impl Strategy<Value = BranchRecord> {
    let parts = (
        0..8_u8,
        any::<bool>(),
        any::<u64>(),
        any::<u64>(),
        any::<u32>(),
    );
    parts.prop_map(|(kind, taken, target, next, events)| {
        BranchRecord::new(BranchKind::from_code(kind), taken, target, next).with_events(events)
    })
}

/// Records of which most happen more than once.
fn records() -> impl Strategy<Value = Vec<BranchRecord>> {
    let pool = prop::collection::vec(record(), 1..12);
    pool.prop_flat_map(|pool| prop::collection::vec(prop::sample::select(pool), 0..400))
}

fn header() -> Header {
    Header {
        isa: Isa::X86_64,
        command: vec!["gzip".into(), "-9".into()],
        events: "instructions".into(),
        build_id: None,
    }
}

fn written(records: &[BranchRecord]) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new(), &header()).unwrap();
    for record in records {
        writer.record(record).unwrap();
    }
    let ending = Ending {
        reason: "the program ended".into(),
        left_out: vec!["2 threads".into()],
    };
    writer.finish(&ending).unwrap()
}

fn read(file: &[u8]) -> Result<Vec<BranchRecord>, TraceError> {
    let mut reader = TraceReader::new(file)?;
    let mut records = Vec::new();
    while let Some((defined, numbers)) = reader.next_chunk()? {
        records.extend(numbers.iter().map(|&n| defined[n as usize]));
    }
    Ok(records)
}

proptest! {
    #[test]
    fn what_was_written_is_read(records in records()) {
        prop_assert_eq!(read(&written(&records)).unwrap(), records);
    }

    #[test]
    fn numbers_of_the_callers_own_write_the_same_file(records in records(), cut in any::<prop::sample::Index>()) {
        let mut numbering = hpp_explore::trace::Numbering::new();
        let numbers: Vec<u32> = records.iter().map(|record| numbering.number(record)).collect();
        let (one, other) = numbers.split_at(cut.index(numbers.len() + 1));
        let mut writer = TraceWriter::new(Vec::new(), &header()).unwrap();
        writer.numbers(numbering.records(), one).unwrap();
        writer.numbers(numbering.records(), other).unwrap();
        prop_assert_eq!(writer.len(), records.len() as u64);
        let file = writer.finish(&Ending::default()).unwrap();
        prop_assert_eq!(read(&file).unwrap(), records);
    }

    #[test]
    fn a_trace_that_was_cut_or_changed_is_refused(records in records(), place in any::<prop::sample::Index>(), flip in 1..=255_u8) {
        let file = written(&records);
        let place = place.index(file.len());
        prop_assert!(read(&file[..place]).is_err());
        let mut changed = file.clone();
        changed[place] ^= flip;
        // A changed header may still be one; its records are the same then.
        if let Ok(still) = read(&changed) {
            prop_assert_eq!(still, records);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut file = written(&[])[..60].to_vec();
        file.extend(&bytes);
        let _ = (read(&bytes), read(&file));
    }
}

#[test]
fn a_trace_goes_on_after_a_checkpoint() {
    let record = BranchRecord::new(BranchKind::Return, true, 4, 8).with_events(1);
    let ending = Ending::default();
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), &header()).unwrap();
    writer.record(&record).unwrap();
    writer.checkpoint(&ending).unwrap();
    assert_eq!(read(writer.get_mut().get_ref()).unwrap(), [record]);
    writer.record(&record).unwrap();
    let file = writer.finish(&ending).unwrap().into_inner();
    assert_eq!(read(&file).unwrap(), [record, record]);
}

#[test]
fn header_and_ending_are_kept() {
    let file = written(&[]);
    let mut reader = TraceReader::new(file.as_slice()).unwrap();
    assert_eq!((reader.header(), reader.ending()), (&header(), None));
    assert!(reader.next_chunk().unwrap().is_none());
    assert_eq!(reader.ending().unwrap().left_out, ["2 threads"]);
    assert!(reader.next_chunk().unwrap().is_none());
}

#[test]
fn errors_say_what_would_help() {
    let error = |file: &[u8]| read(file).unwrap_err().to_string();
    assert_eq!(
        error(b"HPP dump 2 begins"),
        "not a record trace: it does not begin with HPPTRACE; `hpp trace --write` makes one"
    );
    let mut file = written(&[]);
    assert_eq!(
        error(&file[..file.len() - 1]),
        "the trace ends in chunk 0, after 0 records: the recording was interrupted, or the file was cut; record again"
    );
    // Two traces in one file are not taken for one.
    assert_eq!(
        error(&file.repeat(2)),
        "chunk 0, after 0 records, is damaged: the file goes on after the trace's end; copy the file again or record again"
    );
    file[8] = 7;
    assert_eq!(
        error(&file),
        "a trace of version 7; version 1 can be read: use the `hpp` that recorded it, or record again"
    );
}

#[test]
fn more_records_than_a_chunk_holds_can_be_defined_at_once() {
    // Far apart, so that each takes as many bytes as a record can.
    let record = |n: u64| {
        BranchRecord::new(
            BranchKind::Forward,
            true,
            n.wrapping_mul(0xbf58_476d_1ce4_e5b9),
            n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        )
        .with_events(u32::MAX)
    };
    let records: Vec<BranchRecord> = (0..5 << 19).map(record).collect();
    let last = u32::try_from(records.len() - 1).unwrap();
    let mut writer = TraceWriter::new(Vec::new(), &header()).unwrap();
    writer.numbers(&records, &[last]).unwrap();
    let file = writer.finish(&Ending::default()).unwrap();
    let mut reader = TraceReader::new(file.as_slice()).unwrap();
    let mut numbers = Vec::new();
    while let Some((_, of_chunk)) = reader.next_chunk().unwrap() {
        numbers.extend_from_slice(of_chunk);
    }
    assert_eq!((reader.records() == records, numbers), (true, vec![last]));
}
