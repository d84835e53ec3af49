//! The symbols of all rules in one arena, linked both ways.
//!
//! The body of a rule is a ring that a *guard* closes: after the guard comes the first symbol, before it the last. So
//! a symbol is put in or taken out in constant time, and no end of a body is a special case.

/// What a link of the arena holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Symbol {
    /// A symbol of the stream, by its number.
    Terminal(u32),
    /// A use of a rule.
    Rule(u32),
    /// Where a rule's body begins and ends.
    Guard(u32),
    /// Nothing: the link waits to be used again.
    Free,
}

/// A place in the arena.
pub(super) type Link = u32;

#[derive(Clone, Debug)]
struct Entry {
    symbol: Symbol,
    previous: Link,
    next: Link,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    entries: Vec<Entry>,
    free: Vec<Link>,
}

impl Links {
    /// A new guard, alone in its ring.
    pub fn guard(&mut self, rule: u32) -> Link {
        let link = self.allocate(Symbol::Guard(rule));
        self.join(link, link);
        link
    }

    /// Puts a symbol after a link.
    pub fn insert_after(&mut self, link: Link, symbol: Symbol) -> Link {
        let (new, next) = (self.allocate(symbol), self.next(link));
        self.join(link, new);
        self.join(new, next);
        new
    }

    /// Takes a link out of its ring.
    pub fn remove(&mut self, link: Link) {
        self.join(self.previous(link), self.next(link));
        self.release(link);
    }

    /// Puts the ring of a guard, without the guard, in the place of a link.
    pub fn splice(&mut self, link: Link, guard: Link) {
        let (before, after) = (self.previous(link), self.next(link));
        self.join(before, self.next(guard));
        self.join(self.previous(guard), after);
        self.release(link);
        self.release(guard);
    }

    pub fn symbol(&self, link: Link) -> Symbol {
        self.entries[link as usize].symbol
    }

    pub fn set_symbol(&mut self, link: Link, symbol: Symbol) {
        self.entries[link as usize].symbol = symbol;
    }

    pub fn previous(&self, link: Link) -> Link {
        self.entries[link as usize].previous
    }

    pub fn next(&self, link: Link) -> Link {
        self.entries[link as usize].next
    }

    pub fn is_guard(&self, link: Link) -> bool {
        matches!(self.symbol(link), Symbol::Guard(_))
    }

    /// The symbols of a ring, from the one after its guard.
    pub fn body(&self, guard: Link) -> impl Iterator<Item = Symbol> {
        core::iter::successors(Some(self.next(guard)), |&link| Some(self.next(link)))
            .take_while(move |&link| link != guard)
            .map(|link| self.symbol(link))
    }

    fn join(&mut self, left: Link, right: Link) {
        self.entries[left as usize].next = right;
        self.entries[right as usize].previous = left;
    }

    fn allocate(&mut self, symbol: Symbol) -> Link {
        let entry = Entry {
            symbol,
            previous: 0,
            next: 0,
        };
        if let Some(link) = self.free.pop() {
            self.entries[link as usize] = entry;
            return link;
        }
        let link = Link::try_from(self.entries.len())
            .expect("memory ends before 2^32 links, which take 80 GB with their digrams");
        self.entries.push(entry);
        link
    }

    fn release(&mut self, link: Link) {
        self.entries[link as usize].symbol = Symbol::Free;
        self.free.push(link);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream is longer than its grammar: what a rule has replaced must not take memory for ever.
    #[test]
    fn links_that_were_taken_out_are_used_again() {
        let mut links = Links::default();
        let one = links.guard(0);
        for symbol in 0..100 {
            let other = links.guard(1);
            let last = links.insert_after(one, Symbol::Terminal(symbol));
            links.insert_after(other, Symbol::Terminal(symbol));
            assert!(links.body(one).eq([Symbol::Terminal(symbol)]));
            links.remove(last);
            let last = links.insert_after(one, Symbol::Rule(1));
            links.splice(last, other);
            assert!(links.body(one).eq([Symbol::Terminal(symbol)]));
            let last = links.next(one);
            links.remove(last);
        }
        assert_eq!(links.entries.len(), 4);
    }
}
