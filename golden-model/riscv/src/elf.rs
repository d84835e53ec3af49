//! The code and the functions of a linked RISC-V ELF file.

use std::collections::BTreeMap;

use hpp_golden::ingress::decode::{Extensions, Vendor, Zcm, decode_as};
use object::{
    Architecture, Object, ObjectKind, ObjectSection, ObjectSymbol, SymbolKind, SymbolSection,
};

use crate::blocks::{Blocks, Observed, Starts};
use crate::code::{Instruction, ProgramCode};
use crate::error::ElfError;
use crate::extensions::{self, Evidence};
use crate::functions::{Function, Functions};
use crate::sections::{Code, code_sections};
use crate::stubs::stubs;
use crate::symbols::{Labels, Mapping};
use crate::{Doubt, Doubtful, LoopSetup, Xlen, decode::length, x86};

/// The executable sections of a program and its functions.
#[derive(Clone, Debug)]
pub struct Image {
    xlen: Xlen,
    is_riscv: bool,
    /// The extensions that it names, if it does.
    architecture: Option<extensions::Architecture>,
    mapping: Mapping,
    /// By function, what its instructions say of encodings that the names of extensions leave open.
    evidence: BTreeMap<u64, Evidence>,
    /// The table of `cm.jt`.
    table: Vec<u64>,
    /// The last instruction of each hardware loop's body, and where that begins.
    loops: BTreeMap<u64, u64>,
    doubts: Vec<Doubt>,
    /// By address, ascending; none overlap.
    sections: Vec<Code>,
    functions: Functions,
    labels: Labels,
    loads_libraries: bool,
}

