//! The program that ran: code, functions with demangled names, source lines.

mod find;
mod frames;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use hpp_riscv::code::ProgramCode as _;
use hpp_riscv::{AddressRange, ElfError, Function, Image, NameError};
use object::Object;
use serde::Serialize;
use thiserror::Error;

pub(crate) use find::is_abridged;
pub use find::{near, some};
use frames::is_placed;

use crate::described::Described;
use crate::elf_file::ElfFile;
use crate::numbers::hexadecimal;
use crate::split::{Bytes, Split, dwarf};
use crate::unread::unread;

/// Why a program cannot be read.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Debug, Error)]
pub enum ProgramError {
    #[error(transparent)]
    Elf(#[from] ElfError),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("there is no function `{name}`; there is {near}")]
    Near { name: String, near: String },
    #[error("there is no function `{name}`; there are {all}")]
    Unknown { name: String, all: String },
}

/// Functions that leave procedures otherwise than by their return, as C libraries and run-time systems (C++, Rust, Go, OCaml) call them: by jumps, by
/// exceptions, to other stacks.
const LEAVING: [&str; 3] = [
    "longjmp _longjmp siglongjmp __longjmp __longjmp_chk",
    "_Unwind_RaiseException _Unwind_Resume caml_raise_exn",
    "swapcontext setcontext runtime.gogo runtime.mcall runtime.morestack runtime.systemstack",
];

/// A program: a linked RISC-V ELF file.
pub struct Program<'a> {
    image: Image,
    build_id: Option<String>,
    lines: Option<addr2line::Context<Bytes<'a>>>,
    split: Split<'a>,
    unread: Option<String>,
    /// Frames that were looked up, by address.
    frames: RefCell<HashMap<u64, Rc<[SourceFrame]>>>,
    /// What debug information says of functions, by unit and entry.
    described: RefCell<HashMap<Entry, Described>>,
}

/// An entry of a unit, which may be in a file of its own.
type Entry = (Option<u64>, gimli::UnitSectionOffset, gimli::UnitOffset);

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct SourceLine {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A function that an address belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFrame {
    /// Its symbol.
    pub symbol: String,
    /// Its name as its language writes it.
    pub name: String,
    /// The line of its definition, if the debug information has it.
    pub declared: Option<u32>,
    /// The line in it.
    pub source: SourceLine,
}

/// Where an address is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The address.
    pub address: u64,
    /// The function's name, demangled.
    pub function: Option<String>,
    /// Bytes from the function's first instruction.
    pub offset: u64,
    /// The function that was inlined there, if one was, demangled.
    pub inlined: Option<String>,
    /// The local label of assembly before it in its function, with the distance, as `again+0x4`.
    pub label: Option<String>,
    /// The source line, if the program has debug information for it: where code of a library is inlined, the nearest line of the program's own.
    pub source: Option<SourceLine>,
    /// The line of the library that is inlined there.
    pub library: Option<SourceLine>,
}

impl<'a> Program<'a> {
    /// A linked RISC-V program. Debug information that is not there or damaged leaves source lines out; [`unread`](Self::unread) tells.
    ///
    /// # Errors
    ///
    /// If the file is no linked RISC-V program with code and function symbols.
    pub fn from_elf(file: &'a ElfFile) -> Result<Self, ProgramError> {
        let symbols = file.debug.as_ref().map(|part| &*part.bytes);
        Self::of(Image::from_elf(&file.program.bytes, symbols)?, file)
    }

    /// The same for a RISC-V or x86-64 program; of the latter there are functions and lines, and no code.
    ///
    /// # Errors
    ///
    /// If the file is no linked program for either with code and function symbols.
    pub fn named(file: &'a ElfFile) -> Result<Self, ProgramError> {
        let symbols = file.debug.as_ref().map(|part| &*part.bytes);
        Self::of(Image::named(&file.program.bytes, symbols)?, file)
    }

