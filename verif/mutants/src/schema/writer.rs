//! A text with insertions, and which mutants what was inserted belongs to.

use super::sites::{Constant, Form, Site};
use crate::list::Mutant;
use std::ops::Range;

/// Something put around, or in front of, a part of a text.
#[derive(Debug)]
pub struct Insertion {
    /// The part: bytes of the text.
    range: Range<usize>,
    form: Form,
    /// Whether the part itself is left out.
    blank: bool,
    /// Numbers, with what stands there instead.
    mutants: Vec<(u32, String)>,
}

impl Insertion {
    /// Leaves a word out.
    pub fn blank(constant: &Constant) -> Self {
        Self {
            range: constant.word.clone(),
            form: Form::Guard,
            blank: true,
            mutants: Vec::new(),
        }
    }

    /// Adds a mutant of a place to what is inserted there.
    pub fn add(all: &mut Vec<Self>, site: &Site, mutant: &Mutant, text: &str) {
        let Range { start, end } = mutant.span;
        let instead = match site.form {
            Form::Return => mutant.replacement.clone(),
            Form::Guard => String::new(),
            Form::Choice => [
                &text[site.range.start..start],
                &mutant.replacement,
                &text[end..site.range.end],
            ]
            .concat(),
        };
        let there = |insertion: &&mut Self| {
            insertion.range == site.range && insertion.form == site.form && !insertion.blank
        };
        match all.iter_mut().find(there) {
            Some(insertion) => insertion.mutants.push((mutant.number, instead)),
            None => all.push(Self {
                range: site.range.clone(),
                form: site.form,
                blank: false,
                mutants: vec![(mutant.number, instead)],
            }),
        }
    }

    /// Where it opens, if it is put in front of or around its part, or else behind it.
    fn opens(&self) -> usize {
        match self.form {
            Form::Guard if !self.blank => self.range.end,
            _ => self.range.start,
        }
    }
}

/// A part of the text as written that is some mutants'.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Bytes of the text as written.
    pub range: Range<usize>,
    /// Their numbers.
    pub mutants: Vec<u32>,
}

/// A text with mutants.
#[derive(Debug, Default)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What is some mutants', larger parts before those in them.
    pub parts: Vec<Part>,
    /// The numbers of the mutants in it.
    pub mutants: Vec<u32>,
}

impl Written {
    /// The mutants of the smallest part that holds these bytes.
    pub fn mutants_of(&self, range: &Range<usize>) -> &[u32] {
        let holds = |part: &&Part| part.range.start <= range.start && range.end <= part.range.end;
        let smallest = self
            .parts
            .iter()
            .filter(holds)
            .min_by_key(|part| part.range.len());
        smallest.map_or(&[], |part| &part.mutants)
    }
}

/// Writes the text with its insertions, which lie in each other or apart.
pub fn write(text: &str, mut insertions: Vec<Insertion>) -> Written {
    // Of two that open at the same place the outer is the first.
    insertions.sort_by_key(|insertion| {
        (
            insertion.opens(),
            std::cmp::Reverse(insertion.range.end),
            insertion.form,
        )
    });
    let mut writer = Writer {
        text,
        at: 0,
        written: Written::default(),
        open: Vec::new(),
    };
    for insertion in &insertions {
        writer.copy_to(insertion.opens());
        writer.insert(insertion);
    }
    writer.copy_to(text.len());
    writer.written
}

struct Writer<'a> {
    text: &'a str,
    at: usize,
    written: Written,
    /// Where open parts end, and which they are, the innermost last.
    open: Vec<(usize, usize)>,
}

impl Writer<'_> {
    /// Copies the text up to a place, and closes what ends until there.
    fn copy_to(&mut self, place: usize) {
        while let Some(&(end, part)) = self.open.last() {
            if end > place {
                break;
            }
            self.copy(end);
            self.written.text.push_str(" })");
            self.written.parts[part].range.end = self.written.text.len();
            self.open.pop();
        }
        self.copy(place);
    }

    fn copy(&mut self, place: usize) {
        if place > self.at {
            self.written.text.push_str(&self.text[self.at..place]);
            self.at = place;
        }
    }

    fn insert(&mut self, insertion: &Insertion) {
        if insertion.blank {
            self.at = insertion.range.end;
            return;
        }
        let whole = self.part(insertion.mutants.iter().map(|mutant| mutant.0).collect());
        match insertion.form {
            Form::Return => self.returns(&insertion.mutants),
            Form::Guard => self.guard(&insertion.mutants),
            Form::Choice => self.choice(&insertion.mutants),
        }
        self.written.parts[whole].range.end = self.written.text.len();
        if insertion.form == Form::Choice {
            self.open.push((insertion.range.end, whole));
        }
    }

    /// A part that begins here.
    fn part(&mut self, mutants: Vec<u32>) -> usize {
        let at = self.written.text.len();
        self.written.parts.push(Part {
            range: at..at,
            mutants,
        });
        self.written.parts.len() - 1
    }

    /// Something that is a single mutant's.
    fn own(&mut self, number: u32, text: &str) {
        self.written.mutants.push(number);
        let part = self.part(vec![number]);
        self.written.text.push_str(text);
        self.written.parts[part].range.end = self.written.text.len();
    }

    fn returns(&mut self, mutants: &[(u32, String)]) {
        for (number, value) in mutants {
            let text = format!("if crate::__mutant::is({number}) {{ return {value}; }} ");
            self.own(*number, &text);
        }
    }

    fn guard(&mut self, mutants: &[(u32, String)]) {
        for (number, _) in mutants {
            self.own(*number, &format!(" if !crate::__mutant::is({number})"));
        }
    }

    fn choice(&mut self, mutants: &[(u32, String)]) {
        self.written.text.push('(');
        for (number, instead) in mutants {
            let text = format!("if crate::__mutant::is({number}) {{ {instead} }} else ");
            self.own(*number, &text);
        }
        self.written.text.push_str("{ ");
    }
}