impl Image {
    /// Reads the bytes of a linked ELF file. Linear in their number. `symbols` are the bytes of the separate file that has the symbols of a stripped
    /// program, if there is one.
    ///
    /// Global labels without a type (start-up code in assembly has them) count as functions where no function
    /// covers them.
    ///
    /// # Errors
    ///
    /// If the file is not a linked RISC-V program with code and function symbols, or uses instructions whose control transfers are not understood.
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
        let architecture = match is_riscv {
            true => extensions::Architecture::of_file(&file)?,
            false => None,
        };
        if let Some((extension, why)) = architecture.as_ref().and_then(|a| a.refused.clone()) {
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
            architecture,
            mapping: Mapping::of(&file),
            evidence: BTreeMap::new(),
            table: jump_table(&file, xlen).unwrap_or_default(),
            loops: BTreeMap::new(),
            doubts: Vec::new(),
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
            image.mapping = Mapping::of(&symbols);
            image.table = jump_table(&symbols, xlen).unwrap_or_default();
        }
        if image.functions.is_empty() {
            return Err(ElfError::NoSymbols);
        }
        let mut functions = stubs(&file, &image.sections, is_riscv, &image.functions);
        functions.extend(image.functions.iter().cloned());
        image.functions = Functions::new(functions);
        if is_riscv {
            image.evidence = image.evidence();
            image.loops = image.loops();
            image.doubts = image.find_doubts();
        }
        Ok(image)
    }

    /// The width of addresses.
    pub fn xlen(&self) -> Xlen {
        self.xlen
    }

    /// Whether it is a RISC-V program, not one for x86-64.
    pub const fn is_riscv(&self) -> bool {
        self.is_riscv
    }

    /// Whether it is linked with shared libraries.
    pub const fn loads_libraries(&self) -> bool {
        self.loads_libraries
    }

    /// The functions, stubs of shared libraries among them (`memcpy@plt`).
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// The last local label of assembly at or before an address in its function, after the function's first instruction, and the label's address.
    pub fn label(&self, address: u64) -> Option<(u64, &str)> {
        let function = self.functions.at(address)?;
        let second = function.address.checked_add(1)?;
        (second <= address).then(|| self.labels.last(second..=address))?
    }

    /// Extensions of vendors that the program names and this crate does not know. Their instructions are not decoded.
    pub fn unknown_extensions(&self) -> &[String] {
        self.architecture.as_ref().map_or(&[], |a| &a.unknown)
    }

    /// Instructions of its functions whose extension nothing in the file decides, by ascending address.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// The half word at an address, if it is an instruction of Zcmp or Zcmt.
    pub fn zcm(&self, address: u64) -> Option<u32> {
        let insn = self.word(address).filter(|_| self.is_riscv)?;
        let half = extensions::short(insn).filter(|&half| Zcm::of(half).is_some())?;
        self.extensions(address, insn)?.zcm.then_some(half)
    }

    /// The first instruction that control reaches from its functions and whose address is no multiple of 4, as only code with compressed instructions
    /// has. Linear in the code.
    pub fn half_aligned(&self) -> Option<u64> {
        let starts = Starts::Observed(Observed::default());
        let blocks = Blocks::recover(self, &self.functions, &starts);
        let mut all = blocks.iter().filter(|_| self.is_riscv).flat_map(|block| {
            let next = |&at: &u64| Some(self.instruction(at)?.next).filter(|&at| at < block.end);
            std::iter::successors(Some(block.start), next)
        });
        all.find(|at| at & 2 != 0)
    }

    /// The instructions of a function and their addresses, but for what is marked as data.
    fn code_of(&self, function: &Function) -> impl Iterator<Item = (u64, u64)> {
        let mut at = function.address;
        let end = function.end();
        std::iter::from_fn(move || {
            while at < end {
                let here = at;
                let insn = self.word(here).filter(|_| !self.is_data(here));
                at += insn.map_or(2, bytes);
                if let Some(insn) = insn {
                    return Some((here, insn));
                }
            }
            None
        })
    }

    fn evidence(&self) -> BTreeMap<u64, Evidence> {
        let of = |function: &Function| {
            let code = self.code_of(function);
            (function.address, Evidence::of(code, !self.table.is_empty()))
        };
        let all = self.functions.iter().map(of);
        all.filter(|(_, evidence)| evidence.first.is_some())
            .collect()
    }

    /// The loops whose start and end a function sets up, in whatever order.
    fn loops(&self) -> BTreeMap<u64, u64> {
        let mut found = BTreeMap::new();
        for function in self.functions.iter() {
            let mut open = [(None, None); 2];
            for (at, insn) in self.code_of(function) {
                let Some(setup) = self.loop_setup(at, insn) else {
                    continue;
                };
                let (start, end) = &mut open[setup.number];
                *start = setup.start.or(*start);
                *end = setup.end.or(*end);
                if let (Some(from), Some(to)) = (*start, *end) {
                    let last = to.and_then(|to: u64| to.checked_sub(4));
                    let within = |&(last, from): &(u64, u64)| from <= last && last < function.end();
                    found.extend(last.zip(from).filter(within));
                    (*start, *end) = (None, None);
                }
            }
        }
        found
    }

    /// What an instruction does to a hardware loop, if the custom opcodes may be CORE-V's.
    fn loop_setup(&self, address: u64, insn: u64) -> Option<LoopSetup> {
        let vendor = self.extensions(address, insn)?.vendor;
        let may_loop = matches!(vendor, Vendor::Any | Vendor::CoreV) && self.xlen == Xlen::Rv32;
        LoopSetup::of(insn as u32, address).filter(|_| may_loop)
    }

    fn find_doubts(&self) -> Vec<Doubt> {
        let doubt = |(at, insn)| {
            let what = match self.extensions(at, insn) {
                None if extensions::short(insn).and_then(Zcm::of).is_some() => Doubtful::Zcm,
                Some(found) if extensions::is_custom(insn) => match self.loop_setup(at, insn) {
                    Some(LoopSetup {
                        start: Some(None), ..
                    })
                    | Some(LoopSetup {
                        end: Some(None), ..
                    }) => Doubtful::LoopByRegister,
                    _ if found.vendor != Vendor::Any => return None,
                    Some(_) => Doubtful::Loop,
                    None => self.instruction(at)?.transfer.map(|_| Doubtful::Branch)?,
                },
                _ => return None,
            };
            Some(Doubt { at, what })
        };
        let all = self
            .functions
            .iter()
            .flat_map(|function| self.code_of(function));
        let mut all: Vec<Doubt> = all.filter_map(doubt).collect();
        all.sort_by_key(|doubt| doubt.at);
        all.dedup();
        all
    }

    /// What the encoding of an instruction means; `None` if that cannot be said.
    fn extensions(&self, address: u64, insn: u64) -> Option<Extensions> {
        let zcm = extensions::short(insn).and_then(Zcm::of).is_some();
        if !zcm && !extensions::is_custom(insn) {
            return Some(Extensions::default());
        }
        let from = self.section_at(address)?.address;
        let own = self.mapping.architecture(from, address);
        let architecture = own.or(self.architecture.as_ref());
        let vendor = architecture.map_or(Vendor::Any, |architecture| architecture.vendor);
        if zcm {
            let zcm = match architecture {
                Some(names) if !names.zcd => true,
                // `.insn` writes what the mapping symbol does not name.
                Some(_) if own.is_some() => {
                    self.evidence_at(address).decides(architecture) == Some(true)
                }
                file => self.evidence_at(address).decides(file)?,
            };
            return Some(Extensions { zcm, vendor });
        }
        let unknown = architecture.is_some_and(|architecture| !architecture.unknown.is_empty());
        let is_unreadable = match vendor {
            Vendor::None => unknown || bytes(insn) == 6,
            Vendor::Andes | Vendor::CoreV => bytes(insn) == 6,
            Vendor::Any | Vendor::Qualcomm => false,
        };
        (!is_unreadable).then_some(Extensions { zcm: false, vendor })
    }

    fn evidence_at(&self, address: u64) -> Evidence {
        let function = self.functions.at(address);
        let known = function.and_then(|function| self.evidence.get(&function.address));
        known.cloned().unwrap_or_default()
    }

    /// The bytes of the instruction at an address; `None` outside of code, for a half word of zeros, and for an instruction of more than 48 bits.
    fn word(&self, address: u64) -> Option<u64> {
        let low = self.half_word(address)?;
        match low {
            0 => None,
            _ if low & 0x1f != 0x1f || low & 0x3f == 0x1f => {
                let mut more = (1..bytes(low.into()) / 2).map(|half| {
                    let word = self.half_word(address.checked_add(2 * half)?)?;
                    Some(u64::from(word) << (16 * half))
                });
                more.try_fold(low.into(), |all: u64, half| Some(all | half?))
            }
            _ => None,
        }
    }

    fn section_at(&self, address: u64) -> Option<&Code> {
        let after = self.sections.partition_point(|s| s.address <= address);
        let section = &self.sections[after.checked_sub(1)?];
        (address - section.address < section.bytes.len() as u64).then_some(section)
    }

    /// The name of the executable section that an address is in.
    pub fn section(&self, address: u64) -> Option<&str> {
        Some(&self.section_at(address)?.name)
    }

    /// `length` bytes of code; `None` if they are not all in one section.
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