    fn of(image: Image, file: &'a ElfFile) -> Result<Self, ProgramError> {
        let program = object::File::parse(&*file.program.bytes).map_err(ElfError::from)?;
        let build_id = program.build_id().ok().flatten();
        let part = file.debug.as_ref().unwrap_or(&file.program);
        let debug = object::File::parse(&*part.bytes).map_err(ElfError::from)?;
        let dwarf = dwarf(part, &debug).map(Arc::new);
        let split = Split::new(&file.units);
        let unread = unread(&program, (part, &debug), file.missing_units);
        Ok(Self {
            image,
            build_id: build_id.map(hexadecimal),
            unread,
            lines: dwarf.and_then(|dwarf| addr2line::Context::from_arc_dwarf(dwarf).ok()),
            split,
            frames: RefCell::default(),
            described: RefCell::default(),
        })
    }

    /// Code and functions.
    pub const fn image(&self) -> &Image {
        &self.image
    }

    /// The addresses of the instructions of a run of code.
    pub fn addresses(&self, range: AddressRange) -> impl Iterator<Item = u64> {
        let next = |&address: &u64| Some(self.image.instruction(address)?.next);
        std::iter::successors(Some(range.start), next)
            .take_while(move |address| (range.start..range.end).contains(address))
    }

    /// The hash that the linker's `--build-id` left, in hexadecimal.
    pub fn build_id(&self) -> Option<&str> {
        self.build_id.as_deref()
    }

    /// What of its debug information is not read, why, and what to do; `None` if all is, or there is none.
    pub fn unread(&self) -> Option<&str> {
        self.unread.as_deref()
    }

    /// How the program can leave procedures otherwise than by their return: functions that it has for that, one of each kind; `None` if it has none that is known.
    pub fn leaves_without_return(&self) -> Option<String> {
        // Go's linker says so of functions in assembly.
        let has = |name: &&str| {
            let known = |name: &str| self.image.functions().find(name).is_ok();
            known(name) || known(&format!("{name}.abi0"))
        };
        let ways = LEAVING.map(|names| names.split(' ').find(has));
        let ways: Vec<&str> = ways.into_iter().flatten().collect();
        (!ways.is_empty()).then(|| ways.join(" or "))
    }

    /// A function's name as its language writes it, from the debug information if no demangler reads its symbol, and of lambdas, whose places it has.
    pub fn name(&self, function: &Function) -> String {
        let known = demangled(&function.name);
        let is_read = known != function.name;
        // As GCC's symbols have them, and clang's.
        let has_lambda = known.contains("{lambda(") || known.contains("$_");
        if !is_mangled(&function.name) || is_read && !has_lambda {
            return known.into_owned();
        }
        let frames = self.frames(function.address);
        match frames.last() {
            Some(frame) if !is_read || is_placed(&frame.name) => frame.name.clone(),
            _ => known.into_owned(),
        }
    }

    /// Function, offset and source line of an address.
    pub fn place(&self, address: u64) -> Place {
        let function = self.image.functions().at(address);
        let frames = self.frames(address);
        let inlined = frames.first().filter(|_| frames.len() > 1);
        let source = self.source(address);
        let own = frames.iter().map(|frame| &frame.source);
        let mut own = own.skip_while(|source| source.is_library());
        let own = own
            .next()
            .filter(|_| source.as_ref().is_some_and(SourceLine::is_library));
        Place {
            address,
            function: function.map(|function| self.name(function)),
            offset: function.map_or(0, |function| address - function.address),
            inlined: inlined.map(|frame| frame.name.clone()),
            label: self
                .image
                .label(address)
                .map(|(at, label)| match address - at {
                    0 => label.to_owned(),
                    distance => format!("{label}+{distance:#x}"),
                }),
            library: source.clone().filter(|_| own.is_some()),
            source: own.cloned().or(source),
        }
    }
}

