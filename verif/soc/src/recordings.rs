//! Branch records of real runs, kept in a folder so that a program runs once.
//!
//! A recording is `build/recordings/PROGRAM-HASH.run`, by the hash of the ELF file and of the system's Verilog: another compiler, another program,
//! another input or another core makes another name. Remove the folder to run all programs again, for instance after a change of the ingress's model.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use hpp_fpga::core::Core;
use hpp_fpga::design::SourceFile;
use hpp_golden::branch::BranchRecord;
use hpp_riscv::{Image, Ingress, Retirement};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Run, Soc, firmware};
use verilated::tools::project_root;

/// A program and the branch records of its run.
pub struct Recording {
    pub image: Image,
    /// Every record from reset to the end, in order.
    pub records: Vec<BranchRecord>,
    pub retired: u64,
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

#[derive(Serialize, Deserialize)]
struct Stored {
    records: Vec<BranchRecord>,
    retired: u64,
    status: u32,
}

/// The branch records of a program's run on the simulated system, from the folder if they are there.
///
/// # Errors
///
/// If the program or the system does not build, the run does not end well, or a file cannot be read or written.
pub fn recorded(program: &str) -> Result<Recording> {
    let elf = firmware(program)?;
    let bytes = fs::read(&elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let (recording, status) = recorded_elf(program, &bytes)?;
    ensure!(status == 0, "{program} ended with status {status}");
    Ok(recording)
}

/// The branch records of the run of an ELF file, and the status it ended with. `program` is what the recording is called.
///
/// # Errors
///
/// If it is no program of the system, its run does not end, or a file cannot be read or written.
pub fn recorded_elf(program: &str, elf: &[u8]) -> Result<(Recording, u32)> {
    let image = Image::from_elf(elf, None).with_context(|| program.to_owned())?;
    let path = project_root().join("build/recordings").join(name(
        program,
        elf,
        &Soc::sources(Core::PicoRv32)?,
    ));
    if !path.exists() {
        let mut file = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
        file.write_all(elf).context("cannot write the ELF file")?;
        let (recording, run) = record_elf(&Soc::build(None)?, file.path())?;
        let stored = Stored {
            records: recording.records,
            retired: recording.retired,
            status: run.status,
        };
        store(&path, &stored)?;
    }
    let stored = read(&path)?;
    let recording = Recording {
        image,
        records: stored.records,
        retired: stored.retired,
    };
    Ok((recording, stored.status))
}

/// The file of the recording of a program's run on the system that these files make.
fn name(program: &str, elf: &[u8], system: &[SourceFile]) -> String {
    let mut hash = Sha256::new();
    for bytes in system.iter().map(|file| file.text.as_bytes()).chain([elf]) {
        hash.update(bytes.len().to_le_bytes());
        hash.update(bytes);
    }
    let hash: String = hash
        .finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{program}-{hash}.run")
}

/// Writes beside the place and renames, so that an interrupted run leaves nothing that looks whole.
fn store(path: &Path, stored: &Stored) -> Result<()> {
    let context = || format!("cannot write {}", path.display());
    let folder = path.parent().with_context(context)?;
    fs::create_dir_all(folder).with_context(context)?;
    let mut draft = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    draft
        .write_all(&postcard::to_stdvec(stored)?)
        .with_context(context)?;
    draft.persist(path).with_context(context)?;
    Ok(())
}

fn read(path: &Path) -> Result<Stored> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    postcard::from_bytes(&bytes).with_context(|| {
        format!(
            "{} is no recording; remedy: remove it, it will be made again",
            path.display()
        )
    })
}
