//! The classification against LLVM's disassembler, for sets of the extensions that it knows: all half words, every field of words that selects an
//! instruction, with random registers and immediates, and the same of Qualcomm's 48 bits.
//!
//! `files/llvm.txt` has what [`decode_as`] said when LLVM agreed. To ask another LLVM, which then writes it:
//! `HPP_LLVM_OBJDUMP=llvm-objdump HPP_BLESS=1 cargo test --release --workspace --test ingress llvm`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use hpp_golden::branch::BranchKind::{
    self, Backward, Call, Forward, Indirect, IndirectCall, Return, TrapReturn,
};
use hpp_golden::ingress::{Extensions, Vendor, Xlen, decode_as};
use object::write::Object;
use object::{Architecture, BinaryFormat, Endianness, SectionKind};

/// Extensions of LLVM 23 that no set below excludes. The other sets have them, too.
const STANDARD: &str = "m,a,b,v,h,zca,zcb,zcmop,zimop,zicond,zicbom,zicbop,zicboz,zifencei,zawrs,zabha,zacas,zalasr,zfa,zfbfmin,zfh,zbc,zbkb,zbkx,zk,zks,\
    zvkng,zvksg,zvfh,zvbc,zvfbfwma,svinval,smrnmi,smctr,ssctr,sdext,experimental-zibi,experimental-zicfiss,experimental-zicfilp";

/// Name, width of registers, what these are to [`decode_as`], and what LLVM calls them.
#[rustfmt::skip]
const SETS: [(&str, Xlen, Vendor, bool, &str); 19] = [
    ("rv32", Xlen::Rv32, Vendor::None, false, "f,d,q,c"),
    ("rv64", Xlen::Rv64, Vendor::None, false, "f,d,q,c"),
    ("rv32-zcm", Xlen::Rv32, Vendor::None, true, "zcmp,zcmt"),
    ("rv64-zcm", Xlen::Rv64, Vendor::None, true, "zcmp,zcmt"),
    ("rv32-inx", Xlen::Rv32, Vendor::None, false, "zhinx,zdinx,zilsd,zclsd"),
    ("rv32-p", Xlen::Rv32, Vendor::None, false, "experimental-p"),
    ("rv64-p", Xlen::Rv64, Vendor::None, false, "experimental-p"),
    ("rv32-corev", Xlen::Rv32, Vendor::CoreV, false, "xcvalu,xcvbi,xcvbitmanip,xcvelw,xcvmac,xcvmem,xcvsimd"),
    ("rv32-andes", Xlen::Rv32, Vendor::Andes, false, "f,d,xandesperf,xandesbfhcvt,xandesvbfhcvt,xandesvdot,xandesvpackfph,xandesvsinth,xandesvsintload"),
    ("rv64-andes", Xlen::Rv64, Vendor::Andes, false, "f,d,xandesperf,xandesbfhcvt,xandesvbfhcvt,xandesvdot,xandesvpackfph,xandesvsinth,xandesvsintload"),
    ("rv32-qualcomm", Xlen::Rv32, Vendor::Qualcomm, true, "xqci,xqccmp,experimental-xqccmt"),
    ("rv64-qualcomm-zcm", Xlen::Rv64, Vendor::None, true, "xqccmp,experimental-xqccmt"),
    ("rv64-mips", Xlen::Rv64, Vendor::None, false, "f,d,c,xmipscbop,xmipscmov,xmipsexectl,xmipslsp"),
    ("rv32-sifive", Xlen::Rv32, Vendor::None, false, "f,d,c,xsfcease,xsfvcp,xsfvfbfexp16e,xsfvfexpa64e,xsfvfnrclipxfqf,xsfvfwmaccqqq,xsfvqmaccdod,xsifivecdiscarddlone,xsifivecflushdlone,experimental-xsfmclic,experimental-xsfsclic"),
    ("rv64-sifive", Xlen::Rv64, Vendor::None, false, "f,d,c,xsfmm128t,xsfmm32a8f,xsfmm32a8i,xsfmm64a64f,xsfvqmaccqoq,xsfcease"),
    ("rv32-thead", Xlen::Rv32, Vendor::None, false, "f,d,c,xtheadba,xtheadbb,xtheadbs,xtheadcmo,xtheadcondmov,xtheadfmemidx,xtheadmac,xtheadmemidx,xtheadmempair,xtheadsync,xtheadvdot"),
    ("rv64-thead", Xlen::Rv64, Vendor::None, false, "f,d,c,xtheadba,xtheadbb,xtheadbs,xtheadcmo,xtheadcondmov,xtheadfmemidx,xtheadmac,xtheadmemidx,xtheadmempair,xtheadsync,xtheadvdot"),
    ("rv64-ventana", Xlen::Rv64, Vendor::None, false, "f,d,c,xventanacondops,xsmtvdot,xsmtvdotii"),
    ("rv32-wch", Xlen::Rv32, Vendor::None, false, "c,xwchc"),
];

