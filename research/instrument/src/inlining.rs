//! Calls replaced by what they call, so that a path goes on from the caller into the callee and back.
//!
//! The files of a program become one, in which what was local to a file has a name of its own. A copy of the callee's text stands in the
//! place of each call that is inlined. Its labels get a suffix, and it goes on after the call where it returned. A tail call
//! in it becomes a call, one of itself a jump to the beginning of the copy. The copy keeps its own stack frame, as the calling convention does.
//!
//! Calls by a function of itself, of functions outside of the program, and through registers stay.

use std::collections::{HashMap, HashSet};

use crate::assembly::{AssemblyError, Ending, Function, functions, label, mnemonic, section};

/// What begins a line whose words are no symbols.
const WORDS: [&str; 8] = [
    ".string",
    ".ascii",
    ".asciz",
    ".file",
    ".ident",
    ".section",
    ".attribute",
    ".option",
];

/// The text of a program in one file, with copies in the place of the calls in these blocks, which are identified by the position of their
/// function among those of all files and their own. And how many calls those are.
///
/// # Errors
///
/// If the files are not of the form that GCC gives them.
pub fn inlined(
    files: &[(String, String)],
    wanted: impl Fn(usize, usize) -> bool,
) -> Result<(String, usize), AssemblyError> {
    let text = merged(files);
    let lines: Vec<&str> = text.lines().collect();
    let functions = functions(&lines)?;
    let by_name: HashMap<&str, usize> = functions
        .iter()
        .enumerate()
        .map(|(at, function)| (function.name.as_str(), at))
        .collect();
    let mut copies: HashMap<usize, String> = HashMap::new();
    for (position, function) in functions.iter().enumerate() {
        let home = home(&lines, function);
        let blocks = function.blocks.iter().enumerate();
        let wanted = blocks.filter(|&(at, _)| wanted(position, at));
        for line in wanted.flat_map(|(_, block)| block.body..block.end) {
            let callee = called(lines[line]).and_then(|name| by_name.get(name).copied());
            let Some(callee) = callee.filter(|&callee| callee != position) else {
                continue;
            };
            if let Some(copy) = copy(&lines, &functions[callee], home, copies.len()) {
                copies.insert(line, copy);
            }
        }
    }
    let calls = copies.len();
    let line =
        |(at, line): (usize, &&str)| copies.remove(&at).unwrap_or_else(|| format!("{line}\n"));
    Ok((lines.iter().enumerate().map(line).collect(), calls))
}

/// All files as one. What a file does not export, and labels that start with `.L`, get the file's suffix.
fn merged(files: &[(String, String)]) -> String {
    let mut text = String::new();
    for (number, (_, file)) in files.iter().enumerate() {
        let defined = file.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let is_local = words.next() == Some(".local");
            label(line).or(words.next().filter(|_| is_local))
        });
        let mut local: HashSet<&str> = defined.collect();
        for line in file.lines() {
            let mut words = line.split_whitespace();
            if let Some(".globl" | ".global" | ".weak") = words.next() {
                words.next().map(|name| local.remove(name));
            }
        }
        let new = |word: &str| {
            let renamed = word.starts_with(".L") || local.contains(word);
            renamed.then(|| format!("{word}.f{number}"))
        };
        // What the machine has is said once, before all code.
        let again = |line: &&str| number > 0 && line.trim_start().starts_with(".attribute");
        for line in file.lines().filter(|line| !again(line)) {
            text += &renamed(line, &new);
            text.push('\n');
        }
    }
    text
}

/// A line with new names for some of its symbols.
fn renamed(line: &str, new: &dyn Fn(&str) -> Option<String>) -> String {
    if let Some(name) = label(line) {
        return new(name).map_or_else(|| line.to_owned(), |name| format!("{name}:"));
    }
    let words = line.trim_start();
    let word = words.split_whitespace().next().unwrap_or_default();
    if WORDS.contains(&word) || word.starts_with('#') {
        return line.to_owned();
    }
    // The mnemonic or directive stays, whatever a symbol is called.
    let (kept, operands) = line.split_at(line.len() - words.len() + word.len());
    let mut text = kept.to_owned();
    let is_part = |letter: char| letter.is_alphanumeric() || "._$".contains(letter);
    let mut rest = operands;
    while !rest.is_empty() {
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (symbol, behind) = rest.split_at(end);
        text += &new(symbol).unwrap_or_else(|| symbol.to_owned());
        let begin = behind.find(is_part).unwrap_or(behind.len());
        text += &behind[..begin];
        rest = &behind[begin..];
    }
    text
}

