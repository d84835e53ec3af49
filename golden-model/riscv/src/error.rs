//! What is wrong with a file, or with a descriptor.

use hpp_golden::branch::BranchKind;
use object::Architecture;
use thiserror::Error;

/// Why an ELF file could not be read.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Debug, Error)]
pub enum ElfError {
    #[error("not a readable ELF file")]
    Format(#[from] object::Error),
    #[error("the ELF file is for {0:?}; only 32-bit and 64-bit RISC-V code can be read")]
    Architecture(Architecture),
    #[error("the ELF file is not linked, so its code has no addresses; give the linked program")]
    NotLinked,
    #[error(
        "the ELF file has no section headers, so what is code in it is not known; give the file as it was linked"
    )]
    NoSections,
    #[error(
        "the ELF file has no code, as one of debug information alone; give the program it was taken from, with this file next to it"
    )]
    NoCode,
    #[error(
        "the ELF file has no function symbols, so its functions cannot be distinguished; do not strip it, or put the file with its \
         symbols beside it (objcopy --only-keep-debug, --add-gnu-debuglink)"
    )]
    NoSymbols,
    #[error(
        "the sections {first} and {second} both hold code at {at:#x}, so an address does not tell which of them ran; \
         remove the one that did not run (objcopy --remove-section={second} PROGRAM ONE) and give that file"
    )]
    Overlap {
        first: String,
        second: String,
        at: u64,
    },
    #[error(
        "the program uses the extension {extension}, whose control transfers are not understood: {why}; \
         build it without (-march)"
    )]
    Extension { extension: String, why: String },
}

/// Why a descriptor cannot be walked. All addresses are those of the instruction where the walk stopped.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WalkError {
    #[error(
        "no instruction at {at:#x}, after outcome {used} of the path; is this the program that ran?"
    )]
    NoCode { at: u64, used: u32 },
    #[error(
        "the branch at {at:#x} ({kind}) is recorded, but the path already has its length, {length}; \
         was it recorded from this program and under this control register?"
    )]
    RunsOn {
        at: u64,
        kind: BranchKind,
        length: u32,
    },
    #[error(
        "the branch at {at:#x} ({kind}) ends the path, but only {used} of {length} outcomes are used; \
         was it recorded from this program and under this control register?"
    )]
    EndsEarly {
        at: u64,
        kind: BranchKind,
        used: u32,
        length: u32,
    },
    #[error("outcome {index} says not taken, but the branch at {at:#x} ({kind}) is unconditional")]
    NotConditional {
        at: u64,
        kind: BranchKind,
        index: u32,
    },
    #[error(
        "the outcome of the branch at {at:#x} ({kind}) is not recorded under this control register"
    )]
    NotRecorded { at: u64, kind: BranchKind },
    #[error(
        "the path goes on where the branch at {at:#x} ({kind}) leads, which is computed; \
         make its row pop under this control register"
    )]
    Computed { at: u64, kind: BranchKind },
    #[error(
        "the branch at {at:#x} ({kind}) pushes without popping, so where the path resumes is not recorded"
    )]
    Suspended { at: u64, kind: BranchKind },
    #[error("the path loops at {at:#x} without recording a branch")]
    Endless { at: u64 },
}
