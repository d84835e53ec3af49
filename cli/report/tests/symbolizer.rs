//! Functions, inlined functions and lines of a corpus of programs, beside those of `llvm-symbolizer`, address by address. Where it says line 0, code of no
//! line, the report has the last line before; there only the names are compared.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use hpp_report::{ElfFile, Program};
use tempfile::TempDir;
use verilated::tools::tool_path;

const C: &str = "\
struct list { struct list *next; int value; };
static struct list items[8];
static inline __attribute__((always_inline)) int square(int a)
{
    return a * a;
}
static inline __attribute__((always_inline)) int cube(int a)
{
    return a > 100 ? -1 : square(a) * a;
}
__attribute__((noinline)) int sum(struct list *at)
{
    int total = 0;
    for (; at; at = at->next)
        total += at->value & 1 ? cube(at->value) : square(at->value);
    return total;
}
__attribute__((noinline)) int pick(int n)
{
    switch (n) {
    case 0: return 7;
    case 1: return sum(items);
    case 2: return square(n + 3);
    default: return n > 50 ? cube(n) : -n;
    }
}
int main(void)
{
    for (int i = 0; i < 7; i++) {
        items[i].next = &items[i + 1];
        items[i].value = i * 3;
    }
    return pick(1) + pick(3);
}
";

const CPP: &str = "\
namespace shapes {
struct Shape {
    virtual int area() const = 0;
};
template <typename T> struct Box : Shape {
    T a, b;
    Box(T a, T b) : a(a), b(b) {}
    int area() const override
    {
        auto scaled = [this](T by) { return a * by > 40 ? a : b * by; };
        return int(scaled(2) + scaled(b));
    }
};
template <typename T> __attribute__((noinline)) int total(const T *all, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += all[i].area();
    return sum;
}
}
extern \"C\" void __cxa_pure_virtual() {}
int main(int count, char **)
{
    shapes::Box<int> boxes[] = {{count, 3}, {4, count}};
    shapes::Box<short> shorts[] = {{7, 3}, {4, 9}};
    return shapes::total(boxes, 2) + shapes::total(shorts, 2);
}
";

/// A compiler's flags: each makes the debug information of a program in another way.
const FLAGS: [&str; 13] = [
    "-O0 -gdwarf-2",
    "-O1 -gdwarf-3",
    "-O2 -gdwarf-4",
    "-O2 -gdwarf-5",
    "-Os -gdwarf-5 -ffunction-sections",
    "-O3 -g -funroll-loops",
    "-O2 -g -gz=zlib",
    "-O2 -g -gz=zstd",
    "-O2 -g -flto",
    "-O2 -g -fdebug-types-section",
    "-O2 -g -gno-column-info -fno-inline",
    "-O1 -g1",
    "-O2 -g -falign-functions=64 -fno-omit-frame-pointer",
];

/// The name and line of each frame, the innermost first.
type Frames = Vec<(String, u64)>;

/// What the tool says of addresses.
fn symbolized(tool: &Path, program: &Path, addresses: &[u64]) -> Vec<Frames> {
    let folder = program.parent().expect("a folder");
    let list: String = addresses.iter().map(|at| format!("{at:#x}\n")).collect();
    fs::write(folder.join("addresses"), list).expect("a file");
    let output = Command::new(tool)
        .args([
            "--output-style=JSON",
            "--functions=linkage",
            "--inlines",
            "--no-demangle",
        ])
        .arg(format!("--obj={}", program.display()))
        .stdin(File::open(folder.join("addresses")).expect("a file"))
        .output()
        .expect("the tool starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let frames = |line: &str| {
        let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let frame = |frame: &serde_json::Value| {
            let name = frame["FunctionName"].as_str().unwrap_or_default();
            // A frame goes by its function's name, whichever copy of it ran (`sum.constprop.0`).
            let stem = name.split('.').next().unwrap_or_default();
            (stem.to_owned(), frame["Line"].as_u64().unwrap_or(0))
        };
        let all = answer["Symbol"].as_array().map(Vec::as_slice);
        all.unwrap_or_default().iter().map(frame).collect()
    };
    text.lines().map(frames).collect()
}

