//! The whole program path: a grammar that derives one string.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A symbol in the body of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrammarSymbol {
    /// The symbol of the stream with this number.
    Terminal(u32),
    /// What the rule with this number derives.
    Rule(u32),
}

/// A grammar without recursion in which every rule has one body, so that it derives exactly one string.
///
/// Rule 0 derives the whole stream. A rule uses only rules with greater numbers, which makes it a directed acyclic graph in
/// topological order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts<T>", bound(deserialize = "T: Deserialize<'de>"))]
pub struct Grammar<T> {
    terminals: Vec<T>,
    rules: Vec<Vec<GrammarSymbol>>,
}

/// A grammar as it is read, before it is checked.
#[derive(Deserialize)]
struct Parts<T> {
    terminals: Vec<T>,
    rules: Vec<Vec<GrammarSymbol>>,
}

impl<T> TryFrom<Parts<T>> for Grammar<T> {
    type Error = GrammarError;

    fn try_from(parts: Parts<T>) -> Result<Self, GrammarError> {
        Self::new(parts.terminals, parts.rules)
    }
}

/// Why rules are no grammar.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// There is no rule 0.
    #[error("a grammar has at least rule 0, which derives the stream")]
    NoStart,
    /// A symbol stands for a terminal that does not exist.
    #[error("rule {rule} names terminal {terminal}: there are {terminals}")]
    NoTerminal {
        rule: usize,
        terminal: u32,
        terminals: usize,
    },
    /// A rule uses one that does not exist, or one that does not come after it.
    #[error("rule {rule} uses rule {used}: a rule uses those after it alone, up to rule {last}")]
    NotAfter { rule: usize, used: u32, last: usize },
    /// A rule other than rule 0 derives nothing: how often it occurs has no bound.
    #[error("rule {rule} derives no symbol; leave it and its uses out")]
    Nothing { rule: usize },
    /// What the rules derive is longer than 2^64 - 1 symbols.
    #[error("rule {rule} derives more than 2^64 - 1 symbols")]
    TooLong { rule: usize },
}

impl<T> Grammar<T> {
    /// A grammar of these terminals and rules. O(symbols).
    ///
    /// # Errors
    ///
    /// If there is no rule 0, a number is out of range, a rule does not come before those it uses, one other than rule 0 derives
    /// nothing, or the length of what a rule derives overflows.
    pub fn new(terminals: Vec<T>, rules: Vec<Vec<GrammarSymbol>>) -> Result<Self, GrammarError> {
        let last = rules.len().checked_sub(1).ok_or(GrammarError::NoStart)?;
        let mut lengths = vec![0_u64; rules.len()];
        for (rule, body) in rules.iter().enumerate().rev() {
            for &symbol in body {
                let length = match symbol {
                    GrammarSymbol::Terminal(terminal) if (terminal as usize) < terminals.len() => 1,
                    GrammarSymbol::Terminal(terminal) => {
                        return Err(GrammarError::NoTerminal {
                            rule,
                            terminal,
                            terminals: terminals.len(),
                        });
                    }
                    GrammarSymbol::Rule(used) if (rule + 1..=last).contains(&(used as usize)) => {
                        lengths[used as usize]
                    }
                    GrammarSymbol::Rule(used) => {
                        return Err(GrammarError::NotAfter { rule, used, last });
                    }
                };
                lengths[rule] = lengths[rule]
                    .checked_add(length)
                    .ok_or(GrammarError::TooLong { rule })?;
            }
            if lengths[rule] == 0 && rule > 0 {
                return Err(GrammarError::Nothing { rule });
            }
        }
        Ok(Self { terminals, rules })
    }

    /// The grammar of the rules that rule 0 of another numbering reaches, in topological order.
    pub(super) fn numbered(terminals: Vec<T>, body: impl Fn(u32) -> Vec<GrammarSymbol>) -> Self {
        let (old, mut rules) = topological(&body);
        let mut new = rustc_hash::FxHashMap::default();
        new.extend(
            old.iter()
                .zip(0_u32..)
                .map(|(&rule, number)| (rule, number)),
        );
        for symbol in rules.iter_mut().flatten() {
            if let GrammarSymbol::Rule(rule) = symbol {
                *rule = new[rule];
            }
        }
        Self { terminals, rules }
    }

