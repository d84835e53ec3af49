//! Retirements, as each ingress sees them.

use super::Target;
use super::bytes::Bytes;
use hpp_golden::branch::BranchRecord;
use hpp_golden::ingress::trace::{Block, Trace, TraceForm};
use hpp_golden::ingress::{Ingress, LastStage, Retire, Retirement, Rvfi, RvfiNext, Xlen, decode};

pub const TARGET: Target = Target {
    name: "retirements",
    run,
    seeds: || {
        // `beq` on, `jal x1`, `c.jr x1`, `mret`, and bytes that are none.
        let instructions: [u32; 5] = [0x0000_0463, 0x0080_00ef, 0x8082, 0x3020_0073, 0xffff_ffff];
        let each = instructions.iter().flat_map(|insn| {
            let mut bytes = vec![0, 1, 0, 0, 0, 0];
            bytes.extend(insn.to_le_bytes());
            bytes.resize(24, 4);
            bytes
        });
        vec![each.clone().collect(), each.rev().collect()]
    },
};

/// An address in a small piece of the address space, so that runs fall upon what they know, or anywhere.
fn address(bytes: &mut Bytes<'_>, xlen: Xlen) -> u64 {
    let address = match bytes.any::<bool>() {
        true => bytes.any::<u64>(),
        false => u64::from(bytes.any::<u8>()),
    };
    match xlen {
        Xlen::Rv32 => address & 0xffff_fffe,
        Xlen::Rv64 => address & !1,
    }
}

/// Records hold addresses of the core and events of their width; an interrupt is one record and an instruction another.
fn run(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let xlen = if bytes.any() { Xlen::Rv64 } else { Xlen::Rv32 };
    let event_bits = bytes.between(1, 16);
    let form = TraceForm {
        short_itype: bytes.any(),
        single: bytes.any(),
    };
    let mut ingress = Ingress::new(xlen, event_bits);
    let mut rvfi = Rvfi::new(xlen, event_bits);
    let mut following = Rvfi::new(xlen, event_bits).with_next(RvfiNext::Retirement);
    let mut retire = Retire::new(xlen, event_bits);
    let mut trace = Trace::new(form, xlen, event_bits);
    let fits = |record: &BranchRecord| {
        let wide = |address: u64| matches!(xlen, Xlen::Rv32) && address >> 32 != 0;
        assert!(!wide(record.target) && !wide(record.next), "{record:?}");
        assert!(u64::from(record.events) < 1 << event_bits, "{record:?}");
    };
    while !bytes.is_empty() {
        let pc = address(&mut bytes, xlen);
        let retirement = Retirement {
            pc,
            insn: bytes.any(),
            next_pc: address(&mut bytes, xlen),
            trap: bytes.any(),
            intr: bytes.any(),
            ..Retirement::default()
        };
        let events = bytes.between(0, (1 << event_bits) - 1);
        let instruction = decode(retirement.insn, pc, xlen);
        assert!(matches!(
            instruction.next.wrapping_sub(pc) & 0xffff_ffff,
            2 | 4
        ));
        ingress
            .step(&retirement, events)
            .into_iter()
            .for_each(|record| fits(&record));
        for rvfi in [&mut rvfi, &mut following] {
            let records = rvfi.step(&retirement, events);
            records.into_iter().for_each(|record| fits(&record));
        }
        let stage = LastStage {
            pc,
            insn: retirement.insn,
            expanded: bytes.any(),
            trap: retirement.trap,
            ..LastStage::default()
        };
        retire.step(&stage, events).iter().for_each(fits);
        let block = match bytes.any() {
            true => Block::of(&retirement, xlen, form),
            false => Block {
                itype: bytes.any::<u8>() & if form.short_itype { 7 } else { 15 },
                iaddr: pc,
                iretire: bytes.any(),
                ilastsize: bytes.any::<u8>() & 1,
                context: 0,
            },
        };
        trace
            .step(&block, events)
            .into_iter()
            .for_each(|record| fits(&record));
    }
}
