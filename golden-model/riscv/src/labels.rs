//! Local labels of assembly, which stand inside functions.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use object::{Object, ObjectSymbol, SymbolKind, SymbolSection};

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
