//! Where each digram, a pair of neighbours in a body, is found.
//!
//! The overlapping digrams of three equal symbols are one digram that is indexed once. When the indexed one goes, its neighbour
//! has to be indexed in its place, or a later repetition would be missed.

use rustc_hash::FxHashMap;

use super::links::{Link, Links, Symbol};

/// The index: a digram to the link of its first symbol.
#[derive(Clone, Debug, Default)]
pub(super) struct Digrams {
    first: FxHashMap<(Symbol, Symbol), Link>,
}

/// What an index says about the digram that begins at a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// There is no digram: a guard or nothing is there.
    None,
    /// It is the only one of its symbols, or overlaps the one that is.
    Alone,
    /// The same symbols stand at another place.
    Twin(Link),
}

impl Digrams {
    /// Looks up the digram that begins at a link, and indexes it if it is new. O(1) on average.
    pub fn meet(&mut self, links: &Links, link: Link) -> Found {
        let Some(digram) = digram(links, link) else {
            return Found::None;
        };
        let known = *self.first.entry(digram).or_insert(link);
        match known == link || links.next(known) == link || links.next(link) == known {
            true => Found::Alone,
            false => Found::Twin(known),
        }
    }

    /// Forgets the digram that begins at a link if it is the one indexed.
    pub fn forget(&mut self, links: &Links, link: Link) {
        if let Some(digram) = digram(links, link)
            && self.first.get(&digram) == Some(&link)
        {
            self.first.remove(&digram);
        }
    }

    /// Indexes a digram of two equal symbols whose overlapping neighbour may just have been forgotten.
    pub fn adopt(&mut self, links: &Links, link: Link) {
        if let Some(digram) = digram(links, link)
            && digram.0 == digram.1
        {
            self.first.entry(digram).or_insert(link);
        }
    }
}

/// The digram that begins at a link.
fn digram(links: &Links, link: Link) -> Option<(Symbol, Symbol)> {
    let pair = (links.symbol(link), links.symbol(links.next(link)));
    let in_body = |symbol| matches!(symbol, Symbol::Terminal(_) | Symbol::Rule(_));
    (in_body(pair.0) && in_body(pair.1)).then_some(pair)
}
