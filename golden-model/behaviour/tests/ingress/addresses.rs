//! Addresses are as wide as the hart's registers, whatever the core shows above them.

use hpp_golden::branch::BranchRecord;
use hpp_golden::ingress::{Ingress, Retirement, Xlen};
use proptest::prelude::*;

/// `beq`, `jal`, `jalr`, `mret` and `addi`.
const INSTRUCTIONS: [u32; 5] = [
    0x0000_0463,
    0x0100_00ef,
    0x0000_8067,
    0x3020_0073,
    0x0000_0013,
];

fn retirement() -> impl Strategy<Value = Retirement> {
    let instruction = prop::sample::select(INSTRUCTIONS.to_vec());
    (
        any::<u64>(),
        any::<u64>(),
        instruction,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(pc, next_pc, insn, intr, trap)| Retirement {
            pc: pc & !3,
            next_pc: next_pc & !3,
            insn,
            intr,
            trap,
            loop_end: false,
            context: 0,
        })
}

fn records(xlen: Xlen, retirements: &[Retirement]) -> Vec<BranchRecord> {
    let mut ingress = Ingress::new(xlen, 8);
    retirements
        .iter()
        .flat_map(|retirement| ingress.step(retirement, 1))
        .collect()
}

proptest! {
    #[test]
    fn what_a_core_of_32_bits_shows_above_them_does_not_matter(run in prop::collection::vec(retirement(), 0..20)) {
        let low: Vec<_> = run
            .iter()
            .map(|retirement| Retirement {
                pc: retirement.pc & 0xffff_ffff,
                next_pc: retirement.next_pc & 0xffff_ffff,
                ..*retirement
            })
            .collect();
        let records = records(Xlen::Rv32, &run);
        prop_assert!(records.iter().all(|record| record.target <= 0xffff_ffff && record.next <= 0xffff_ffff));
        prop_assert_eq!(records, self::records(Xlen::Rv32, &low));
    }

    #[test]
    fn a_core_of_64_bits_shows_all_of_them(run in prop::collection::vec(retirement(), 1..20)) {
        let transfers = run.iter().filter(|one| !one.trap && one.insn != INSTRUCTIONS[4]);
        let targets: Vec<u64> = transfers.map(|one| one.next_pc).collect();
        let mut ingress = Ingress::new(Xlen::Rv64, 8);
        let own = run.iter().filter_map(|retirement| ingress.step(retirement, 1).own);
        prop_assert_eq!(own.map(|record| record.target).collect::<Vec<_>>(), targets);
    }
}
