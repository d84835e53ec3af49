//! The whole program path: a grammar that derives one string.

use core::fmt;

/// A symbol in the body of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar<T> {
    terminals: Vec<T>,
    rules: Vec<Vec<GrammarSymbol>>,
}

impl<T> Grammar<T> {
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
    pub fn terminals(&self) -> &[T] {
        &self.terminals
    }

    /// The bodies of the rules, by their numbers.
    pub fn rules(&self) -> &[Vec<GrammarSymbol>] {
        &self.rules
    }

    /// Symbols in all bodies: the size of the grammar.
    pub fn symbols(&self) -> usize {
        self.rules.iter().map(Vec::len).sum()
    }

    /// Bits of the bodies written one after another, an end after each, with as many bits a symbol as tell rules,
    /// terminals and the end apart. The terminals themselves are not counted.
    pub fn bits(&self) -> u64 {
        let kinds = self.terminals.len() + self.rules.len() + 1;
        let width = u64::from(kinds.next_power_of_two().ilog2());
        (self.symbols() + self.rules.len()) as u64 * width
    }

    /// How many symbols of the stream each rule derives. O(symbols).
    pub fn lengths(&self) -> Vec<u64> {
        let mut lengths = vec![0; self.rules.len()];
        for (rule, body) in self.rules.iter().enumerate().rev() {
            lengths[rule] = body.iter().map(|&symbol| length(symbol, &lengths)).sum();
        }
        lengths
    }

    /// How many times each rule occurs in the derivation of the stream. O(symbols).
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
        let mut open = vec![self.rules[0].iter()];
        core::iter::from_fn(move || {
            loop {
                match open.last_mut()?.next() {
                    None => drop(open.pop()),
                    Some(&GrammarSymbol::Terminal(terminal)) => {
                        return Some(&self.terminals[terminal as usize]);
                    }
                    Some(&GrammarSymbol::Rule(rule)) => {
                        open.push(self.rules[rule as usize].iter());
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
