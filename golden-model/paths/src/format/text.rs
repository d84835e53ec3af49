//! Control-flow graphs as text, with what a test expects beside each edge.
//!
//! ```text
//! # Figure 3.4 of the thesis.
//! ; test ball-larus
//! ; paths 6
//! entry s
//! s -> a ; 0
//! s -> b ; 4
//! a -> c backward taken weight 12 ; stop 1, start 3
//! block z at 0x1f4
//! ```
//!
//! A line is one of
//!
//! - an edge, `FROM -> TO`, with the class of its branch (`forward`, `backward`, `indirect`), the
//!   outcome the hardware records (`taken`, `not-taken`) and its measured frequency (`weight N`),
//!   each if known. Without a class the addresses of its ends decide.
//! - `block NAME`, `block NAME at ADDRESS` (decimal, or hexadecimal after `0x`), for a block with an address or
//!   without edges; the other blocks come from the edges.
//! - `entry NAME`, `exit NAME`; otherwise the entry is the first block and the exit the only block
//!   without a successor.
//! - a note to the test that runs the file, after a `;`.
//! - nothing, or a comment after a `#`.
//!
//! After the `;` of an edge stands what is expected of it: `KEY VALUE`, several with commas between; a
//! value alone has the key `value`. A name is a run of characters without blanks, `#`, `;` or `"`,
//! or a JSON string.
use std::fmt::Write;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::words::{Word, quoted, split};
use crate::graph::{BlockId, Cfg, CfgBuilder, CfgError, Edge, EdgeClass, EdgeId};

/// One thing expected of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What it is about; `value` if not said.
    pub key: String,
    /// What it should be.
    pub value: String,
}

/// A line for the test that runs the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, from 1.
    pub line: usize,
    /// Its words.
    pub words: Vec<String>,
}

/// A graph read from text.
#[derive(Clone, Debug)]
pub struct Text {
    /// The graph.
    pub cfg: Cfg,
    /// For each edge, by index, the line it stands on, from 1, and what is expected of it.
    pub expectations: Vec<(usize, Vec<Expectation>)>,
    /// The notes, in order.
    pub notes: Vec<Note>,
}

/// What is wrong with a text, and where.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextError {
    #[error("line {line}: {reason}")]
    Line { line: usize, reason: String },
    #[error(transparent)]
    Graph(#[from] CfgError),
}

impl Text {
    /// Reads a text. O(length).
    ///
    /// # Errors
    ///
    /// If a line cannot be read, or the lines make no graph.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::default();
        for (line, content) in (1..).zip(text.lines()) {
            let read = reader.line(line, content);
            read.map_err(|reason| TextError::Line { line, reason })?;
        }
        reader.finish()
    }
}

/// Writes a graph, with a note after each edge where there is one. [`Text::parse`] reads it back.
pub fn write(cfg: &Cfg, note: impl Fn(EdgeId) -> Option<String>) -> String {
    let mut text = String::new();
    let mut line = |content: String| {
        text.push_str(content.trim_end());
        text.push('\n');
    };
    for block in cfg.blocks() {
        let at = match cfg.block(block) {
            Some(address) => format!(" at {address:#x}"),
            None => String::new(),
        };
        line(format!("block {}{at}", quoted(&cfg.name(block))));
    }
    line(format!("entry {}", quoted(&cfg.name(cfg.entry()))));
    line(format!("exit {}", quoted(&cfg.name(cfg.exit()))));
    for edge in cfg.edges() {
        line(edge_line(cfg, edge, note(edge)));
    }
    text
}

fn edge_line(cfg: &Cfg, edge: EdgeId, note: Option<String>) -> String {
    let (from, to) = cfg.ends(edge);
    let data = cfg.edge(edge);
    let class = match data.class {
        EdgeClass::Forward => "forward",
        EdgeClass::Backward => "backward",
        EdgeClass::Indirect => "indirect",
    };
    let mut line = format!(
        "{} -> {} {class}",
        quoted(&cfg.name(from)),
        quoted(&cfg.name(to))
    );
    match data.outcome {
        Some(true) => line.push_str(" taken"),
        Some(false) => line.push_str(" not-taken"),
        None => {}
    }
    for (sign, text) in [
        (" weight", data.weight.map(|w| w.to_string())),
        (" ;", note),
    ] {
        if let Some(text) = text {
            write!(line, "{sign} {text}").expect("writing to a string cannot fail");
        }
    }
    line
}

