//! `hpp trace --follow`: child processes and programs after `execve`.

use std::convert::Infallible;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use hpp_explore::trace::Header;
use hpp_qemu::session::{Folder, Settings};

use super::guest::Guest;
use super::{emulation, qemu};

/// What the plugin begins the command with.
pub const WORD: &str = "followed";

/// Go on with a program that a traced one asked for, in its place
///
/// The plugin starts it; it is of no use by hand.
#[derive(clap::Parser)]
pub struct Args {
    /// The folder through which command and plugin talk
    folder: PathBuf,
    file: PathBuf,
    /// Its arguments, from its name on
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Interpreters of interpreters, as Linux has it.
const SCRIPTS: usize = 5;

/// Becomes the program, under QEMU if that can be.
pub fn run(args: &Args) -> Result<Infallible> {
    let mut command = match followed(args) {
        Ok(command) => command,
        Err(error) => {
            tell!(
                "hpp: {}: {error:#}; it is not profiled",
                args.file.display()
            );
            let mut command = Command::new(&args.file);
            if let Some((name, words)) = args.words.split_first() {
                command.arg0(name).args(words);
            }
            command
        }
    };
    Err(command.exec()).with_context(|| format!("cannot run {}", args.file.display()))
}

fn followed(args: &Args) -> Result<Command> {
    let (file, words) = interpreted(&args.file, &args.words)?;
    let guest = Guest::at(&file)?;
    let root = Folder::new(&args.folder);
    let settings = root.settings().context("no settings")?;
    let emulator = match guest.isa == settings.header.isa {
        true => settings.emulator.clone(),
        false => qemu::find(guest.isa)?,
    };
    let (number, folder) = root.claim().context("no folder for the process")?;
    let settings = Settings {
        header: Header {
            isa: guest.isa,
            command: words.clone(),
            build_id: guest.build_id.clone(),
            ..settings.header
        },
        code: guest.code.clone(),
        emulator,
        ..settings
    };
    folder.set_settings(&settings)?;
    let mut command = emulation(&settings, &root, number);
    if let Some(name) = words.first() {
        command.arg("-0").arg(name);
    }
    command.arg(&guest.file).args(words.iter().skip(1));
    Ok(command)
}

/// The program that runs, and its arguments: of a script its interpreter.
fn interpreted(file: &Path, words: &[String]) -> Result<(PathBuf, Vec<String>)> {
    let (mut file, mut words) = (file.to_owned(), words.to_vec());
    for _ in 0..SCRIPTS {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let Some(line) = bytes.strip_prefix(b"#!") else {
            break;
        };
        let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let mut parts = line.trim().splitn(2, [' ', '\t']).map(str::trim);
        let interpreter = parts.next().unwrap_or_default().to_owned();
        let head = [interpreter.clone()]
            .into_iter()
            .chain(parts.map(Into::into));
        let script = [file.display().to_string()];
        words = head
            .chain(script)
            .chain(words.into_iter().skip(1))
            .collect();
        file = interpreter.into();
    }
    Ok((file, words))
}
