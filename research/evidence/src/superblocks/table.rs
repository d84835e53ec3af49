//! The paths of a hot path table as blocks of the assembly.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use hpp_golden::dump::Dump;
use hpp_instrument::Assembled;
use hpp_instrument::assembly::Ending;
use hpp_instrument::exact::Followed;
use hpp_instrument::superblocks::HotPath;
use hpp_report::steps::{Step, steps};
use hpp_report::{ElfFile, Profile, Program};

/// Blocks by address.
type Places = BTreeMap<u64, (usize, usize)>;

/// What a table says of each function. Paths of the library say nothing; one that goes on in another function by a tail call is a path of each.
pub fn paths(dump: &Dump, built: &Assembled, functions: &[Followed]) -> Result<Vec<Vec<HotPath>>> {
    let name = || built.elf.display().to_string();
    let file = ElfFile::read(&built.elf).with_context(name)?;
    let program = Program::from_elf(&file).with_context(name)?;
    let profile = Profile::of(dump)?;
    let places = built.places.iter();
    let places: Places = places.map(|(&at, blocks)| (at, blocks[0])).collect();
    let mut hot = vec![Vec::new(); functions.len()];
    let table = dump.profile();
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(path, _)| (path.start, path.length, path.outcomes));
    for (path, count) in entries {
        let steps = steps(&profile, &program, path)?;
        for (function, path) in pieces(&steps, &places, functions, count as f64) {
            hot[function].push(path);
        }
    }
    Ok(hot)
}

/// The pieces of a path in each function.
fn pieces(
    steps: &[Step],
    places: &Places,
    functions: &[Followed],
    count: f64,
) -> Vec<(usize, HotPath)> {
    let mut pieces: Vec<(usize, HotPath)> = Vec::new();
    let passed = steps
        .iter()
        .flat_map(|step| places.range(step.block.start..step.block.end));
    for (_, &(function, block)) in passed {
        let last = pieces.last_mut().filter(|(before, path)| {
            let from = path.blocks[path.blocks.len() - 1];
            *before == function && functions[function].function.blocks[from].ending != Ending::Leave
        });
        match last {
            Some((_, path)) => path.blocks.push(block),
            None => pieces.push((
                function,
                HotPath {
                    blocks: vec![block],
                    then: None,
                    count,
                },
            )),
        }
    }
    let next = steps.last().and_then(|step| places.get(&step.next?));
    if let (Some((function, path)), Some(&(to, block))) = (pieces.last_mut(), next) {
        let from = path.blocks[path.blocks.len() - 1];
        let leaves = functions[*function].function.blocks[from].ending == Ending::Leave;
        path.then = (*function == to && !leaves).then_some(block);
    }
    pieces
}
