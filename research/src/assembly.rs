//! Functions and blocks of an assembly file, as GCC writes it.
//!
//! A block begins at a function, at a label, or after a branch, and ends before the next one or with a transfer of control. Calls do
//! not end it. A computed jump has the targets of the table that GCC puts right after it; without a table it leaves the function.

use std::collections::HashMap;

use thiserror::Error;

/// An assembly file that cannot be cut into blocks.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AssemblyError {
    /// A function whose end is not marked.
    #[error(
        "line {line}: function `{function}` has no `.size`; it must be assembly that GCC wrote"
    )]
    NoEnd { line: usize, function: String },
    /// A branch to a label outside of its function.
    #[error(
        "line {line}: a branch leaves `{function}` for `{label}`; compile it without partitioning (-fno-reorder-blocks-and-partition)"
    )]
    Leaves {
        line: usize,
        function: String,
        label: String,
    },
}

/// How a block ends. Lines count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Before the next block.
    Fall,
    /// With a conditional branch to a block.
    Branch(usize),
    /// With a jump to a block.
    Jump(usize),
    /// With a jump through a table: its lines, and the block each leads to.
    Table(Vec<(usize, usize)>),
    /// With a return or a jump out of the function.
    Leave,
    /// Not at all: the call before does not return.
    Dead,
}

/// A block: lines from `first`, where its labels are, to before `end`. The transfer is the last instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of its first label or instruction.
    pub first: usize,
    /// The line after its labels.
    pub body: usize,
    /// The line after its last instruction.
    pub end: usize,
    pub ending: Ending,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// Its blocks, in the order of the text.
    pub blocks: Vec<Block>,
    /// The line of its `.size`, which is in its section.
    pub size: usize,
}

/// The functions of an assembly file, in order.
///
/// # Errors
///
/// If it is not of the form that GCC gives it.
pub fn functions(lines: &[&str]) -> Result<Vec<Function>, AssemblyError> {
    let declared = lines.iter().filter_map(|line| {
        let (name, kind) = line.trim().strip_prefix(".type")?.split_once(',')?;
        (kind.trim() == "@function").then(|| name.trim())
    });
    let place = |name: &str| lines.iter().position(|line| label(line) == Some(name));
    let found = declared.filter_map(|name| Some((name, place(name)?)));
    found
        .map(|(name, start)| function(lines, name, start))
        .collect()
}

fn function(lines: &[&str], name: &str, start: usize) -> Result<Function, AssemblyError> {
    let is_size = |line: &&str| {
        let rest = line.trim().strip_prefix(".size");
        rest.and_then(|rest| rest.split_once(','))
            .is_some_and(|(of, _)| of.trim() == name)
    };
    let size = lines[start..]
        .iter()
        .position(is_size)
        .ok_or_else(|| AssemblyError::NoEnd {
            line: start + 1,
            function: name.into(),
        })?;
    let size = start + size;
    let (mut blocks, labels) = cut(lines, start, size);
    let count = blocks.len();
    for (at, block) in blocks.iter_mut().enumerate() {
        let ending = ending(lines, block, &labels, at + 1 == count);
        block.ending = ending.map_err(|(line, label)| AssemblyError::Leaves {
            line: line + 1,
            function: name.into(),
            label,
        })?;
    }
    Ok(Function {
        name: name.into(),
        blocks,
        size,
    })
}

/// The blocks of a function by their lines, and the labels of blocks.
fn cut<'a>(lines: &[&'a str], start: usize, end: usize) -> (Vec<Block>, HashMap<&'a str, usize>) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut labels = HashMap::new();
    let (mut in_text, mut open) = (true, false);
    for (at, line) in lines.iter().enumerate().take(end).skip(start) {
        if let Some(text) = section(line) {
            in_text = text;
        }
        let (name, word) = (label(line), mnemonic(line));
        if !in_text || (name.is_none() && word.is_none()) {
            continue;
        }
        // Labels in a row are one block's.
        let fresh = blocks.last().is_some_and(|block| block.body == block.end);
        if !open || (name.is_some() && !fresh) {
            blocks.push(Block {
                first: at,
                body: at,
                end: at,
                ending: Ending::Fall,
            });
            open = true;
        }
        let index = blocks.len() - 1;
        let Some(block) = blocks.last_mut() else {
            continue;
        };
        block.end = at + 1;
        if let Some(name) = name {
            labels.insert(name, index);
            block.body = at + 1;
        }
        open = word.is_none_or(|word| transfer(word, line).is_none());
    }
    (blocks, labels)
}

/// What a transfer of control is.
enum Transfer<'a> {
    Branch(&'a str),
    Jump(&'a str),
    Computed,
    Return,
}

fn transfer<'a>(word: &str, line: &'a str) -> Option<Transfer<'a>> {
    let operands = line.trim().strip_prefix(word).unwrap_or("").trim();
    let last = operands.rsplit(',').next().unwrap_or("").trim();
    match word {
        "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "bgt" | "ble" | "bgtu" | "bleu"
        | "beqz" | "bnez" | "blez" | "bgez" | "bltz" | "bgtz" => Some(Transfer::Branch(last)),
        "jmp" if operands.starts_with('*') => Some(Transfer::Computed),
        "j" | "tail" | "jmp" => Some(Transfer::Jump(last)),
        "jr" if last != "ra" => Some(Transfer::Computed),
        "jr" | "ret" | "mret" => Some(Transfer::Return),
        "jal" | "jalr" => None,
        // All others of x86.
        _ if word.starts_with('j') => Some(Transfer::Branch(last)),
        _ => None,
    }
}

