//! The program to run: its path and its machine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hpp_explore::trace::Isa;
use hpp_qemu::load_address::Code;
use object::{Architecture, Object, ObjectSegment};

use super::qemu::{find_machine, on_path};

pub struct Guest {
    pub file: PathBuf,
    pub isa: Isa,
    /// Where the file says that its code is.
    pub code: Code,
    pub build_id: Option<String>,
}

impl Guest {
    /// The program of this name: a path, or what the shell would find.
    pub fn find(name: &str) -> Result<Self> {
        Self::at(&find(name)?)
    }

    /// A machine, by the name of its emulator: a path, or what the shell or `scripts/setup-tools.sh` would find.
    pub fn machine(name: &str) -> Result<Self> {
        let emulator = Path::new(name).file_name().unwrap_or_default();
        let emulator = emulator.to_string_lossy();
        let isa = match &*emulator {
            "qemu-system-riscv64" => Isa::Riscv64,
            "qemu-system-riscv32" => Isa::Riscv32,
            "qemu-system-x86_64" => Isa::X86_64,
            _ => bail!(
                "`{emulator}` cannot be traced as a machine; qemu-system-riscv64, qemu-system-riscv32 and qemu-system-x86_64 can"
            ),
        };
        let file = match name.contains('/') {
            true => name.into(),
            false => find_machine(name)?,
        };
        let code = Code {
            file: file.clone(),
            first: 0,
            range: 0..0,
        };
        Ok(Self {
            file,
            isa,
            code,
            build_id: None,
        })
    }

    pub fn at(file: &Path) -> Result<Self> {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        Self::read(file.into(), &bytes).with_context(|| file.display().to_string())
    }

    fn read(file: PathBuf, bytes: &[u8]) -> Result<Self> {
        if let Some(line) = bytes.strip_prefix(b"#!") {
            let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let interpreter = String::from_utf8_lossy(line);
            bail!(
                "a script; trace its interpreter: hpp trace -- {} {}",
                interpreter.trim(),
                file.display()
            );
        }
        if !bytes.starts_with(b"\x7fELF") {
            bail!("no ELF program");
        }
        let elf = object::File::parse(bytes)?;
        let isa = match elf.architecture() {
            Architecture::X86_64 => Isa::X86_64,
            Architecture::Riscv64 => Isa::Riscv64,
            Architecture::Riscv32 => Isa::Riscv32,
            other => bail!("a program for {other:?}; programs for x86-64 and RISC-V can be traced"),
        };
        let first = elf.segments().map(|segment| segment.address()).min();
        let code = elf.segments().filter(|s| s.permissions().executable());
        let code = code.map(|s| s.address()..s.address().wrapping_add(s.size()));
        let code = code.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
        let code = Code {
            file: file.clone(),
            first: first.unwrap_or(0),
            range: code.context("no program: nothing in it can be executed")?,
        };
        let id = elf.build_id()?;
        Ok(Self {
            isa,
            code,
            build_id: id.map(|id| id.iter().map(|byte| format!("{byte:02x}")).collect()),
            file,
        })
    }
}

fn find(name: &str) -> Result<PathBuf> {
    if name.contains('/') {
        return Ok(name.into());
    }
    on_path(name).with_context(|| {
        format!("there is no program `{name}` on the PATH; for a file here, say ./{name}")
    })
}
