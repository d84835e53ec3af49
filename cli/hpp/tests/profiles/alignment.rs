//! Profilers that leave bits out of addresses, which instructions of the program differ in or which are ones.

use crate::folder::{Folder, profiler};
use crate::riscv_program::{BASE, Flaw, NOP, RET, beq, elf_file};
use crate::said::Must;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;

/// A profiler of 39 bits under a kernel: the other bits of its addresses are ones.
#[test]
fn addresses_of_a_kernel_have_their_high_bits() {
    let geometry = Geometry {
        pc_bits: 39,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    for (kind, target) in [
        (BranchKind::Call, 0xffff_ffff_8001_0000),
        (BranchKind::Forward, 0xffff_ffff_8001_0008),
        (BranchKind::Return, 0x2_0000),
    ] {
        profiler
            .profile(&BranchRecord::new(kind, true, geometry.address(target), 0).with_events(1));
    }
    let mut elf = elf_file(&[beq(8), NOP, RET], &[("f", 0, 3)], false, Flaw::None);
    let (low, high) = (
        BASE.to_le_bytes(),
        (BASE | 0xffff_ffff << 32 | 0x8000_0000).to_le_bytes(),
    );
    let places: Vec<usize> = (0..elf.len() - 8)
        .filter(|&at| elf[at..at + 8] == low)
        .collect();
    for at in places {
        elf[at..at + 8].copy_from_slice(&high);
    }
    let folder = Folder::new(Dump::of(&profiler).to_string());
    folder.write("f.elf", &elf);
    let out = folder.run("report serial.txt --elf f.elf").out;
    out.must_contain("1 of 1 walk through");
    out.must_contain("ffffffff80010000-ffffffff80010004 ffffffff80010008-ffffffff8001000c");
    folder.succeeds("report serial.txt --elf f.elf --html page.html");
    let page = folder.text("page.html");
    // A number of a script would lose its last digits.
    page.must_contain("[\"ffffffff80010004\",1,");
    for command in [
        "annotate",
        "diff serial.txt",
        "export --format folded",
        "collect -o p.parquet",
    ] {
        let done = folder.succeeds(format!("{command} serial.txt --elf f.elf"));
        assert_eq!(done.error, "", "{command}");
        done.out.must_contain(if command.starts_with("collect") {
            ""
        } else {
            "f"
        });
    }
}
