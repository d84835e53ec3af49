//! A real GDB, connected to OpenOCD while `hpp` reads the same system.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hpp_golden::dump::Dump;
use hpp_golden::registers::ID;
use verilated::tools::tool_path;

use crate::said::Must;
use crate::system::{BASE, System};
use crate::ways::{self, Way};
use crate::{error, hpp};

const OUT: [&str; 4] = ["--base", "0x20000000", "-o", "p.txt"];

/// How long OpenOCD may take to see that a debugger is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// What GDB prints after the answer to a command.
const MARK: &str = "that was it";

struct Gdb {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Gdb {
    /// GDB on this port; none if there is no GDB, which is said.
    fn on(port: &str) -> Option<Self> {
        let program = tool_path("gdb")
            .inspect_err(|error| println!("not tested: {error:#}"))
            .ok()?;
        // Its errors among its answers, in their order.
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$0\" -nx -q 2>&1"]).arg(program);
        let started = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.expect("GDB starts");
        let commands = child.stdin.take().expect("a pipe");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut gdb = Self {
            child,
            commands,
            answers,
        };
        gdb.answer("set confirm off");
        let said = gdb.answer(&format!("target extended-remote localhost:{port}"));
        said.must_contain("Remote debugging using");
        Some(gdb)
    }

    fn answer(&mut self, command: &str) -> String {
        writeln!(self.commands, "{command}\necho \\n{MARK}\\n").expect("GDB listens");
        let mut said = String::new();
        while !said.ends_with(&format!("\n{MARK}\n")) {
            let length = self.answers.read_line(&mut said).expect("a text");
            assert_ne!(length, 0, "GDB ended: {said}");
        }
        said
    }

    /// That it reads the profiler's identification.
    fn reads(&mut self) {
        let said = self.answer(&format!("output/x *(unsigned int *){BASE:#x}"));
        said.must_contain(&format!("{ID:#x}"));
    }
}

impl Drop for Gdb {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The profile equals the model's, at the latest some seconds after a debugger has left.
fn records(system: &System, way: &Way) {
    let expected = Dump::of(&system.profiler());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let began = Instant::now();
    loop {
        let output = hpp(folder.path(), &["record"], way, &OUT);
        if output.status.success() {
            assert!(output.stderr.is_empty(), "{output:?}");
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{output:?}");
        thread::sleep(Duration::from_millis(50));
    }
    let text = fs::read_to_string(folder.path().join("p.txt")).expect("a profile");
    assert_eq!(Dump::read(&text).expect("a dump"), expected);
}

#[test]
fn a_debugger_stays_connected_while_a_profile_is_taken() {
    let system = System::new();
    let (tcl, gdb_port) = ways::openocd_both(&system);
    let Some(mut gdb) = Gdb::on(&gdb_port) else {
        return;
    };
    gdb.reads();
    // It has stopped the core, and its own doings stay as they are.
    gdb.answer("set $r7 = 0x1234");
    records(&system, &tcl);
    let said = gdb.answer("output/x $r7");
    said.must_contain("0x1234");
    gdb.reads();
    // And while it lets the core run.
    gdb.answer("monitor resume");
    system.run(50);
    records(&system, &tcl);
    gdb.answer("monitor halt");
    gdb.reads();
}

#[test]
fn a_debugger_has_to_leave_a_stub_first() {
    let system = System::new();
    let (tcl, gdb_port) = ways::openocd_both(&system);
    let Some(mut gdb) = Gdb::on(&gdb_port) else {
        return;
    };
    gdb.reads();
    let stub = Way::to("--gdb", &gdb_port);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = error(&hpp(folder.path(), &["record"], &stub, &OUT));
    said.must_contain(&gdb_port);
    said.must_contain("another debugger");
    assert!(!folder.path().join("p.txt").exists());
    gdb.answer("detach");
    drop(gdb);
    records(&system, &stub);
    drop(tcl);
}
