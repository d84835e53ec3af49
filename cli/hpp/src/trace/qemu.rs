//! Where programs are: QEMU, the plugin, and what the shell would find.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hpp_explore::trace::Isa;
use hpp_qemu::emulator::{Emulator, MACHINE_REMEDY, choose, remedy};

/// The emulator for programs of this instruction set, of a version that takes the plugin. One that does not is passed over, with a message.
pub fn find(isa: Isa) -> Result<Emulator> {
    let name = match isa {
        Isa::Riscv32 => "qemu-riscv32",
        Isa::Riscv64 => "qemu-riscv64",
        Isa::X86_64 => "qemu-x86_64",
    };
    let chosen = chosen(name)?;
    let candidates = chosen.map_or_else(
        || {
            let fetched = fetched(name, &[".tools/bin", ".tools/qemu/bin"]);
            on_path(name).into_iter().chain(fetched).collect()
        },
        |file| vec![file],
    );
    let (found, passed_over) = choose(candidates);
    match found {
        Some(found) => {
            for reason in passed_over {
                tell!("hpp: {reason}; {} is taken", found.file.display());
            }
            Ok(found)
        }
        None if passed_over.is_empty() => bail!("there is no {name}; remedy: {}", remedy()),
        None => bail!("{}; remedy: {}", passed_over.join("; "), remedy()),
    }
}

/// The emulator of a machine, of any version: also what `scripts/setup-tools.sh --system` left.
pub fn find_machine(name: &str) -> Result<PathBuf> {
    let fetched = || {
        let places = fetched(name, &[".tools/system/bin"]);
        places.into_iter().find(|file| file.is_file())
    };
    let found = chosen(name)?.or_else(|| on_path(name)).or_else(fetched);
    found.with_context(|| format!("there is no {name} on the PATH; remedy: {MACHINE_REMEDY}"))
}

/// The emulator in the folder that `HPP_QEMU` names, if it names one.
fn chosen(name: &str) -> Result<Option<PathBuf>> {
    let Some(folder) = env::var_os("HPP_QEMU").map(PathBuf::from) else {
        return Ok(None);
    };
    let file = folder.join(name);
    if !file.is_file() {
        bail!(
            "there is no {name} in {}, which HPP_QEMU names; remedy: another folder in HPP_QEMU, or none",
            folder.display()
        );
    }
    Ok(Some(file))
}

/// Where `scripts/setup-tools.sh` puts it: in these folders, from the one that the command was built in.
fn fetched(name: &str, folders: &[&str]) -> Vec<PathBuf> {
    let Ok(command) = env::current_exe() else {
        return Vec::new();
    };
    let tools = |folder: &Path| -> Vec<_> {
        let files = folders.iter().map(|of| folder.join(of).join(name));
        files.collect()
    };
    command.ancestors().flat_map(tools).collect()
}

/// The plugin, which is built with the command.
pub fn plugin() -> Result<PathBuf> {
    const NAME: &str = "libhpp_qemu.so";
    if let Some(file) = env::var_os("HPP_QEMU_PLUGIN") {
        return Ok(file.into());
    }
    let command = env::current_exe().context("cannot find the command's own file")?;
    let folder = command.parent().context("the command has no folder")?;
    // Cargo builds it into `deps`; what lies beside the command may be of an earlier build. A release has a folder for it.
    let places = ["deps", "", "../lib/hpp"].map(|of| folder.join(of).join(NAME));
    let found = places.into_iter().find(|file| file.is_file());
    found.with_context(|| {
        format!(
            "{NAME} is missing next to {}; build it with cargo build --release, or set HPP_QEMU_PLUGIN",
            command.display()
        )
    })
}

/// The first executable file of this name on the PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