/// How a block ends; an unknown label with its line otherwise.
fn ending(
    lines: &[&str],
    block: &Block,
    labels: &HashMap<&str, usize>,
    last: bool,
) -> Result<Ending, (usize, String)> {
    let at = block.end - 1;
    let transfer = mnemonic(lines[at]).and_then(|word| transfer(word, lines[at]));
    let find = |at: usize, label: &str| labels.get(label).copied().ok_or((at, label.to_owned()));
    Ok(match transfer {
        None if last => Ending::Dead,
        None => Ending::Fall,
        Some(Transfer::Return) => Ending::Leave,
        Some(Transfer::Branch(label)) => Ending::Branch(find(at, label)?),
        // A jump to another symbol is a tail call.
        Some(Transfer::Jump(label)) => labels
            .get(label)
            .map_or(Ending::Leave, |&to| Ending::Jump(to)),
        Some(Transfer::Computed) => match table(lines, block.end) {
            words if words.is_empty() => Ending::Leave,
            words => {
                let words = words
                    .into_iter()
                    .map(|(at, label)| Ok((at, find(at, label)?)));
                Ending::Table(words.collect::<Result<_, _>>()?)
            }
        },
    })
}

/// The words of the table that begins at a line, with their lines.
fn table<'a>(lines: &[&'a str], begin: usize) -> Vec<(usize, &'a str)> {
    if lines.get(begin).and_then(|line| section(line)) != Some(false) {
        return Vec::new();
    }
    let table = lines.iter().enumerate().skip(begin + 1);
    let table = table.take_while(|(_, line)| section(line).is_none());
    let words = table.filter_map(|(at, line)| Some((at, word(line)?)));
    words.collect()
}

/// What the line of a table holds.
fn word(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line.strip_prefix(".word").or(line.strip_prefix(".quad"))?;
    Some(rest.trim())
}

pub fn label(line: &str) -> Option<&str> {
    line.trim()
        .strip_suffix(':')
        .filter(|name| !name.contains(char::is_whitespace))
}

/// The mnemonic of a line with an instruction.
fn mnemonic(line: &str) -> Option<&str> {
    let word = line.split_whitespace().next()?;
    (!word.starts_with(['.', '#']) && !word.ends_with(':')).then_some(word)
}

/// Whether a line begins a section of code; `None` if it begins none.
fn section(line: &str) -> Option<bool> {
    let mut words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    match words.next()? {
        ".text" => Some(true),
        ".data" | ".bss" => Some(false),
        ".section" => Some(words.next()?.starts_with(".text")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\t.text\n\t.type\tf, @function\nf:\n\tbeq\ta0,zero,.L2\n\tcall\tg\n.L3:\n\tjr\ta5\n\
        \t.section\t.rodata\n\t.align\t2\n.L5:\n\t.word\t.L2\n\t.word\t.L3\n\t.section\t.text.f\n\
        .L2:\n.L7:\n\tj\t.L3\n\tli\ta0,1\n\ttail\tg\n\tcall\tabort\n\t.size\tf, .-f\n";

    #[test]
    fn blocks_end_as_their_last_instruction_says() {
        let lines: Vec<&str> = TEXT.lines().collect();
        let found = functions(&lines).expect("one function");
        let endings: Vec<_> = found[0]
            .blocks
            .iter()
            .map(|block| block.ending.clone())
            .collect();
        let expected = [
            Ending::Branch(3),
            Ending::Fall,
            Ending::Table(vec![(10, 3), (11, 2)]),
            Ending::Jump(2),
            Ending::Leave,
            Ending::Dead,
        ];
        assert_eq!(endings, expected);
        assert_eq!(
            (found[0].blocks[3].first, found[0].blocks[3].body),
            (13, 15)
        );
    }

    #[test]
    fn x86_blocks_end_likewise() {
        let text = "\t.text\n\t.type\tf, @function\nf:\n\tcmpl\t$4, %edi\n\tja\t.L2\n\tjmp\t*.L4(,%rdi,8)\n\
            \t.section\t.rodata\n\t.align 8\n.L4:\n\t.quad\t.L2\n\t.quad\t.L3\n\t.text\n\
            .L3:\n\tjmp\tg\n.L2:\n\tret\n\t.size\tf, .-f\n";
        let lines: Vec<&str> = text.lines().collect();
        let found = functions(&lines).expect("one function");
        let endings: Vec<_> = found[0].blocks.iter().map(|b| b.ending.clone()).collect();
        let table = Ending::Table(vec![(9, 3), (10, 2)]);
        let expected = [Ending::Branch(3), table, Ending::Leave, Ending::Leave];
        assert_eq!(endings, expected);
    }

    #[test]
    fn errors_name_the_line() {
        let lines = [
            "\t.type\tf, @function",
            "f:",
            "\tbne\ta0,a1,.L9",
            "\tret",
            "\t.size\tf, .-f",
        ];
        let error = |lines: &[&str]| functions(lines).expect_err("refused").to_string();
        assert!(error(&lines).starts_with("line 3: a branch leaves `f` for `.L9`"));
        assert!(error(&lines[..4]).starts_with("line 2: function `f` has no `.size`"));
    }
}
