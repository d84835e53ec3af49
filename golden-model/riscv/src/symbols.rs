//! Symbols that name no function: mapping symbols, with which assemblers say what of a section is code, for which extensions, and what is data; and
//! local labels of assembly, which stand inside functions.
//!
//! Source of the first: the RISC-V ELF psABI, section "Mapping Symbol". `$d` begins data, `$x` code, `$xrv32i2p1...` code with extensions of its own. Each may have a
//! suffix after a dot.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use object::{Object, ObjectSymbol, SymbolKind, SymbolSection};

use crate::extensions::Architecture;

/// What begins at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Data,
    /// Code, with extensions of its own by position.
    Code(Option<usize>),
}

/// What a file's mapping symbols say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping {
    contents: BTreeMap<u64, Content>,
    names: Vec<String>,
    architectures: Vec<Architecture>,
}

impl Mapping {
    /// The mapping symbols of a file. Linear in its symbols.
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
            let content = match name.strip_prefix("$x") {
                Some("") => Content::Code(last),
                Some(arch) if arch.starts_with("rv") => {
                    last = Some(found.position(arch));
                    Content::Code(last)
                }
                None if name == "$d" => Content::Data,
                _ => continue,
            };
            found.contents.insert(symbol.address(), content);
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
        let content = self.contents.range(from..=address).next_back();
        content.is_some_and(|(_, &content)| content == Content::Data)
    }

    /// The extensions of the code at `address`, if it names some of its own, in a section that begins at `from`.
    pub fn architecture(&self, from: u64, address: u64) -> Option<&Architecture> {
        match self.contents.range(from..=address).next_back()?.1 {
            Content::Code(own) => own.map(|position| &self.architectures[position]),
            Content::Data => None,
        }
    }
}

/// Local labels by address; of several at one address the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels(BTreeMap<u64, String>);

impl Labels {
    /// The labels among a file's symbols. A name that begins with a dot or a dollar is the compiler's or the assembler's own.
    pub(crate) fn of(file: &object::File<'_>) -> Self {
        let mut labels = BTreeMap::new();
        for symbol in file.symbols() {
            let is_label = matches!(symbol.kind(), SymbolKind::Label | SymbolKind::Unknown);
            let is_placed = matches!(symbol.section(), SymbolSection::Section(_));
            let name = symbol.name().unwrap_or_default();
            let is_own = name.is_empty() || name.starts_with(['.', '$']);
            if is_label && is_placed && !symbol.is_global() && !is_own {
                labels
                    .entry(symbol.address())
                    .or_insert_with(|| name.to_owned());
            }
        }
        Self(labels)
    }

    /// The last in a range of addresses, and where it is.
    pub(crate) fn last(&self, range: RangeInclusive<u64>) -> Option<(u64, &str)> {
        let (&at, name) = self.0.range(range).next_back()?;
        Some((at, name))
    }
}
