//! QEMU and the plugin: where they are, and whether they go together.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use hpp_trace::Isa;

use super::guest::on_path;

/// The remedy if QEMU is not there or cannot do it.
const REMEDY: &str =
    "scripts/setup-tools.sh --qemu fetches one, or apt-get install qemu-user, or set HPP_QEMU";

/// The emulator for programs of this instruction set, of a version that takes the plugin.
pub fn find(isa: Isa) -> Result<PathBuf> {
    let name = match isa {
        Isa::Riscv32 => "qemu-riscv32",
        Isa::Riscv64 => "qemu-riscv64",
        Isa::X86_64 => "qemu-x86_64",
    };
    let folder = env::var_os("HPP_QEMU").map(PathBuf::from);
    let found = match folder {
        Some(folder) => Some(folder.join(name)).filter(|file| file.is_file()),
        None => on_path(name).or_else(|| fetched(name)),
    };
    let file = found.with_context(|| format!("there is no {name}; {REMEDY}"))?;
    check(&file)?;
    Ok(file)
}

/// What `scripts/setup-tools.sh` left, from the folder that the command was built in.
fn fetched(name: &str) -> Option<PathBuf> {
    let command = env::current_exe().ok()?;
    command
        .ancestors()
        .map(|folder| folder.join(".tools/bin").join(name))
        .find(|file| file.is_file())
}

fn check(file: &Path) -> Result<()> {
    let output = |argument| {
        let output = Command::new(file).arg(argument).output();
        let output = output.with_context(|| format!("cannot run {}", file.display()))?;
        Ok::<_, anyhow::Error>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let said = output("--version")?;
    let Some(version) = version(&said) else {
        bail!("{} does not say its version; {REMEDY}", file.display());
    };
    if !(VERSIONS.0..=VERSIONS.1).contains(&version) {
        bail!(
            "{} is QEMU {}.{}; the plugin's interface is that of 7.2 to 8.2; {REMEDY}",
            file.display(),
            version.0,
            version.1
        );
    }
    if !output("--help")?.contains("-plugin") {
        bail!("{} was built without plugins; {REMEDY}", file.display());
    }
    Ok(())
}

/// First and last version, of which the major part and the minor part count.
const VERSIONS: ((u32, u32), (u32, u32)) = ((7, 2), (8, 2));

fn version(said: &str) -> Option<(u32, u32)> {
    let mut parts = said.split("version ").nth(1)?.split(['.', ' ', '\n']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The plugin, which is built with the command.
pub fn plugin() -> Result<PathBuf> {
    const NAME: &str = "libhpp_qemu.so";
    if let Some(file) = env::var_os("HPP_QEMU_PLUGIN") {
        return Ok(file.into());
    }
    let command = env::current_exe().context("cannot find the command's own file")?;
    let folder = command.parent().context("the command has no folder")?;
    // Cargo builds it into `deps`; what lies beside the command may be of an earlier build.
    let places = [folder.join("deps").join(NAME), folder.join(NAME)];
    let found = places.into_iter().find(|file| file.is_file());
    found.with_context(|| {
        format!(
            "there is no {NAME} beside {}; build it with cargo build --release, or set HPP_QEMU_PLUGIN",
            command.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_read_as_distributions_print_them() {
        let debian = "qemu-x86_64 version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright";
        assert_eq!(version(debian), Some((7, 2)));
        assert_eq!(version("qemu-riscv64 version 10.0\n"), Some((10, 0)));
        assert_eq!(version("usage"), None);
    }
}
