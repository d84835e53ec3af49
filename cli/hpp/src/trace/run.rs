//! QEMU as a child process: started, watched, waited for.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hpp_qemu::emulator::Emulator;
use hpp_qemu::session::Folder;
use indicatif::{ProgressBar, ProgressStyle};
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::text::millions;

/// How often to look whether it is done.
const SOON: Duration = Duration::from_millis(20);

/// A file's name as QEMU's lists of options want it.
pub fn escaped(file: &Path) -> String {
    file.display().to_string().replace(',', ",,")
}

/// Starts the command and waits for its end; on a terminal, says how far it is. What comes to end this process ends that one, and so both: a
/// terminal's interrupt reaches it by itself; other signals, and an interrupt where there is no terminal, are passed on.
pub fn wait(mut command: Command, folder: &Folder) -> Result<ExitStatus> {
    let signals = Signals::catch().context("cannot wait for QEMU")?;
    set_child_subreaper(Some(getpid())).context("cannot wait for what QEMU leaves")?;
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let bar = ProgressBar::new_spinner()
        .with_style(ProgressStyle::with_template("{spinner} {msg}").expect("a template"));
    let (began, mut looked) = (Instant::now(), Instant::now());
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for QEMU")? {
            bar.finish_and_clear();
            return Ok(status);
        }
        signals.pass_on(&child);
        if looked.elapsed() > Duration::from_millis(250) && io::stderr().is_terminal() {
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

/// The signals that would end this process before its child: they do not as long as this is there.
struct Signals {
    to_pass_on: Vec<(Signal, Arc<AtomicBool>)>,
    is_over: Arc<AtomicBool>,
}

impl Signals {
    fn catch() -> io::Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = |number| -> io::Result<_> {
            let came = Arc::new(AtomicBool::new(false));
            flag::register_conditional_default(number, Arc::clone(&is_over))?;
            flag::register(number, Arc::clone(&came))?;
            Ok(came)
        };
        let interrupt = (Signal::INT, flag(SIGINT)?);
        let mut to_pass_on = vec![(Signal::TERM, flag(SIGTERM)?), (Signal::HUP, flag(SIGHUP)?)];
        if File::open("/dev/tty").is_err() {
            to_pass_on.push(interrupt);
        }
        Ok(Self {
            to_pass_on,
            is_over,
        })
    }

    fn pass_on(&self, child: &Child) {
        for (signal, came) in &self.to_pass_on {
            if came.swap(false, Relaxed) {
                // It may have ended meanwhile.
                let _ = kill_process(Pid::from_child(child), *signal);
            }
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
    }
}

/// How long the models may need for what QEMU left.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits, after the first process's end, for all others and their models, which are this process's children then; an interrupt ends that.
pub fn wait_for_all() -> Result<()> {
    let signals = Signals::catch().context("cannot wait for child processes")?;
    let interrupted = || (signals.to_pass_on.iter()).any(|(_, came)| came.load(Relaxed));
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(None) if !interrupted() => thread::sleep(SOON),
            Ok(Some(_)) => {}
            _ => return Ok(()),
        }
    }
}

/// Waits, after QEMU's end, for the models, which are this process's children then.
pub fn wait_for_models(folder: &Folder) {
    let began = Instant::now();
    for folder in folder.harts().into_iter().map(|hart| folder.of_hart(hart)) {
        let Some(model) = folder.model().and_then(Pid::from_raw) else {
            continue;
        };
        while let Ok(None) = waitpid(Some(model), WaitOptions::NOHANG) {
            if began.elapsed() > PATIENCE {
                // It may end meanwhile.
                let _ = kill_process(model, Signal::KILL);
            }
            thread::sleep(SOON / 10);
        }
    }
}

/// Why there is no outcome.
pub fn nothing_came(
    status: ExitStatus,
    folder: &Folder,
    emulator: &Emulator,
    is_machine: bool,
) -> String {
    let (major, minor) = emulator.version;
    match folder.model() {
        None => format!(
            "QEMU {major}.{minor} did not take the plugin ({status}); what it said, if anything, is above"
        ),
        Some(_) if is_machine => format!(
            "QEMU ended before the machine ran ({status}); what it said, if anything, is above"
        ),
        Some(_) => format!(
            "QEMU ended before the program began ({status}); what it said, if anything, is above; remedy: --sysroot DIR with the program's libraries; \
             --system for firmware, which runs on a machine"
        ),
    }
}
