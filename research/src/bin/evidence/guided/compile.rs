use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hpp_soc::make_firmware;
use object::{Object, ObjectSection};

/// Without compressed instructions: PicoRV32 fetches words, so with them a loop costs more or less by where it comes to
/// lie, which has nothing to do with the profile.
const ISA: &str = "rv32im";

/// Compiles a program, with a sample profile if one is given, in a folder of its own; its ELF file.
pub fn compile(program: &str, folder: &Path, profile: Option<&Path>) -> Result<PathBuf> {
    let mut options = vec![
        format!("OUT={}", folder.display()),
        "COMPILER=clang".to_owned(),
        format!("ISA={ISA}"),
    ];
    options.extend(profile.map(|profile| format!("PROFILE={}", profile.display())));
    make_firmware(program, &options).context("clang is fetched by scripts/setup-tools.sh --pgo")?;
    Ok(folder.join(format!("{program}.elf")))
}

pub fn code(elf: &Path) -> Result<u64> {
    let bytes = fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let file = object::File::parse(&*bytes).with_context(|| elf.display().to_string())?;
    let text = file.section_by_name(".text").context("no section .text")?;
    Ok(text.size())
}
