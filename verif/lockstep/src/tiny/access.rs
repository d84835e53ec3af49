//! Accesses of software.

/// An access to a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Its byte offset.
    pub offset: u32,
    /// The value of a write; `None` for a read.
    pub write: Option<u32>,
    /// Byte lanes.
    pub lanes: u8,
}

impl Access {
    /// A read of a register.
    pub const fn read(offset: u32) -> Self {
        Self {
            offset,
            write: None,
            lanes: 0xf,
        }
    }

    /// A write of a whole register.
    pub const fn write(offset: u32, value: u32) -> Self {
        Self {
            offset,
            write: Some(value),
            lanes: 0xf,
        }
    }
}
