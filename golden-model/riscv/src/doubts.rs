//! Instructions whose extension the file leaves open.

use std::fmt;

/// An instruction that two extensions encode alike, in a file that does not say which of them it uses.
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
    /// Zcmp's or Zcmt's, or `c.fsdsp`. It is not decoded.
    Zcm,
    /// A vendor's branch, in code that names no vendor's extension. It is taken for the branch.
    Branch,
    /// An instruction that sets up a hardware loop of CORE-V, in code that names no vendor's extension. It is taken for one.
    Loop,
    /// It sets up a hardware loop whose start or end is in a register. The loop is not followed.
    LoopByRegister,
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
                "a custom opcode, taken for the hardware loop of CORE-V that it would set up; no attribute names a vendor's extension; \
                 remedy: name it to the linker's inputs (-march)"
            }
            Self::LoopByRegister => {
                "cv.start or cv.end, which takes the address of a hardware loop from a register: that loop is not followed; if it does not restore a \
                 loop after an interrupt, remedy: cv.starti and cv.endi, or cv.setup"
            }
        })
    }
}
