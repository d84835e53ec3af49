//! SEQUITUR: a grammar that grows with the stream.
//!
//! Two properties hold after every symbol:
//!
//! - *digram uniqueness*: no pair of neighbours occurs twice in the grammar, but for overlapping ones as in `aaa`;
//! - *rule utility*: every rule is used at least twice.
//!
//! A new symbol is appended to the start rule. If that repeats a digram, both become a use of one rule, which may repeat
//! another digram in turn; a rule left with a single use is dissolved into it. Every such step
//! makes the grammar smaller or pays for itself by a later one that does, so all steps together are linear in the stream. What is left to
//! do is kept in a list, so the call stack does not grow with the stream.
//!
//! Nevill-Manning and Witten, "Identifying Hierarchical Structure in Sequences: A linear-time algorithm" (1997).

use core::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::digrams::{Digrams, Found};
use super::grammar::{Grammar, GrammarSymbol};
use super::links::{Link, Links, Symbol};

/// The rule that derives the whole stream.
const START: u32 = 0;

/// A rule: its ring, and who uses it.
#[derive(Clone, Debug)]
struct Rule {
    guard: Link,
    uses: u32,
    /// XOR of the links that use it: with a single use, that link.
    users: Link,
}

/// What remains to be looked at.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// The digram that begins at this link may be a repetition.
    Digram(Link),
    /// This rule may be left with one use.
    Utility(u32),
}

/// Builds the grammar of a stream, symbol by symbol.
///
/// `T` is a symbol of the stream: an acyclic path, a block, a branch. Memory is proportional to the grammar and to the number
/// of different symbols, not to the stream. A grammar can be taken at any moment.
///
/// ```
/// use hpp_paths::wpp::Sequitur;
/// let mut sequitur = Sequitur::new();
/// sequitur.extend([7, 8, 7, 8, 7, 8, 7, 8]);
/// assert_eq!(sequitur.grammar().to_string(), "R0 -> R1 R1\nR1 -> R2 R2\nR2 -> 7 8\n");
/// ```
#[derive(Clone, Debug)]
pub struct Sequitur<T> {
    terminals: IndexSet<T, FxBuildHasher>,
    links: Links,
    digrams: Digrams,
    rules: Vec<Rule>,
    free_rules: Vec<u32>,
    tasks: Vec<Task>,
    length: u64,
}

impl<T> Default for Sequitur<T> {
    fn default() -> Self {
        let mut links = Links::default();
        let start = Rule {
            guard: links.guard(START),
            uses: 0,
            users: 0,
        };
        Self {
            terminals: IndexSet::default(),
            links,
            digrams: Digrams::default(),
            rules: vec![start],
            free_rules: Vec::new(),
            tasks: Vec::new(),
            length: 0,
        }
    }
}

