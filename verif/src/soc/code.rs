//! A program's code and symbols.

use anyhow::{Context, Result};
use hpp_golden::code::{Instruction, Program};
use hpp_golden::riscv::{Xlen, decode};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The executable sections of an RV32 ELF file and the functions in them.
pub struct Code {
    sections: Vec<(u64, Vec<u8>)>,
    /// Start address to end address and name.
    functions: BTreeMap<u64, (u64, String)>,
}

impl Code {
    /// Reads an ELF file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is none.
    pub fn read(elf: &Path) -> Result<Self> {
        let name = elf.display();
        let bytes = fs::read(elf).with_context(|| format!("cannot read {name}"))?;
        let file =
            object::File::parse(&*bytes).with_context(|| format!("{name} is no ELF file"))?;
        let mut sections = Vec::new();
        for section in file
            .sections()
            .filter(|section| section.kind() == SectionKind::Text)
        {
            let data = section
                .data()
                .with_context(|| format!("{name} is cut short"))?;
            sections.push((section.address(), data.to_vec()));
        }
        let functions = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0)
            .filter_map(|symbol| {
                let start = symbol.address();
                Some((
                    start,
                    (start + symbol.size(), symbol.name().ok()?.to_string()),
                ))
            })
            .collect();
        Ok(Self {
            sections,
            functions,
        })
    }

    /// The function an address is in: its start and its name.
    #[must_use]
    pub fn function(&self, address: u64) -> Option<(u64, &str)> {
        let (&start, (end, name)) = self.functions.range(..=address).next_back()?;
        (address < *end).then_some((start, name))
    }

    /// `name` or `name+0x12` of an address, or the bare address where no function is.
    #[must_use]
    pub fn place(&self, address: u64) -> String {
        match self.function(address) {
            Some((start, name)) if start == address => name.into(),
            Some((start, name)) => format!("{name}+{:#x}", address - start),
            None => format!("{address:#x}"),
        }
    }

    fn half_word(&self, address: u64) -> Option<u32> {
        self.sections.iter().find_map(|(start, data)| {
            let at = usize::try_from(address.checked_sub(*start)?).ok()?;
            let bytes = data.get(at..at + 2)?;
            Some(u32::from(bytes[0]) | u32::from(bytes[1]) << 8)
        })
    }
}

impl Program for Code {
    fn instruction(&self, address: u64) -> Option<Instruction> {
        let low = self.half_word(address)?;
        let high = match low & 3 {
            3 => self.half_word(address + 2)?,
            // All zeros is defined to be illegal: data or padding.
            _ if low == 0 => return None,
            _ => 0,
        };
        Some(decode(high << 16 | low, address, Xlen::Rv32))
    }
}
