//! The instructions of an x86-64 program.

use hpp_golden::ingress::x86::decode;
use iced_x86::{Decoder, DecoderOptions};

use crate::Instruction;

/// The instruction at the beginning of these bytes, decoded for 64-bit mode; `None` if they are not one.
pub(crate) fn instruction(bytes: &[u8], address: u64) -> Option<Instruction> {
    let mut decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let own = bytes.get(..instruction.len())?;
    (!instruction.is_invalid()).then(|| decode(own, address))
}

#[cfg(test)]
mod tests {
    use iced_x86::{Instruction, Mnemonic, OpKind};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_instruction_ends_where_the_next_begins() {
        let code = [0x48, 0x8b, 0x44, 0x24, 0x08, 0x75, 0xf9, 0xc3, 0x06];
        let at = |offset: u64| instruction(&code[offset as usize..], 0x1000 + offset);
        assert_eq!(at(0).expect("mov").next, 0x1005);
        let transfer = at(5).expect("jne").transfer.expect("a branch");
        assert_eq!(
            (transfer.target, transfer.conditional),
            (Some(0x1000), true)
        );
        // Byte 06 (`push es`) is invalid in 64-bit mode; an instruction that is cut off is not decoded either.
        assert_eq!((at(8), instruction(&code[..3], 0x1000)), (None, None));
    }

    fn is_transfer(decoded: &Instruction) -> bool {
        use Mnemonic::{
            Call, Iret, Iretd, Iretq, Jmp, Jmpe, Ret, Retf, Rsm, Sysexit, Sysexitq, Sysret,
            Sysretq, Xbegin,
        };
        match decoded.mnemonic() {
            Call | Jmp | Ret | Retf | Iret | Iretd | Iretq | Sysret | Sysretq | Sysexit
            | Sysexitq | Rsm => true,
            // Where a transaction goes on that fails, which no emulator has, and a jump into another architecture.
            Xbegin | Jmpe => false,
            _ => is_near(decoded),
        }
    }

    fn is_near(decoded: &Instruction) -> bool {
        use OpKind::{NearBranch16, NearBranch32, NearBranch64};
        matches!(
            decoded.op0_kind(),
            NearBranch16 | NearBranch32 | NearBranch64
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn transfers_are_those_of_the_library(bytes in prop::collection::vec(any::<u8>(), 16)) {
            let mut decoder = Decoder::with_ip(64, &bytes, 0x1_0000, DecoderOptions::NONE);
            let decoded = decoder.decode();
            let own = instruction(&bytes, 0x1_0000);
            prop_assert_eq!(own.is_none(), decoded.is_invalid());
            let Some(own) = own else { return Ok(()) };
            prop_assert_eq!(own.next, decoded.next_ip());
            prop_assert_eq!(own.transfer.is_some(), is_transfer(&decoded), "{:x?}", bytes);
            if let Some(target) = own.transfer.and_then(|transfer| transfer.target) {
                prop_assert_eq!(target, decoded.near_branch_target());
            }
        }
    }
}
