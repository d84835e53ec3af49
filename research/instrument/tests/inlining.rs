//! A program whose calls are inlined says what it said, on random programs read by a small machine.

use std::collections::HashMap;
use std::fmt::Write;

use hpp_instrument::inlining::inlined;
use proptest::prelude::*;

/// Functions of a program, in two files by turns.
const FUNCTIONS: usize = 4;

/// What the machine says at most.
const SAID: usize = 300;

/// How a random block ends; targets modulo the number of blocks or functions.
#[derive(Clone, Debug)]
enum End {
    Fall,
    Branch(usize),
    Jump(usize),
    Table(Vec<usize>),
    Return,
    Tail(usize),
    /// A tail call through a register.
    Computed(usize),
}

/// A block: it calls a function, perhaps, and ends.
type Block = (Option<usize>, End);

fn block() -> impl Strategy<Value = Block> {
    let target = 0..64usize;
    let end = prop_oneof![
        2 => Just(End::Fall),
        4 => target.clone().prop_map(End::Branch),
        1 => target.clone().prop_map(End::Jump),
        1 => proptest::collection::vec(target.clone(), 1..4).prop_map(End::Table),
        1 => Just(End::Return),
        1 => target.clone().prop_map(End::Tail),
        1 => target.clone().prop_map(End::Computed),
    ];
    (proptest::option::of(target), end)
}

/// A function as GCC writes it. Each block says its number. Files have labels of the same names.
fn function(text: &mut String, number: usize, blocks: &[Block]) -> std::fmt::Result {
    let count = blocks.len();
    let label = |at: usize| format!(".L{}", number / 2 * 100 + at % count);
    let section = format!("\t.section\t.text.f{number},\"ax\",@progbits");
    writeln!(
        text,
        "{section}\n\t.globl\tf{number}\n\t.type\tf{number}, @function\nf{number}:"
    )?;
    for (at, (call, end)) in blocks.iter().enumerate() {
        writeln!(text, "{}:\n\tsay\t{}", label(at), 100 * number + at)?;
        if let Some(callee) = call {
            writeln!(text, "\tcall\tf{}", callee % FUNCTIONS)?;
        }
        match if at + 1 == count { &End::Return } else { end } {
            End::Fall => {}
            End::Branch(to) => writeln!(text, "\tbeq\ta0,a1,{}", label(*to))?,
            End::Jump(to) => writeln!(text, "\tj\t{}", label(*to))?,
            End::Table(targets) => {
                writeln!(
                    text,
                    "\tjr\ta5\n\t.section\t.rodata\n\t.align\t2\n{}0:",
                    label(at + 50)
                )?;
                for &to in targets {
                    writeln!(text, "\t.word\t{}", label(to))?;
                }
                writeln!(text, "{section}")?;
            }
            End::Return => writeln!(text, "\tret")?,
            End::Tail(to) => writeln!(text, "\ttail\tf{}", to % FUNCTIONS)?,
            End::Computed(to) => writeln!(text, "\tla\ta5,f{}\n\tjr\ta5", to % FUNCTIONS)?,
        }
    }
    writeln!(text, "\t.size\tf{number}, .-f{number}")
}

fn files(program: &[Vec<Block>]) -> Vec<(String, String)> {
    let file = |file: usize| {
        let mut text = String::new();
        for number in (file..FUNCTIONS).step_by(2) {
            function(&mut text, number, &program[number]).expect("a string takes all");
        }
        (format!("{file}.s"), text)
    };
    (0..2).map(file).collect()
}

/// What a machine says that begins at `f0`, with these outcomes of branches.
fn run(files: &[&str], outcomes: &[u8]) -> Vec<String> {
    let (mut code, mut tables) = (Vec::new(), HashMap::<usize, Vec<String>>::new());
    let mut labels = HashMap::new();
    for (file, text) in files.iter().enumerate() {
        // Labels that begin with `.L` are the file's own.
        let name = |name: &str| match name.starts_with(".L") {
            true => format!("{file}{name}"),
            false => name.to_owned(),
        };
        let mut in_text = false;
        for line in text.lines().map(str::trim) {
            if line.starts_with(".section") {
                in_text = line.contains(".text");
            } else if let Some(label) = line.strip_suffix(':') {
                if in_text {
                    let twice = labels.insert(name(label), code.len());
                    assert_eq!(twice, None, "{label} twice");
                }
            } else if let Some(word) = line.strip_prefix(".word\t") {
                tables.entry(code.len() - 1).or_default().push(name(word));
            } else if !line.starts_with('.') {
                let (word, operands) = line.split_once('\t').unwrap_or((line, ""));
                let last = operands.rsplit(',').next().unwrap_or("");
                code.push((word, name(last)));
            }
        }
    }
    let (mut said, mut stack, mut register) = (Vec::new(), Vec::new(), 0);
    let mut at = labels["f0"];
    let mut outcomes = outcomes.iter().map(|&outcome| usize::from(outcome));
    while said.len() < SAID {
        let (word, operand) = &code[at];
        let here = at;
        at += 1;
        match *word {
            "say" => said.push(operand.clone()),
            "la" => register = labels[operand],
            "call" | "jalr" => {
                stack.push(at);
                at = labels.get(operand).copied().unwrap_or(register);
            }
            "j" | "tail" => at = labels[operand],
            "ret" => match stack.pop() {
                Some(back) => at = back,
                None => break,
            },
            "jr" if !tables.contains_key(&here) => at = register,
            _ => {
                let Some(outcome) = outcomes.next() else {
                    break;
                };
                match tables.get(&here) {
                    Some(table) => at = labels[&table[outcome % table.len()]],
                    None if outcome & 1 == 1 => at = labels[operand],
                    None => {}
                }
            }
        }
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn programs_with_calls_inlined_say_what_they_said(
        program in proptest::collection::vec(proptest::collection::vec(block(), 1..8), FUNCTIONS),
        outcomes in proptest::collection::vec(any::<u8>(), 0..200),
        some in proptest::collection::vec(any::<bool>(), 31),
    ) {
        let files = files(&program);
        let texts: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
        let before = run(&texts, &outcomes);
        // The functions of the first file come first.
        let order: Vec<usize> = (0..FUNCTIONS).step_by(2).chain((1..FUNCTIONS).step_by(2)).collect();
        let sites = order.iter().flat_map(|&number| {
            let callees = program[number].iter().filter_map(|(call, _)| *call);
            callees.filter(move |callee| callee % FUNCTIONS != number)
        });
        let all = sites.count();
        let (whole, calls) = inlined(&files, |_, _| true).expect("assembly");
        prop_assert_eq!(calls, all);
        prop_assert_eq!(&run(&[&whole], &outcomes), &before, "{:?}\n{}", texts, whole);
        let chosen = |function: usize, block: usize| some[(8 * function + block) % some.len()];
        let (part, calls) = inlined(&files, chosen).expect("assembly");
        prop_assert!(calls <= all);
        prop_assert_eq!(&run(&[&part], &outcomes), &before, "{:?}\n{}", texts, part);
    }
}