#[derive(Default)]
struct Reader {
    builder: CfgBuilder,
    /// Edges whose class the addresses decide.
    unclassed: Vec<EdgeId>,
    /// The blocks that were given an address, with the line.
    addressed: FxHashMap<BlockId, usize>,
    /// Names that must be blocks in the end: line, what for, name.
    named: Vec<(usize, &'static str, String)>,
    expectations: Vec<(usize, Vec<Expectation>)>,
    notes: Vec<Note>,
}

impl Reader {
    fn line(&mut self, line: usize, content: &str) -> Result<(), String> {
        let (words, note) = split(content)?;
        if let [from, arrow, to, rest @ ..] = &words[..]
            && arrow.is("->")
        {
            let expected = expectations(note.unwrap_or_default())?;
            self.edge(from, to, rest)?;
            self.expectations.push((line, expected));
            return Ok(());
        }
        if let (false, Some(note)) = (words.is_empty(), note) {
            return Err(format!("`; {note}` follows a line that is not an edge"));
        }
        match &words[..] {
            [] => {
                let words = note.into_iter().flat_map(str::split_whitespace);
                let words: Vec<String> = words.map(String::from).collect();
                if !words.is_empty() {
                    self.notes.push(Note { line, words });
                }
                Ok(())
            }
            [keyword, name] if keyword.is("entry") => self.name(line, "entry", name),
            [keyword, name] if keyword.is("exit") => self.name(line, "exit", name),
            [keyword, name, rest @ ..] if keyword.is("block") => self.block(line, name, rest),
            [word, ..] => Err(format!(
                "cannot read a line that begins with `{}`; write `a -> b`, `block a`, `entry a` or `exit a`",
                word.text()
            )),
        }
    }

    fn name(&mut self, line: usize, what: &'static str, name: &Word) -> Result<(), String> {
        if let Some((before, ..)) = self.named.iter().find(|n| n.1 == what) {
            return Err(format!("the {what} was named before, on line {before}"));
        }
        self.named.push((line, what, name.text().into()));
        Ok(())
    }

    fn block(&mut self, line: usize, name: &Word, rest: &[Word]) -> Result<(), String> {
        let block = self.builder.block(name.text());
        match rest {
            [] => Ok(()),
            [at, address] if at.is("at") => {
                if let Some(before) = self.addressed.insert(block, line) {
                    let name = name.text();
                    return Err(format!(
                        "the block `{name}` was given its address before, on line {before}"
                    ));
                }
                self.builder.address(block, number(address.text())?);
                Ok(())
            }
            _ => Err("expected nothing or `at ADDRESS` after a block's name".into()),
        }
    }

    fn edge(&mut self, from: &Word, to: &Word, mut rest: &[Word]) -> Result<(), String> {
        let [from, to]: [BlockId; 2] = [from, to].map(|n| self.builder.block(n.text()));
        let mut class = None;
        let mut edge = Edge::default();
        while let [word, others @ ..] = rest {
            rest = others;
            let said = word.keyword();
            match said {
                "forward" => once(&mut class, EdgeClass::Forward, said)?,
                "backward" => once(&mut class, EdgeClass::Backward, said)?,
                "indirect" => once(&mut class, EdgeClass::Indirect, said)?,
                "taken" => once(&mut edge.outcome, true, said)?,
                "not-taken" => once(&mut edge.outcome, false, said)?,
                "weight" => {
                    let [weight, others @ ..] = rest else {
                        return Err("expected how often the edge ran after `weight`".into());
                    };
                    once(&mut edge.weight, number(weight.text())?, said)?;
                    rest = others;
                }
                _ => {
                    let other = word.text();
                    return Err(format!(
                        "`{other}` says nothing of an edge; use forward, backward, indirect, \
                         taken, not-taken or weight N; `#` begins a comment, `;` what a test expects"
                    ));
                }
            }
        }
        edge.class = class.unwrap_or_default();
        let edge = self.builder.edge(from, to, edge);
        if class.is_none() {
            self.unclassed.push(edge);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Text, TextError> {
        for (line, what, name) in self.named {
            let Some(block) = self.builder.find(&name) else {
                let reason = format!("the {what} `{name}` is no block of the graph");
                return Err(TextError::Line { line, reason });
            };
            match what {
                "entry" => self.builder.entry(block),
                _ => self.builder.exit(block),
            }
        }
        for edge in self.unclassed {
            self.builder.classify_by_address(edge);
        }
        Ok(Text {
            cfg: self.builder.build()?,
            expectations: self.expectations,
            notes: self.notes,
        })
    }
}

/// Notes what a word says of an edge. Refuses it if an earlier word of the line has said it.
fn once<T>(place: &mut Option<T>, what: T, word: &str) -> Result<(), String> {
    match place.replace(what) {
        None => Ok(()),
        Some(_) => Err(format!(
            "`{word}` says again, or says otherwise, what was said of the edge before; leave one out"
        )),
    }
}

/// What stands after the `;` of an edge.
fn expectations(note: &str) -> Result<Vec<Expectation>, String> {
    let parts = note.split(',').map(str::trim).filter(|p| !p.is_empty());
    let read = |part: &str| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let (key, value) = match words[..] {
            [value] => ("value", value),
            [key, value] => (key, value),
            _ => return Err(format!("`{part}` is not a value or a key and a value")),
        };
        Ok(Expectation {
            key: key.into(),
            value: value.into(),
        })
    };
    parts.map(read).collect()
}

/// A number, decimal or hexadecimal, in digits alone: Rust's parser also takes a `+`.
fn number(text: &str) -> Result<u64, String> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let parsed = u64::from_str_radix(digits, radix).ok();
    parsed
        .filter(|_| !digits.starts_with('+'))
        .ok_or_else(|| format!("`{text}` is not a number from 0 to 2^64 - 1"))
}
