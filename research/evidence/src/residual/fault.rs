//! A fault planted in zlib, and where the paths of failing runs point.

use anyhow::{Result, ensure};
use hpp_fpga::core::Core;
use hpp_paths::graph::DagPath;
use hpp_paths::interprocedural::ProcedureId;
use hpp_paths::residual::Suspects;
use hpp_soc::recordings::recorded_elf;
use hpp_soc::{FAULTY, firmware, firmware_of, with_data};
use hpp_tools::figures::thousands;

use super::{Runs, inputs::read};
use crate::document::Document;

/// Bytes of a sample.
const SAMPLE: usize = 2048;

/// How many samples there are: the first of the file of zlib itself, machine code most of them.
const SAMPLES: usize = 32;

/// How many suspects are shown.
const SHOWN: usize = 20;

/// How deep calls are inlined.
const DEPTH: usize = 0;

pub fn fill(document: &Document) -> Result<()> {
    let elf = read(&firmware_of(
        FAULTY,
        Core::PicoRv32,
        &[("SAMPLE_BYTES", SAMPLE as u32)],
    )?)?;
    let data = read(&firmware("zlib")?)?;
    let mut recordings = Vec::new();
    let mut fails = Vec::new();
    for sample in data.chunks_exact(SAMPLE).take(SAMPLES) {
        let (recording, status) = recorded_elf(FAULTY, &with_data(&elf, "sample", sample)?)?;
        recordings.push(recording);
        fails.push(status != 0);
    }
    let runs = Runs::new(&recordings)?;
    let graphs = runs.graphs(DEPTH, &runs.runs);
    let mut suspects: Suspects<(ProcedureId, DagPath)> = Suspects::default();
    let mut different = 0;
    for (run, &fails) in runs.runs.iter().zip(&fails) {
        let profile = runs.profile(&graphs, run)?;
        different = different.max(profile.len());
        let paths = profile.iter().map(|(graph, path, _)| (graph, path.clone()));
        match fails {
            true => suspects.failing(paths),
            false => suspects.passing(paths),
        }
    }
    let failing = fails.iter().filter(|&&fails| fails).count();
    ensure!(failing > 0, "the fault shows in no run of {SAMPLES}");
    let (ranked, all) = (suspects.ranked(), suspects.associated());
    document.put(
        "residual-fault-runs",
        &format!(
            "{} runs, {failing} of them failing; up to {} different paths in a run, {} suspects, {} of them in all failing runs.\n",
            fails.len(),
            thousands(different as u64),
            ranked.len(),
            ranked.iter().filter(|suspect| suspect.runs == failing).count(),
        ),
    )?;
    let program = runs.procedures.program();
    let rows = all.iter().take(SHOWN).map(|suspect| {
        let (graph, path) = &suspect.path;
        vec![
            format!("`{}`", program.procedure(*graph).name()),
            suspect.runs.to_string(),
            suspect.passing.to_string(),
            format!("{:.1}", suspect.mean_rank),
            format!("`{}`", shortened(&path.text(graphs.of(*graph).dag()))),
        ]
    });
    let head = "function | failing runs | passing runs | mean rank | path";
    document.table("residual-fault", head, &rows.collect::<Vec<_>>())
}

/// The first blocks of a path, and the last.
fn shortened(text: &str) -> String {
    let blocks: Vec<&str> = text.split(' ').collect();
    match &blocks[..] {
        [first @ .., _, _, _, last] if first.len() > 6 => {
            format!("{} .. {last}", first[..6].join(" "))
        }
        _ => text.into(),
    }
}
