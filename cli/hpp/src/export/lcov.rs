//! A coverage tracefile of LCOV: how often functions, lines and branches ran on the paths of the profile.
//!
//! A line's count is the greatest of its instructions', added up over the copies that a compiler made of it. A function is in the file of its
//! definition, at the definition's line, and ran as often as its code was entered: where it was called, by its first instruction, and where it was
//! inlined, by the first line of the copy, because instructions are moved out of loops. Source: geninfo(1), section "Tracefile format".
//!
//! LCOV 2 refuses a file in which functions, lines and branches contradict each other. It has no line at which a function ends (1.16 reads none),
//! and takes all lines up to the next function for those of one. [`consistent`] makes the file fit that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::{Result, bail};
use hpp_golden::branch::BranchKind;
use hpp_report::heat::Outcomes;
use hpp_report::numbers::grow;
use hpp_report::program::{demangled, stem};
use hpp_report::{Heat, SourceLine};
use hpp_riscv::Function;
use hpp_riscv::code::{Instruction, ProgramCode as _};

use super::Input;
use super::flame::on_one_line;

#[derive(Default)]
struct File {
    /// Several of one name are one: of a destructor there are up to three, of a generic function as many as it is used with types, and copies that
    /// a compiler makes.
    functions: BTreeMap<String, Defined>,
    lines: BTreeMap<u32, u64>,
    /// Taken and not taken, by line and address; none of a branch that never ran.
    branches: BTreeMap<(u32, u64), Option<Outcomes>>,
}

#[derive(Default)]
struct Defined {
    /// The line of its definition.
    declared: Option<u32>,
    entered: u64,
    lines: BTreeSet<u32>,
}

impl Defined {
    /// The first of its lines, with that of its definition.
    fn line(&self) -> u32 {
        let first = self.lines.first().copied();
        let declared = self
            .declared
            .filter(|&line| first.is_none_or(|first| line <= first));
        declared.or(first).unwrap_or(1)
    }
}

/// A section for each source file.
pub fn write(input: &Input<'_>) -> Result<String> {
    input.needs_executions()?;
    let heat = Heat::of(input.profile, input.program);
    let mut files = collect(input, &heat);
    if files.is_empty() {
        bail!("{}", input.without_lines());
    }
    let mut text = String::from("TN:\n");
    for (name, file) in &mut files {
        consistent(file);
        writeln!(text, "SF:{}", on_one_line(name))?;
        section(&mut text, file)?;
        writeln!(text, "end_of_record")?;
    }
    Ok(text)
}

/// A copy of a function's code: the function of the program that it is in, and the calls that were inlined one in another, with what they call.
type Copy = (String, Vec<(SourceLine, String)>);

/// How often a copy ran.
#[derive(Default)]
struct Ran {
    /// The file of its last line.
    of: String,
    first: u64,
    lines: BTreeMap<SourceLine, Line>,
}

/// How often the instructions of a line ran.
struct Line {
    least: u64,
    most: u64,
    /// Whether a branch back is among them, so that they ran more often than the line was come to.
    loops: bool,
}

impl Ran {
    fn entered(&self) -> u64 {
        let first = self.lines.values().next();
        first.map_or(self.first, |line| match line.loops {
            true => line.least,
            false => line.most,
        })
    }
}

/// Every function that has a source line, with its lines, whether they ran or not.
fn collect(input: &Input<'_>, heat: &Heat) -> BTreeMap<String, File> {
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    let mut copies: BTreeMap<Copy, Ran> = BTreeMap::new();
    for function in input.program.image().functions().iter() {
        let frames = input.program.frames(function.address);
        let lambda = frames.last().filter(|frame| is_lambda(&frame.name));
        let own = match lambda {
            Some(frame) => frame.name.clone(),
            None => demangled(stem(&function.name)).into_owned(),
        };
        let whole = whole(&function.name);
        for (address, instruction) in code(input, function) {
            let ran = heat.instructions.get(&address).copied().unwrap_or(0);
            let frames = input.program.frames(address);
            let source = match frames.first() {
                Some(innermost) => Some(innermost.source.clone()),
                None => input.program.source(address),
            };
            let Some(source) = source else { continue };
            let mut copy = (whole.to_owned(), Vec::new());
            let mut around: Option<&SourceLine> = None;
            for (depth, frame) in frames.iter().enumerate().rev() {
                let name = match around {
                    Some(_) => &frame.name,
                    None => &own,
                };
                let file = files.entry(frame.source.file.clone()).or_default();
                let defined = file.functions.entry(name.clone()).or_default();
                defined.declared = defined.declared.or(frame.declared);
                defined.lines.extend((depth == 0).then_some(source.line));
                if let Some(call) = around.replace(&frame.source) {
                    copy.1.push((call.clone(), name.clone()));
                    let first = || Ran {
                        first: ran,
                        ..Ran::default()
                    };
                    copies.entry(copy.clone()).or_insert_with(first).of = frame.source.file.clone();
                }
            }
            let of = frames.last().map_or(&source, |frame| &frame.source);
            let file = files.entry(of.file.clone()).or_default();
            if frames.is_empty() || address == function.address {
                let defined = file.functions.entry(own.clone()).or_default();
                let own = frames.is_empty().then_some(source.line);
                defined.lines.extend(own);
                if address == function.address && whole == function.name {
                    grow(&mut defined.entered, heat.entered(function));
                }
            }
            let transfer = instruction.transfer;
            if transfer.is_some_and(|t| t.conditional) {
                let outcomes = heat.branches.get(&address).copied();
                let file = files.entry(source.file.clone()).or_default();
                file.branches.insert((source.line, address), outcomes);
            }
            let lines = &mut copies.entry(copy).or_default().lines;
            let line = lines.entry(source).or_insert(Line {
                least: ran,
                most: ran,
                loops: false,
            });
            (line.least, line.most) = (line.least.min(ran), line.most.max(ran));
            line.loops |= transfer.is_some_and(|t| t.kind == BranchKind::Backward);
        }
    }
    for ((_, calls), ran) in copies {
        if let Some((_, name)) = calls.last() {
            let functions = &mut files.entry(ran.of.clone()).or_default().functions;
            let defined = functions.entry(name.clone()).or_default();
            grow(&mut defined.entered, ran.entered());
        }
        for (source, line) in ran.lines {
            let count = &mut files.entry(source.file).or_default().lines;
            grow(count.entry(source.line).or_default(), line.most);
        }
    }
    files
}

