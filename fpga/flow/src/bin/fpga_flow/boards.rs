//! The task `board`: a system on chip for each board, as a bitstream.

use std::fs;

use anyhow::{Context, Result, bail, ensure};
use hpp_fpga::board::{BOARDS, Board, Parts, system};
use hpp_fpga::demo::demonstration;
use hpp_fpga::image::memory_image;
use hpp_fpga::measure::{Seeds, Timing, time};
use hpp_fpga::profiler::Profiler;
use hpp_fpga::table::{markdown, thousands};
use hpp_fpga::tool::project_tool;

use crate::Workshop;

/// The boards of those keys; all of them without one.
pub fn chosen(keys: &[String]) -> Result<Vec<Board>> {
    if keys.is_empty() {
        return Ok(BOARDS.to_vec());
    }
    keys.iter()
        .map(|key| {
            let known = BOARDS.map(|board| board.key).join(", ");
            Board::by_key(key).with_context(|| format!("no board `{key}`; known: {known}"))
        })
        .collect()
}

/// Builds the boards; the result is a table of what came out.
pub fn build(
    workshop: &Workshop,
    boards: &[Board],
    seeds: u32,
    with_profiler: bool,
) -> Result<String> {
    let rows = boards
        .iter()
        .map(|board| build_one(workshop, board, seeds, with_profiler))
        .collect::<Result<Vec<_>>>()?;
    let head = [
        "board",
        "LUT",
        "FF",
        "RAM",
        "MHz (best seed)",
        "clock",
        "bitstream",
    ];
    Ok(markdown(&head, &rows))
}

fn build_one(
    workshop: &Workshop,
    board: &Board,
    seeds: u32,
    with_profiler: bool,
) -> Result<Vec<String>> {
    let Workshop {
        root,
        flow,
        progress,
    } = workshop;
    progress.set_message(format!("{}: profiler and program", board.name));
    let profiler = Profiler::of_configuration(root, board.configuration)?;
    let out = root.join("build/fpga").join(board.key).join("demo");
    let elf = demonstration(root, board, &profiler, &out)?;
    let bytes = fs::read(&elf).with_context(|| elf.display().to_string())?;
    let program =
        memory_image(&bytes, board.memory_words).with_context(|| elf.display().to_string())?;
    let core = project_tool(root, "picorv32")?.join("picorv32.v");
    let parts = Parts {
        root,
        core: &core,
        profiler: with_profiler.then(|| profiler.output.verilog()),
        program: &program,
    };
    progress.set_message(format!("{}: synthesis", board.name));
    let netlist = flow.synthesise(&system(board, &parts)?, board.device)?;
    let pins = fs::read_to_string(root.join("fpga/boards").join(board.pins))
        .with_context(|| board.pins.to_string())?;
    let request = Seeds {
        count: seeds,
        target_mhz: board.clock_mhz(),
        constraints: Some(&pins),
    };
    let timing = time(flow, &netlist, &request, &mut |seed| {
        progress.set_message(format!(
            "{}: place and route, seed {seed} of {seeds}",
            board.name
        ));
    })?;
    let Some(best) = timing.best() else {
        let Timing::DoesNotFit(reason) = timing else {
            bail!("{}: no seed was placed", board.name)
        };
        bail!("{}: the system does not fit: {reason}", board.name);
    };
    progress.set_message(format!("{}: bitstream", board.name));
    let bitstream = flow.pack(&netlist, best.seed, board.key)?;
    ensure!(
        best.mhz >= board.clock_mhz(),
        "{}: reaches {:.1} MHz of the board's {:.1} MHz; remedy: more --seeds",
        board.name,
        best.mhz,
        board.clock_mhz()
    );
    let shown = bitstream.strip_prefix(root).unwrap_or(&bitstream);
    Ok(vec![
        board.name.to_string(),
        thousands(netlist.usage.luts),
        thousands(netlist.usage.flip_flops),
        netlist.usage.block_rams.to_string(),
        format!("{:.1}", best.mhz),
        format!("{:.0}", board.clock_mhz()),
        shown.display().to_string(),
    ])
}
