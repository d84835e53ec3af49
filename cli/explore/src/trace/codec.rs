//! Numbers of variable length, records as differences, and chunks of both.

use hpp_golden::branch::{BranchKind, BranchRecord};

/// What a chunk holds, its first byte.
pub const RECORDS: u8 = 0;
/// The last chunk's first byte.
pub const END: u8 = 1;

/// Appends a number, seven bits a byte, low ones first, bit 7 set in all but the last (LEB128).
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a number from the front; `None` if there is none.
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// A difference of addresses as a number that is small if the difference is: 0, -1, 1, -2, ...
const fn folded(from: u64, to: u64) -> u64 {
    let difference = to.wrapping_sub(from).cast_signed();
    (difference << 1 ^ difference >> 63).cast_unsigned()
}

const fn unfolded(from: u64, folded: u64) -> u64 {
    from.wrapping_add(folded >> 1 ^ (folded & 1).wrapping_neg())
}

/// Appends a record, of which `before` was the one defined before it.
pub fn put_record(out: &mut Vec<u8>, before: u64, record: &BranchRecord) {
    out.push(record.kind.code() << 1 | u8::from(record.taken));
    put(out, folded(before, record.next));
    put(out, folded(record.next, record.target));
    put(out, u64::from(record.events));
}

/// Takes a record from the front; `None` if there is none.
pub fn take_record(bytes: &mut &[u8], before: u64) -> Option<BranchRecord> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first > 15 {
        return None;
    }
    let next = unfolded(before, take(bytes)?);
    let target = unfolded(next, take(bytes)?);
    Some(BranchRecord {
        kind: BranchKind::from_code(first >> 1),
        taken: first & 1 == 1,
        target,
        next,
        events: take(bytes)?.try_into().ok()?,
    })
}
