//! Which extensions of the instruction set a program uses, and whether their control transfers are understood.
//!
//! The attributes section of a RISC-V ELF file names them in one string, such as `rv32i2p1_m2p0_c2p0_zcmp1p0` (the RISC-V
//! ELF psABI, section "Attributes", tag `Tag_RISCV_arch`). An instruction of an extension that [`decode`](crate::decode())
//! does not know makes no record, as it makes none in hardware; where such an instruction transfers control, graphs and
//! paths would be wrong without anybody noticing. So extensions that transfer control are refused by name. Of a vendor's
//! extension that is in neither table, instructions in the space of custom opcodes are no code: no path leads through one.

use object::elf::FileHeader32;
use object::read::elf::AttributesSection;
use object::{Endianness, File, Object, ObjectSection};

/// The tag of the string.
const TAG_ARCH: u64 = 5;

/// Standard extensions with control transfers beyond those of I and C, and what these are.
const TRANSFERS: [(&str, &str); 9] = [
    ("zcmp", "cm.popret and cm.popretz return"),
    ("zcmt", "cm.jt and cm.jalt jump and call through a table"),
    ("zce", "cm.popret returns and cm.jt jumps through a table"),
    ("zibi", "beqi and bnei branch"),
    (
        "xandesperf",
        "nds.bbc, nds.bbs, nds.beqc and nds.bnec branch",
    ),
    ("xcvbi", "cv.beqimm and cv.bneimm branch"),
    ("xcvhwlp", "hardware loops jump back without an instruction"),
    (
        "xesploop",
        "hardware loops jump back without an instruction",
    ),
    (
        "xqcibi",
        "its instructions compare with immediates and branch",
    ),
];

/// Extensions of vendors that transfer no control. Source: their specifications, by the names that GCC 15 and LLVM 20 know.
const HARMLESS: [&str; 27] = [
    "xcvalu",
    "xcvbitmanip",
    "xcvelw",
    "xcvmac",
    "xcvmem",
    "xcvsimd",
    "xmipscmov",
    "xmipslsp",
    "xsfvcp",
    "xsfvfnrclipxfqf",
    "xsfvfwmaccqqq",
    "xsfvqmaccdod",
    "xsfvqmaccqoq",
    "xtheadba",
    "xtheadbb",
    "xtheadbs",
    "xtheadcmo",
    "xtheadcondmov",
    "xtheadfmemidx",
    "xtheadfmv",
    "xtheadmac",
    "xtheadmemidx",
    "xtheadmempair",
    "xtheadsync",
    "xtheadvector",
    "xtheadvdot",
    "xventanacondops",
];

/// What the extensions of a program mean for reading its code.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Extensions {
    /// The first whose control transfers are not understood, and why.
    pub refused: Option<(String, String)>,
    /// Those of vendors that may transfer control or not.
    pub unknown: Vec<String>,
}

/// The extensions that a file says it uses. Linear in the section.
pub(crate) fn extensions(file: &File<'_>) -> object::Result<Extensions> {
    let Some(section) = file.section_by_name(".riscv.attributes") else {
        return Ok(Extensions::default());
    };
    let arch = arch(section.data()?, file.endianness())?;
    Ok(arch.map(|arch| judged(&arch)).unwrap_or_default())
}

/// Whether an instruction is in the space that is left to vendors: the major opcodes custom-0 to custom-3.
pub(crate) const fn is_custom(instruction: u32) -> bool {
    matches!(instruction & 0x7f, 0x0b | 0x2b | 0x5b | 0x7b)
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

fn judged(arch: &str) -> Extensions {
    let base = arch.trim_start_matches("rv32").trim_start_matches("rv64");
    let mut extensions = Extensions::default();
    for name in base.split('_').map(without_version) {
        let transfers = TRANSFERS.iter().find(|(known, _)| *known == name);
        if let Some((_, why)) = transfers {
            let refused = || (name.to_owned(), (*why).to_owned());
            extensions.refused.get_or_insert_with(refused);
        } else if name.starts_with('x') && !HARMLESS.contains(&name) {
            extensions.unknown.push(name.to_owned());
        }
    }
    extensions
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
    fn extensions_with_transfers_of_their_own_are_named() {
        let name = |arch| judged(arch).refused.map(|(name, _)| name);
        assert_eq!(name("rv32i2p1_m2p0_a2p1_c2p0_zicsr2p0_zcb1p0"), None);
        assert_eq!(name("rv64i2p1_f2p2_d2p2_c2p0_v1p0_zvl128b1p0"), None);
        assert_eq!(name("rv32i2p1_c2p0_zca1p0_zcmp1p0"), Some("zcmp".into()));
        assert_eq!(name("rv32e1p9_zcmt1p0"), Some("zcmt".into()));
        assert_eq!(name("rv32i_xcvbi1p0"), Some("xcvbi".into()));
    }

    #[test]
    fn extensions_of_vendors_are_harmless_or_unknown() {
        let unknown = |arch| judged(arch).unknown;
        assert!(unknown("rv64i2p1_m2p0_a2p1_c2p0_xtheadba1p0_xtheadbb1p0").is_empty());
        assert_eq!(unknown("rv32i2p1_xnobody1p0_xcvmac1p0"), ["xnobody"]);
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
