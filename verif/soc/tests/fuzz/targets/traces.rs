use super::Target;
use super::bytes::Bytes;
use hpp_explore::trace::{Ending, Header, MAGIC, TraceReader, TraceWriter, VERSION};
use hpp_golden::branch::{BranchKind, BranchRecord};

pub const TARGET: Target = Target {
    name: "trace",
    run: |input| match input.split_first() {
        // Chunks are compressed and hold a sum: what is in them is bred apart.
        Some((0, chunks)) => read(&of_chunks(chunks)),
        _ => read(input),
    },
    seeds: || {
        let file = written(&(0..40).map(record).collect::<Vec<_>>());
        // Two records defined, three run through, and the end after them.
        let records = b"\x00\x02\x00\x02\x04\x06\x01\x04\x08\x02\x03\x00\x00\x00\x01";
        let chunks = [&[0, records.len() as u8], &records[..], b"\x04\x01\x03{}"];
        vec![file, chunks.concat()]
    },
};

fn record(number: u64) -> BranchRecord {
    BranchRecord {
        kind: BranchKind::from_code(number as u8),
        taken: number & 3 != 0,
        target: 0x1_0000 + 4 * (number % 7),
        next: 0x1_0004 + 4 * number,
        events: (number % 5) as u32,
    }
}

/// A file with these chunks: a length of one byte, then so many bytes to be compressed.
fn of_chunks(input: &[u8]) -> Vec<u8> {
    let header = b"{}";
    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend((header.len() as u32).to_le_bytes());
    file.extend(header);
    let mut bytes = Bytes::new(input);
    while !bytes.is_empty() {
        let length: u8 = bytes.any();
        let frame = zstd::encode_all(bytes.next(length.into()), 1).expect("memory is no file");
        file.extend((frame.len() as u32).to_le_bytes());
        file.extend(frame);
    }
    file
}

fn written(records: &[BranchRecord]) -> Vec<u8> {
    let writer = TraceWriter::new(Vec::new(), &Header::default());
    let mut writer = writer.expect("memory takes everything");
    for record in records {
        writer.record(record).expect("memory takes everything");
    }
    let file = writer.finish(&Ending::default());
    file.expect("memory takes everything")
}

/// The records of a file as far as it is whole.
fn records(file: &[u8]) -> Vec<BranchRecord> {
    let Ok(mut reader) = TraceReader::new(file) else {
        return Vec::new();
    };
    let mut run = Vec::new();
    while let Ok(Some((records, numbers))) = reader.next_chunk() {
        let records = numbers.iter().map(|&number| records[number as usize]);
        run.extend(records.take(1000));
        if run.len() > 10_000 {
            break;
        }
    }
    run
}

/// What is read is written and read back the same.
fn read(file: &[u8]) {
    let run = records(file);
    assert_eq!(records(&written(&run)), run[..run.len().min(1000)]);
}
