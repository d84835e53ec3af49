//! Emulators that the plugin fits: by version, and built with plugins.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// An emulator that fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emulator {
    /// Its file.
    pub file: PathBuf,
    /// The major and the minor part of its version.
    pub version: (u32, u32),
}

impl Emulator {
    /// The version of its plugin interface where none of its functions tells it.
    pub fn interface(&self) -> u32 {
        if self.version < (11, 1) { 6 } else { 7 }
    }

    /// What is said once of one that nobody has tried: it may have another plugin interface.
    pub fn caution(&self) -> Option<String> {
        let ((major, minor), (last_major, last_minor)) = (self.version, LAST);
        (self.version > LAST).then(|| {
            format!(
                "{} is QEMU {major}.{minor}; the last that was tested is {last_major}.{last_minor}",
                self.file.display()
            )
        })
    }
}

/// The first of these files that fits, and why those before it do not. Each is run twice.
pub fn choose(candidates: Vec<PathBuf>) -> (Option<Emulator>, Vec<String>) {
    let mut passed_over = Vec::new();
    for file in candidates.into_iter().filter(|file| file.is_file()) {
        match check(&file, FIRST) {
            Ok(version) => return (Some(Emulator { file, version }), passed_over),
            Err(reason) => passed_over.push(format!("{reason:#}")),
        }
    }
    (None, passed_over)
}

/// What to do on this system if there is no emulator that fits. Since version 13, Debian's QEMU for programs is a static build, which takes no plugin.
pub fn remedy() -> String {
    remedy_on(&fs::read_to_string("/etc/os-release").unwrap_or_default())
}

fn remedy_on(release: &str) -> String {
    let value = |name| release.lines().find_map(|line| line.strip_prefix(name));
    let version = value("VERSION_ID=").and_then(|v| v.trim_matches('"').parse::<u32>().ok());
    let here = match (value("ID="), version) {
        (Some("debian"), Some(..=12)) => {
            "apt-get install qemu-user, or scripts/setup-tools.sh --qemu, which needs no root"
        }
        (Some("debian"), _) => {
            "scripts/setup-tools.sh --qemu-newest builds one in some minutes (Debian's own qemu-user is a static build without plugins)"
        }
        _ => {
            "build one: configure --enable-plugins --target-list=x86_64-linux-user,riscv64-linux-user"
        }
    };
    format!("{here}; HPP_QEMU names another folder with emulators")
}

/// What to do if there is no emulator of machines that fits.
pub const MACHINE_REMEDY: &str =
    "scripts/setup-tools.sh --system unpacks Debian 13's into .tools/system/bin";

/// The emulator of a machine.
pub fn of_machine(file: &Path) -> Result<Emulator> {
    match check(file, FIRST_OF_MACHINES) {
        Ok(version) => Ok(Emulator {
            file: file.into(),
            version,
        }),
        Err(error) => bail!("{error:#}; remedy: {MACHINE_REMEDY}"),
    }
}

fn check(file: &Path, first: (u32, u32)) -> Result<(u32, u32)> {
    let output = |argument| {
        let output = Command::new(file).arg(argument).output();
        let output = output.with_context(|| format!("cannot run {}", file.display()))?;
        Ok::<_, anyhow::Error>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let said = output("--version")?;
    let Some(version) = version(&said) else {
        bail!("{} does not say its version", file.display());
    };
    if version < first {
        bail!(
            "{} is QEMU {}.{}; the plugin needs {}.{} or later",
            file.display(),
            version.0,
            version.1,
            first.0,
            first.1
        );
    }
    if !output("--help")?.contains("-plugin") {
        bail!(
            "{} is QEMU {}.{}, built without plugins",
            file.display(),
            version.0,
            version.1
        );
    }
    Ok(version)
}

/// The first version, of which the major part and the minor part count.
const FIRST: (u32, u32) = (7, 2);

/// The last that was tested.
const LAST: (u32, u32) = (11, 1);

/// The first that reads registers, which tell who runs on a machine's hart.
const FIRST_OF_MACHINES: (u32, u32) = (9, 0);

fn version(said: &str) -> Option<(u32, u32)> {
    let mut parts = said.split("version ").nth(1)?.split(['.', ' ', '\n']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::{Emulator, FIRST, LAST, choose, remedy_on, version};

    #[test]
    fn one_that_will_not_do_is_passed_over() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = |name: &str, says: &str| {
            let file = folder.path().join(name);
            // Written by a child: what this process writes is busy while another thread's child still has it open.
            let writer = "printf '#!/bin/sh\\necho %s\\n' \"$1\" > \"$0\" && chmod +x \"$0\"";
            let mut command = Command::new("sh");
            let written = command.args(["-c", writer]).arg(&file).arg(says).status();
            assert!(written.expect("a shell").success());
            file
        };
        let old = program("old", "qemu version 4.2.1");
        let bare = program("bare", "qemu version 7.2.1");
        let good = program("good", "qemu version 7.2.1 -plugin");
        let nowhere = folder.path().join("nowhere");
        let (found, messages) = choose(vec![nowhere, old.clone(), bare.clone(), good.clone()]);
        assert_eq!(found.map(|found| found.file), Some(good));
        let [first, second] = messages.as_slice() else {
            panic!("{messages:?}");
        };
        assert!(
            first.starts_with(&format!("{} is QEMU 4.2; ", old.display())),
            "{first}"
        );
        assert_eq!(
            second,
            &format!("{} is QEMU 7.2, built without plugins", bare.display())
        );
        assert_eq!(choose(vec![bare]).0, None);
    }

    #[test]
    fn the_range_is_that_of_the_projects_scripts() {
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/tool-versions");
        let table = std::fs::read_to_string(table).expect("the table");
        let row = table.lines().find(|line| line.starts_with("qemu "));
        let row: Vec<&str> = row.expect("a line").split_whitespace().collect();
        let first = format!("{}.{}", FIRST.0, FIRST.1);
        assert_eq!(row[1..3], [first.as_str(), "-"]);
    }

    #[test]
    fn the_remedy_is_one_that_helps_on_the_system() {
        let debian = |version: &str| {
            remedy_on(&format!(
                "NAME=Debian\nVERSION_ID=\"{version}\"\nID=debian\n"
            ))
        };
        assert!(debian("12").starts_with("apt-get install qemu-user"));
        for release in [
            &debian("13"),
            &remedy_on("ID=debian\nVERSION_CODENAME=forky\n"),
        ] {
            assert!(release.contains("--qemu-newest") && !release.contains("apt-get"));
        }
        for release in ["ID=fedora\nVERSION_ID=43\n", ""] {
            assert!(remedy_on(release).contains("--enable-plugins"));
        }
    }

    #[test]
    fn one_that_is_later_than_those_that_were_tested_is_named() {
        let caution = |version| {
            let file = "qemu-riscv64".into();
            Emulator { file, version }.caution()
        };
        assert_eq!(caution(LAST), None);
        let later = caution((LAST.0 + 1, 0)).expect("it is later");
        assert!(later.starts_with("qemu-riscv64 is QEMU 12.0; the last that"));
    }

    #[test]
    fn versions_are_read_as_distributions_print_them() {
        let debian = "qemu-x86_64 version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright";
        assert_eq!(version(debian), Some((7, 2)));
        assert_eq!(version("qemu-riscv64 version 10.0\n"), Some((10, 0)));
        assert_eq!(version("usage"), None);
    }
}
