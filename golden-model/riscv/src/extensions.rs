//! Which extension of the instruction set an encoding belongs to, where several share it.
//!
//! An ELF file names the extensions of its code in one string, such as `rv32i2p1_m2p0_c2p0_zcmp1p0` (the RISC-V ELF psABI, section "Attributes", tag
//! `Tag_RISCV_arch`), and code of a part of it by a mapping symbol `$xrv32i2p1...` (section "Mapping Symbol"). Neither need name what a function's
//! attribute or a directive turned on. So an encoding that only one extension has is that extension's whatever the names say, and names decide
//! between those that several have:
//!
//! | encoding | has it | decided by |
//! | --- | --- | --- |
//! | `c.fsdsp` | Zcd; Zcmp, Zcmt, Xqccmp, Xqccmt, which exclude Zcd | the names for this code; else what its function does ([`Evidence`]) |
//! | custom opcodes | vendors | the names; where none is a vendor's, it is a branch if it is one for any |

use hpp_golden::ingress::decode::{Vendor, Zcm};
use object::elf::FileHeader32;
use object::read::elf::AttributesSection;
use object::{Endianness, File, Object, ObjectSection};

/// The tag of the string.
const TAG_ARCH: u64 = 5;

/// Extensions whose control transfers cannot be followed, and why.
const REFUSED: [&str; 1] = ["xesploop"];
const LOOPS: &str = "hardware loops jump back without an instruction";

/// Prefixes of the names of vendors' extensions all of whose control transfers [`decode`](mod@crate::decode) knows. Source: LLVM 23.1.4, with whose
/// disassembler all of them but `xaifet` are compared (`hpp-golden`'s test `ingress`).
const KNOWN: [&str; 11] = [
    "xaifet", "xandes", "xcv", "xmips", "xqc", "xsf", "xsifive", "xsmt", "xthead", "xventana",
    "xwchc",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Architecture {
    /// `c.fsdsp` is there.
    pub zcd: bool,
    /// Zcmp, Zcmt or their variants have its encodings instead.
    pub zcm: bool,
    /// Whose the custom opcodes are.
    pub vendor: Vendor,
    /// Extensions of vendors that may transfer control or not.
    pub unknown: Vec<String>,
    /// The first whose control transfers are not understood, and why.
    pub refused: Option<(String, String)>,
}

impl Architecture {
    /// The architecture of a file; `None` if it names none. Linear in the section.
    pub fn of_file(file: &File<'_>) -> object::Result<Option<Self>> {
        let Some(section) = file.section_by_name(".riscv.attributes") else {
            return Ok(None);
        };
        let arch = arch(section.data()?, file.endianness())?;
        Ok(arch.as_deref().map(Self::of))
    }

    /// The architecture that a string names.
    pub fn of(arch: &str) -> Self {
        let arch = arch.to_lowercase();
        let base = arch.trim_start_matches("rv32").trim_start_matches("rv64");
        let names: Vec<&str> = base.split('_').map(without_version).collect();
        let has = |name: &str| names.contains(&name);
        let vendors = || names.iter().filter(|name| name.starts_with('x'));
        let is_known = |name: &str| KNOWN.iter().any(|known| name.starts_with(known));
        let of_vendor = |prefix| vendors().any(|name| name.starts_with(prefix));
        let refused = REFUSED.into_iter().find(|name| has(name));
        Self {
            zcd: has("zcd") || has("c") && has("d"),
            zcm: ["zcmp", "zcmt", "zce", "xqccmp", "xqccmt"]
                .into_iter()
                .any(has),
            vendor: match vendors().next() {
                None => Vendor::Any,
                Some(_) if of_vendor("xcv") => Vendor::CoreV,
                Some(_) if of_vendor("xandes") => Vendor::Andes,
                Some(_) if of_vendor("xqc") => Vendor::Qualcomm,
                Some(_) => Vendor::None,
            },
            unknown: vendors()
                .filter(|name| !is_known(name))
                .map(|&name| name.to_owned())
                .collect(),
            refused: refused.map(|name| (name.to_owned(), LOOPS.to_owned())),
        }
    }
}

/// Whether an instruction is in the space that is left to vendors: the major opcodes custom-0 to custom-3, 48 bits, and the shifts that RV32 lacks.
pub(crate) const fn is_custom(instruction: u64) -> bool {
    matches!(instruction & 0x7f, 0x0b | 0x2b | 0x5b | 0x7b)
        || instruction & 0x3f == 0x1f
        || instruction & 0xf003 == 0x1002
}

/// What a function's instructions say about its encodings that are `c.fsdsp` or Zcmp's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    pub first: Option<u64>,
    /// It computes with D, or moves its registers.
    double: bool,
    /// Lists of registers that are pushed.
    pushed: Vec<u8>,
    /// What is pushed returns, or control goes through the table that the linker made.
    zcm: bool,
}

