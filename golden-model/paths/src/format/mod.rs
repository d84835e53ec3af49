//! Graphs as text.
//!
//! | module | format |
//! | --- | --- |
//! | [`text`] | a line for each edge; read and written |
//! | [`json`] | JSON; read and written |
//! | [`dot`] | Graphviz; written |
pub mod dot;
pub mod json;
pub mod text;
mod words;
