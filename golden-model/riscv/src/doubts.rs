//! Instructions of which it is not known what they are.

use std::fmt;

/// An instruction that is of one extension or of another, which nothing in the file decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Its address.
    pub at: u64,
    /// What it may be.
    pub what: Doubtful,
}

/// What an instruction may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubtful {
    /// Zcmp's or Zcmt's, or `c.fsdsp`. It is taken for no instruction.
    Zcm,
    /// A vendor's branch, in code that names no vendor's extension. It is taken for the branch.
    Branch,
    /// The beginning of a hardware loop. It is taken for no instruction.
    Loop,
}

impl fmt::Display for Doubtful {
    /// In words, to stand after where it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zcm => {
                "Zcmp or Zcmt, or a store of D (c.fsdsp): neither attributes, mapping symbols nor the function's other instructions decide, so it \
                 is not followed; remedy: an assembler that writes mapping symbols with extensions ($xrv32..., as of LLVM 23 and binutils 2.47)"
            }
            Self::Branch => {
                "a custom opcode, taken for the branch of CORE-V, Andes or Qualcomm that it would be; no attribute names a vendor's extension; \
                 remedy: name it to the linker's inputs (-march)"
            }
            Self::Loop => {
                "a custom opcode that would begin a hardware loop of CORE-V, which jumps back without an instruction, so it is not followed; \
                 remedy: build without it (xcvhwlp), or name the vendor whose it is (-march)"
            }
        })
    }
}