/// A permutation of 64-bit words (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", figure 15).
const fn mixed(word: u64) -> u64 {
    let a = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ a >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ b >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ c >> 31
}

/// Kind, whether it may fall through, and how far it goes if that is in the instruction.
type Class = Option<(BranchKind, bool, Option<i64>)>;

fn halves() -> impl Iterator<Item = u64> {
    (0..=0xffff_u64).filter(|half| half & 3 != 3)
}

/// Every major opcode, `funct3` and bits 31 to 20, with random registers; of SYSTEM with registers 0, too.
fn words() -> impl Iterator<Item = u64> {
    let fields = (0..32_u64).filter(|opcode| opcode & 7 != 7);
    let fields = fields.flat_map(|opcode| (0..8).map(move |funct3| opcode << 2 | 3 | funct3 << 12));
    let words = fields.flat_map(|low| (0..1 << 12).map(move |high| low | high << 20));
    let registers = |word: u64| word | mixed(word) & 0x000f_8f80;
    words
        .map(registers)
        .chain((0..1 << 12).map(|high| high << 20 | 0x73))
}

/// 48 bits: bit 6, `funct3`, and bits 31, 30 and 24 to 15, with the other bits random, four times.
fn long_words() -> impl Iterator<Item = u64> {
    let bits = |n: u64| (n & 1) << 6 | (n >> 1 & 7) << 12 | (n >> 4 & 0x3ff) << 15 | n >> 14 << 30;
    let random = |n: u64| mixed(n) & 0xffff_3e00_0f80;
    (0..1 << 18).map(move |n| 0x1f | bits(n & 0xffff) | random(n))
}

const fn length(insn: u64) -> u64 {
    match insn {
        _ if insn & 3 != 3 => 2,
        _ if insn & 0x1f == 0x1f => 6,
        _ => 4,
    }
}

fn of(insn: u64, xlen: Xlen, extensions: Extensions) -> Class {
    // Far from both ends of the addresses.
    let pc = 1 << 31;
    let decoded = decode_as(insn, pc, xlen, extensions);
    // Of 48 bits is what is Qualcomm's.
    if length(insn) < 6 || extensions.vendor == Vendor::Qualcomm {
        assert_eq!(decoded.next, pc + length(insn), "{insn:#x}");
    }
    let transfer = decoded.transfer?;
    let by = |target: u64| xlen.wrap(target).wrapping_sub(pc) as i64;
    Some((transfer.kind, transfer.conditional, transfer.target.map(by)))
}

/// What LLVM has no instruction for, or none of the program's flow: levels of trap returns without a name, `jalr` with another `funct3`, reserved branches.
const fn is_beyond(insn: u64) -> bool {
    insn & 0xcfff_ffff == 0x0020_0073 || insn & 0x7f == 0x67 && insn >> 12 & 7 != 0
}

