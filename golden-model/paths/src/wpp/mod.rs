//! Whole program paths: all that a program executed, as one small grammar.
//!
//! A run is a string of symbols: acyclic paths, blocks or branches. Programs repeat themselves, so the string compresses, and a
//! grammar that derives this string and no other shows *what* repeats: a rule is a sequence that occurs at
//! least twice. [`Sequitur`] builds the grammar while the string streams by, in linear time and with memory for the grammar
//! alone. The [`Grammar`] is the whole program path: a directed acyclic graph whose inner nodes are rules. It is analysed as it
//! stands, without being expanded: [`hot_subpaths`] finds the sequences in which the program spends itself.
//!
//! ```
//! use hpp_paths::wpp::{HotLimits, Sequitur, hot_subpaths};
//!
//! let mut sequitur = Sequitur::new();
//! sequitur.extend("abcabdabcabd".chars());
//! let grammar = sequitur.grammar();
//! assert_eq!(grammar.to_string(), "R0 -> R1 R1\nR1 -> R2 c R2 d\nR2 -> a b\n");
//! assert!(grammar.expand().copied().eq("abcabdabcabd".chars()));
//!
//! // Every symbol costs 1. Which sequences of two to four symbols hold at least 6 of the 12, overlapping or not?
//! let limits = HotLimits { lengths: 2..=4, cost: 6 };
//! let hot = hot_subpaths(&grammar, &limits, |_| 1)?;
//! assert_eq!((hot[0].symbols.as_slice(), hot[0].frequency), (&[&'a', &'b'][..], 4));
//! assert_eq!((hot[1].symbols.as_slice(), hot[1].frequency), (&[&'b', &'c', &'a'][..], 2));
//! # Ok::<(), hpp_paths::wpp::SearchTooLong>(())
//! ```
//!
//! Sources: Larus, "Whole Program Paths" (1999), for the notion, the graph and minimal hot subpaths; Nevill-Manning and Witten,
//! "Identifying Hierarchical Structure in Sequences" (1997), for the algorithm; Vaswani's thesis, section 5.2 and table 5.2, for paths that
//! tile a run without a gap, which hardware can deliver.
mod digrams;
mod grammar;
mod hot;
mod links;
mod sequitur;

pub use grammar::{Grammar, GrammarSymbol};
pub use hot::{HotLimits, HotSubpath, SearchTooLong, hot_subpaths};
pub use sequitur::Sequitur;
