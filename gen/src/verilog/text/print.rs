//! Expressions and statements as Verilog text.
//!
//! Every text has exactly the requested width, so that no tool finds an operand to extend or truncate. The printer also
//! records which bits of which signal are read.

use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

use crate::verilog::tree::expr::{Expr, Kind, SignalId};
use crate::verilog::tree::number::{index_bits, sized};
use crate::verilog::tree::operator::Binary;
use crate::verilog::tree::scope::Signal;

/// Prints the code of one module.
pub struct Printer {
    /// The module's signals, and after them the helper wires the printer has added.
    pub signals: Vec<Signal>,
    /// Which bits of each signal are read.
    pub used: Vec<Vec<bool>>,
    /// Helper wires with their value.
    pub helpers: Vec<(SignalId, String)>,
    /// Helper registers of `always` blocks.
    pub scratch: Vec<SignalId>,
    /// Constants used by name, with width and value.
    pub constants: BTreeMap<String, (usize, BigUint)>,
    instances: BTreeSet<String>,
    pub(super) said: BTreeSet<Vec<String>>,
    pub(super) block: Option<Block>,
}

/// The `always @*` block being printed.
pub(super) struct Block {
    pub targets: BTreeSet<SignalId>,
    /// Assignments to scratch registers that belong before the current statement.
    pub pending: Vec<String>,
    /// Scratch registers of this block.
    pub scratch: Vec<SignalId>,
}

impl Printer {
    /// A printer for a module with these signals and instances.
    pub fn new(signals: Vec<Signal>, instances: BTreeSet<String>) -> Printer {
        Printer {
            used: signals
                .iter()
                .map(|signal| vec![false; signal.width])
                .collect(),
            signals,
            helpers: Vec::new(),
            scratch: Vec::new(),
            constants: BTreeMap::new(),
            instances,
            said: BTreeSet::new(),
            block: None,
        }
    }

    /// `e` modulo `2^width`, as text of exactly `width` bits.
    pub fn at(&mut self, e: &Expr, width: usize) -> String {
        let e = e.clone().slice(0, width);
        if let Kind::Constant(value, name) = &e.kind {
            return self.constant(value, name.as_deref(), width);
        }
        if e.width == width {
            return self.exact(&e);
        }
        let pieces = match e.kind {
            Kind::Concat(mut pieces) => {
                pieces.push((Expr::number(0u32), width - e.width));
                pieces
            }
            _ => vec![(e.clone(), e.width), (Expr::number(0u32), width - e.width)],
        };
        self.concat(&pieces)
    }

    /// Like [`Printer::at`], in parentheses if an operator could take it apart.
    pub(super) fn operand(&mut self, e: &Expr, width: usize) -> String {
        let text = self.at(e, width);
        if is_atom(text.strip_prefix(['!', '~']).unwrap_or(&text)) {
            text
        } else {
            format!("({text})")
        }
    }

    fn constant(&mut self, value: &BigUint, name: Option<&str>, width: usize) -> String {
        let Some(name) = name.filter(|name| self.is_free(name)) else {
            return sized(value, width);
        };
        let known = self
            .constants
            .entry(name.to_string())
            .or_insert((width, value.clone()));
        if *known == (width, value.clone()) {
            name.to_string()
        } else {
            sized(value, width)
        }
    }

    fn exact(&mut self, e: &Expr) -> String {
        match &e.kind {
            Kind::Constant(value, name) => self.constant(value, name.as_deref(), e.width),
            Kind::Signal(id) => {
                self.used[*id].fill(true);
                self.signals[*id].name.clone()
            }
            Kind::Slice(inner, low, name) => self.slice(inner, (*low, name.as_deref()), e.width),
            Kind::Not(a) => {
                let operator = if e.width == 1 { '!' } else { '~' };
                format!("{operator}{}", self.operand(a, e.width))
            }
            Kind::Binary(op, a, b) => {
                let shifts = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
                let width = if shifts { b.width } else { e.width };
                let (a, b) = (self.chained(*op, a, e.width), self.operand(b, width));
                format!("{a} {} {b}", op.symbol())
            }
            Kind::Compare(op, a, b) => {
                let width = a.width.max(b.width);
                let (a, b) = (self.operand(a, width), self.operand(b, width));
                format!("{a} {} {b}", op.symbol())
            }
            Kind::Reduce(op, a) => match self.operand(a, a.width) {
                // `|~a` would read as one operator.
                a if a.starts_with(['!', '~']) => format!("{}({a})", op.symbol()),
                a => format!("{}{a}", op.symbol()),
            },
            Kind::Concat(pieces) => self.concat(pieces),
            Kind::Index(a, index) => {
                let id = self.named(a);
                let bits = index_bits(self.signals[id].width);
                let index = self.at(index, bits);
                self.used[id].fill(true);
                format!("{}[{index}]", self.signals[id].name)
            }
        }
    }