const fn bytes(insn: u64) -> u64 {
    if insn & 0x3f == 0x1f {
        6
    } else {
        length(insn as u32)
    }
}

/// The table of `cm.jt` and `cm.jalt`: linkers give it the name below.
fn jump_table(file: &object::File<'_>, xlen: Xlen) -> Option<Vec<u64>> {
    let table = file.symbol_by_name("__jvt_base$")?;
    let section = file.section_by_index(table.section_index()?).ok()?;
    let from = table.address().checked_sub(section.address())?;
    let data = section.data().ok()?.get(usize::try_from(from).ok()?..)?;
    let width = match xlen {
        Xlen::Rv32 => 4,
        Xlen::Rv64 => 8,
    };
    let entry = |entry: &[u8]| {
        entry
            .iter()
            .rev()
            .fold(0, |all, &byte| all << 8 | u64::from(byte))
    };
    Some(data.chunks_exact(width).take(256).map(entry).collect())
}

/// Whether a symbol names code in the file. A number from the linker's script names none, nor does the 0 of a weak function that is not linked, even
/// if there is code at such an address. An undefined function with an address does: that is the address of its stub for a shared library.
fn has_place<'a>(symbol: &impl ObjectSymbol<'a>) -> bool {
    match symbol.section() {
        SymbolSection::Section(_) => true,
        SymbolSection::Undefined => symbol.address() != 0,
        _ => false,
    }
}

impl ProgramCode for Image {
    /// Decodes on every call.
    fn instruction(&self, address: u64) -> Option<Instruction> {
        if !self.is_riscv {
            return x86::instruction(self.bytes_from(address)?, address);
        }
        let insn = self.word(address)?;
        let extensions = self.extensions(address, insn)?;
        let mut found = decode_as(insn, address, self.xlen, extensions);
        if extensions.zcm
            && let Some(Zcm::Table(entry)) = extensions::short(insn).and_then(Zcm::of)
            && let (Some(transfer), Some(&to)) =
                (&mut found.transfer, self.table.get(usize::from(entry)))
        {
            *transfer = transfer.to(address, to);
        }
        if let Some(&start) = self.loops.get(&address) {
            found = found.ending_loop(Some(start));
        }
        Some(found)
    }

    fn is_data(&self, address: u64) -> bool {
        let section = self.section_at(address);
        // A function's symbol ends data of an object file before it, whose own marks end there.
        let function = self
            .functions
            .at(address)
            .map_or(0, |function| function.address);
        section.is_some_and(|code| self.mapping.is_data(code.address.max(function), address))
    }
}
