//! Recorded runs of real programs for the cross-check.

use std::fs;
use std::path::Path;

use super::{
    Agreement, Emitted, HotFunction, MODES, check_emitted, check_interesting, cross_check,
};
use anyhow::{Context, Result, ensure};
use hpp_fpga::core::Core;
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_riscv::Image;
use hpp_riscv::{Ingress, Retirement};

use crate::{Program, Run, Soc};

/// A program and the branch records of its run.
pub struct Recording {
    /// Its code and functions.
    pub image: Image,
    /// Every record from reset to the end, in order.
    pub records: Vec<BranchRecord>,
    /// Instructions retired.
    pub retired: u64,
}

/// Runs a program on the simulated PicoRV32 system, and records its branches.
///
/// # Errors
///
/// If the program or the system does not build, or the run does not end well.
pub fn record(soc: &Soc, program: &Program) -> Result<Recording> {
    let (recording, run) = record_elf(soc, &program.elf(Core::PicoRv32)?)?;
    ensure!(
        run.status == 0,
        "{program} ended with status {}:\n{}",
        run.status,
        run.uart
    );
    Ok(recording)
}

/// Runs an ELF file on the simulated system, and records its branches, whatever status it ends with.
///
/// # Errors
///
/// If the file is no program of the system, or the run does not end.
pub fn record_elf(soc: &Soc, elf: &Path) -> Result<(Recording, Run)> {
    let bytes = fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let image = Image::from_elf(&bytes, None).with_context(|| elf.display().to_string())?;
    let mut ingress = Ingress::new(image.xlen(), 8);
    let mut records = Vec::new();
    let run = soc.run(elf, &mut |retirement: &Retirement| {
        records.extend(ingress.step(retirement, 1));
    })?;
    let recording = Recording {
        image,
        records,
        retired: run.retired,
    };
    Ok((recording, run))
}

/// A program on which hardware and software agree, in one setting of the backward-not-taken bit.
pub struct Checked {
    /// The setting.
    pub setting: BackwardNotTaken,
    /// What they agree on.
    pub agreement: Agreement,
    /// The functions with paths among the hottest that hold [`HOT_SHARE`] of the table.
    pub hot: Vec<HotFunction>,
}

/// The share of the hot path table that the paths made interesting hold.
pub const HOT_SHARE: f64 = 0.95;

/// The default geometry, for a core with compressed instructions.
fn geometry() -> Geometry {
    Geometry {
        align: 1,
        ..Geometry::default()
    }
}

/// The paths of a run in every mode: each of the emitted Verilog is the model's, in its order.
///
/// # Errors
///
/// If Verilog and model differ anywhere.
pub fn check_modes(recording: &Recording) -> Result<Vec<Emitted>> {
    let modes = MODES.into_iter();
    let check = |mode| check_emitted(&recording.records, &geometry(), mode);
    modes.map(|mode| check(mode).context(mode.name)).collect()
}

/// Cross-checks a run in both settings of the backward-not-taken bit, with the default geometry.
///
/// # Errors
///
/// If hardware and software disagree anywhere.
pub fn check(recording: &Recording) -> Result<Vec<Checked>> {
    let geometry = geometry();
    let image = &recording.image;
    let settings = [BackwardNotTaken::AsForward, BackwardNotTaken::AsBackward];
    settings
        .into_iter()
        .map(|setting| {
            let records = &recording.records;
            let agreement = cross_check(image, image.functions(), records, &geometry, setting)
                .with_context(|| format!("backward, not taken: {setting:?}"))?;
            let hot = check_interesting(&agreement, records, &agreement.hottest(HOT_SHARE))
                .with_context(|| format!("hot paths; backward, not taken: {setting:?}"))?;
            Ok(Checked {
                setting,
                agreement,
                hot,
            })
        })
        .collect()
}
