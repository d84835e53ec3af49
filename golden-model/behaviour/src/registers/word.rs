//! The types of registers and fields.

/// How software may use a register or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads back what the hardware holds; writes are ignored.
    ReadOnly,
    /// Reads back what was written.
    ReadWrite,
    /// Writing 1 gives a command; reads 0.
    WriteOnly,
    /// Sticky: set by hardware, cleared by writing 1.
    WriteOneToClear,
}

/// A named run of bits in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, in the C header and the SVD.
    pub name: &'static str,
    /// Lowest bit.
    pub lsb: u32,
    /// Width in bits.
    pub width: u32,
    /// What it means, in one sentence.
    pub description: &'static str,
    /// Names of particular values.
    pub values: &'static [(&'static str, u32)],
}

/// A 32-bit register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name, in the C header and the SVD.
    pub name: &'static str,
    /// Byte offset from the profiler's base address.
    pub offset: u32,
    /// How software may use it.
    pub access: Access,
    /// What it is, in one sentence.
    pub description: &'static str,
    /// Its fields, lowest first; bits outside them read 0.
    pub fields: &'static [Field],
}

impl Field {
    /// The field's bits in the register.
    #[must_use]
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.lsb
    }

    /// The field's value in a register's word.
    #[must_use]
    pub const fn get(&self, word: u32) -> u32 {
        (word & self.mask()) >> self.lsb
    }

    /// A register's word that holds `value` in this field and 0 elsewhere; bits that do not fit are dropped.
    #[must_use]
    pub const fn put(&self, value: u32) -> u32 {
        (value << self.lsb) & self.mask()
    }
}

impl Register {
    /// Word address on the bus.
    #[must_use]
    pub const fn word(&self) -> u32 {
        self.offset / 4
    }
}

/// A field without named values.
pub(super) const fn field(
    name: &'static str,
    lsb: u32,
    width: u32,
    description: &'static str,
) -> Field {
    Field {
        name,
        lsb,
        width,
        description,
        values: &[],
    }
}

/// A register of its parts.
pub(super) const fn register(
    name: &'static str,
    offset: u32,
    access: Access,
    description: &'static str,
    fields: &'static [Field],
) -> Register {
    Register {
        name,
        offset,
        access,
        description,
        fields,
    }
}

/// A field as wide as its register.
pub(super) const fn word(description: &'static str) -> Field {
    field("VALUE", 0, 32, description)
}
