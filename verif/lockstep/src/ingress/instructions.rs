use crate::stream::StreamRng;
use hpp_golden::branch::BranchKind;
use rand::{Rng, RngExt};

pub const NO_OPERATION: u32 = 0x0000_0013;

/// Encodings by kind of record: whether the instruction may fall through, its free bits, and its fixed bits.
const FORMS: [(BranchKind, bool, u32, u32); 20] = [
    (BranchKind::Forward, true, 0x01ff_8000, 0x0000_0463), // beq, 8 on
    (BranchKind::Forward, true, 0x01ff_8000, 0x0000_7463), // bgeu
    (BranchKind::Forward, true, 0x01ff_8000, 0x0000_2463), // beqi
    (BranchKind::Forward, true, 0xffff_0380, 0x0000_c401), // c.beqz
    (BranchKind::Forward, false, 0x0000_0000, 0x0100_006f), // jal x0, 16 on
    (BranchKind::Forward, false, 0xffff_0000, 0x0000_a011), // c.j
    (BranchKind::Backward, true, 0x01ff_8000, 0xfe00_0ce3), // beq, 8 back
    (BranchKind::Backward, true, 0x01ff_8000, 0xfe00_3ce3), // bnei, 8 back
    (BranchKind::Backward, true, 0xffff_0380, 0x0000_f001), // c.bnez
    (BranchKind::Backward, false, 0x0000_0000, 0xff1f_f06f), // jal x0, 16 back
    (BranchKind::Backward, false, 0xffff_0000, 0x0000_b001), // c.j
    (BranchKind::Indirect, false, 0xfff0_0000, 0x0003_0067), // jalr x0, x6
    (BranchKind::Indirect, false, 0xfff0_0000, 0x0000_82e7), // jalr t0, ra: from one link to the other
    (BranchKind::Call, false, 0xffff_f000, 0x0000_00ef),     // jal ra
    (BranchKind::Return, false, 0xfff0_0000, 0x0000_8067),   // jalr x0, ra
    (BranchKind::Return, false, 0xffff_0000, 0x0000_8082),   // c.jr ra
    (BranchKind::IndirectCall, false, 0xfff0_0000, 0x0003_00e7), // jalr ra, x6
    (BranchKind::IndirectCall, false, 0xffff_0000, 0x0000_9302), // c.jalr x6
    (BranchKind::TrapReturn, false, 0x0000_0000, 0x3020_0073), // mret
    (BranchKind::TrapReturn, false, 0x0000_0000, 0x1020_0073), // sret
];

/// An instruction that makes a record of a kind. If `taken` is false, it may fall through.
///
/// # Panics
///
/// If no instruction makes such a record: a trap, or a kind other than forward and backward that is not taken.
pub fn instruction(kind: BranchKind, taken: bool, rng: &mut StreamRng) -> u32 {
    let fits = |form: &&(BranchKind, bool, u32, u32)| form.0 == kind && (taken || form.1);
    let forms = FORMS.iter().filter(fits);
    let chosen = rng.random_range(0..forms.clone().count());
    let mut forms = forms.skip(chosen);
    let (_, _, free, fixed) = forms.next().expect("it is one of them");
    fixed | rng.next_u32() & free
}
