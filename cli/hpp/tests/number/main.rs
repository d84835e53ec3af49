//! `hpp number` as people run it: what it writes, and what it says about nonsense.

#[path = "../../../../golden-model/riscv/tests/riscv_program/mod.rs"]
mod riscv_program;
#[path = "../said/mod.rs"]
mod said;

mod errors;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use riscv_program::{Flaw, JR, NOP, RET, beq, elf_file, jal, program};
use serde_json::Value;
use tempfile::TempDir;

use said::Must;

/// A folder with one file in it, and the command on that file.
struct Case {
    folder: TempDir,
    file: PathBuf,
}

impl Case {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join(name);
        fs::write(&file, content).expect("a file in it");
        Self { folder, file }
    }

    /// Exit status, standard output, standard error; the file is argument 1 and shown without its folder.
    fn run(&self, arguments: &[&str]) -> (bool, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_hpp"))
            .arg("number")
            .arg(&self.file)
            .args(arguments)
            .output()
            .expect("the command starts");
        let folder = format!("{}/", self.folder.path().display());
        let text = |bytes| {
            String::from_utf8(bytes)
                .expect("UTF-8")
                .replace(&folder, "")
        };
        (
            output.status.success(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// What is written of the file as standard input.
    fn through_a_pipe(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_hpp"))
            .args(["number", "-"])
            .args(arguments)
            .stdin(fs::File::open(&self.file).expect("the file"))
            .output()
            .expect("the command starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn writes(&self, arguments: &[&str]) -> String {
        let (success, out, error) = self.run(arguments);
        assert!(success, "{error}");
        assert_eq!(error, "");
        out
    }

    fn refuses(&self, arguments: &[&str]) -> String {
        let (success, out, error) = self.run(arguments);
        assert!(!success, "{out}");
        assert_eq!(out, "");
        assert!(!error.contains("panicked"), "{error}");
        error
    }
}

/// The graph of the thesis's figure 3.4.
const THESIS: &str = "s -> a\ns -> b\na -> c\na -> b\nb -> c\nc -> d\nc -> t\nd -> t\n";

#[test]
fn the_worked_example_of_the_thesis() {
    let out = Case::new("thesis.txt", THESIS).writes(&["--interesting", "0,1,5"]);
    let expected = "\
thesis.txt: blocks 6, edges 8, broken edges 0 (back edges of a depth-first search), paths 6

algorithm     values  probes  delta  entropy  gamma
ball-larus         3       5    6/3        -      -
preferential       3       5    3/3        -      -
selective          3       5    4/3        -      -
arithmetic         -       -    3/3    1.585  1.000
";
    out.must_begin(expected);
    let piped = Case::new("thesis.txt", THESIS).through_a_pipe(&["--interesting", "0,1,5"]);
    assert_eq!(piped, out.replace("thesis.txt", "standard input"));
    let paths = "
ball-larus  preferential  selective  arithmetic  interesting path
         0             0          2           0  s a c d t
         1             1          3           1  s a c t
         5             2          5           2  s b c t
";
    out.must_end(paths);
}

#[test]
fn probes_go_where_they_are_asked_for() {
    let case = Case::new("thesis.txt", THESIS);
    let placed = |placement| case.writes(&["--algorithm", "ball-larus", "--placement", placement]);
    let naive = placed("naive");
    naive.must_contain("ball-larus       3       5 ");
    naive.must_contain("\na -> b           2  r += 2\n");
    let kept = placed("kept");
    kept.must_contain("\nin s                r = 0\nin t                count[r]++\n");
    assert_eq!(
        placed("optimised"),
        case.writes(&["--algorithm", "ball-larus"])
    );
    let json = "--algorithm ball-larus --placement kept --format json";
    let json = case.writes(&json.split(' ').collect::<Vec<_>>());
    let value: Value = serde_json::from_str(&json).expect("JSON");
    let edges = &value["algorithms"][0]["edges"];
    assert_eq!(
        (&edges["entry_probe"], &edges["exit_probe"]),
        (&"r = 0".into(), &"count[r]++".into())
    );
}

#[test]
fn interesting_paths_by_blocks_are_those_by_number() {
    let case = Case::new("thesis.txt", THESIS);
    let by_blocks = [
        "--interesting-blocks",
        "s a c d t",
        "--interesting-blocks",
        "s b c t",
    ];
    assert_eq!(
        case.writes(&by_blocks),
        case.writes(&["--interesting", "0,5"])
    );
}

#[test]
fn every_number_leads_to_its_path() {
    let case = Case::new("thesis.txt", THESIS);
    let path = |number: &str, algorithm: &str| {
        let out = case.writes(&["--regenerate", number, "--algorithm", algorithm]);
        out.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(path("0", "ball-larus"), "ball-larus path 0: s a c d t");
    assert_eq!(path("3", "ball-larus"), "ball-larus path 3: s a b c t");
    assert_eq!(path("4", "arithmetic"), "arithmetic path 4: s b c d t");
}

#[test]
fn a_number_is_looked_up_where_it_exists() {
    let case = Case::new("thesis.txt", THESIS);
    let out = case.writes(&["--interesting", "0,1,5", "--regenerate", "2"]);
    out.must_contain("ball-larus path 2: s a b c d t\n");
    out.must_contain("preferential path 2: s b c t\n");
    out.must_contain("selective path 2: s a c d t\n");
}

#[test]
fn json_says_the_same() {
    let case = Case::new(
        "graph.json",
        r#"{"edges": [{"from": "a", "to": "b", "outcome": false}, {"from": "a", "to": "b", "outcome": true}]}"#,
    );
    let out = case.writes(&[
        "--format",
        "json",
        "--algorithm",
        "ball-larus",
        "--regenerate",
        "1",
    ]);
    let value: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["paths"], "2");
    assert_eq!(value["edges"][1]["kind"], "real");
    let edges = &value["algorithms"][0]["edges"];
    assert_eq!(edges["values"], serde_json::json!(["0", "1"]));
    assert_eq!(edges["probe_count"], 2);
    assert_eq!(
        value["regenerated"][0]["path"]["edges"],
        serde_json::json!([1])
    );
}

#[test]
fn graphviz_shows_values_and_probes() {
    let case = Case::new("loop.txt", "a -> b\nb -> b\nb -> c\n");
    let out = case.writes(&["--format", "dot", "--algorithm", "ball-larus"]);
    out.must_begin("digraph {");
    out.must_contain("style = dashed");
    out.must_contain("count[");
    let two = case.writes(&["--format", "dot", "--interesting", "0"]);
    two.must_contain("ball-larus: ");
    two.must_contain("preferential: ");
}

/// `f`: a loop, a tail call to `g`. `h`: a jump table.
fn elf() -> Vec<u8> {
    let words = [
        NOP,       // 0 f:
        beq(0),    // 1   around itself
        jal(0, 8), // 2   to g
        RET,       // 3
        beq(8),    // 4 g:
        NOP,       // 5
        RET,       // 6
        JR,        // 7 h:
        NOP,       // 8
        RET,       // 9
    ];
    program(&words, &[("f", 0, 4), ("g", 4, 3), ("h", 7, 3)])
}

#[test]
fn a_function_goes_on_through_its_tail_call() {
    let out = Case::new("program.elf", elf()).writes(&["--function", "f", "--regenerate", "0"]);
    out.must_begin("program.elf: f: blocks 7, edges 8, broken edges 1 (backward and indirect branches), paths 6\n");
    out.must_contain("\nball-larus path 0: 0x10000 0x10004 0x10008 0x10010 0x10014 0x10018 EXIT\n");
    out.must_contain("\nrecorded by the hardware as 0x00010000:NTN\n");
}

#[test]
fn a_backward_branch_not_taken_ends_a_path_if_it_is_as_any_backward_branch() {
    let case = Case::new("program.elf", elf());
    let ends = |setting| {
        let out = case.writes(&["--function", "f", "--backward-not-taken", setting]);
        out.must_contain("0x10004 -> EXIT (stop, taken)");
        out.contains("0x10004 -> EXIT (stop, not taken)")
    };
    assert!(!ends("as-forward"));
    assert!(ends("as-backward"));
}

#[test]
fn the_targets_of_a_jump_table_are_assumed() {
    let out =
        Case::new("program.elf", elf()).writes(&["--function", "h", "--breaks", "depth-first"]);
    out.must_contain("0x1001c -> 0x10020");
}

#[test]
fn a_mangled_function_is_shown_by_its_name() {
    let functions = [("_ZN4heap4pushEi", 0, 3)];
    let case = Case::new("program.elf", program(&[beq(8), NOP, RET], &functions));
    let out = case.writes(&["--function", "heap::push"]);
    out.must_begin("program.elf: heap::push(int): blocks ");
    let error = case.refuses(&["--function", "nonesuch"]);
    error.must_contain("such as `heap::push(int)`");
}

#[test]
fn functions_are_suggested() {
    let case = Case::new("program.elf", elf());
    case.refuses(&[]).must_be("hpp: program.elf: choose one of its functions with --function NAME: 3 in all, such as `f`, `g`, `h`\n");
    case.refuses(&["--function", "x"]).must_be(
        "hpp: program.elf: there is no function `x`; there are 3, such as `f`, `g`, `h`\n",
    );
}

#[test]
fn a_function_whose_letters_were_swapped_is_found() {
    let case = Case::new("program.elf", program(&[NOP, RET], &[("work", 0, 2)]));
    case.refuses(&["--function", "wrok"])
        .must_be("hpp: program.elf: there is no function `wrok`; there is `work`\n");
}

/// The names that `hpp report` shows.
#[test]
fn a_function_is_found_by_its_name_in_its_language() {
    let elf = program(&[NOP, RET], &[("_ZN4heap4pushEi", 0, 2)]);
    let case = Case::new("program.elf", elf);
    let text = case.writes(&["--function", "heap::push(int)"]);
    text.must_contain("paths 1");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let case = Case::new("thesis.txt", THESIS);
    let mut child = Command::new(env!("CARGO_BIN_EXE_hpp"))
        .args(["number".as_ref(), case.file.as_os_str()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

/// Programs whose extensions no attribute names, and one with data between its instructions.
#[test]
fn code_is_numbered_that_only_its_encoding_tells() {
    let file = |name: &str| {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../golden-model/riscv/tests/files/"
        );
        let program = fs::read(format!("{folder}{name}")).expect("a program");
        Case::new(name, program)
    };
    let numbers = |name: &str, function: &str| file(name).writes(&["--function", function]);
    for function in ["zcmp", "zibi"] {
        let out = numbers("attributes.elf", function);
        out.must_contain("paths 2\n");
        assert!(!out.contains("note: "), "{out}");
    }
    let out = numbers("attributes.elf", "xcvbi");
    out.must_contain("paths 2\n");
    out.must_contain("note: the instruction at 0x10142 is a custom opcode, taken for the branch");
    let json = file("attributes.elf").writes(&["--function", "xcvbi", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let note = json["notes"][0].as_str().expect("a note");
    note.must_begin("the instruction at 0x10142 ");
    let out = numbers("tables.elf", "switch");
    out.must_contain("0x101b6");
    assert!(
        !out.contains("0x101ae") && !out.contains("0x101b2"),
        "{out}"
    );
}