impl<T: Eq + Hash> Sequitur<T> {
    /// The grammar of the empty stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a symbol. Constant time on average over a stream.
    ///
    /// # Panics
    ///
    /// If the grammar outgrows 2^32 symbols; its memory is then 80 GB.
    pub fn push(&mut self, symbol: T) {
        let (terminal, _) = self.terminals.insert_full(symbol);
        let terminal = u32::try_from(terminal).expect("fewer terminals than symbols in the arena");
        let last = self.links.previous(self.rules[START as usize].guard);
        self.links.insert_after(last, Symbol::Terminal(terminal));
        self.length += 1;
        self.tasks.push(Task::Digram(last));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Digram(link) => self.settle_digram(link),
                Task::Utility(rule) => self.settle_rule(rule),
            }
        }
    }

    /// Symbols pushed.
    pub const fn stream_length(&self) -> u64 {
        self.length
    }

    /// The grammar of the stream so far. O(symbols of the grammar).
    pub fn grammar(&self) -> Grammar<T>
    where
        T: Clone,
    {
        Grammar::numbered(self.terminals.iter().cloned().collect(), |rule| {
            self.body(rule)
        })
    }

    /// The body of a rule of the arena.
    fn body(&self, rule: u32) -> Vec<GrammarSymbol> {
        let symbols = self.links.body(self.rules[rule as usize].guard);
        symbols
            .filter_map(|symbol| match symbol {
                Symbol::Terminal(terminal) => Some(GrammarSymbol::Terminal(terminal)),
                Symbol::Rule(rule) => Some(GrammarSymbol::Rule(rule)),
                Symbol::Guard(_) | Symbol::Free => None,
            })
            .collect()
    }

    /// Makes a repeated digram two uses of one rule.
    fn settle_digram(&mut self, link: Link) {
        let Found::Twin(twin) = self.digrams.meet(&self.links, link) else {
            return;
        };
        if let Some(rule) = self.rule_of_body(twin) {
            self.substitute(link, rule);
        } else if let Some(rule) = self.rule_of_body(link) {
            self.substitute(twin, rule);
        } else {
            let rule = self.new_rule(twin);
            self.substitute(twin, rule);
            self.substitute(link, rule);
        }
    }

    /// The rule, other than the start rule, whose body is just the digram that begins here.
    fn rule_of_body(&self, link: Link) -> Option<u32> {
        let end = self.links.next(self.links.next(link));
        match self.links.symbol(self.links.previous(link)) {
            Symbol::Guard(rule) if rule != START && self.links.is_guard(end) => Some(rule),
            _ => None,
        }
    }

    /// A rule whose body is a copy of a digram, indexed in its place.
    fn new_rule(&mut self, digram: Link) -> u32 {
        let pair = [digram, self.links.next(digram)].map(|link| self.links.symbol(link));
        let rule = self.free_rules.pop().unwrap_or(self.rules.len() as u32);
        let guard = self.links.guard(rule);
        let entry = Rule {
            guard,
            uses: 0,
            users: 0,
        };
        match self.rules.get_mut(rule as usize) {
            Some(free) => *free = entry,
            None => self.rules.push(entry),
        }
        self.digrams.forget(&self.links, digram);
        for symbol in pair {
            let link = self.links.insert_after(self.links.previous(guard), symbol);
            self.add_use(link);
        }
        self.digrams.meet(&self.links, self.links.next(guard));
        rule
    }

    /// Puts a use of the rule in the place of the digram that begins at a link.
    fn substitute(&mut self, link: Link, rule: u32) {
        let second = self.links.next(link);
        let before = self.links.previous(link);
        for digram in [before, link, second] {
            self.digrams.forget(&self.links, digram);
        }
        self.drop_use(link);
        self.drop_use(second);
        self.links.remove(second);
        self.links.set_symbol(link, Symbol::Rule(rule));
        self.add_use(link);
        self.review(before, link);
    }

    /// Dissolves a rule into its single use.
    fn settle_rule(&mut self, rule: u32) {
        let Rule { guard, uses, users } = self.rules[rule as usize];
        // The start rule has no use, and a use may have come since the task was set.
        if uses != 1 {
            return;
        }
        let before = self.links.previous(users);
        let last = self.links.previous(guard);
        self.digrams.forget(&self.links, before);
        self.digrams.forget(&self.links, users);
        self.links.splice(users, guard);
        self.rules[rule as usize].uses = 0;
        self.free_rules.push(rule);
        self.review(before, last);
    }

    /// Two links whose digrams have changed; those just outside may have lost the neighbour that was indexed for them.
    fn review(&mut self, first: Link, second: Link) {
        for link in [self.links.previous(first), self.links.next(second)] {
            self.digrams.adopt(&self.links, link);
        }
        self.tasks.push(Task::Digram(second));
        self.tasks.push(Task::Digram(first));
    }

    fn add_use(&mut self, link: Link) {
        if let Symbol::Rule(rule) = self.links.symbol(link) {
            let used = &mut self.rules[rule as usize];
            used.uses += 1;
            used.users ^= link;
        }
    }

    fn drop_use(&mut self, link: Link) {
        if let Symbol::Rule(rule) = self.links.symbol(link) {
            let used = &mut self.rules[rule as usize];
            used.uses -= 1;
            used.users ^= link;
            if used.uses == 1 {
                self.tasks.push(Task::Utility(rule));
            }
        }
    }
}

impl<T: Eq + Hash> Extend<T> for Sequitur<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, symbols: I) {
        for symbol in symbols {
            self.push(symbol);
        }
    }
}
