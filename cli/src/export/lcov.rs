//! A coverage tracefile of LCOV: how often functions, lines and branches ran on the paths of the profile.
//!
//! Source: geninfo(1), section "Tracefile format". A line's count is the greatest of its instructions'.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use hpp_report::program::demangled;
use hpp_report::report::addresses;
use hpp_report::{Heat, SourceLine};
use hpp_riscv::AddressRange;

use super::Input;

/// What is known of a file.
#[derive(Default)]
struct File {
    /// First line and executions of each function.
    functions: BTreeMap<String, (u32, u64)>,
    lines: BTreeMap<u32, u64>,
    /// Taken and not taken, by line and address.
    branches: BTreeMap<(u32, u64), (u64, u64)>,
}

/// A section for each source file.
pub fn write(input: &Input<'_>) -> Result<String> {
    input.needs_executions()?;
    let heat = Heat::of(input.profile, input.program);
    let files = collect(input, &heat);
    let mut text = String::from("TN:\n");
    for (name, file) in files {
        writeln!(text, "SF:{name}")?;
        section(&mut text, &file)?;
        writeln!(text, "end_of_record")?;
    }
    Ok(text)
}

/// Every function that has a source line, with its lines, whether they ran or not.
fn collect(input: &Input<'_>, heat: &Heat) -> BTreeMap<String, File> {
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for function in input.program.image().functions().iter() {
        let range = AddressRange {
            start: function.address,
            end: function.end(),
        };
        if let Some(SourceLine { file, line }) = input.program.source(function.address) {
            let ran = heat
                .instructions
                .get(&function.address)
                .copied()
                .unwrap_or(0);
            let name = demangled(&function.name).into_owned();
            files
                .entry(file)
                .or_default()
                .functions
                .insert(name, (line, ran));
        }
        for address in addresses(input.program, range) {
            let Some(SourceLine { file, line }) = input.program.source(address) else {
                continue;
            };
            let ran = heat.instructions.get(&address).copied().unwrap_or(0);
            let file = files.entry(file).or_default();
            let count = file.lines.entry(line).or_default();
            *count = ran.max(*count);
            if let Some(outcomes) = heat.branches.get(&address) {
                file.branches
                    .insert((line, address), (outcomes.taken, outcomes.not_taken));
            }
        }
    }
    files
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
    for (block, ((line, _), (taken, not_taken))) in file.branches.iter().enumerate() {
        writeln!(
            text,
            "BRDA:{line},{block},0,{taken}\nBRDA:{line},{block},1,{not_taken}"
        )?;
        hit += usize::from(*taken > 0) + usize::from(*not_taken > 0);
    }
    writeln!(text, "BRF:{}\nBRH:{hit}", 2 * file.branches.len())?;
    for (line, ran) in &file.lines {
        writeln!(text, "DA:{line},{ran}")?;
    }
    let hit = file.lines.values().filter(|ran| **ran > 0).count();
    writeln!(text, "LF:{}\nLH:{hit}", file.lines.len())?;
    Ok(())
}
