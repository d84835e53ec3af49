//! Small linked RISC-V programs for tests: an assembler for the few instructions they need, and an ELF writer.

use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, SectionHeader, Sym, SymbolIndex, Writer};

/// Where the code of a test program begins.
pub const BASE: u64 = 0x1_0000;

/// `addi x0, x0, 0`.
pub const NOP: u32 = 0x0000_0013;
/// `jalr x0, 0(x1)`.
pub const RET: u32 = 0x0000_8067;
/// `jalr x0, 0(x15)`.
pub const JR: u32 = 0x0007_8067;

/// `beq x0, x0, .+offset`.
pub fn beq(offset: i32) -> u32 {
    let o = offset as u32;
    (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | (o >> 1 & 0xf) << 8 | (o >> 11 & 1) << 7 | 0x63
}

/// `jal x<rd>, .+offset`.
pub fn jal(rd: u32, offset: i32) -> u32 {
    let o = offset as u32;
    (o >> 20 & 1) << 31
        | (o >> 1 & 0x3ff) << 21
        | (o >> 11 & 1) << 20
        | (o >> 12 & 0xff) << 12
        | rd << 7
        | 0x6f
}

/// A symbol of a test program: name, first word, words.
pub type Symbol<'a> = (&'a str, u64, u64);

/// What makes a test file different from a good one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    None,
    Machine,
    Relocatable,
    NoSymbols,
    NoCode,
    /// These extensions in its attributes.
    Architecture(&'static str),
}

/// A linked ELF file with these words of code at [`BASE`] and these functions.
pub fn program(words: &[u32], functions: &[Symbol<'_>]) -> Vec<u8> {
    elf_file(words, functions, true, Flaw::None)
}

/// The same for RV32 or RV64, with a flaw.
pub fn elf_file(words: &[u32], functions: &[Symbol<'_>], is_32: bool, flaw: Flaw) -> Vec<u8> {
    let text: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut bytes = Vec::new();
    let mut writer = Writer::new(object::Endianness::Little, !is_32, &mut bytes);
    writer.reserve_file_header();
    let text_offset = writer.reserve(text.len() as u64, 4);
    let attributes = match flaw {
        Flaw::Architecture(arch) => Some(attributes(arch)),
        _ => None,
    };
    let attributes = attributes.as_ref().map(|data| {
        let offset = writer.reserve(data.len() as u64, 1);
        (data, offset, writer.add_section_name(b".riscv.attributes"))
    });
    let text_name = writer.add_section_name(b".text");
    let text_index = writer.reserve_section_index();
    if attributes.is_some() {
        writer.reserve_section_index();
    }
    let functions = if flaw == Flaw::NoSymbols {
        &[]
    } else {
        functions
    };
    let names: Vec<StringId> = functions
        .iter()
        .map(|(name, _, _)| writer.add_string(name.as_bytes()))
        .collect();
    writer.reserve_null_symbol_index();
    for _ in functions {
        let _: SymbolIndex = writer.reserve_symbol_index(Some(text_index));
    }
    writer.reserve_symtab_section_index();
    writer.reserve_symtab();
    writer.reserve_strtab_section_index();
    writer.reserve_strtab().expect("short names");
    writer.reserve_shstrtab_section_index();
    writer.reserve_shstrtab().expect("short names");
    writer.reserve_section_headers();

    writer
        .write_file_header(&FileHeader {
            os_abi: elf::ELFOSABI_NONE,
            abi_version: 0,
            e_type: if flaw == Flaw::Relocatable {
                elf::ET_REL
            } else {
                elf::ET_EXEC
            },
            e_machine: if flaw == Flaw::Machine {
                elf::EM_ARM
            } else {
                elf::EM_RISCV
            },
            e_entry: BASE,
            e_flags: elf::FileFlags(0),
        })
        .expect("the sizes were reserved");
    writer.write_align(4);
    writer.write(&text);
    if let Some((data, ..)) = &attributes {
        writer.write(data);
    }
    writer.write_null_symbol();
    for (&(_, first, length), &name) in functions.iter().zip(&names) {
        let st_type = if length == 0 {
            elf::STT_NOTYPE
        } else {
            elf::STT_FUNC
        };
        let st_name = writer.string_offset(Some(name));
        writer.write_symbol(&Sym {
            st_name,
            section: Some(text_index.0),
            st_info: elf::SymbolInfo::new(elf::STB_GLOBAL, st_type),
            st_other: elf::STV_DEFAULT.into(),
            st_shndx: elf::SymbolSection(0),
            st_value: BASE + 4 * first,
            st_size: 4 * length,
        });
    }
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    let flags = match flaw {
        Flaw::NoCode => elf::SHF_ALLOC,
        _ => elf::SHF_ALLOC | elf::SHF_EXECINSTR,
    };
    let code = SectionHeader {
        sh_name: writer.section_name_offset(Some(text_name)),
        sh_type: elf::SHT_PROGBITS,
        sh_flags: flags,
        sh_addr: BASE,
        sh_offset: text_offset,
        sh_size: text.len() as u64,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 4,
        sh_entsize: 0,
    };
    writer.write_section_header(&code);
    if let Some((data, sh_offset, name)) = attributes {
        writer.write_section_header(&SectionHeader {
            sh_name: writer.section_name_offset(Some(name)),
            sh_type: elf::SHT_RISCV_ATTRIBUTES,
            sh_flags: elf::SectionFlags(0),
            sh_addr: 0,
            sh_offset,
            sh_size: data.len() as u64,
            sh_addralign: 1,
            ..code
        });
    }
    writer.write_symtab_section_header(1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    bytes
}

/// The contents of an attributes section that holds an architecture string.
fn attributes(arch: &str) -> Vec<u8> {
    let attribute = [&[5u8][..], arch.as_bytes(), &[0]].concat();
    let file = [
        &[1u8][..],
        &(attribute.len() as u32 + 5).to_le_bytes(),
        &attribute,
    ]
    .concat();
    let vendor = [&b"riscv\0"[..], &file].concat();
    [b"A", &(vendor.len() as u32 + 4).to_le_bytes()[..], &vendor].concat()
}
