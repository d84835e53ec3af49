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
            Form::Return | Form::Iterator => mutant.replacement.clone(),
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
    /// Whether it is nothing but what stands there instead, of a single one.
    pub own: bool,
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
    /// The smallest part that holds these bytes, a single mutant's own if there is one.
    pub fn part_of(&self, range: &Range<usize>) -> Option<&Part> {
        let holds = |part: &&Part| part.range.start <= range.start && range.end <= part.range.end;
        let parts = self.parts.iter().filter(holds);
        parts.min_by_key(|part| (part.range.len(), !part.own))
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

/// A part that is written.
struct Open {
    /// Where its text ends.
    end: usize,
    /// Which it is.
    part: usize,
    /// What is written behind it.
    closing: String,
}

struct Writer<'a> {
    text: &'a str,
    at: usize,
    written: Written,
    /// The parts that are open, the innermost last.
    open: Vec<Open>,
}

impl Writer<'_> {
    /// Copies the text up to a place, and closes what ends until there.
    fn copy_to(&mut self, place: usize) {
        while let Some(open) = self.open.pop_if(|open| open.end <= place) {
            self.copy(open.end);
            self.written.text.push_str(&open.closing);
            self.written.parts[open.part].range.end = self.written.text.len();
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
        let mutants = &insertion.mutants;
        let part = self.part(mutants.iter().map(|mutant| mutant.0).collect());
        let closing = match insertion.form {
            Form::Return => self.returns(mutants),
            Form::Guard => self.guard(mutants),
            Form::Choice => self.choice(mutants),
            Form::Iterator => self.iterator(mutants),
        };
        self.written.parts[part].range.end = self.written.text.len();
        if let Some(closing) = closing {
            let end = insertion.range.end;
            self.open.push(Open { end, part, closing });
        }
    }

    /// A part that begins here.
    fn part(&mut self, mutants: Vec<u32>) -> usize {
        let at = self.written.text.len();
        self.written.parts.push(Part {
            range: at..at,
            mutants,
            own: false,
        });
        self.written.parts.len() - 1
    }

    /// Something that is a single mutant's.
    fn own(&mut self, number: u32, text: &str) {
        self.written.mutants.push(number);
        let part = self.part(vec![number]);
        self.written.text.push_str(text);
        self.written.parts[part].range.end = self.written.text.len();
        self.written.parts[part].own = true;
    }

    fn returns(&mut self, mutants: &[(u32, String)]) -> Option<String> {
        for (number, value) in mutants {
            let text = format!("if crate::__mutant::is({number}) {{ return {value}; }} ");
            self.own(*number, &text);
        }
        None
    }

    fn guard(&mut self, mutants: &[(u32, String)]) -> Option<String> {
        for (number, _) in mutants {
            self.own(*number, &format!(" if !crate::__mutant::is({number})"));
        }
        None
    }

    fn choice(&mut self, mutants: &[(u32, String)]) -> Option<String> {
        self.written.text.push('(');
        for (number, instead) in mutants {
            let text = format!("if crate::__mutant::is({number}) {{ {instead} }} else ");
            self.own(*number, &text);
        }
        self.written.text.push_str("{ ");
        Some(" })".to_owned())
    }

    fn iterator(&mut self, mutants: &[(u32, String)]) -> Option<String> {
        let either = "crate::__mutant::Either";
        for (number, value) in mutants {
            let text = format!("if crate::__mutant::is({number}) {{ {either}::Left({value}) }} ");
            self.own(*number, &text);
            let other = format!("else {{ {either}::Right(");
            self.written.text.push_str(&other);
        }
        self.written.text.push_str("{ ");
        Some(format!(" }}{}", ") }".repeat(mutants.len())))
    }
}
