//! The task `board`: a system on chip for each board, as a bitstream.

use std::fs;

use anyhow::{Context, Result, bail, ensure};
use hpp_fpga::board::{BOARDS, Board, TableOptions};
use hpp_fpga::demo::demonstration;
use hpp_fpga::device::Placer;
use hpp_fpga::image::memory_image;
use hpp_fpga::measure::{Job, Measured, Timing};
use verilated::tools::figures::{markdown, thousands};

use crate::Workshop;

/// The boards of those keys, each once; all of them without one.
pub fn chosen(keys: &[String]) -> Result<Vec<Board>> {
    if keys.is_empty() {
        return Ok(BOARDS.to_vec());
    }
    let mut boards = Vec::new();
    for key in keys {
        let known = BOARDS.map(|board| board.key).join(", ");
        let board = Board::by_key(key);
        let board = board.with_context(|| format!("no board `{key}`; known: {known}"))?;
        if !boards.contains(&board) {
            boards.push(board);
        }
    }
    Ok(boards)
}

pub struct Wanted<'a> {
    pub boards: Vec<Board>,
    pub table: &'a TableOptions,
    pub seeds: u32,
    pub with_profiler: bool,
}

/// Builds the boards; the result is a table of what came out. A board that fails does not keep the others from their
/// bitstreams.
pub fn build(workshop: &Workshop, wanted: &Wanted, record: bool) -> Result<String> {
    let measurement = workshop.measurement("boards", record)?;
    let boards = &wanted.boards;
    let jobs = boards
        .iter()
        .map(|board| job(workshop, board, wanted))
        .collect::<Result<Vec<_>>>()?;
    let measured = workshop.measure(&jobs)?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for (board, measured) in boards.iter().zip(&measured) {
        match bitstream(workshop, board, wanted.table, measured) {
            Ok(row) => rows.push(row),
            Err(error) => failures.push(format!("{error:#}")),
        }
    }
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    if let Some(measurement) = measurement {
        measurement.record(figures(boards, &rows))?;
    }
    let head = "board | profiler | LUT | FF | RAM | MHz (best seed) | clock | bitstream";
    Ok(markdown(head, &rows))
}

/// What the page shows of each board: the cells of its row, and the frequency.
fn figures(boards: &[Board], rows: &[Vec<String>]) -> Vec<(String, String)> {
    const SHOWN: [&str; 4] = ["luts", "flip-flops", "block-rams", "mhz"];
    let each = boards.iter().zip(rows);
    let figures = each.flat_map(|(board, row)| {
        let cells = SHOWN.into_iter().zip(&row[2..]);
        cells.map(|(name, cell)| (format!("{}.{name}", board.key), cell.clone()))
    });
    figures.collect()
}

/// The board's system with its program.
fn job(workshop: &Workshop, board: &Board, wanted: &Wanted) -> Result<Job> {
    let Wanted {
        table,
        seeds,
        with_profiler,
        ..
    } = *wanted;
    let root = &workshop.root;
    workshop.say(&format!("{}: profiler and program", board.name));
    let profiler = board.profiler(root, board.core, table)?;
    let name = format!("{}{table}", board.key);
    let out = root.join("build/fpga").join(&name).join("demo");
    let elf = demonstration(root, board.memory_words, &profiler, &out)?;
    let bytes = fs::read(&elf).with_context(|| elf.display().to_string())?;
    let program =
        memory_image(&bytes, board.memory_words).with_context(|| elf.display().to_string())?;
    let pins = fs::read_to_string(root.join("fpga/boards").join(board.pins))
        .with_context(|| board.pins.to_string())?;
    Ok(Job {
        design: board
            .system(&name, with_profiler.then_some(&profiler), &program)
            .design(root)?,
        device: board.device,
        seeds,
        target_mhz: board.clock_mhz(),
        placer: Placer::FewLongPaths,
        constraints: Some(pins),
    })
}

/// Packs the best seed of a board that reaches its clock; a row of the table.
fn bitstream(
    workshop: &Workshop,
    board: &Board,
    table: &TableOptions,
    measured: &Measured,
) -> Result<Vec<String>> {
    let name = format!("{}{table}", board.key);
    // A failed build must not leave the bitstream of an earlier system in its place.
    workshop.flow.discard(&measured.netlist, &name)?;
    let Some(best) = measured.timing.best() else {
        let Timing::DoesNotFit(reason) = &measured.timing else {
            bail!(
                "{}: no seed was placed; remedy: --seeds 1 or more",
                board.name
            )
        };
        bail!(
            "{}: the system does not fit: {reason}; remedy: a smaller configuration or memory in fpga/flow/src/board.rs",
            board.name
        );
    };
    ensure!(
        best.mhz >= board.clock_mhz(),
        "{}: reaches {:.1} MHz of the board's {:.1} MHz; remedy: more --seeds",
        board.name,
        best.mhz,
        board.clock_mhz()
    );
    workshop.say(&format!("{}: bitstream", board.name));
    let bitstream = workshop.flow.pack(&measured.netlist, best.seed, &name)?;
    let shown = bitstream.strip_prefix(&workshop.root).unwrap_or(&bitstream);
    let usage = measured.usage();
    Ok(vec![
        board.name.to_string(),
        format!("`{}{table}`", board.configuration),
        thousands(usage.luts),
        thousands(usage.flip_flops),
        usage.block_rams.to_string(),
        format!("{:.1}", best.mhz),
        format!("{:.0}", board.clock_mhz()),
        shown.display().to_string(),
    ])
}
