//! The scripts that read a profile without firmware, on a server that speaks like OpenOCD's and has the golden model behind it.

mod gdb;

use hpp_gen::Config;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Profiler, ResetValues};
use hpp_golden::registers::{CONTROL, Counter, control};
use hpp_tools::{project_root, tool_path};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use tempfile::TempDir;

/// Where the server has the profiler.
const BASE: u32 = 0x2000_0000;
/// What ends a command, and an answer.
const END: u8 = 0x1a;

/// A profiler with some paths in its table, running and lossy.
fn profiler(config: &Config) -> Profiler {
    let reset = ResetValues {
        enable: true,
        lossy: true,
        ..ResetValues::default()
    };
    let mut profiler = Profiler::new(&config.geometry, &reset).expect("a legal configuration");
    for round in 0..100 {
        profiler.profile(&BranchRecord {
            kind: BranchKind::Backward,
            taken: true,
            target: 0x100 + 4 * (round % 9),
            next: 0,
            events: 0,
        });
    }
    profiler
}

/// Answers a command.
fn answer(profiler: &mut Profiler, command: &str) -> String {
    let words: Vec<&str> = command
        .split([' ', '{', '}'])
        .filter(|w| !w.is_empty())
        .collect();
    let number = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16);
    let offset = number(words[1]).expect("an address").wrapping_sub(BASE);
    if offset >= profiler.geometry().address_space() {
        return "failed to read memory".to_string();
    }
    match words[0] {
        "read_memory" => format!("{:#x}", profiler.read(offset)),
        _ => {
            profiler.write(offset, number(words[3]).expect("a word"));
            String::new()
        }
    }
}

fn serve(profiler: &mut Profiler, mut connection: TcpStream) {
    let mut commands = BufReader::new(connection.try_clone().expect("a connection"));
    let mut command = Vec::new();
    while commands
        .read_until(END, &mut command)
        .is_ok_and(|read| read > 0)
    {
        command.pop();
        let mut reply = answer(profiler, &String::from_utf8_lossy(&command)).into_bytes();
        reply.push(END);
        if connection.write_all(&reply).is_err() {
            return;
        }
        command.clear();
    }
}

/// Runs a script; it is given the server's port. Returns what it printed, and the profiler.
fn run(script: &str, arguments: &dyn Fn(&str) -> Vec<String>) -> (Output, Profiler) {
    run_with(&Config::default(), script, arguments)
}

/// The same beside a profiler of another configuration.
fn run_with(
    config: &Config,
    script: &str,
    arguments: &dyn Fn(&str) -> Vec<String>,
) -> (Output, Profiler) {
    let mut command = Command::new(tool_path("python").expect("Python"));
    command.arg(project_root().join(script));
    run_beside(config, serve, command, arguments)
}

/// Runs a command beside a server, whose port it is given.
fn run_beside(
    config: &Config,
    serve: fn(&mut Profiler, TcpStream),
    mut command: Command,
    arguments: &dyn Fn(&str) -> Vec<String>,
) -> (Output, Profiler) {
    let listener = TcpListener::bind("localhost:0").expect("a port");
    let port = listener
        .local_addr()
        .expect("an address")
        .port()
        .to_string();
    let mut profiler = profiler(config);
    let server = thread::spawn(move || {
        let (connection, _) = listener.accept().expect("a connection");
        serve(&mut profiler, connection);
        profiler
    });
    let output = command
        .args(arguments(&port))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts");
    // A command that ended without a connection would leave the server waiting for one.
    let _ = TcpStream::connect(("localhost", port.parse().expect("a port's number")));
    (output, server.join().expect("the server ends"))
}

/// The default profiler's manifest.
fn manifest() -> TempDir {
    manifest_of(&Config::default())
}

fn manifest_of(config: &Config) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = hpp_gen::generate(config).expect("a legal configuration");
    output
        .write_to(folder.path())
        .expect("the folder is writable");
    folder
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_string).to_vec()
}

/// The text is the profile, and the profiler goes on as it was.
fn check(text: &str, mut profiler: Profiler) {
    let configuration = Some(Config::default().hash());
    let expected = Dump {
        configuration,
        ..Dump::of(&profiler)
    };
    assert_eq!(expected.entries.len(), 9);
    assert_eq!(Dump::read(text).expect("a dump"), expected);
    let control = profiler.read(CONTROL.offset);
    assert_eq!(control, control::ENABLE.mask() | control::LOSSY.mask());
}

fn printed(output: &Output) -> String {
    let words = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}", words.concat());
    words[0].to_string()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn openocd_reads_a_profile() {
    let folder = manifest();
    let manifest = path(folder.path(), "hpp.json");
    let base = format!("{BASE:#x}");
    let (output, profiler) = run("fpga/host/hpp_read.py", &|port| {
        words([&manifest, "--base", &base, "--openocd", port])
    });
    check(&printed(&output), profiler);
}

/// What waits in the drain is taken out of it and printed; all of it is what completed.
#[test]
fn openocd_reads_what_left_the_table_too() {
    let config = Config {
        geometry: Geometry {
            sets: 2,
            ways: 2,
            pc_bits: 40,
            drain_depth: 128,
            ..Geometry::default()
        },
        ..Config::default()
    };
    let folder = manifest_of(&config);
    let manifest = path(folder.path(), "hpp.json");
    let base = format!("{BASE:#x}");
    let (output, profiler) = run_with(&config, "fpga/host/hpp_read.py", &|port| {
        words([&manifest, "--base", &base, "--openocd", port])
    });
    let dump = Dump::read(&printed(&output)).expect("a dump");
    let drained = dump.drained.as_ref().expect("it has a drain");
    assert_eq!((drained.waiting, drained.lost), (0, 0));
    assert!(drained.left.len() > 4);
    assert_eq!(
        dump.profile().total(),
        profiler.counters().get(Counter::Paths)
    );
}

