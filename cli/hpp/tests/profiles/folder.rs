//! A folder with a profile and its program.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use crate::riscv_program::{NOP, RET, beq, program};
pub use crate::said::{Done, Folder};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Profiler, ResetValues};

impl Folder {
    /// With `serial.txt` and `f.elf`.
    pub fn new(serial: impl Display) -> Self {
        let folder = Self::empty();
        folder.write("serial.txt", serial.to_string());
        folder.write("f.elf", elf());
        folder
    }

    /// With `words.txt` and `words.elf` of the fixture.
    pub fn words() -> Self {
        let folder = Self::new("");
        for name in ["words.txt", "words.elf"] {
            folder.write(name, fixture(name));
        }
        folder
    }
}

pub fn profiler(geometry: &Geometry) -> Profiler {
    Profiler::new(geometry, &ResetValues::enabled()).expect("a legal configuration")
}

/// What an enabled profiler holds after these branches: kind, whether it is taken, target.
pub fn dump_of(
    geometry: &Geometry,
    branches: impl IntoIterator<Item = (BranchKind, bool, u64)>,
) -> Dump {
    let mut profiler = profiler(geometry);
    for (kind, taken, target) in branches {
        let target = geometry.address(target);
        profiler.profile(&BranchRecord::new(kind, taken, target, 0).with_events(1));
    }
    Dump::of(&profiler)
}

/// What a profiler holds after `f` of [`elf`] was called three times, its branch taken twice.
pub fn dump() -> Dump {
    profiled(&[true, false, true])
}

/// What a profiler holds after `f` of [`elf`] was called with these outcomes of its branch.
pub fn profiled(outcomes: &[bool]) -> Dump {
    let call = |&taken: &bool| {
        [
            (BranchKind::Call, true, 0x10000),
            (BranchKind::Forward, taken, 0x10008 - 4 * u64::from(!taken)),
            (BranchKind::Return, true, 0x20000),
        ]
    };
    dump_of(&Geometry::default(), outcomes.iter().flat_map(call))
}

pub fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profiles/fixture");
    fs::read(folder.join(name)).expect("a fixture")
}

/// A function with a branch over one instruction.
pub fn elf() -> Vec<u8> {
    program(&[beq(8), NOP, RET], &[("f", 0, 3)])
}
