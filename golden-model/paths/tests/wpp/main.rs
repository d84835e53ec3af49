//! Whole program paths: SEQUITUR's two properties, expansion, hot subpaths against counting by hand.

mod grammars;
mod hot;
mod streams;
