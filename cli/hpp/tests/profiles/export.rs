//! `hpp export`: each format by the grammar or the schema that its tools publish.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use crate::folder::{Done, Folder, fixture, profiled};
use crate::lcov::walked;
use crate::said::Must;

/// Three executions with the branch taken, one without.
fn export(format: &str) -> Vec<u8> {
    let folder = Folder::new(profiled(&[true, true, true, false]));
    let done = folder.run(format!(
        "export serial.txt --elf f.elf --format {format} -o out"
    ));
    assert_eq!((done.status, done.out.as_str()), (0, ""), "{}", done.error);
    std::fs::read(folder.path().join("out")).expect("a file was written")
}

fn text(format: &str) -> String {
    String::from_utf8(export(format)).expect("text")
}

#[test]
fn a_flame_graph_is_a_picture_with_every_block() {
    let picture = text("svg");
    assert!(picture.starts_with("<?xml") && picture.trim_end().ends_with("</svg>"));
    for frame in [
        "0x10008-0x1000c (3 executions, 75.00%)",
        "f (4 executions, 100.00%)",
    ] {
        picture.must_contain(frame);
    }
}

/// A protobuf message by the wire format's rules alone: each field's number, with its varints and its bytes.
#[derive(Default)]
struct Wire {
    numbers: BTreeMap<u64, Vec<u64>>,
    bytes: BTreeMap<u64, Vec<Vec<u8>>>,
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = bytes.split_first().expect("a varint that ends");
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}

impl Wire {
    fn read(mut bytes: &[u8]) -> Self {
        let mut wire = Self::default();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            match key & 7 {
                0 => wire
                    .numbers
                    .entry(key >> 3)
                    .or_default()
                    .push(varint(&mut bytes)),
                2 => {
                    let length = varint(&mut bytes) as usize;
                    let (field, rest) = bytes.split_at(length);
                    wire.bytes.entry(key >> 3).or_default().push(field.to_vec());
                    bytes = rest;
                }
                other => panic!("wire type {other}"),
            }
        }
        wire
    }

    fn messages(&self, field: u64) -> Vec<Wire> {
        let all = self.bytes.get(&field).map_or(&[][..], Vec::as_slice);
        all.iter().map(|bytes| Wire::read(bytes)).collect()
    }

    /// A packed field of varints.
    fn packed(&self, field: u64) -> Vec<u64> {
        let mut bytes = self.bytes[&field][0].as_slice();
        let mut values = Vec::new();
        while !bytes.is_empty() {
            values.push(varint(&mut bytes));
        }
        values
    }
}

pub fn unpacked(pprof: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(pprof).read_to_end(&mut bytes).expect("gzip");
    bytes
}

/// What pprof shows of each function of a profile, flat and cumulative, in this one of its values.
pub fn flat_and_cumulative(pprof: &[u8], value: usize) -> BTreeMap<String, [u64; 2]> {
    let profile = Wire::read(&unpacked(pprof));
    let number = |message: &Wire, field| message.numbers[&field][0];
    let names: BTreeMap<u64, String> = profile
        .messages(5)
        .iter()
        .map(|function| {
            let name = &profile.bytes[&6][number(function, 2) as usize];
            let name = String::from_utf8_lossy(name).into_owned();
            (number(function, 1), name)
        })
        .collect();
    let locations: BTreeMap<u64, Vec<String>> = profile
        .messages(4)
        .iter()
        .map(|location| {
            let lines = location.messages(4);
            let names = lines.iter().map(|line| names[&number(line, 1)].clone());
            (number(location, 1), names.collect())
        })
        .collect();
    let mut sums: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for sample in profile.messages(2) {
        let weight = sample.packed(2)[value];
        let frames = &locations[&sample.packed(1)[0]];
        let once: std::collections::BTreeSet<&String> = frames.iter().collect();
        for name in once {
            sums.entry(name.clone()).or_default()[1] += weight;
        }
        sums.entry(frames[0].clone()).or_default()[0] += weight;
    }
    sums.retain(|_, sums| *sums != [0, 0]);
    sums
}

/// The field numbers are those of google/pprof's `profile.proto`.
#[test]
fn pprof_gets_a_sample_for_each_block_with_its_path_as_label() {
    let profile = Wire::read(&unpacked(&export("pprof")));
    let strings: Vec<String> = profile.bytes[&6]
        .iter()
        .map(|text| String::from_utf8(text.clone()).expect("UTF-8"))
        .collect();
    assert_eq!(strings[0], "");
    let string = |index: u64| strings[index as usize].as_str();
    let types = profile.messages(1);
    let types = types.iter().map(|t| string(t.numbers[&1][0]));
    assert!(types.eq(["executions", "instructions"]));
    let samples = profile.messages(2);
    let values: Vec<Vec<u64>> = samples.iter().map(|sample| sample.packed(2)).collect();
    // Taken: one instruction in each of two blocks; not taken: one, then two.
    assert_eq!(values, [[3, 3], [0, 3], [1, 1], [0, 2]]);
    let locations = profile.messages(4);
    let locations: Vec<u64> = locations.iter().map(|l| l.numbers[&1][0]).collect();
    let mut places = samples.iter().map(|sample| sample.packed(1)[0]);
    assert!(places.all(|place| locations.contains(&place)));
    let label = &samples[0].messages(3)[0];
    assert_eq!(
        (string(label.numbers[&1][0]), string(label.numbers[&2][0])),
        ("path", "0x00010000:T")
    );
    let function = &profile.messages(5)[0];
    assert_eq!(string(function.numbers[&2][0]), "f");
}

