//! Accesses of software.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub offset: u32,
    /// The value of a write; `None` for a read.
    pub write: Option<u32>,
    pub lanes: u8,
}

impl Access {
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
            write: Some(value),
            ..Self::read(offset)
        }
    }
}
