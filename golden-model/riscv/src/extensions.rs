//! Which extensions of the instruction set a program uses, and whether their control transfers are understood.
//!
//! The attributes section of a RISC-V ELF file names them in one string, such as `rv32i2p1_m2p0_c2p0_zcmp1p0` (the RISC-V
//! ELF psABI, section "Attributes", tag `Tag_RISCV_arch`). An instruction of an extension that [`decode`](crate::decode())
//! does not know makes no record, as it makes none in hardware; where such an instruction transfers control, graphs and
//! paths would be wrong without anybody noticing. So these extensions are refused by name.

use object::elf::FileHeader32;
use object::read::elf::AttributesSection;
use object::{Endianness, File, Object, ObjectSection};

/// The tag of the string.
const TAG_ARCH: u64 = 5;

/// Standard extensions with control transfers beyond those of I and C, and what these are.
const TRANSFERS: [(&str, &str); 4] = [
    ("zcmp", "cm.popret and cm.popretz return"),
    ("zcmt", "cm.jt and cm.jalt jump and call through a table"),
    ("zce", "cm.popret returns and cm.jt jumps through a table"),
    ("zibi", "beqi and bnei branch"),
];

/// An extension whose control transfers are not understood, and why; `None` if there is none, or the file does not say
/// what it uses. Linear in the section.
pub(crate) fn not_understood(file: &File<'_>) -> object::Result<Option<(String, String)>> {
    let Some(section) = file.section_by_name(".riscv.attributes") else {
        return Ok(None);
    };
    let arch = arch(section.data()?, file.endianness())?;
    Ok(arch.and_then(|arch| refused(&arch)))
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

/// The first extension of an architecture string whose control transfers are not understood, and why.
fn refused(arch: &str) -> Option<(String, String)> {
    let base = arch.trim_start_matches("rv32").trim_start_matches("rv64");
    base.split('_').map(without_version).find_map(|name| {
        let standard = TRANSFERS.iter().find(|(known, _)| *known == name);
        let why = match standard {
            Some((_, why)) => (*why).to_owned(),
            None if name.starts_with('x') => "a vendor's instructions may branch".to_owned(),
            None => return None,
        };
        Some((name.to_owned(), why))
    })
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
        let name = |arch| refused(arch).map(|(name, _)| name);
        assert_eq!(name("rv32i2p1_m2p0_a2p1_c2p0_zicsr2p0_zcb1p0"), None);
        assert_eq!(name("rv64i2p1_f2p2_d2p2_c2p0_v1p0_zvl128b1p0"), None);
        assert_eq!(name("rv32i2p1_c2p0_zca1p0_zcmp1p0"), Some("zcmp".into()));
        assert_eq!(name("rv32e1p9_zcmt1p0"), Some("zcmt".into()));
        assert_eq!(name("rv32i_xcvbi1p0"), Some("xcvbi".into()));
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