/// A row for each kind: how many, and their CRC.
fn rows(set: &str, xlen: Xlen, extensions: Extensions, table: &mut String) {
    for (what, insns) in [
        ("16", halves().collect::<Vec<_>>()),
        ("32", words().collect()),
        ("48", long_words().collect()),
    ] {
        let classes = insns
            .iter()
            .filter_map(|&insn| Some((insn, of(insn, xlen, extensions)?)));
        let mut kinds: Vec<_> = classes.collect();
        kinds.sort_by_key(|&(insn, (kind, conditional, _))| {
            (format!("{kind:?}"), conditional, insn)
        });
        for kind in kinds.chunk_by(|a, b| (a.1.0, a.1.1) == (b.1.0, b.1.1)) {
            let mut crc = crc32fast::Hasher::new();
            for (insn, (.., by)) in kind {
                crc.update(&insn.to_le_bytes());
                crc.update(&by.unwrap_or(i64::MIN).to_le_bytes());
            }
            let (name, flow) = (kind[0].1.0, if kind[0].1.1 { "branch" } else { "jump" });
            writeln!(
                table,
                "{set} {what} {name:?} {flow} {} {:08x}",
                kind.len(),
                crc.finalize()
            )
            .expect("a text");
        }
    }
}

/// An object file with each instruction at a multiple of 8, `c.nop` behind it.
fn object(insns: &[u64], xlen: Xlen) -> Vec<u8> {
    const NOPS: u64 = 0x0001_0001_0001_0001;
    let architecture = match xlen {
        Xlen::Rv32 => Architecture::Riscv32,
        Xlen::Rv64 => Architecture::Riscv64,
    };
    let mut file = Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
    let text = file.add_section(Vec::new(), b".text".to_vec(), SectionKind::Text);
    let filled = |insn: &u64| (insn | NOPS << (8 * length(*insn))).to_le_bytes();
    let code: Vec<u8> = insns.iter().flat_map(filled).collect();
    file.append_section_data(text, &code, 8);
    file.write().expect("an object file")
}

fn link(register: u32) -> bool {
    matches!(register, 1 | 5)
}

fn jump(offset: i64) -> BranchKind {
    if offset > 0 { Forward } else { Backward }
}

/// By the hints of the ISA manual.
fn jalr(rd: u32, rs1: u32) -> BranchKind {
    match (link(rd), link(rs1)) {
        (true, false) => IndirectCall,
        (true, true) if rd == rs1 => IndirectCall,
        (false, true) => Return,
        _ => Indirect,
    }
}

/// What a line of the disassembler says of the instruction at an address.
fn said(at: u64, text: &str) -> Class {
    let (mnemonic, operands) = text.split_once('\t').unwrap_or((text, ""));
    let operands = operands.split([',', ' ', '(', ')', '\t']);
    let operands: Vec<&str> = operands.filter(|operand| !operand.is_empty()).collect();
    let register = |n: usize| -> u32 {
        let number = operands[n].trim_start_matches('x');
        number.parse().expect("a register")
    };
    let to = || {
        let mut targets = operands.iter().filter_map(|shown| shown.strip_prefix("0x"));
        let target = targets.next_back().expect("a target");
        let target = u64::from_str_radix(target, 16).expect("a number");
        // Addresses have 32 bits or 64.
        i64::from(target.wrapping_sub(at) as i32)
    };
    let direct = |kind| Some((kind, false, Some(to())));
    let computed = |kind| Some((kind, false, None));
    match mnemonic {
        "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "beqi" | "bnei" | "c.beqz" | "c.bnez"
        | "cv.beqimm" | "cv.bneimm" | "nds.bbc" | "nds.bbs" | "nds.beqc" | "nds.bnec"
        | "qc.beqi" | "qc.bnei" | "qc.blti" | "qc.bgei" | "qc.bltui" | "qc.bgeui" | "qc.e.beqi"
        | "qc.e.bnei" | "qc.e.blti" | "qc.e.bgei" | "qc.e.bltui" | "qc.e.bgeui" => {
            Some((jump(to()), true, Some(to())))
        }
        "jal" if link(register(0)) => direct(Call),
        "c.jal" | "qc.e.jal" => direct(Call),
        "jal" | "c.j" | "qc.e.j" => direct(jump(to())),
        "jalr" => computed(jalr(register(0), register(2))),
        "c.jr" => computed(jalr(0, register(0))),
        "c.jalr" => computed(jalr(1, register(0))),
        "sret" | "mret" | "qc.c.mret" | "qc.c.mnret" | "qc.c.mileaveret" => computed(TrapReturn),
        "cm.popret" | "cm.popretz" | "qc.cm.popret" | "qc.cm.popretz" => computed(Return),
        "cm.jt" | "qc.cm.jt" => computed(Forward),
        "cm.jalt" | "qc.cm.jalt" => computed(Call),
        _ => {
            let is_straight = !text.contains('<') || text.contains("<unknown>");
            assert!(is_straight, "LLVM knows where it leads: {text}");
            None
        }
    }
}

