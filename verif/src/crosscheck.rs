//! Real runs for the cross-check of hardware and software path profiles.

use std::fs;

use anyhow::{Context, Result, ensure};
use hpp_golden::branch::BranchRecord;
use hpp_golden::cfg::riscv::Image;
use hpp_golden::riscv::{Ingress, Retirement};

use crate::soc::{Soc, firmware};

/// A program and the branch records of its run.
pub struct Recording {
    /// Its code and functions.
    pub image: Image,
    /// Every record from reset to the end, in order.
    pub records: Vec<BranchRecord>,
    /// Instructions retired.
    pub retired: u64,
}

/// Runs a program of `fpga/firmware` on the simulated system, and records its branches.
///
/// # Errors
///
/// If the program or the system does not build, or the run does not end well.
pub fn record(soc: &Soc, program: &str) -> Result<Recording> {
    let elf = firmware(program)?;
    let bytes = fs::read(&elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let image = Image::from_elf(&bytes).with_context(|| elf.display().to_string())?;
    let mut ingress = Ingress::new(image.xlen(), 8);
    let mut records = Vec::new();
    let run = soc.run(&elf, &mut |retirement: &Retirement| {
        records.extend(ingress.step(retirement, 1));
    })?;
    ensure!(
        run.status == 0,
        "{program} ended with status {}:\n{}",
        run.status,
        run.uart
    );
    Ok(Recording {
        image,
        records,
        retired: run.retired,
    })
}