impl Evidence {
    /// The evidence of a function's instructions with their addresses, in order. `has_table`: there is a table for `cm.jt`.
    pub fn of(code: impl Iterator<Item = (u64, u64)>, has_table: bool) -> Self {
        let mut found = Self::default();
        for (address, insn) in code {
            found.double |= is_double(insn);
            let Some(zcm) = short(insn).and_then(Zcm::of) else {
                continue;
            };
            found.first = found.first.or(Some(address));
            match zcm {
                Zcm::Push(list) => found.pushed.push(list),
                Zcm::PopReturn(list) => found.zcm |= found.pushed.contains(&list),
                Zcm::Table(_) => found.zcm |= has_table,
                Zcm::Straight => {}
            }
        }
        found
    }

    /// Whether they are Zcmp's, in a file with these extensions; `None` if it is not known.
    pub const fn decides(&self, file: Option<&Architecture>) -> Option<bool> {
        match (self.zcm, self.double, file) {
            (true, false, _) => Some(true),
            (_, _, Some(Architecture { zcm: false, .. })) | (false, true, _) => Some(false),
            _ => None,
        }
    }
}

/// The half word of a compressed instruction.
pub(crate) const fn short(insn: u64) -> Option<u32> {
    if insn & 3 == 3 {
        None
    } else {
        Some(insn as u32 & 0xffff)
    }
}

/// Whether an instruction, other than those in question, is one of D.
fn is_double(insn: u64) -> bool {
    let funct3 = insn >> 12 & 7;
    match (short(insn), insn & 0x7f) {
        (Some(half), _) => match (half & 3, half >> 13) {
            (0, 1 | 5) | (2, 1) => true,
            (2, 5) => Zcm::of(half).is_none(),
            _ => false,
        },
        (None, 0x07 | 0x27) => funct3 == 3,
        (None, 0x43 | 0x47 | 0x4b | 0x4f | 0x53) => insn >> 25 & 3 == 1,
        _ => false,
    }
}
/// The string. The section has one form for both widths.
fn arch(data: &[u8], endian: Endianness) -> object::Result<Option<String>> {
    let section = AttributesSection::<FileHeader32<Endianness>>::new(endian, data)?;
    let mut subsections = section.subsections()?;
    while let Some(subsection) = subsections.next()? {
        let mut parts = subsection.subsubsections();
        while let Some(part) = parts.next()? {
            let mut attributes = part.attributes();
            while let Some(tag) = attributes.read_tag()? {
                // Odd tags have strings, even ones numbers.
                match tag {
                    TAG_ARCH => {
                        let arch = attributes.read_string()?;
                        return Ok(Some(String::from_utf8_lossy(arch).to_lowercase()));
                    }
                    _ if tag % 2 == 1 => drop(attributes.read_string()?),
                    _ => drop(attributes.read_integer()?),
                }
            }
        }
    }
    Ok(None)
}

/// `zcmp` of `zcmp1p0`.
fn without_version(extension: &str) -> &str {
    let major = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let minor = &extension[..major(extension)];
    let Some(before) = minor.strip_suffix('p') else {
        return minor;
    };
    let name = &before[..major(before)];
    // The p is the version's only if a digit stands before it.
    if name.len() < before.len() && minor.len() < extension.len() {
        name
    } else {
        minor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_what_shared_encodings_are() {
        let of = |arch| {
            let found = Architecture::of(arch);
            (found.zcd, found.zcm, found.vendor)
        };
        assert_eq!(
            of("rv32i2p1_m2p0_c2p0_zicsr2p0_zcb1p0"),
            (false, false, Vendor::Any)
        );
        assert_eq!(
            of("rv64i2p1_f2p2_d2p2_c2p0_v1p0_zvl128b1p0"),
            (true, false, Vendor::Any)
        );
        assert_eq!(
            of("rv32i2p1_f2p2_d2p2_zca1p0_zcmt1p0"),
            (false, true, Vendor::Any)
        );
        assert_eq!(
            of("rv32i2p1_c2p0_xqccmp0p3"),
            (false, true, Vendor::Qualcomm)
        );
        assert_eq!(of("rv32i_xcvbi1p0"), (false, false, Vendor::CoreV));
        assert_eq!(
            of("rv64i2p1_zcd1p0_xtheadba1p0"),
            (true, false, Vendor::None)
        );
    }

    #[test]
    fn extensions_of_vendors_are_known_or_not() {
        let unknown = |arch| Architecture::of(arch).unknown;
        assert!(unknown("rv64i2p1_m2p0_a2p1_c2p0_xtheadba1p0_xtheadbb1p0").is_empty());
        assert_eq!(unknown("rv32i2p1_xnobody1p0_xcvmac1p0"), ["xnobody"]);
        let refused = |arch| Architecture::of(arch).refused.map(|(name, _)| name);
        assert_eq!(refused("rv32i2p1_xesploop1p0"), Some("xesploop".into()));
        assert_eq!(
            refused("rv32i2p1_c2p0_zcmp1p0_zcmt1p0_xcvbi1p0_xcvhwlp1p0"),
            None
        );
    }

    #[test]
    fn versions_are_no_part_of_names() {
        let names = [
            "zcmp1p0",
            "zcmp",
            "i2p1",
            "c",
            "zve32x1p0",
            "zvl128b1p0",
            "zcmp2",
        ];
        let bare = names.map(without_version);
        assert_eq!(
            bare,
            ["zcmp", "zcmp", "i", "c", "zve32x", "zvl128b", "zcmp"]
        );
    }
}