/// A symbol as its language writes it, C++ and Rust; another one as it is.
pub fn demangled(symbol: &str) -> Cow<'_, str> {
    // Without its prefix a C name may be read as a mangled type: `f` is `float`.
    match is_mangled(symbol) {
        true => addr2line::demangle_auto(symbol.into(), None),
        false => symbol.into(),
    }
}

/// A symbol without what a compiler puts after a dot for a copy of the function, as `sort.constprop.0`.
pub fn stem(symbol: &str) -> &str {
    match symbol.split_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => symbol,
    }
}

/// Whether a symbol is a mangled one of C++, Rust or D.
fn is_mangled(symbol: &str) -> bool {
    let is_d = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
    symbol.starts_with("_Z")
        || symbol.starts_with("_R")
        || symbol.strip_prefix("_D").is_some_and(is_d)
}

impl Place {
    /// An address of which no more is known.
    pub const fn bare(address: u64) -> Self {
        Self {
            address,
            function: None,
            offset: 0,
            inlined: None,
            label: None,
            source: None,
            library: None,
        }
    }

    /// The source line, and behind it that of a library that is inlined there.
    pub fn lines(&self) -> String {
        let own = self
            .source
            .as_ref()
            .map_or(String::new(), SourceLine::short);
        match &self.library {
            Some(library) => format!("{own} ({})", library.short()),
            None => own,
        }
    }
}

/// Folders of what compilers and languages bring along, wherever they are installed.
const LIBRARIES: [&str; 8] = [
    "/include/c++/",
    "/usr/lib/",
    "/usr/local/go/",
    "/rustc/",
    "/rustlib/",
    "/.rustup/",
    "/.cargo/registry/",
    "/.cargo/git/",
];

impl SourceLine {
    /// A line of a file.
    pub fn new(file: &str, line: u32) -> Self {
        Self {
            file: file.into(),
            line,
        }
    }

    /// Whether it is a library's, by the folders that it is in.
    pub fn is_library(&self) -> bool {
        // Programs are built below /usr/src and /usr/local/src, too.
        let is_system = self.file.starts_with("/usr/") && !self.file.contains("/src/");
        is_system || LIBRARIES.iter().any(|folder| self.file.contains(folder))
    }

    /// The file's name without its folders, and the line.
    pub fn short(&self) -> String {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file);
        format!("{name}:{}", self.line)
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Place {
    /// `name` or `name+0x12`, after it in parentheses what was inlined there or the label before it; the bare address where no function is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.function, self.offset) {
            (Some(name), 0) => f.write_str(name)?,
            (Some(name), offset) => write!(f, "{name}+{offset:#x}")?,
            (None, _) => write!(f, "{:#x}", self.address)?,
        }
        match self.inlined.as_ref().or(self.label.as_ref()) {
            Some(name) => write!(f, " ({name})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_known_by_their_folders() {
        let is_library = |file: &str| SourceLine::new(file, 1).is_library();
        for file in [
            "/usr/include/stdio.h",
            "/usr/riscv64-linux-gnu/include/c++/12/bits/stl_heap.h",
            "/opt/riscv/riscv64-unknown-elf/include/c++/13.2.0/vector",
            "/rustc/59807616e1fa/library/core/src/array/iter.rs",
            "/home/a/.cargo/registry/src/index/smallvec-1.16.5/src/lib.rs",
            "/usr/local/go/src/runtime/proc.go",
        ] {
            assert!(is_library(file), "{file}");
        }
        for file in ["./main.c", "/usr/src/app/main.c", "/home/a/usr/include.c"] {
            assert!(!is_library(file), "{file}");
        }
    }

    #[test]
    fn rust_and_cpp_names_are_demangled_and_c_names_stay() {
        assert_eq!(
            demangled("_ZN4core3fmt5Write9write_str17h0123456789abcdefE"),
            "core::fmt::Write::write_str"
        );
        assert_eq!(demangled("_ZN4heap4pushEi"), "heap::push(int)");
        for name in ["sort.constprop.0", "f", "i", "_start", "_Zero", "_Read"] {
            assert_eq!(demangled(name), name);
        }
    }
}
