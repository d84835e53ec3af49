//! Programs with instructions that neither attributes nor mapping symbols name.

use hpp_golden::branch::BranchKind::{Call, Forward, Return};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;

use crate::folder::{Folder, profiler};
use crate::said::Must;

#[test]
fn a_function_that_returns_by_zcmp_is_reported() {
    let mut profiler = profiler(&Geometry {
        align: 1,
        ..Geometry::default()
    });
    for taken in [true, false, true] {
        let branch = if taken { 0x1011a } else { 0x10114 };
        let mut record = |kind, taken, target, next| {
            profiler.profile(&BranchRecord::new(kind, taken, target, next).with_events(1));
        };
        let mut g = |next| {
            record(Call, true, 0x100f4, next);
            record(Return, true, next, 0x10106);
        };
        g(0x10000);
        record(Call, true, 0x10106, 0x20000);
        record(Forward, taken, branch, 0x10114);
        record(Return, true, 0x20000, 0x10124);
    }
    let folder = Folder::new(Dump::of(&profiler).to_string());
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../golden-model/riscv/tests/files/attributes.elf"
    );
    folder.write("f.elf", std::fs::read(program).expect("a program"));
    let report = folder.succeeds("report serial.txt --elf f.elf").out;
    report.must_contain("3 of 3 walk");
    report.must_contain("the instruction at xcvbi+0x8 is a custom opcode, taken for the branch");
    let annotated = folder
        .succeeds("annotate serial.txt --elf f.elf --function zcmp")
        .out;
    annotated.must_contain("cm.push {ra, s0-s1}, -16");
    annotated.must_contain("cm.popret {ra, s0-s1}, 16");
    let zibi = folder
        .succeeds("annotate serial.txt --elf f.elf --function zibi")
        .out;
    zibi.must_contain(".4byte  0x00353563, 10136");
}
