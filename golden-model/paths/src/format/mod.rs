//! Graphs as text.
//!
//! | module | format |
//! | --- | --- |
//! | `text` | a line for each edge; read and written; feature `serde` |
//! | `json` | JSON; read and written; feature `serde` |
//! | [`dot`] | Graphviz; written |
pub mod dot;
#[cfg(feature = "serde")]
pub mod json;
#[cfg(feature = "serde")]
pub mod text;
#[cfg(feature = "serde")]
mod words;