#[test]
fn a_litex_bridge_reads_a_profile() {
    let folder = manifest();
    let manifest = path(folder.path(), "hpp.json");
    let base = format!("{BASE:#x}");
    let (output, profiler) = run("verif/soc/tests/host/stubs.py", &|port| {
        words(["litex", port, &base, &manifest, "--litex", "csr.csv"])
    });
    check(&printed(&output), profiler);
}

#[test]
fn gdb_reads_a_profile() {
    let folder = manifest();
    let manifest = path(folder.path(), "hpp.json");
    let (file, base) = (path(folder.path(), "profile.txt"), format!("{BASE:#x}"));
    let (output, profiler) = run("verif/soc/tests/host/stubs.py", &|port| {
        words(["gdb", port, "hpp-dump", &manifest, &base, &file])
    });
    printed(&output);
    check(&std::fs::read_to_string(file).expect("a profile"), profiler);
}

/// GDB itself, on a target that speaks its remote protocol.
#[test]
#[ignore = "needs GDB with Python on the machine: cargo test --release --test host -- --ignored"]
fn gdb_itself_reads_a_profile() {
    let folder = manifest();
    let manifest = path(folder.path(), "hpp.json");
    let file = path(folder.path(), "profile.txt");
    let script = project_root().join("fpga/host/hpp_gdb.py");
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch"]);
    let (output, profiler) = run_beside(&Config::default(), gdb::serve, command, &|port| {
        let typed = [
            format!("source {}", script.display()),
            format!("target remote localhost:{port}"),
            format!("hpp-dump {manifest} {BASE:#x} {file}"),
            "detach".into(),
        ];
        typed
            .into_iter()
            .flat_map(|line| ["-ex".into(), line])
            .collect()
    });
    printed(&output);
    check(&std::fs::read_to_string(file).expect("a profile"), profiler);
}

#[test]
fn an_address_without_a_profiler_is_said_so() {
    let folder = manifest();
    let manifest = path(folder.path(), "hpp.json");
    for (base, part) in [
        (
            "0x30000000",
            "OpenOCD reads 0x30000000: failed to read memory",
        ),
        ("0x20000040", "no profiler there"),
    ] {
        let (output, _) = run("fpga/host/hpp_read.py", &|port| {
            words([&manifest, "--base", base, "--openocd", port])
        });
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && words.contains(part), "{words}");
    }
}

/// Answers what comes before the table, and then no more.
fn serve_a_while(profiler: &mut Profiler, connection: TcpStream) {
    let mut commands = BufReader::new(connection.try_clone().expect("a connection"));
    for _ in 0..40 {
        let mut command = Vec::new();
        if !commands
            .read_until(END, &mut command)
            .is_ok_and(|read| read > 0)
        {
            return;
        }
        command.pop();
        let mut reply = answer(profiler, &String::from_utf8_lossy(&command)).into_bytes();
        reply.push(END);
        if (&connection).write_all(&reply).is_err() {
            return;
        }
    }
}

#[test]
fn a_connection_that_ends_is_told_and_that_the_table_is_frozen() {
    let folder = manifest();
    let manifest = path(folder.path(), "hpp.json");
    let config = Config::default();
    let mut command = Command::new(tool_path("python").expect("Python"));
    command.arg(project_root().join("fpga/host/hpp_read.py"));
    let (output, _) = run_beside(&config, serve_a_while, command, &|port| {
        words([&manifest, "--base", "0x20000000", "--openocd", port])
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.lines().count() == 1,
        "{said}"
    );
    assert!(
        said.contains("OpenOCD") && said.contains("FREEZE is still set"),
        "{said}"
    );
}

#[test]
fn a_manifest_of_something_else_is_told_with_the_remedy() {
    let folder = manifest();
    let drained = Config {
        geometry: hpp_golden::config::Geometry {
            drain_depth: 64,
            ..Config::default().geometry
        },
        ..Config::default()
    };
    for (text, told) in [
        ("{}", "no manifest"),
        ("[]", "no manifest"),
        ("", "gen-verilog wrote"),
    ] {
        let file = path(folder.path(), "other.json");
        std::fs::write(&file, text).expect("the folder is writable");
        let (output, _) = run("fpga/host/hpp_read.py", &|port| {
            words([&file, "--base", "0x20000000", "--openocd", port])
        });
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(told) && said.lines().count() == 1, "{said}");
    }
    let file = path(folder.path(), "hpp.json");
    let (output, _) = run_with(&drained, "fpga/host/hpp_read.py", &|port| {
        words([&file, "--base", "0x20000000", "--openocd", port])
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no register DRAIN_CONTROL"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_command_line_that_cannot_be_is_told_with_the_remedy() {
    let folder = manifest();
    let manifest = path(folder.path(), "hpp.json");
    for ([base, place], told) in [
        (
            ["zz", "6666"],
            "argument --base: `zz` is no address; write it as 0x20000000\n",
        ),
        (
            ["0", "localhost"],
            "hpp_read: localhost: `localhost` is no port; --openocd takes the number of OpenOCD's tcl_port, such as 6666 or localhost:6666\n",
        ),
        (["0", "70000"], "such as 6666 or localhost:6666\n"),
    ] {
        let (output, _) = run("fpga/host/hpp_read.py", &|_| {
            words([&manifest, "--base", base, "--openocd", place])
        });
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && words.ends_with(told), "{words}");
    }
}