    /// The left operand of `op`; `a & b & c` needs no parentheses.
    fn chained(&mut self, op: Binary, a: &Expr, width: usize) -> String {
        let associative = matches!(op, Binary::And | Binary::Or | Binary::Xor);
        match &a.kind {
            Kind::Binary(inner, ..) if associative && *inner == op && a.width == width => {
                self.exact(a)
            }
            _ => self.operand(a, width),
        }
    }

    fn slice(&mut self, inner: &Expr, (low, named): (usize, Option<&str>), width: usize) -> String {
        let id = self.named(inner);
        self.used[id][low..low + width].fill(true);
        let at = self.constant(&BigUint::from(low), named, 0);
        let name = &self.signals[id].name;
        match width {
            1 => format!("{name}[{at}]"),
            _ if named.is_some() => format!("{name}[{at} +: {width}]"),
            _ => format!("{name}[{}:{low}]", low + width - 1),
        }
    }

    fn concat(&mut self, pieces: &[(Expr, usize)]) -> String {
        let texts: Vec<String> = pieces
            .iter()
            .rev()
            .map(|(piece, bits)| self.at(piece, *bits))
            .collect();
        format!("{{{}}}", texts.join(", "))
    }

    /// A signal that holds `e`, for part selects: Verilog has none of expressions.
    fn named(&mut self, e: &Expr) -> SignalId {
        if let Kind::Signal(id) = e.kind {
            return id;
        }
        let text = self.exact(e);
        let mut reads = BTreeSet::new();
        e.reads(&mut reads);
        let inside = self
            .block
            .as_ref()
            .is_some_and(|block| !block.targets.is_disjoint(&reads));
        if inside {
            let id = self.add_signal("scratch", e.width);
            let line = format!("{} = {text};", self.signals[id].name);
            self.scratch.push(id);
            let block = self.block.as_mut().expect("a block is being printed");
            block.pending.push(line);
            block.scratch.push(id);
            return id;
        }
        if let Some((id, _)) = self
            .helpers
            .iter()
            .find(|(id, known)| *known == text && self.signals[*id].width == e.width)
        {
            return *id;
        }
        let id = self.add_signal("whole", e.width);
        self.helpers.push((id, text));
        id
    }

    /// The first of `names` that the module does not use.
    pub fn free(&self, mut names: impl Iterator<Item = String>) -> String {
        let free = names.find(|name| self.is_free(name));
        free.expect("some name is free")
    }

    fn is_free(&self, name: &str) -> bool {
        !self.instances.contains(name) && self.signals.iter().all(|signal| signal.name != name)
    }

    fn add_signal(&mut self, base: &str, width: usize) -> SignalId {
        let numbered = (0..).map(|n| format!("{base}_{n}"));
        let name = self.free(numbered);
        self.signals.push(Signal::own(name, width, true));
        self.used.push(vec![false; width]);
        self.signals.len() - 1
    }
}

/// Whether `text` is a name, a number, a part select, or in brackets as a whole.
fn is_atom(text: &str) -> bool {
    let mut depth = 0;
    let mut places = text.chars().map(|c| {
        let outside = depth == 0;
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            c => return !outside || c.is_ascii_alphanumeric() || "_'".contains(c),
        }
        true
    });
    places.all(|is_within| is_within)
}

/// Two spaces before every line.
pub fn indent(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

/// Longest line that ends in a comment.
const COMMENTED: usize = 110;

/// A line with a comment at its end, or above it if it is long.
pub fn with_doc(line: String, doc: &str) -> Vec<String> {
    if doc.is_empty() {
        vec![line]
    } else if line.len() + doc.len() + 4 <= COMMENTED {
        vec![format!("{line}  // {doc}")]
    } else {
        vec![format!("// {doc}"), line]
    }
}