    /// The symbols of the stream, by their numbers.
    #[must_use]
    pub fn terminals(&self) -> &[T] {
        &self.terminals
    }

    /// The bodies of the rules, by their numbers.
    #[must_use]
    pub fn rules(&self) -> &[Vec<GrammarSymbol>] {
        &self.rules
    }

    /// Symbols in all bodies: the size of the grammar.
    #[must_use]
    pub fn symbols(&self) -> usize {
        self.rules.iter().map(Vec::len).sum()
    }

    /// Bits of the bodies written one after another, an end after each, with as many bits a symbol as tell rules,
    /// terminals and the end apart. The terminals themselves are not counted.
    #[must_use]
    pub fn bits(&self) -> u64 {
        let kinds = self.terminals.len() + self.rules.len() + 1;
        let width = u64::from(kinds.next_power_of_two().ilog2());
        (self.symbols() + self.rules.len()) as u64 * width
    }

    /// How many symbols of the stream each rule derives. O(symbols).
    #[must_use]
    pub fn lengths(&self) -> Vec<u64> {
        let mut lengths = vec![0; self.rules.len()];
        for (rule, body) in self.rules.iter().enumerate().rev() {
            lengths[rule] = body.iter().map(|&symbol| length(symbol, &lengths)).sum();
        }
        lengths
    }

    /// How many times each rule occurs in the derivation of the stream. O(symbols).
    #[must_use]
    pub fn frequencies(&self) -> Vec<u64> {
        let mut frequencies = vec![0; self.rules.len()];
        frequencies[0] = 1;
        for (rule, body) in self.rules.iter().enumerate() {
            for symbol in body {
                if let GrammarSymbol::Rule(used) = symbol {
                    frequencies[*used as usize] += frequencies[rule];
                }
            }
        }
        frequencies
    }

    /// The stream. Constant time a symbol on average, with memory for the depth of the grammar.
    pub fn expand(&self) -> impl Iterator<Item = &T> {
        self.expand_rule(0)
    }

    /// What a rule derives; nothing if there is no such rule.
    pub fn expand_rule(&self, rule: usize) -> impl Iterator<Item = &T> {
        let mut open = vec![self.rules.get(rule).into_iter().flatten()];
        core::iter::from_fn(move || {
            loop {
                match open.last_mut()?.next() {
                    None => drop(open.pop()),
                    Some(&GrammarSymbol::Terminal(terminal)) => {
                        return Some(&self.terminals[terminal as usize]);
                    }
                    Some(&GrammarSymbol::Rule(rule)) => {
                        open.push(self.rules.get(rule as usize).into_iter().flatten());
                    }
                }
            }
        })
    }
}

/// How many symbols of the stream a symbol derives, given those of the rules.
fn length(symbol: GrammarSymbol, lengths: &[u64]) -> u64 {
    match symbol {
        GrammarSymbol::Terminal(_) => 1,
        GrammarSymbol::Rule(rule) => lengths[rule as usize],
    }
}

/// The rules that rule 0 reaches and their bodies, each before those it uses: a depth-first search, in the reverse order of leaving.
fn topological(body: &impl Fn(u32) -> Vec<GrammarSymbol>) -> (Vec<u32>, Vec<Vec<GrammarSymbol>>) {
    let mut left = Vec::new();
    let mut met = rustc_hash::FxHashSet::from_iter([0]);
    let mut open = vec![(0, body(0), 0)];
    while let Some((rule, symbols, next)) = open.last_mut() {
        // From the end, so that the reverse order has the rules as the bodies name them.
        match symbols.iter().rev().nth(*next) {
            None => {
                left.push((*rule, core::mem::take(symbols)));
                open.pop();
            }
            Some(&symbol) => {
                *next += 1;
                if let GrammarSymbol::Rule(used) = symbol
                    && met.insert(used)
                {
                    open.push((used, body(used), 0));
                }
            }
        }
    }
    left.into_iter().rev().unzip()
}

/// One rule a line: `R1 -> a R2`.
impl<T: fmt::Display> fmt::Display for Grammar<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rule, body) in self.rules.iter().enumerate() {
            write!(f, "R{rule} ->")?;
            for &symbol in body {
                match symbol {
                    GrammarSymbol::Rule(rule) => write!(f, " R{rule}")?,
                    GrammarSymbol::Terminal(terminal) => {
                        write!(f, " {}", self.terminals[terminal as usize])?;
                    }
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
