//! A file with its functions laid out anew.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::Copies;
use super::order::order;
use crate::assembly::{Block, Ending, Function, label, mnemonic, section, transfers};
use crate::code::Code;
use crate::rewrite::symbol;

/// A function that cannot be laid out anew.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EmitError {
    /// A line that is neither code, nor data between two sections.
    #[error(
        "line {line}: `{text}` inside `{function}` is not understood; it must be assembly that GCC wrote"
    )]
    Line {
        line: usize,
        text: String,
        function: String,
    },
    /// A branch whose opposite is unknown.
    #[error("line {line}: `{mnemonic}` has no opposite")]
    Opposite { line: usize, mnemonic: String },
}

/// The text of a RISC-V file with its functions, each with its copies and its position among all of the program, laid out anew. Each
/// copy has a symbol: that of the block, and for a duplicate its number.
///
/// # Errors
///
/// If a function holds what GCC does not write.
pub fn emit(
    lines: &[&str],
    functions: &[(&Function, &Copies, usize)],
) -> Result<String, EmitError> {
    let is_other = |line: &&&str| mnemonic(line).is_none_or(|word| !transfers(word, line));
    let words = lines.iter().filter(is_other).flat_map(|line| words(line));
    let named: HashSet<&str> = words.collect();
    let begins: HashMap<usize, _> = functions
        .iter()
        .map(|one| (one.0.blocks[0].first, one))
        .collect();
    let (mut text, mut at) = (String::new(), 0);
    while at < lines.len() {
        let Some(&&(function, copies, position)) = begins.get(&at) else {
            push(&mut text, lines[at]);
            at += 1;
            continue;
        };
        let writer = Writer {
            lines,
            function,
            copies,
            position,
        };
        for line in writer.data()?.iter().chain(&writer.code(&named)?) {
            push(&mut text, line);
        }
        at = function.size;
    }
    Ok(text)
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The words of a line that is no label.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "._$".contains(c);
    let line = label(line).map_or(line, |_| "");
    line.split(move |c: char| !is_part(c))
}

struct Writer<'a> {
    lines: &'a [&'a str],
    function: &'a Function,
    copies: &'a Copies,
    position: usize,
}

impl Writer<'_> {
    /// What lies between the blocks: tables in other sections, which go before the function.
    fn data(&self) -> Result<Code, EmitError> {
        let mut data = Code::new();
        let mut in_text = true;
        let mut blocks = self.function.blocks.iter().peekable();
        let mut at = self.function.blocks[0].first;
        while at < self.function.size {
            if let Some(block) = blocks.next_if(|block| block.first == at) {
                at = block.end;
                continue;
            }
            let line = self.lines[at];
            match section(line) {
                Some(true) if !in_text => {
                    in_text = true;
                    data.push(line.into());
                }
                Some(false) => {
                    in_text = false;
                    data.push(line.into());
                }
                None if !in_text => data.push(line.into()),
                None if is_idle(line) => {}
                _ => return Err(self.not_understood(at)),
            }
            at += 1;
        }
        Ok(data)
    }

    fn not_understood(&self, at: usize) -> EmitError {
        EmitError::Line {
            line: at + 1,
            text: self.lines[at].trim().into(),
            function: self.function.name.clone(),
        }
    }

    fn code(&self, named: &HashSet<&str>) -> Result<Code, EmitError> {
        let is_named = |block: &Block| {
            let lines = self.lines[block.first..block.body].iter();
            lines
                .filter_map(|line| label(line))
                .any(|name| named.contains(name))
        };
        let blocks = self.function.blocks.iter();
        let order = order(
            self.function,
            self.copies,
            &blocks.map(is_named).collect::<Vec<_>>(),
        );
        let mut code = Code::new();
        for (place, &copy) in order.iter().enumerate() {
            self.copy(copy, order.get(place + 1).copied(), &mut code)?;
        }
        Ok(code)
    }

    fn name(&self, copy: usize) -> String {
        let block = symbol(self.position, self.copies.0[copy].block);
        match copy < self.function.blocks.len() {
            true => block,
            false => format!("{block}.{copy}"),
        }
    }

    fn copy(&self, at: usize, next: Option<usize>, code: &mut Code) -> Result<(), EmitError> {
        let copy = &self.copies.0[at];
        let block = &self.function.blocks[copy.block];
        if at == copy.block {
            let labels = self.lines[block.first..block.body].iter();
            let labels = labels.filter(|line| label(line).is_some());
            code.extend(labels.map(|line| (*line).to_owned()));
        }
        code.push(format!("{}:", self.name(at)));
        let end = match block.ending {
            Ending::Branch(_) | Ending::Jump(_) => block.end - 1,
            _ => block.end,
        };
        for line in block.body..end {
            match section(self.lines[line]) {
                None if is_idle(self.lines[line]) => {}
                None => code.push(self.lines[line].into()),
                Some(_) => return Err(self.not_understood(line)),
            }
        }
        self.ending(at, next, code)
    }

    /// The branch and the jump at the end of a copy, as the next one wants them.
    fn ending(&self, at: usize, next: Option<usize>, code: &mut Code) -> Result<(), EmitError> {
        let copy = &self.copies.0[at];
        let block = &self.function.blocks[copy.block];
        let jump = |to: usize| format!("\tj\t{}", self.name(to));
        match (&block.ending, &copy.to[..]) {
            (Ending::Branch(_), &[behind, taken]) => {
                let last = block.end - 1;
                let is_hot = copy.flow[1] >= copy.flow[0];
                if next == Some(behind) {
                    code.push(self.branch(last, false, taken)?);
                } else if next == Some(taken) {
                    code.push(self.branch(last, true, behind)?);
                } else if is_hot {
                    code.extend([self.branch(last, false, taken)?, jump(behind)]);
                } else {
                    code.extend([self.branch(last, true, behind)?, jump(taken)]);
                }
            }
            // A branch to the next block goes there in any case.
            (Ending::Fall | Ending::Jump(_) | Ending::Branch(_), &[to]) if next != Some(to) => {
                code.push(jump(to));
            }
            _ => {}
        }
        Ok(())
    }

    /// The branch of a line, or its opposite, to a copy.
    fn branch(&self, line: usize, opposite: bool, to: usize) -> Result<String, EmitError> {
        let text = self.lines[line].trim();
        let (word, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let word = match opposite {
            false => word,
            true => inverse(word).ok_or_else(|| EmitError::Opposite {
                line: line + 1,
                mnemonic: word.into(),
            })?,
        };
        let name = self.name(to);
        Ok(match operands.rsplit_once(',') {
            Some((compared, _)) => format!("\t{word}\t{compared},{name}"),
            None => format!("\t{word}\t{name}"),
        })
    }
}

