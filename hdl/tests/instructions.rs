//! Every instruction through the retire ingress in rust-hdl simulation, against its model: half words, and of words and the beginnings of longer
//! instructions each field that selects an instruction or a direction. `llvm.rs` of the golden model holds what decodes them there to a disassembler.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{LastStage, Retire, Xlen};
use hpp_hdl::ingress::RetireIngress;
use hpp_hdl::sim::Simulator;
use hpp_hdl::{IngressOptions, Vendor};

/// A permutation of 64-bit words (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", figure 15).
const fn mixed(word: u64) -> u64 {
    let a = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ a >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ b >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ c >> 31
}

/// The half words; then bits 6 to 2, 14 to 12, 24 to 20 and 31, with the others zero, few or random.
fn instructions() -> impl Iterator<Item = u32> {
    let halves = (0..=0xffff_u32).filter(|half| half & 3 != 3);
    let words = (0..1_u32 << 14).flat_map(|n| {
        let fields =
            3 | (n & 0x1f) << 2 | (n >> 5 & 7) << 12 | (n >> 8 & 0x1f) << 20 | n >> 13 << 31;
        let others = 0x7e0f_8f80;
        let random = [0, 1, 2].map(|draw| mixed(u64::from(n) << 2 | draw));
        let few = random[1] as u32 & (random[1] >> 32) as u32 & random[2] as u32;
        [0, few, random[0] as u32].map(|free| fields | free & others)
    });
    halves.chain(words)
}

/// The records of a circuit and of its model, for instructions one after the other that lead to the next address and elsewhere.
fn records(xlen: Xlen, options: &IngressOptions) -> [Vec<BranchRecord>; 2] {
    let geometry = Geometry {
        pc_bits: if xlen == Xlen::Rv32 { 32 } else { 64 },
        stack_check: true,
        ..Geometry::default()
    };
    let mut circuit = Simulator::new(RetireIngress::new(&geometry, options));
    let model = Retire::new(xlen, geometry.event_bits).with_geometry(&geometry);
    let mut model = model.with_extensions(options.extensions());
    circuit.reset();
    circuit.set("retire_valid", 1);
    circuit.set("records_ready", 1);
    // An input that is 0.
    circuit.set("event_select", 2);
    circuit.set("enable", 1);
    let mut all = [Vec::new(), Vec::new()];
    let mut after = 0;
    let quiet = [0; 8].map(|nop| nop | 0x13);
    for (place, insn) in instructions().chain(quiet).enumerate() {
        let elsewhere = mixed(place as u64) & !1;
        let pc = if elsewhere & 2 == 0 { after } else { elsewhere };
        let stage = LastStage {
            pc: xlen.wrap(pc),
            insn,
            ..LastStage::default()
        };
        after = stage.pc + [2, 2, 2, 4, 6][(insn as usize & 3) + usize::from(insn & 0x3f == 0x1f)];
        all[1].extend(model.step(&stage, 0));
        circuit.set("retire_insn", insn.into());
        circuit.set("retire_pc", stage.pc);
        circuit.tick();
        if circuit.get("records_valid") == 1 {
            let kind = BranchKind::from_code(circuit.get("records_kind") as u8);
            let taken = circuit.get("records_taken") == 1;
            let [target, next] =
                ["records_target", "records_next_address"].map(|port| circuit.get(port));
            all[0].push(BranchRecord::new(kind, taken, target, next));
        }
    }
    all
}

#[test]
fn every_instruction_makes_the_record_of_the_model() {
    let all = [
        (Xlen::Rv32, false, Vendor::None),
        (Xlen::Rv32, true, Vendor::CoreV),
        (Xlen::Rv32, false, Vendor::Andes),
        (Xlen::Rv32, true, Vendor::Qualcomm),
        (Xlen::Rv64, true, Vendor::Andes),
        (Xlen::Rv64, false, Vendor::Qualcomm),
    ];
    for (xlen, zcmp, vendor) in all {
        let options = IngressOptions {
            vendor,
            zcmp,
            ..IngressOptions::default()
        };
        let [of_circuit, of_model] = records(xlen, &options);
        let differs = of_circuit.iter().zip(&of_model).find(|(a, b)| a != b);
        assert_eq!(
            differs, None,
            "{vendor:?}, {xlen:?}, Zcmp {zcmp}: circuit, model"
        );
        assert_eq!(of_circuit.len(), of_model.len(), "{vendor:?}, {xlen:?}");
    }
}
