//! Which operations each kind of branch performs on the path stack.
//!
//! A row holds four operations, performed in the order update (or update count), pop, push. Update appends an
//! outcome, update count only adds the block's events, so one row never has both.
//!
//! Source: Vaswani's thesis, section 5.2, Tables 5.1 and 5.2. The rows of traps are this project's.

use core::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::branch::BranchKind;

/// One operation on the path stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Operation {
    /// Append the outcome to the top entry and add the events to its counter.
    Update = 1,
    /// Add the events to the top entry's counter.
    UpdateCount = 2,
    /// The top entry leaves as a completed path.
    Pop = 4,
    /// A new entry starts at the branch's target.
    Push = 8,
}

impl Operation {
    /// Every operation, in the order of performance.
    pub const ALL: [Self; 4] = [Self::Update, Self::UpdateCount, Self::Pop, Self::Push];
}

/// A row that asks for both update and update count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a row holds both update and update-count; allowed: at most one of the two")]
pub struct IllegalRow;

/// The operations of one kind of branch; never both update and update count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Operation>", into = "Vec<Operation>")]
pub struct Row(u8);

impl Row {
    /// A row that does nothing.
    pub const NONE: Self = Self(0);
    const BOTH_UPDATES: u8 = Operation::Update as u8 | Operation::UpdateCount as u8;
    const PUSH: u8 = Operation::Push as u8;
    const POP: u8 = Operation::Pop as u8;
    const UPDATE: u8 = Operation::Update as u8;
    const UPDATE_COUNT: u8 = Operation::UpdateCount as u8;

    /// The row with this four-bit code `{push, pop, update_count, update}`; higher bits are ignored.
    ///
    /// # Errors
    ///
    /// [`IllegalRow`] if both update bits are set.
    pub const fn from_bits(bits: u8) -> Result<Self, IllegalRow> {
        if bits & Self::BOTH_UPDATES == Self::BOTH_UPDATES {
            Err(IllegalRow)
        } else {
            Ok(Self(bits & 0xf))
        }
    }

    /// The four-bit code `{push, pop, update_count, update}`.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether the row performs this operation.
    #[inline]
    pub const fn has(self, operation: Operation) -> bool {
        self.0 & operation as u8 != 0
    }

    /// Every legal row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..16).filter_map(|bits| Self::from_bits(bits).ok())
    }
}

impl TryFrom<Vec<Operation>> for Row {
    type Error = IllegalRow;

    fn try_from(operations: Vec<Operation>) -> Result<Self, IllegalRow> {
        Self::from_bits(operations.iter().fold(0, |bits, &o| bits | o as u8))
    }
}

impl From<Row> for Vec<Operation> {
    fn from(row: Row) -> Self {
        Operation::ALL.into_iter().filter(|&o| row.has(o)).collect()
    }
}

/// The row of each kind of branch, indexed by [`BranchKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "NamedRows", into = "NamedRows")]
pub struct Rows(pub [Row; BranchKind::COUNT]);

impl Rows {
    /// Acyclic paths within procedures that end at backward branches (the thesis's Table 5.1).
    pub const BALL_LARUS: Self = {
        let goes_on = Row(Row::UPDATE);
        let ends = Row(Row::UPDATE | Row::POP | Row::PUSH);
        let enters = Row(Row::UPDATE_COUNT | Row::PUSH);
        let leaves = Row(Row::UPDATE_COUNT | Row::POP);
        Self([goes_on, ends, ends, enters, leaves, enters, enters, leaves])
    };

    /// The path sequence of a whole program path: calls and returns end paths too (the thesis's Table 5.2).
    pub const WHOLE_PROGRAM_PATH: Self = {
        let mut rows = Self::BALL_LARUS;
        let ends = Row(Row::UPDATE_COUNT | Row::POP | Row::PUSH);
        rows.0[BranchKind::Call as usize] = ends;
        rows.0[BranchKind::Return as usize] = ends;
        rows.0[BranchKind::IndirectCall as usize] = ends;
        rows
    };

    /// The `PPCR_ROWS` register: the row of kind *k* in bits 4*k*+3 to 4*k*.
    pub fn to_word(self) -> u32 {
        BranchKind::ALL.iter().fold(0, |word, &kind| {
            word | u32::from(self[kind].bits()) << (4 * kind.code())
        })
    }

    /// Takes every legal row of a `PPCR_ROWS` word; an illegal one is refused, its old row stays.
    ///
    /// # Errors
    ///
    /// [`IllegalRow`] if any row was refused.
    pub fn write(&mut self, word: u32) -> Result<(), IllegalRow> {
        let mut result = Ok(());
        for kind in BranchKind::ALL {
            match Row::from_bits((word >> (4 * kind.code()) & 0xf) as u8) {
                Ok(row) => self[kind] = row,
                Err(refused) => result = Err(refused),
            }
        }
        result
    }
}

impl Default for Rows {
    fn default() -> Self {
        Self::BALL_LARUS
    }
}

impl Index<BranchKind> for Rows {
    type Output = Row;

    #[inline]
    fn index(&self, kind: BranchKind) -> &Row {
        &self.0[usize::from(kind.code())]
    }
}

impl IndexMut<BranchKind> for Rows {
    fn index_mut(&mut self, kind: BranchKind) -> &mut Row {
        &mut self.0[usize::from(kind.code())]
    }
}

/// [`Rows`] as a configuration file spells them; a kind left out keeps its Ball-Larus row. The kinds are in the order of [`BranchKind`].
macro_rules! named_rows {
    ($($kind:ident),+) => {
        #[derive(Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        struct NamedRows {
            $($kind: Row),+
        }

        impl From<Rows> for NamedRows {
            fn from(Rows([$($kind),+]): Rows) -> Self {
                Self { $($kind),+ }
            }
        }

        impl From<NamedRows> for Rows {
            fn from(rows: NamedRows) -> Self {
                Self([$(rows.$kind),+])
            }
        }
    };
}

named_rows!(
    forward,
    backward,
    indirect,
    call,
    r#return,
    indirect_call,
    trap,
    trap_return
);

impl Default for NamedRows {
    fn default() -> Self {
        Rows::BALL_LARUS.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_have_the_words_of_the_tables() {
        assert_eq!(Rows::BALL_LARUS.to_word(), 0x6aa6_add1);
        assert_eq!(Rows::WHOLE_PROGRAM_PATH.to_word(), 0x6aee_edd1);
    }

    #[test]
    fn there_are_twelve_legal_rows() {
        assert_eq!(Row::all().count(), 12);
        for row in Row::all() {
            assert_eq!(Row::try_from(Vec::from(row)), Ok(row));
        }
    }

    #[test]
    fn a_misspelt_kind_or_an_illegal_row_names_what_is_allowed() {
        let parse = |text| serde_json::from_str::<Rows>(text);
        let rows = parse(r#"{"call": ["update-count", "pop", "push"]}"#).unwrap();
        assert_eq!(rows.to_word(), 0x6aa6_edd1);
        let error = |text| parse(text).unwrap_err().to_string();
        assert!(error(r#"{"calls": []}"#).contains("indirect-call"));
        assert!(error(r#"{"call": ["update", "update-count"]}"#).contains("at most one"));
        assert!(error(r#"{"call": ["jump"]}"#).contains("update-count"));
    }
}