/// Compares every address of the functions that the sources define; how many.
fn compare(tool: &Path, path: &Path, what: &str) -> usize {
    let file = ElfFile::read(path).expect("a file");
    let program = Program::named(&file).unwrap_or_else(|error| panic!("{what}: {error}"));
    let is_ours = |address| {
        let frames = program.frames(address);
        let file = frames.last().map(|frame| frame.source.file.as_str());
        file.is_some_and(|file| file.ends_with("source.c") || file.ends_with("source.cpp"))
    };
    let functions = program.image().functions().iter();
    let ours = functions.filter(|function| is_ours(function.address));
    let addresses: Vec<u64> = ours
        .flat_map(|function| function.address..function.end())
        .collect();
    let answers = symbolized(tool, path, &addresses);
    assert_eq!(answers.len(), addresses.len(), "{what}");
    for (&address, theirs) in addresses.iter().zip(&answers) {
        let frames = program.frames(address);
        let mut own: Frames = frames
            .iter()
            .map(|frame| (frame.symbol.clone(), frame.source.line.into()))
            .collect();
        let function = program.image().functions().at(address).expect("a function");
        let is_its = |name: &str| {
            let mut names = std::iter::once(&function.name).chain(&function.aliases);
            names.any(|known| known == name)
        };
        for ((name, line), (their_name, their_line)) in own.iter_mut().zip(theirs) {
            // Of a constructor's two names at one address either will do.
            if is_its(name) && is_its(their_name) {
                name.clone_from(their_name);
            }
            if *their_line == 0 {
                *line = 0;
            }
        }
        assert_eq!(&own, theirs, "{what} at {address:#x}");
    }
    addresses.len()
}

/// A folder with `source` compiled by `compiler`; none if it does not take these flags.
fn built(compiler: &str, source: (&str, &str), flags: &str) -> Option<TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(source.0), source.1).expect("a file");
    let output = Command::new(compiler)
        .args(flags.split(' '))
        .args([source.0, "-o", "program"])
        .current_dir(folder.path())
        .output();
    output
        .is_ok_and(|output| output.status.success())
        .then_some(folder)
}

#[test]
fn every_address_of_a_corpus_has_the_frames_and_lines_of_llvm_symbolizer() {
    let tool = match tool_path("llvm-symbolizer") {
        Ok(tool) => tool,
        Err(error) => return eprintln!("NOT TESTED: {error}"),
    };
    let riscv = tool_path("riscv-gcc").map(|path| path.display().to_string());
    let riscv = riscv.unwrap_or_default();
    let bare = "-nostdlib -Wl,--entry=main -march=rv64imac -mabi=lp64 ";
    let (c, cpp) = (("source.c", C), ("source.cpp", CPP));
    let compilers = [
        ("cc", c, ""),
        ("c++", cpp, ""),
        ("clang-19", c, ""),
        (&*riscv, c, bare),
    ];
    let (mut files, mut addresses) = (0, 0);
    for (compiler, source, more) in compilers {
        for flags in FLAGS {
            let what = format!("{compiler} {more}{flags} {}", source.0);
            match built(compiler, source, &format!("{more}{flags}")) {
                None => eprintln!("NOT TESTED: the compiler does not take {what}"),
                Some(folder) => {
                    files += 1;
                    addresses += compare(&tool, &folder.path().join("program"), &what);
                }
            }
        }
    }
    eprintln!("{files} files, {addresses} addresses");
    assert!(files >= 20, "only {files} files were compiled");
    assert!(
        addresses > 50 * files,
        "{addresses} addresses of {files} files"
    );
}

const RUST: &str = "\
use std::collections::BTreeMap;
#[inline(never)]
fn word(x: u32) -> &'static str { if x % 3 == 0 { \"fizz\" } else { \"n\" } }
fn main() {
    let mut m = BTreeMap::new();
    for i in 0..300u32 { *m.entry(word(i)).or_insert(0u32) += 1 + i / 100; }
    let v: Vec<u32> = m.values().map(|x| if *x > 50 { x * 2 } else { *x }).collect();
    println!(\"{m:?} {v:?}\");
}
";

/// Code without a line of its own has one of its function, and not the line of one file in another: what stands so near the beginning of a file of the
/// library is no code.
#[test]
fn a_line_is_of_the_file_beside_it() {
    let Some(folder) = built("rustc", ("source.rs", RUST), "-O -g --edition=2021") else {
        return eprintln!("NOT TESTED: rustc does not compile the program");
    };
    let file = ElfFile::read(&folder.path().join("program")).expect("a file");
    let program = Program::named(&file).expect("a program");
    let functions = program.image().functions().iter();
    let main = functions
        .filter(|function| program.name(function).ends_with("::main"))
        .collect::<Vec<_>>();
    assert!(!main.is_empty());
    let last = RUST.lines().count() as u32;
    for address in main.iter().flat_map(|main| main.address..main.end()) {
        for frame in program.frames(address).iter() {
            let own = frame.source.file.ends_with("source.rs");
            assert_eq!(
                own,
                frame.source.line <= last,
                "{address:#x}: {:?}",
                frame.source
            );
        }
    }
}