/// Whether a line in code may go.
fn is_idle(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("#");
    word.starts_with('#') || [".align", ".p2align", ".balign"].contains(&word)
}

/// The branch that is taken when another is not.
fn inverse(word: &str) -> Option<&'static str> {
    const PAIRS: [(&str, &str); 8] = [
        ("beq", "bne"),
        ("blt", "bge"),
        ("bltu", "bgeu"),
        ("bgt", "ble"),
        ("bgtu", "bleu"),
        ("beqz", "bnez"),
        ("bltz", "bgez"),
        ("bgtz", "blez"),
    ];
    PAIRS.iter().find_map(|&(one, other)| match word {
        _ if word == one => Some(other),
        _ if word == other => Some(one),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::functions;
    use crate::superblocks::{HotPath, Limits, form};

    /// A switch in a loop; its table lies between the blocks.
    const TEXT: &str = "\t.text\n\t.section\t.text.f\n\t.type\tf, @function\nf:\n\tbeqz\ta0,.L9\n\tjr\ta5\n\
        \t.section\t.rodata\n\t.align\t2\n.L4:\n\t.word\t.L2\n\t.word\t.L3\n\t.section\t.text.f\n\t.align\t2\n\
        .L2:\n\taddi\ta1,a1,1\n\tj\tf\n.L3:\n\taddi\ta1,a1,2\n\tj\tf\n.L9:\n\tret\n\t.size\tf, .-f\n";

    fn laid_out(text: &str, blocks: &[usize], then: Option<usize>) -> Result<String, EmitError> {
        let lines: Vec<&str> = text.lines().collect();
        let function = functions(&lines).expect("a function").remove(0);
        let path = HotPath {
            blocks: blocks.to_vec(),
            then,
            count: 9.0,
        };
        let limits = Limits {
            growth: 0.0,
            ..Limits::default()
        };
        let copies = form(&[&function], &[vec![path]], &limits).remove(0);
        emit(&lines, &[(&function, &copies, 5)])
    }

    #[test]
    fn a_hot_path_falls_through_and_tables_stand_before() {
        let text = laid_out(TEXT, &[0, 4], None).expect("a layout");
        let place = |part: &str| {
            text.find(part)
                .unwrap_or_else(|| panic!("no {part} in {text}"))
        };
        let parts = [
            "\t.section\t.rodata",
            "\t.word\t.L3",
            "\t.section\t.text.f\nf:\nhpp.5.0:",
            "bnez\ta0,hpp.5.1\n.L9:\nhpp.5.4:\n\tret",
            "hpp.5.1:\n\tjr\ta5",
            "\t.size\tf, .-f",
        ];
        assert!(parts.map(place).is_sorted(), "{text}");
        assert_eq!(text.matches("j\thpp.5.0").count(), 2, "{text}");
    }

    #[test]
    fn errors_name_the_line() {
        let odd = TEXT.replace(
            "\taddi\ta1,a1,2\n\tj\tf\n",
            "\taddi\ta1,a1,2\n\tj\tf\n\t.quux\n",
        );
        let error = laid_out(&odd, &[0], None).expect_err("refused").to_string();
        assert!(error.starts_with("line 20: `.quux` inside `f`"), "{error}");
    }
}