/// The line that begins the section of a function.
fn home<'a>(lines: &[&'a str], function: &Function) -> &'a str {
    let before = lines[..function.blocks[0].first].iter().rev();
    let mut sections = before.filter(|line| section(line) == Some(true));
    sections.next().unwrap_or(&"\t.text")
}

/// What a line calls by name.
fn called(line: &str) -> Option<&str> {
    (mnemonic(line)? == "call").then(|| line.split_whitespace().nth(1))?
}

/// A function's text without its name, in another one's section, and after it the place where it returns to. `None` if it
/// leaves by other means than a return or a tail call.
fn copy(lines: &[&str], function: &Function, home: &str, number: usize) -> Option<String> {
    let body = function.blocks[0].first + 1..function.size;
    let labels: HashSet<&str> = body.clone().filter_map(|at| label(lines[at])).collect();
    let new = |word: &str| labels.contains(word).then(|| format!("{word}.i{number}"));
    let mut ends: HashMap<usize, String> = HashMap::new();
    for block in &function.blocks {
        let last = lines[block.end - 1];
        let back = format!("\tj\t.Lback{number}\n");
        let operands: Vec<&str> = last.split([' ', '\t', ',']).collect();
        let own = operands.last() == Some(&&*function.name);
        let end = match (&block.ending, mnemonic(last), operands.last()) {
            (Ending::Leave, Some("ret"), _) | (Ending::Leave, Some("jr"), Some(&"ra")) => back,
            (Ending::Leave, Some("jr"), Some(register)) => format!("\tjalr\t{register}\n{back}"),
            (Ending::Leave, Some("tail" | "j"), Some(name)) => format!("\tcall\t{name}\n{back}"),
            (Ending::Leave, ..) => return None,
            (Ending::Jump(_), ..) if own => format!("\tj\t.Lfront{number}\n"),
            (Ending::Branch(_), ..) if own => {
                let kept = last.strip_suffix(&*function.name).unwrap_or(last);
                format!("{kept}.Lfront{number}\n")
            }
            _ => continue,
        };
        ends.insert(block.end - 1, end);
    }
    let mut text = format!(".Lfront{number}:\n");
    for at in body {
        match ends.remove(&at) {
            Some(end) => text += &end,
            None if section(lines[at]) == Some(true) => text += &format!("{home}\n"),
            None => text += &format!("{}\n", renamed(lines[at], &new)),
        }
    }
    Some(text + &format!(".Lback{number}:\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLER: &str = "\t.attribute arch, \"rv32im\"\n\t.text\n\t.section\t.text.f,\"ax\"\n\t.globl\tf\n\t.type\tf, @function\nf:\n\tcall\tg\n\tcall\tf\n\tcall\tputs\n\ttail\tadd\n\
        \t.size\tf, .-f\n\t.type\tadd, @function\nadd:\n\tadd\ta0,a0,a0\n\tret\n\t.size\tadd, .-add\n";
    const CALLEE: &str = "\t.attribute arch, \"rv32im\"\n\t.section\t.text.g,\"ax\"\n\t.globl\tg\n\t.type\tg, @function\ng:\n\tbeqz\ta0,.L2\n\tla\ta5,add\n\tjr\ta5\n\
        .L2:\n\ttail\tputs\n\t.size\tg, .-g\n\t.bss\nadd:\n\t.zero\t4\n\t.string\t\"add .L2\"\n";

    fn files() -> Vec<(String, String)> {
        [("a.s", CALLER), ("b.s", CALLEE)]
            .map(|(name, text)| (name.into(), text.into()))
            .into()
    }

    #[test]
    fn a_call_becomes_what_it_calls() {
        let (text, calls) = inlined(&files(), |_, _| true).expect("assembly");
        assert_eq!(calls, 1);
        let copy = "f:\n.Lfront0:\n\tbeqz\ta0,.L2.f1.i0\n\tla\ta5,add.f1\n\tjalr\ta5\n\tj\t.Lback0\n\
            .L2.f1.i0:\n\tcall\tputs\n\tj\t.Lback0\n.Lback0:\n\tcall\tf\n\tcall\tputs\n\ttail\tadd.f0\n";
        assert!(text.contains(copy), "{text}");
        assert_eq!(text.matches("arch").count(), 1, "{text}");
        // An instruction and a string are no symbols.
        assert!(text.contains("add.f0:\n\tadd\ta0,a0,a0\n"), "{text}");
        assert!(
            text.contains("add.f1:\n\t.zero\t4\n\t.string\t\"add .L2\"\n"),
            "{text}"
        );
    }

    #[test]
    fn calls_that_nobody_wants_stay() {
        let (text, calls) = inlined(&files(), |_, _| false).expect("assembly");
        assert_eq!((calls, text.matches("call\tg").count()), (0, 1));
    }
}
