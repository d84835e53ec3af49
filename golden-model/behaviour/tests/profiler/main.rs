//! A whole profiler, driven by records and by its registers.

mod registers_as_software_sees_them;
mod sizes;
mod table;
mod triggers;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme, LookupScheme, Replacement};
use hpp_golden::profiler::{Extension, Metric, Offer, Profiler, ProfilerError, ResetValues};
use hpp_golden::registers::at::{
    COMMAND, CONTROL, ERRORS, PPCR_MODE, PPCR_ROWS, STATUS, TABLE_DATA, TABLE_INDEX,
};
use hpp_golden::registers::{self, ADDRESS_SPACE, Access, Counter, REGISTERS, SHADOW};

fn profiler(geometry: Geometry) -> Profiler {
    Profiler::new(&geometry, &ResetValues::default()).expect("a legal profiler")
}

/// 4 sets of 3 ways: 12 entries, so TABLE_INDEX counts to 15.
fn small() -> Geometry {
    Geometry {
        sets: 4,
        ways: 3,
        ..Geometry::default()
    }
}

fn branch(kind: BranchKind, target: u64) -> BranchRecord {
    BranchRecord::new(kind, true, target, 0)
}

/// One that has profiled so many records of one branch: all but the first complete a path.
fn turned(geometry: Geometry, turns: usize) -> Profiler {
    let mut profiler = profiler(geometry);
    profiler.write(CONTROL, 1);
    (0..turns).for_each(|_| turn(&mut profiler, 0x100));
    profiler
}

/// Completes the path that starts at the target of the previous record.
fn turn(profiler: &mut Profiler, target: u64) {
    profiler.profile(&branch(BranchKind::Backward, target));
}

fn read_entry(profiler: &mut Profiler) -> Vec<u32> {
    let words = profiler.geometry().entry_words();
    (0..words).map(|_| profiler.read(TABLE_DATA)).collect()
}
