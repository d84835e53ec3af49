//! Mapping symbols, with which assemblers mark what of a section is code, for which extensions, and what is data.
//!
//! Source: the RISC-V ELF psABI, section "Mapping Symbol". `$d` begins data, `$x` code, `$xrv32i2p1...` code with extensions of its own. Each may have a
//! suffix after a dot.

use std::collections::BTreeMap;

use object::{Object, ObjectSymbol, SymbolKind, SymbolSection};

use crate::extensions::Architecture;

/// What begins at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Data,
    /// Code, with extensions of its own by position.
    Code(Option<usize>),
}

/// Marks by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping {
    marks: BTreeMap<u64, Mark>,
    names: Vec<String>,
    architectures: Vec<Architecture>,
}

impl Mapping {
    /// Those of a file's symbols. Linear in their number.
    pub fn of(file: &object::File<'_>) -> Self {
        let mut found = Self::default();
        // `$x` after data has the extensions that its object file had before.
        let mut last = None;
        for symbol in file.symbols() {
            if symbol.kind() == SymbolKind::File {
                last = None;
            }
            let SymbolSection::Section(_) = symbol.section() else {
                continue;
            };
            let name = symbol.name().unwrap_or_default();
            let name = name.split('.').next().unwrap_or_default();
            let mark = match name.strip_prefix("$x") {
                Some("") => Mark::Code(last),
                Some(arch) if arch.starts_with("rv") => {
                    last = Some(found.position(arch));
                    Mark::Code(last)
                }
                None if name == "$d" => Mark::Data,
                _ => continue,
            };
            found.marks.insert(symbol.address(), mark);
        }
        found
    }

    fn position(&mut self, arch: &str) -> usize {
        let known = self.names.iter().position(|name| name == arch);
        known.unwrap_or_else(|| {
            self.names.push(arch.to_owned());
            self.architectures.push(Architecture::of(arch));
            self.names.len() - 1
        })
    }

    /// Whether what begins in a section at `from` is data at `address`.
    pub fn is_data(&self, from: u64, address: u64) -> bool {
        let mark = self.marks.range(from..=address).next_back();
        mark.is_some_and(|(_, &mark)| mark == Mark::Data)
    }

    /// The extensions of the code at `address`, if it names some of its own, in a section that begins at `from`.
    pub fn architecture(&self, from: u64, address: u64) -> Option<&Architecture> {
        match self.marks.range(from..=address).next_back()?.1 {
            Mark::Code(own) => own.map(|position| &self.architectures[position]),
            Mark::Data => None,
        }
    }
}
