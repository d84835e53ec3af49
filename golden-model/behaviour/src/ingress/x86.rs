//! The control transfer that an x86-64 instruction makes.
//!
//! The caller gives the bytes of one whole instruction. Prefixes and opcode then tell its transfer, in every mode of the processor alike: a byte that
//! is a prefix in one mode and an instruction in another transfers no control as an instruction. Source: Intel's *Software Developer's Manual*,
//! volume 2, appendix A, "Opcode Map".

use crate::branch::BranchKind;

use crate::ingress::{Instruction, Transfer};

/// Classifies the instruction that is all of `bytes`, at address `pc`.
///
/// Calls and returns are `call` and `ret`, near or far; the returns of interrupts, system calls and system management (`iret`, `sysret`, `sysexit`, `rsm`) are
/// *trap returns*. Instructions that are no transfers, system calls among them, have none.
///
/// ```
/// use hpp_golden::branch::BranchKind;
/// use hpp_golden::ingress::x86::decode;
///
/// let jne = decode(&[0x75, 0xf0], 0x40_1010).transfer.expect("a branch");
/// assert_eq!((jne.kind, jne.conditional, jne.target), (BranchKind::Backward, true, Some(0x40_1002)));
/// ```
pub fn decode(bytes: &[u8], pc: u64) -> Instruction {
    let next = pc.wrapping_add(bytes.len() as u64);
    Instruction {
        next,
        transfer: transfer(opcode(bytes), pc, next),
    }
}

/// Whether the instruction asks the system for something: a signal's handler may begin then.
pub fn is_system_call(bytes: &[u8]) -> bool {
    matches!(opcode(bytes), [0x0f, 0x05 | 0x34, ..] | [0xcd, ..])
}

/// The number that the instruction, `mov`, puts into `eax` or `rax`, where a system call looks for its own.
pub fn number_loaded(bytes: &[u8]) -> Option<u32> {
    match *bytes {
        [0xb8, a, b, c, d] | [0x48, 0xc7, 0xc0, a, b, c, d] => {
            Some(u32::from_le_bytes([a, b, c, d]))
        }
        _ => None,
    }
}

/// Whether it is a string instruction with a prefix that repeats it.
pub fn repeats(bytes: &[u8]) -> bool {
    let prefixes = &bytes[..bytes.len() - opcode(bytes).len()];
    let is_string = matches!(opcode(bytes), [0x6c..=0x6f | 0xa4..=0xa7 | 0xaa..=0xaf, ..]);
    is_string && prefixes.iter().any(|prefix| matches!(prefix, 0xf2 | 0xf3))
}

/// The bytes from the opcode on.
fn opcode(bytes: &[u8]) -> &[u8] {
    let is_prefix = |byte: u8| {
        matches!(
            byte,
            0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3
        )
    };
    let prefixes = bytes.iter().take_while(|&&byte| is_prefix(byte)).count();
    &bytes[prefixes..]
}

fn transfer(opcode: &[u8], pc: u64, next: u64) -> Option<Transfer> {
    let computed = |kind| Transfer {
        kind,
        conditional: false,
        target: None,
    };
    let direct = |conditional, offset: &[u8]| direct(pc, next, conditional, offset);
    match opcode {
        [0x70..=0x7f | 0xe0..=0xe3, offset @ ..] | [0x0f, 0x80..=0x8f, offset @ ..] => {
            direct(true, offset)
        }
        [0xeb | 0xe9, offset @ ..] => direct(false, offset),
        [0xe8, offset @ ..] => Some(Transfer {
            kind: BranchKind::Call,
            ..direct(false, offset)?
        }),
        [0xc2 | 0xc3 | 0xca | 0xcb, ..] => Some(computed(BranchKind::Return)),
        [0xcf, ..] | [0x0f, 0x07 | 0x35 | 0xaa, ..] => Some(computed(BranchKind::TrapReturn)),
        [0x9a, ..] => Some(computed(BranchKind::IndirectCall)),
        [0xea, ..] => Some(computed(BranchKind::Indirect)),
        [0xff, operand, ..] => match operand >> 3 & 7 {
            2 | 3 => Some(computed(BranchKind::IndirectCall)),
            4 | 5 => Some(computed(BranchKind::Indirect)),
            _ => None,
        },
        _ => None,
    }
}