fn run(folder: &Folder, program: &Path, arguments: &str) -> (i32, String) {
    let words: Vec<&str> = arguments.split(' ').collect();
    Done::of(&mut folder.command(program, &words)).said()
}

/// A tool, and a folder in which it finds the profile's program, linked of this source. Says what is not tested for want of one.
fn with_linked(tool: &str, name: &str, source: &str) -> Option<(PathBuf, Folder)> {
    let tools = [tool, "riscv-gcc"].map(verilated::tools::tool_path);
    let [tool, compiler] = match tools {
        [Ok(tool), Ok(compiler)] => [tool, compiler],
        [Err(error), _] | [_, Err(error)] => {
            eprintln!("NOT TESTED: {error}");
            return None;
        }
    };
    let folder = Folder::new(profiled(&[true, true, true, false]));
    folder.write(name, source);
    let flags = "-g -march=rv64i -mabi=lp64 -nostdlib -Wl,-Ttext=0x10000,--entry=f -o f.elf";
    let (status, said) = run(&folder, &compiler, &format!("{flags} {name}"));
    assert_eq!(status, 0, "{said}");
    Some((tool, folder))
}

/// `F first last count`, `B branch target count mispredictions`: what LLVM 19 reads, which knows no `T` lines.
#[test]
fn perf2bolt_reads_every_line() {
    // It reads RV64 only, and wants what a linker makes.
    let source = ".type f, @function\n.globl f\nf: beq x0, x0, 1f\nnop\n1: ret\n.size f, .-f\n";
    let Some((tool, folder)) = with_linked("perf2bolt", "f.s", source) else {
        return;
    };
    folder.succeeds("export serial.txt --elf f.elf --format bolt -o out");
    let lines = folder.text("out");
    let (_, said) = run(
        &folder,
        &tool,
        "--aggregate-only --pa -p out -o fdata f.elf",
    );
    // LLVM 19 calls them LBR entries, LLVM 23 brstack entries.
    let read = format!("read {} aggregated ", lines.lines().count());
    said.must_contain(&read);
    assert!(!said.contains("expected"), "{said}");
}

/// The mappings were those of all segments: llvm-profgen stops at one of data.
#[test]
fn the_mappings_of_perf_script_are_the_segments_of_code() {
    const HEADERS: usize = 64;
    const PT_LOAD: u8 = 1;
    let folder = Folder::new("");
    folder.write("grid.elf", fixture("grid.elf"));
    let dump = walked(&folder.path().join("grid.elf"), 0);
    folder.write("serial.txt", dump.to_string());
    for (flags, mappings) in [(0b101, 1), (0b111, 1), (0b110, 0), (0b100, 0)] {
        let mut elf = fixture("grid.elf");
        let headers = elf[HEADERS..].chunks_mut(56);
        let load = headers.into_iter().find(|header| header[0] == PT_LOAD);
        load.expect("a segment that is loaded")[4] = flags;
        folder.write("grid.elf", elf);
        let done = folder.run("export serial.txt --elf grid.elf --format perf");
        let mapped = done.out.matches("PERF_RECORD_MMAP2").count();
        assert_eq!(mapped, mappings, "{flags:#b}: {}", done.error);
    }
}

/// A program of the profile's three instructions, each on a line of its own.
const LINES: &str = "__attribute__((naked)) void f(void) {
__asm__(\"beq x0, x0, 1f\");
__asm__(\"nop\");
__asm__(\"1: ret\");
}
int data = 1;
";

#[test]
fn llvm_profgen_makes_of_it_how_often_each_line_ran() {
    let Some((tool, folder)) = with_linked("llvm-profgen", "f.c", LINES) else {
        return;
    };
    folder.succeeds("export serial.txt --elf f.elf --format perf -o out");
    let flags = "--perfscript=out --binary=f.elf --format=text --output=samples";
    let (status, said) = run(&folder, &tool, flags);
    assert!(status == 0 && !said.contains("mmap"), "{said}");
    let samples = folder.text("samples");
    samples.must_begin("f:36:4\n 1: 4\n 2: 1\n 3: 4\n");
}
