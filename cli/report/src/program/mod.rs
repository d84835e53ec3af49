//! The program that ran: code, functions with demangled names, source lines.

mod find;
mod frames;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use hpp_riscv::{ElfError, Image, NameError};
use object::Object;
use serde::Serialize;
use thiserror::Error;

pub use find::near;

use crate::elf_file::ElfFile;
use crate::numbers::hexadecimal;
use crate::split::{Bytes, Split, dwarf};
use crate::unread::unread;

/// Why a program cannot be read.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// Not a linked RISC-V program.
    #[error(transparent)]
    Elf(#[from] ElfError),
    /// It has no function of this name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// It has none, but some that are called similarly.
    #[error("there is no function `{name}`; there is {near}")]
    Near {
        /// What was asked for.
        name: String,
        /// The similar names.
        near: String,
    },
}

/// Functions that leave procedures otherwise than by their return, as C libraries and run-time systems call them.
const LEAVING: [&str; 9] = [
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp",
    "__longjmp_chk",
    "_Unwind_RaiseException",
    "_Unwind_Resume",
    "swapcontext",
    "setcontext",
];

/// A program: a linked RISC-V ELF file.
pub struct Program<'a> {
    image: Image,
    build_id: Option<String>,
    lines: Option<addr2line::Context<Bytes<'a>>>,
    split: Split<'a>,
    unread: Option<String>,
}

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
    /// The source line, if the program has debug information for it.
    pub source: Option<SourceLine>,
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
        })
    }

    /// Code and functions.
    #[must_use]
    pub const fn image(&self) -> &Image {
        &self.image
    }

    /// The hash that the linker's `--build-id` left, in hexadecimal.
    #[must_use]
    pub fn build_id(&self) -> Option<&str> {
        self.build_id.as_deref()
    }

    /// What of its debug information is not read, why, and what to do; `None` if all is, or there is none.
    #[must_use]
    pub fn unread(&self) -> Option<&str> {
        self.unread.as_deref()
    }

    /// How the program can leave procedures otherwise than by their return: a function that it has for that; `None` if it has none that is known.
    #[must_use]
    pub fn leaves_without_return(&self) -> Option<&'static str> {
        let has = |name: &&str| self.image.functions().find(name).is_ok();
        LEAVING.into_iter().find(has)
    }

    /// Function, offset and source line of an address.
    #[must_use]
    pub fn place(&self, address: u64) -> Place {
        let function = self.image.functions().at(address);
        Place {
            address,
            function: function.map(|function| demangled(&function.name).into_owned()),
            offset: function.map_or(0, |function| address - function.address),
            inlined: self.innermost(address),
            label: self
                .image
                .label(address)
                .map(|(at, label)| match address - at {
                    0 => label.to_owned(),
                    distance => format!("{label}+{distance:#x}"),
                }),
            source: self.source(address),
        }
    }
}

/// A symbol as its language writes it: Rust's and C++'s are demangled.
#[must_use]
pub fn demangled(symbol: &str) -> Cow<'_, str> {
    // Without its prefix a C name may be read as a mangled type: `f` is `float`.
    match is_mangled(symbol) {
        true => addr2line::demangle_auto(symbol.into(), None),
        false => symbol.into(),
    }
}

/// A symbol without what a compiler puts after a dot for a copy of the function, as `sort.constprop.0`.
fn stem(symbol: &str) -> &str {
    symbol.split_once('.').map_or(symbol, |(stem, _)| stem)
}

fn is_mangled(symbol: &str) -> bool {
    symbol.starts_with("_Z") || symbol.starts_with("_R")
}

impl Place {
    /// An address of which no more is known.
    #[must_use]
    pub const fn bare(address: u64) -> Self {
        Self {
            address,
            function: None,
            offset: 0,
            inlined: None,
            label: None,
            source: None,
        }
    }
}

impl SourceLine {
    /// The file's name without its folders, and the line.
    #[must_use]
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