/// A symbol without what names a part of the function, which ran as often as the rest of it: what it seldom needs, or what is left after inlining its
/// head.
fn whole(symbol: &str) -> &str {
    let part = [".cold", ".part."]
        .iter()
        .find_map(|part| symbol.find(part));
    &symbol[..part.unwrap_or(symbol.len())]
}

fn is_lambda(name: &str) -> bool {
    name.contains("{lambda")
}

/// Leaves nothing that contradicts something else.
///
/// - A function of which a line ran was entered, though its entry may be lost, and the line of its definition ran as often as it was entered.
/// - Of a line that ran, branches that are not known to have gone anywhere are left out.
/// - So is a function that never ran, if one around it has lines behind it that did: they would be taken for the inner function's.
fn consistent(file: &mut File) {
    for defined in file.functions.values_mut() {
        let ran = defined.lines.iter().filter_map(|line| file.lines.get(line));
        let ran = ran.copied().find(|&ran| ran > 0);
        if defined.entered == 0 {
            defined.entered = ran.unwrap_or(0);
        }
        let count = file.lines.entry(defined.line()).or_default();
        *count = defined.entered.max(*count);
    }
    let ran = |line: &u32| file.lines.get(line).is_some_and(|&ran| ran > 0);
    file.branches.retain(|(line, _), outcomes| {
        outcomes.is_some_and(|o| o.taken > 0 || o.not_taken > 0) || !ran(line)
    });
    // Whether one that begins at a line was entered, and whether all are lambdas, at which LCOV does not let the function before end.
    let mut begins: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
    for (name, defined) in &file.functions {
        let (entered, lambdas) = begins.entry(defined.line()).or_insert((false, true));
        *entered |= defined.entered > 0;
        *lambdas &= is_lambda(name);
    }
    let (mut end, mut left_out) = (u32::MAX, BTreeSet::new());
    for (&line, &(entered, lambdas)) in begins.iter().rev() {
        if !entered && file.lines.range(line..end).any(|(_, &ran)| ran > 0) {
            left_out.insert(line);
        } else if !lambdas {
            end = line;
        }
    }
    file.functions
        .retain(|_, defined| !left_out.contains(&defined.line()));
}

/// The instructions of a function, over data between them.
fn code(input: &Input<'_>, function: &Function) -> Vec<(u64, Instruction)> {
    let (mut address, mut found) = (function.address, Vec::new());
    while address < function.end() {
        let instruction = input.program.image().instruction(address);
        found.extend(instruction.map(|instruction| (address, instruction)));
        let next = instruction.map_or(0, |instruction| instruction.next);
        address = next.max(address.saturating_add(2));
    }
    found
}

fn section(text: &mut String, file: &File) -> Result<()> {
    for (name, defined) in &file.functions {
        writeln!(text, "FN:{},{}", defined.line(), on_one_line(name))?;
    }
    for (name, defined) in &file.functions {
        writeln!(text, "FNDA:{},{}", defined.entered, on_one_line(name))?;
    }
    let all = file.functions.values();
    let hit = all.filter(|defined| defined.entered > 0).count();
    writeln!(text, "FNF:{}\nFNH:{hit}", file.functions.len())?;
    let mut hit = 0;
    for (block, ((line, _), outcomes)) in file.branches.iter().enumerate() {
        let sides = outcomes.map_or([None; 2], |o| [o.taken, o.not_taken].map(Some));
        for (side, ran) in sides.into_iter().enumerate() {
            let text_of = ran.map_or_else(|| "-".into(), |ran| ran.to_string());
            writeln!(text, "BRDA:{line},{block},{side},{text_of}")?;
            hit += usize::from(ran.is_some_and(|ran| ran > 0));
        }
    }
    writeln!(text, "BRF:{}\nBRH:{hit}", 2 * file.branches.len())?;
    for (line, ran) in &file.lines {
        writeln!(text, "DA:{line},{ran}")?;
    }
    let hit = file.lines.values().filter(|ran| **ran > 0).count();
    writeln!(text, "LF:{}\nLH:{hit}", file.lines.len())?;
    Ok(())
}
