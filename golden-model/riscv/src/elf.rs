//! The code and the functions of a linked RISC-V ELF file.

use std::collections::BTreeMap;

use object::elf::EF_RISCV_RVC;
use object::{
    Architecture, FileFlags, Object, ObjectKind, ObjectSymbol, SymbolKind, SymbolSection,
};

use crate::code::{Instruction, Program};
use crate::error::ElfError;
use crate::extensions::{self, Extensions};
use crate::functions::{Function, Functions};
use crate::labels::Labels;
use crate::sections::{Code, code_sections};
use crate::stubs::stubs;
use crate::{Xlen, decode, decode::length, x86};

/// The executable sections of a program and its functions.
#[derive(Clone, Debug)]
pub struct Image {
    xlen: Xlen,
    is_riscv: bool,
    /// Whether it says that it may have compressed instructions.
    may_compress: bool,
    /// Extensions of vendors that may transfer control or not.
    unknown_extensions: Vec<String>,
    /// By address, ascending; none overlap.
    sections: Vec<Code>,
    functions: Functions,
    labels: Labels,
    loads_libraries: bool,
}

impl Image {
    /// Reads the bytes of a linked ELF file. Linear in their number. `symbols` are the bytes of the file that the symbols of a stripped program
    /// were taken out into, if there is one.
    ///
    /// Global labels without a type (start-up code in assembly has them) count as functions where no function
    /// covers them.
    ///
    /// # Errors
    ///
    /// If the file is no linked RISC-V program with code and function symbols, or uses instructions whose control
    /// transfers are not understood.
    pub fn from_elf(bytes: &[u8], symbols: Option<&[u8]>) -> Result<Self, ElfError> {
        let image = Self::named(bytes, symbols)?;
        match image.is_riscv {
            true => Ok(image),
            false => Err(ElfError::Architecture(Architecture::X86_64)),
        }
    }

    /// The same for RISC-V and x86-64.
    ///
    /// # Errors
    ///
    /// As those of [`Image::from_elf`].
    pub fn named(bytes: &[u8], symbols: Option<&[u8]>) -> Result<Self, ElfError> {
        let file = object::File::parse(bytes)?;
        let (xlen, is_riscv) = match file.architecture() {
            Architecture::Riscv32 => (Xlen::Rv32, true),
            Architecture::Riscv64 => (Xlen::Rv64, true),
            Architecture::X86_64 => (Xlen::Rv64, false),
            other => return Err(ElfError::Architecture(other)),
        };
        if file.kind() == ObjectKind::Relocatable {
            return Err(ElfError::NotLinked);
        }
        let extensions = match is_riscv {
            true => extensions::extensions(&file)?,
            false => Extensions::default(),
        };
        if let Some((extension, why)) = extensions.refused {
            return Err(ElfError::Extension { extension, why });
        }
        if file.sections().next().is_none() {
            return Err(ElfError::NoSections);
        }
        let sections = code_sections(&file)?;
        if sections.is_empty() {
            return Err(ElfError::NoCode);
        }
        let mut image = Self {
            xlen,
            is_riscv,
            may_compress: is_riscv && may_compress(&file),
            unknown_extensions: extensions.unknown,
            sections,
            functions: Functions::default(),
            labels: Labels::of(&file),
            loads_libraries: file.section_by_name(".interp").is_some(),
        };
        image.functions = Functions::new(image.functions_of(&file));
        if let Some(symbols) = symbols.filter(|_| file.symbols().next().is_none()) {
            let symbols = object::File::parse(symbols)?;
            image.functions = Functions::new(image.functions_of(&symbols));
            image.labels = Labels::of(&symbols);
        }
        if image.functions.is_empty() {
            return Err(ElfError::NoSymbols);
        }
        let mut functions = stubs(&file, &image.sections, is_riscv, &image.functions);
        functions.extend(image.functions.iter().cloned());
        image.functions = Functions::new(functions);
        Ok(image)
    }

    /// The width of addresses.
    #[must_use]
    pub fn xlen(&self) -> Xlen {
        self.xlen
    }

    /// Whether it is a RISC-V program, not one for x86-64.
    #[must_use]
    pub const fn is_riscv(&self) -> bool {
        self.is_riscv
    }

    /// Whether it is linked with shared libraries.
    #[must_use]
    pub const fn loads_libraries(&self) -> bool {
        self.loads_libraries
    }

    /// The functions, stubs of shared libraries among them (`memcpy@plt`).
    #[must_use]
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// The last local label of assembly at or before an address in its function, after the function's first instruction, and the label's address.
    #[must_use]
    pub fn label(&self, address: u64) -> Option<(u64, &str)> {
        let function = self.functions.at(address)?;
        let second = function.address.checked_add(1)?;
        (second <= address).then(|| self.labels.last(second..=address))?
    }

    /// Extensions of vendors that the program says it uses, and that are not known here. Their instructions have no [`Instruction`].
    #[must_use]
    pub fn unknown_extensions(&self) -> &[String] {
        &self.unknown_extensions
    }

