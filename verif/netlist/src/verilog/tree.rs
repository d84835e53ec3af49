//! The syntax tree of the emitted Verilog, limited to the language that the generator writes.

use std::ops::Range;

/// Bytes of the text.
pub type Span = Range<usize>;

/// An expression and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: Kind,
}

/// Kinds of expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A signal or parameter.
    Name(String),
    /// A constant: its width, if it says one, and its value.
    Number(Option<u32>, u128),
    /// A constant of more than 128 bits.
    Wide,
    /// An element or bit of a signal.
    Index(String, Box<Expr>),
    /// Bits of a signal, from the upper to the lower.
    Slice(String, u32, u32),
    /// `{a, b}`.
    Concat(Vec<Expr>),
    /// `{n{a}}`.
    Repeat(u32, Box<Expr>),
    /// An operator in front of its operand.
    Unary(String, Box<Expr>),
    /// An operator between its operands.
    Binary(String, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(a)`.
    Parenthesis(Box<Expr>),
}

/// A statement and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StatementKind,
}

/// Kinds of statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// `begin ... end`.
    Block(Vec<Statement>),
    /// `if (a) ... else ...`.
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// An assignment to the signal of this name (of several signals: none), or to a part of it.
    Assign {
        /// The signal.
        target: Option<String>,
        /// All of it is assigned.
        whole: bool,
        /// What is assigned.
        value: Expr,
    },
}

/// What stands in a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// `wire a = b;` or `assign a = b;`.
    Wire(Option<String>, Expr),
    /// `always @(posedge clk)`, or `always @*`.
    Always {
        /// At a clock's edge.
        clocked: bool,
        /// What is done.
        body: Statement,
    },
    /// `initial`: words of memories at power-up.
    Initial(Vec<Word>),
    /// A module's instance.
    Instance {
        /// The module.
        module: String,
        /// Where its first connection begins.
        connections_at: usize,
        /// Ports and what is connected to them.
        connections: Vec<(String, Expr)>,
    },
}

/// A word of a memory at power-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The memory.
    pub memory: String,
    /// Its place there.
    pub place: u32,
    /// The word.
    pub value: Expr,
}

/// A signal of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Its bits, if they are numbers.
    pub width: Option<u32>,
    /// It is an array.
    pub array: bool,
    /// It is an input.
    pub input: bool,
}

/// A module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Where its first port begins.
    pub ports_at: usize,
    /// Where its first item begins.
    pub items_at: usize,
    /// Ports, wires and registers.
    pub signals: Vec<Signal>,
    /// How many of them are ports; they come first.
    pub ports: usize,
    /// What is in it.
    pub items: Vec<Item>,
}

impl Module {
    /// The signal of this name.
    pub fn signal(&self, name: &str) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }
}
