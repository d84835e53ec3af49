//! A driver at the other end of two pipes, and the model that answers its accesses.

use hpp_gen::{Config, generate};
use hpp_golden::branch::BranchRecord;
use hpp_golden::dump::Dump;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{Profiler, TableEntry};
use hpp_golden::registers::STATUS;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Puts the files of a profiler into a folder.
pub fn write(folder: &Path, config: &Config) {
    let output = generate(config).expect("a legal configuration");
    let others = output.write_to(folder);
    others.expect("the folder is writable");
}

/// Compiles C sources of a folder into `program` there, as strictly as the compiler can.
pub fn compile(folder: &Path, arguments: &[&str]) {
    let mut compiler = Command::new("cc");
    compiler.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "program"]);
    succeeds(compiler.args(arguments), folder);
}

pub fn succeeds(compiler: &mut Command, folder: &Path) {
    let compiled = compiler.current_dir(folder).output().expect("a C compiler");
    let words = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{compiler:?}: {words}");
}

/// The harness with the driver of the default configuration, compiled once.
static PROGRAM: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), &Config::default());
    let harness = folder.path().join("harness.c");
    std::fs::write(harness, include_str!("harness.c")).expect("the folder is writable");
    let sources = [
        "-std=c99",
        "-DHPP_DRIVER_ACCESS",
        "harness.c",
        "hpp_driver.c",
    ];
    compile(folder.path(), &sources);
    folder
});

/// The driver, and the profiler that it drives.
pub struct Driver {
    /// The C driver's; the Rust driver has a thread.
    process: Option<Child>,
    calls: Box<dyn Write>,
    answers: Box<dyn BufRead>,
    pub profiler: Profiler,
    /// Nothing is at the address.
    pub absent: bool,
    pub looks: u32,
    /// What retires between two accesses.
    pub between: Option<BranchRecord>,
    /// The entries of the last call.
    pub entries: Vec<(usize, TableEntry)>,
    /// The table when it was frozen last.
    pub frozen: Vec<(usize, TableEntry)>,
    /// The text of the last call.
    pub text: String,
}

impl Driver {
    /// The C driver and the Rust driver, each with its own profiler.
    pub fn both(profiler: &Profiler) -> [Self; 2] {
        [Self::c(profiler.clone()), Self::rust(profiler.clone())]
    }

    fn rust(profiler: Profiler) -> Self {
        let (their_calls, calls) = std::io::pipe().expect("a pipe");
        let (answers, their_answers) = std::io::pipe().expect("a pipe");
        std::thread::spawn(|| crate::rust::serve(their_calls, their_answers));
        Self::piped(profiler, Box::new(calls), answers)
    }

    pub fn c(profiler: Profiler) -> Self {
        let mut process = Command::new(PROGRAM.path().join("program"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the harness starts");
        let calls = process.stdin.take().expect("a pipe");
        let answers = process.stdout.take().expect("a pipe");
        let mut driver = Self::piped(profiler, Box::new(calls), answers);
        driver.process = Some(process);
        driver
    }

    fn piped(profiler: Profiler, calls: Box<dyn Write>, answers: impl Read + 'static) -> Self {
        Self {
            process: None,
            calls,
            answers: Box::new(BufReader::new(answers)),
            profiler,
            absent: false,
            looks: 0,
            between: None,
            entries: Vec::new(),
            frozen: Vec::new(),
            text: String::new(),
        }
    }

    /// Whether it is the C driver.
    pub fn is_c(&self) -> bool {
        self.process.is_some()
    }

    /// Calls a function of the driver, answers its accesses, and returns its result.
    pub fn call(&mut self, line: &str) -> u64 {
        self.entries.clear();
        self.text.clear();
        self.say(line);
        loop {
            let mut answer = String::new();
            self.answers
                .read_line(&mut answer)
                .expect("the harness answers");
            let (kind, rest) = answer
                .trim()
                .split_at_checked(2)
                .expect("a line of the harness");
            let numbers: Vec<u64> = rest
                .split(' ')
                .map(|number| number.parse().expect("a number"))
                .collect();
            match kind {
                "= " => return numbers[0],
                "R " => self.read(numbers[0] as u32),
                "W " => self.write(numbers[0] as u32, numbers[1] as u32),
                "C " => self.text.push(char::from(numbers[0] as u8)),
                _ => self.entry(&numbers),
            }
        }
    }

    pub fn calls(&mut self, lines: &[&str]) {
        for line in lines {
            assert_eq!(self.call(line), 0, "{line}");
        }
    }

    pub fn dump(&mut self, call: &str) -> Dump {
        self.call(call);
        Dump::read(&self.text).expect("a dump")
    }

    fn say(&mut self, line: &str) {
        writeln!(self.calls, "{line}").expect("the harness listens");
        self.calls.flush().expect("the harness listens");
    }

    fn read(&mut self, offset: u32) {
        self.retire();
        self.looks += u32::from(offset == STATUS.offset);
        let word = match self.absent {
            true => 0,
            false => self.profiler.read(offset),
        };
        self.say(&word.to_string());
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.retire();
        if self.absent {
            return;
        }
        let before = self.profiler.registers().frozen();
        self.profiler.write(offset, value);
        if !before && self.profiler.registers().frozen() {
            self.frozen = self.profiler.table().entries().collect();
        }
    }

    fn retire(&mut self) {
        if let Some(record) = self.between {
            self.profiler.profile(&record);
        }
    }

    fn entry(&mut self, numbers: &[u64]) {
        let descriptor = PathDescriptor {
            start: self
                .profiler
                .geometry()
                .in_context(numbers[1], numbers[5] as u8),
            outcomes: numbers[2],
            length: numbers[3] as u32,
        };
        let count = numbers[4] as u32;
        self.entries
            .push((numbers[0] as usize, TableEntry { descriptor, count }));
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It ends by itself when its input does; killing it makes that certain.
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