    /// The first instruction of its functions whose address is no multiple of 4, as only code with compressed instructions has. Linear in the code
    /// before it.
    #[must_use]
    pub fn half_aligned(&self) -> Option<u64> {
        let functions = self.functions.iter().filter(|_| self.may_compress);
        functions
            .flat_map(|function| {
                let inside = function.address..function.end();
                let next = |&at: &u64| Some(self.instruction(at)?.next).filter(|&next| next > at);
                let all = std::iter::successors(Some(function.address), next);
                all.take_while(move |at| inside.contains(at))
            })
            .find(|at| at & 2 != 0)
    }

    fn section_at(&self, address: u64) -> Option<&Code> {
        let after = self.sections.partition_point(|s| s.address <= address);
        let section = &self.sections[after.checked_sub(1)?];
        (address - section.address < section.bytes.len() as u64).then_some(section)
    }

    /// The name of the executable section that an address is in.
    #[must_use]
    pub fn section(&self, address: u64) -> Option<&str> {
        Some(&self.section_at(address)?.name)
    }

    /// `length` bytes of code; `None` if they are not all in one section.
    #[must_use]
    pub fn bytes(&self, address: u64, length: u64) -> Option<&[u8]> {
        let section = self.section_at(address)?;
        let offset = usize::try_from(address - section.address).ok()?;
        let end = offset.checked_add(usize::try_from(length).ok()?)?;
        section.bytes.get(offset..end)
    }

    /// The code from an address to the end of its section.
    fn bytes_from(&self, address: u64) -> Option<&[u8]> {
        let section = self.section_at(address)?;
        let offset = usize::try_from(address - section.address).ok()?;
        section.bytes.get(offset..)
    }

    fn half_word(&self, address: u64) -> Option<u32> {
        let bytes = self.bytes(address, 2)?;
        Some(u32::from(bytes[0]) | u32::from(bytes[1]) << 8)
    }

    fn functions_of(&self, file: &object::File<'_>) -> Vec<Function> {
        let mut found: BTreeMap<u64, Function> = BTreeMap::new();
        let symbols = || {
            file.symbols().filter(has_place).filter_map(|symbol| {
                let name = symbol.name().ok().filter(|name| !name.is_empty())?;
                self.section_at(symbol.address())?;
                Some((
                    symbol.kind(),
                    symbol.is_global(),
                    name,
                    symbol.address(),
                    symbol.size(),
                ))
            })
        };
        for (kind, _, name, address, size) in symbols() {
            if kind != SymbolKind::Text {
                continue;
            }
            if let Some(function) = found.get_mut(&address) {
                function.aliases.push(name.to_owned());
                if !function.sized && size > 0 {
                    (function.size, function.sized) = (size, true);
                }
            } else {
                found.insert(address, Function::new(name, address, size));
            }
        }
        let sized = Functions::new(found.values().cloned().collect());
        for (kind, global, name, address, _) in symbols() {
            let covered = found.contains_key(&address) || sized.at(address).is_some();
            let label = matches!(kind, SymbolKind::Label | SymbolKind::Unknown);
            if label && global && !covered {
                found.insert(address, Function::new(name, address, 0));
            }
        }
        self.give_sizes(found.into_values().collect())
    }

    /// A function without a size reaches to the next one; none reaches beyond its section.
    fn give_sizes(&self, mut functions: Vec<Function>) -> Vec<Function> {
        for i in 0..functions.len() {
            let address = functions[i].address;
            let room = self
                .section_at(address)
                .map_or(0, |code| code.bytes.len() as u64 - (address - code.address));
            let size = match functions.get(i + 1) {
                _ if functions[i].sized => functions[i].size,
                Some(next) => next.address - address,
                None => room,
            };
            functions[i].size = size.min(room);
        }
        functions
    }
}

/// Whether a file says that its code may have compressed instructions.
fn may_compress(file: &object::File<'_>) -> bool {
    matches!(file.flags(), FileFlags::Elf { e_flags, .. } if e_flags & EF_RISCV_RVC == EF_RISCV_RVC)
}

/// Whether a symbol is of code in the file. A number of the linker's script is not, nor the 0 of a weak function that is nowhere,
/// though there may be code at such an address; an undefined function with an address is, that of its slot in the table of those
/// that are linked at run time.
fn has_place<'a>(symbol: &impl ObjectSymbol<'a>) -> bool {
    match symbol.section() {
        SymbolSection::Section(_) => true,
        SymbolSection::Undefined => symbol.address() != 0,
        _ => false,
    }
}

impl Program for Image {
    /// Decodes on every call. Of RISC-V, an all-zero half word and lengths above 32 bits are no instructions.
    fn instruction(&self, address: u64) -> Option<Instruction> {
        if !self.is_riscv {
            return x86::instruction(self.bytes_from(address)?, address);
        }
        let low = self.half_word(address)?;
        let insn = match length(low) {
            2 if low == 0 => return None,
            2 => low,
            _ if low & 0x1f == 0x1f => return None,
            _ if extensions::is_custom(low) && !self.unknown_extensions.is_empty() => return None,
            _ => low | self.half_word(address.checked_add(2)?)? << 16,
        };
        Some(decode(insn, address, self.xlen))
    }
}
