//! QEMU as a process: started, watched, waited for.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hpp_qemu::session::Folder;
use indicatif::{ProgressBar, ProgressStyle};

use super::text::millions;

/// How often to look whether it is done.
const SOON: Duration = Duration::from_millis(20);

/// A file's name as QEMU's lists of options want it.
pub fn escaped(file: &Path) -> String {
    file.display().to_string().replace(',', ",,")
}

/// Starts the command and waits for its end; on a terminal, says how far it is.
pub fn wait(mut command: Command, folder: &Folder) -> Result<ExitStatus> {
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    if !io::stderr().is_terminal() {
        return child.wait().context("cannot wait for QEMU");
    }
    let bar = ProgressBar::new_spinner()
        .with_style(ProgressStyle::with_template("{spinner} {msg}").expect("a template"));
    let (began, mut looked) = (Instant::now(), Instant::now());
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for QEMU")? {
            bar.finish_and_clear();
            return Ok(status);
        }
        if looked.elapsed() > Duration::from_millis(250) {
            looked = Instant::now();
            if let Some(progress) = folder.progress() {
                let rate = progress.records as f64 / began.elapsed().as_secs_f64();
                bar.set_message(format!(
                    "{} million instructions, {} million branch records, {} million a second",
                    millions(progress.instructions as f64),
                    millions(progress.records as f64),
                    millions(rate)
                ));
            }
        }
        thread::sleep(SOON);
    }
}

/// Why there is no outcome.
pub fn nothing_came(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!(
            "the program was killed by signal {signal} before it ended, and its profile is lost; --limit stops it earlier"
        ),
        None => format!(
            "QEMU ended with {status} before the program ran; what it said is above (a library that is not there? see --sysroot)"
        ),
    }
}
