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
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.lsb
    }

    /// The field's value in a register's word.
    pub const fn get(&self, word: u32) -> u32 {
        (word & self.mask()) >> self.lsb
    }

    /// A register's word that holds `value` in this field and 0 elsewhere; bits that do not fit are dropped.
    pub const fn put(&self, value: u32) -> u32 {
        (value << self.lsb) & self.mask()
    }
}

impl Register {
    /// Word address on the bus.
    pub const fn word(&self) -> u32 {
        self.offset / 4
    }
}

/// The name of a constant, or another one that is given for it.
macro_rules! name {
    ($constant:ident) => {
        stringify!($constant)
    };
    ($constant:ident $name:literal) => {
        $name
    };
}

/// Fields, each as `NAME: lowest bit, width, "description" [NAME = value, ...];`. A description alone is that of a field `VALUE` of all bits.
macro_rules! fields {
    ($do:ident { $description:literal }) => {
        fields! { $do { VALUE: 0, 32, $description; } }
    };
    ($do:ident { $($field:ident $(= $name:literal)?: $lsb:literal, $width:literal, $description:literal
        $([$($value:ident = $number:literal),+])?;)+ }) => {
        fields! { @$do $({
            $field $description
            Field {
                name: name!($field $($name)?),
                lsb: $lsb,
                width: $width,
                description: $description,
                values: &[$($((stringify!($value), $number)),+)?],
            }
        })+ }
    };
    (@list $({ $field:ident $description:literal $is:expr })+) => {
        &[$($is),+]
    };
    (@constants $({ $field:ident $description:literal $is:expr })+) => {
        $(
            #[doc = $description]
            pub const $field: Field = $is;
        )+
    };
}

/// Registers, each as `NAME: offset, access, "description" { fields };`, and an array of them all. Behind the fields, `in MODULE`
/// makes constants of them. The module `at` has their offsets, for patterns.
macro_rules! registers {
    ($(#[$about:meta])* $visible:vis $all:ident at $at:ident:
     $($register:ident $(= $name:literal)?: $offset:literal, $access:ident, $description:literal $fields:tt $(in $module:ident)?;)+) => {
        $(
            #[doc = $description]
            pub const $register: Register = Register {
                name: name!($register $($name)?),
                offset: $offset,
                access: Access::$access,
                description: $description,
                fields: fields!(list $fields),
            };
            $(
                #[doc = concat!("Fields of [`", stringify!($register), "`].")]
                pub mod $module {
                    use crate::registers::word::{Field, fields, name};
                    fields! { constants $fields }
                }
            )?
        )+
        /// Byte offsets of registers, by their names.
        pub(super) mod $at {
            $(
                #[doc = $description]
                pub const $register: u32 = $offset;
            )+
        }
        $(#[$about])*
        $visible const $all: [Register; [$($offset),+].len()] = [$($register),+];
    };
}

pub(super) use {fields, name, registers};