fn printed(command: &mut Command) -> String {
    let output = command.output().expect("the disassembler runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    let is_good = output.status.success() && complaint.is_empty();
    assert!(is_good, "{complaint}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Compares instruction by instruction. The mnemonics that transfer nothing.
fn ask(
    objdump: &str,
    insns: &[u64],
    xlen: Xlen,
    extensions: Extensions,
    features: &str,
) -> BTreeSet<String> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("llvm.o");
    std::fs::write(&file, object(insns, xlen)).expect("an object file");
    let features = format!("--mattr=+{STANDARD},{features}").replace(',', ",+");
    let options = ["-d", "-M", "no-aliases,numeric", &features];
    let text = printed(Command::new(objdump).args(options).arg(&file));
    let (mut straight, mut wrong) = (BTreeSet::new(), Vec::new());
    let mut compared = 0;
    for line in text.lines() {
        let Some((place, rest)) = line.split_once(": ") else {
            continue;
        };
        let at = u64::from_str_radix(place.trim(), 16);
        let Some(at) = at.ok().filter(|at| at % 8 == 0) else {
            continue;
        };
        let insn = insns[at as usize / 8];
        let (_, text) = rest.split_once('\t').expect("bytes, then text");
        compared += 1;
        let ours = of(insn, xlen, extensions);
        let known = !text.contains("<unknown>");
        if (known || !is_beyond(insn)) && ours != said(at, text) {
            wrong.push(format!("{insn:#x}: {text}, {ours:?}"));
        }
        if known && ours.is_none() {
            straight.extend(text.split('\t').next().map(str::to_owned));
        }
    }
    assert_eq!(compared, insns.len(), "a line for each");
    let (count, first) = (wrong.len(), &wrong[..wrong.len().min(20)]);
    assert_eq!(count, 0, "wrong of {extensions:?} {xlen:?}: {first:#?}");
    straight
}

#[test]
fn every_instruction_is_classified_as_llvm_does() {
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ingress/files/llvm.txt");
    let objdump = std::env::var("HPP_LLVM_OBJDUMP");
    let mut table = String::new();
    for (set, xlen, vendor, zcm, features) in SETS {
        let extensions = Extensions { zcm, vendor };
        if let Ok(objdump) = &objdump {
            let all: Vec<u64> = halves().chain(words()).chain(long_words()).collect();
            let straight = ask(objdump, &all, xlen, extensions, features);
            println!("{set}: these transfer no control: {straight:?}");
        }
        rows(set, xlen, extensions, &mut table);
    }
    if let (Ok(objdump), Ok("1")) = (&objdump, std::env::var("HPP_BLESS").as_deref()) {
        let versions = printed(Command::new(objdump).arg("--version"));
        let version = versions.lines().find(|line| line.contains("version"));
        let version = version.expect("a version").trim();
        let head = format!(
            "# {version}: extensions, length, kind, whether it may fall through, how many, CRC-32 of instruction and offset (tests/ingress/llvm.rs)\n"
        );
        std::fs::write(place, head + &table).expect("the table is written");
    } else {
        let old = std::fs::read_to_string(place).expect("the table");
        let (_, old) = old.split_once('\n').expect("a heading");
        assert_eq!(old, table, "decode has changed: ask LLVM again");
    }
}
