//! A coverage tracefile of LCOV: how often functions, lines and branches ran on the paths of the profile.
//!
//! Source: geninfo(1), section "Tracefile format". A line's count is the greatest of its instructions'.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Result, bail};
use hpp_report::heat::Outcomes;
use hpp_report::program::demangled;
use hpp_report::{Heat, SourceLine};
use hpp_riscv::Function;
use hpp_riscv::code::{Instruction, Program as _};

use super::Input;
use super::flame::on_one_line;

/// What is known of a file.
#[derive(Default)]
struct File {
    /// First line and entries of each function. Several of one name are one: of a destructor there are up to three, of a generic
    /// function as many as it is used with types.
    functions: BTreeMap<String, (u32, u64)>,
    lines: BTreeMap<u32, u64>,
    /// Taken and not taken, by line and address; none of a branch that never ran.
    branches: BTreeMap<(u32, u64), Option<Outcomes>>,
}

/// A section for each source file.
pub fn write(input: &Input<'_>) -> Result<String> {
    input.needs_executions()?;
    let heat = Heat::of(input.profile, input.program);
    let files = collect(input, &heat);
    if files.is_empty() {
        bail!("{}", input.without_lines());
    }
    let mut text = String::from("TN:\n");
    for (name, file) in files {
        writeln!(text, "SF:{}", on_one_line(&name))?;
        section(&mut text, &file)?;
        writeln!(text, "end_of_record")?;
    }
    Ok(text)
}

/// Every function that has a source line, with its lines, whether they ran or not.
fn collect(input: &Input<'_>, heat: &Heat) -> BTreeMap<String, File> {
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for function in input.program.image().functions().iter() {
        if let Some(SourceLine { file, line }) = input.program.own_source(function.address) {
            let name = demangled(&function.name).into_owned();
            let functions = &mut files.entry(file).or_default().functions;
            let (first, entered) = functions.entry(name).or_insert((line, 0));
            *first = line.min(*first);
            *entered = entered.saturating_add(heat.entered(function));
        }
        for (address, instruction) in code(input, function) {
            let Some(SourceLine { file, line }) = input.program.source(address) else {
                continue;
            };
            let ran = heat.instructions.get(&address).copied().unwrap_or(0);
            let file = files.entry(file).or_default();
            let count = file.lines.entry(line).or_default();
            *count = ran.max(*count);
            if instruction.transfer.is_some_and(|t| t.conditional) {
                let outcomes = heat.branches.get(&address).copied();
                file.branches.insert((line, address), outcomes);
            }
        }
    }
    files
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
    for (name, (line, _)) in &file.functions {
        writeln!(text, "FN:{line},{name}")?;
    }
    for (name, (_, ran)) in &file.functions {
        writeln!(text, "FNDA:{ran},{name}")?;
    }
    let hit = file.functions.values().filter(|(_, ran)| *ran > 0).count();
    writeln!(text, "FNF:{}\nFNH:{hit}", file.functions.len())?;
    let mut hit = 0;
    for (block, ((line, _), outcomes)) in file.branches.iter().enumerate() {
        for (side, ran) in [
            outcomes.map(|outcomes| outcomes.taken),
            outcomes.map(|outcomes| outcomes.not_taken),
        ]
        .into_iter()
        .enumerate()
        {
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