/// A jump to `next` plus an offset of one, two or four bytes.
fn direct(pc: u64, next: u64, conditional: bool, offset: &[u8]) -> Option<Transfer> {
    let offset = match *offset {
        [offset] => i64::from(offset.cast_signed()),
        [a, b] => i64::from(i16::from_le_bytes([a, b])),
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        _ => return None,
    };
    let target = next.wrapping_add_signed(offset);
    Some(Transfer {
        kind: if target > pc {
            BranchKind::Forward
        } else {
            BranchKind::Backward
        },
        conditional,
        target: Some(target),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transfer_is_decoded() {
        use BranchKind::{Backward, Call, Forward, Indirect, IndirectCall, Return, TrapReturn};
        let cases: [(&[u8], BranchKind, bool, Option<u64>); 22] = [
            (&[0x74, 0x00], Forward, true, Some(0x1002)),
            (&[0x7f, 0xfe], Backward, true, Some(0x1000)),
            (&[0x2e, 0x75, 0x10], Forward, true, Some(0x1013)),
            (&[0x0f, 0x84, 0, 1, 0, 0], Forward, true, Some(0x1106)),
            (&[0xe2, 0x80], Backward, true, Some(0xf82)),
            (&[0x67, 0xe3, 0x05], Forward, true, Some(0x1008)),
            (&[0xeb, 0x02], Forward, false, Some(0x1004)),
            (
                &[0xe9, 0xfb, 0xff, 0xff, 0xff],
                Backward,
                false,
                Some(0x1000),
            ),
            (&[0xe8, 0, 0, 0, 0], Call, false, Some(0x1005)),
            (&[0xc3], Return, false, None),
            (&[0xf3, 0xc3], Return, false, None),
            (&[0x48, 0xcf], TrapReturn, false, None),
            (&[0xff, 0xd0], IndirectCall, false, None),
            (&[0x41, 0xff, 0x54, 0x24, 0x08], IndirectCall, false, None),
            (&[0x3e, 0xff, 0xe0], Indirect, false, None),
            (&[0xff, 0x25, 0, 0, 0, 0], Indirect, false, None),
            (&[0x48, 0x0f, 0x07], TrapReturn, false, None),
            (&[0x0f, 0x35], TrapReturn, false, None),
            (&[0x0f, 0xaa], TrapReturn, false, None),
            (&[0x0f, 0x84, 0, 1], Forward, true, Some(0x1104)),
            (&[0xea, 0x5b, 0xe0, 0, 0xf0], Indirect, false, None),
            (&[0x66, 0x9a, 0, 0, 0, 0, 8, 0], IndirectCall, false, None),
        ];
        for (bytes, kind, conditional, target) in cases {
            let transfer = Transfer {
                kind,
                conditional,
                target,
            };
            let expected = Instruction {
                next: 0x1000 + bytes.len() as u64,
                transfer: Some(transfer),
            };
            assert_eq!(decode(bytes, 0x1000), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn what_is_no_transfer_is_none() {
        let nothing: [&[u8]; 8] = [
            &[],
            &[0x90],
            &[0x0f, 0x05],
            &[0xff, 0xc0],
            &[0xf3, 0xa4],
            &[0x0f, 0xaf, 0xc3],
            &[0x66],
            &[0x40],
        ];
        for bytes in nothing {
            assert_eq!(decode(bytes, 0).transfer, None, "{bytes:x?}");
        }
        assert!(is_system_call(&[0x0f, 0x05]) && !is_system_call(&[0x0f, 0xaf, 0xc3]));
    }
}
