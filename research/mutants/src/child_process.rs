//! Programs that end when the one that started them ends, however it does: nobody waits for a build then, which would go on beside the next.

use std::process::Command;

/// Has the system send a signal to a program when the thread that started it ends; `setpriv` is of util-linux.
fn sent(signal: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", signal]);
    command
}

/// A command that is killed. What it has started is not.
pub fn dies_with_parent(program: &str) -> Command {
    let mut command = sent("KILL");
    command.arg(program);
    command
}

/// A command that is ended with all that it has started: `timeout` makes a process group of them and sends it on.
pub fn group_dies_with_parent(program: &str) -> Command {
    let mut command = sent("TERM");
    command.args(["timeout", "0", program]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::fs;
    use std::path::Path;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// Waits until something is there; not for ever.
    fn awaited<T>(what: &str, there: impl Fn() -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(there) = there() {
                return there;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{what}");
            sleep(Duration::from_millis(5));
        }
    }

    /// Has a process start a command that runs a shell script, kills that process and waits for the end of the script's processes, which it wrote to `pids`.
    fn ends(command: &Command, script: &str, processes: usize) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut parent = Command::new("sh");
        parent
            .args(["-c", "\"$@\" & wait", "sh"])
            .arg(command.get_program())
            .args(command.get_args())
            .args(["-c", script])
            .current_dir(folder.path());
        let mut parent = parent.spawn().expect("it starts");
        let pids = awaited("all of it runs", || {
            let pids = fs::read_to_string(folder.path().join("pids")).ok()?;
            let pids: Vec<String> = pids.lines().map(str::to_owned).collect();
            (pids.len() == processes).then_some(pids)
        });
        assert!(pids.iter().all(|pid| is_running(pid)));
        parent.kill().expect("it runs");
        parent.wait().expect("it ends");
        for pid in &pids {
            awaited("it ends too", || (!is_running(pid)).then_some(()));
        }
    }

    /// Whether there is a process that has not ended, waited for or not.
    fn is_running(pid: &str) -> bool {
        let state = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
        state.is_ok_and(|state| !state.contains(") Z "))
    }

    #[test]
    fn a_program_ends_with_what_started_it() {
        ends(
            &dies_with_parent("sh"),
            "echo $$ >> pids; exec sleep 600",
            1,
        );
    }

    #[test]
    fn a_program_ends_with_all_that_it_started() {
        // `timeout` sends a signal on only once it waits.
        let waits = "until grep -q 'State:.S' /proc/$PPID/status; do :; done";
        let script = format!("{waits}; sleep 600 & printf '%s\\n' $$ $! >> pids; wait");
        ends(&group_dies_with_parent("sh"), &script, 2);
    }

    #[test]
    fn a_tied_program_ends_as_it_ends_alone() {
        for mut command in [dies_with_parent("sh"), group_dies_with_parent("sh")] {
            let output = command.args([OsStr::new("-c"), OsStr::new("echo said; exit 3")]);
            let output = output.output().expect("it starts");
            assert_eq!(output.status.code(), Some(3));
            assert_eq!(output.stdout, b"said\n");
        }
    }
}
