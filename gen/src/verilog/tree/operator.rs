//! The operators of expressions, and how Verilog spells them.

use num_bigint::BigUint;

/// An enumeration of operators, each with what Verilog calls it.
macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident: $($operator:ident $symbol:literal)+;)+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name {
                $($operator),+
            }

            impl $name {
                pub fn symbol(self) -> &'static str {
                    match self {
                        $(Self::$operator => $symbol),+
                    }
                }
            }
        )+
    };
}

operators! {
    /// Operators whose operands have the width of the result (shift amounts apart).
    Binary: Add "+" Sub "-" Mul "*" And "&" Or "|" Xor "^" ShiftLeft "<<" ShiftRight ">>";
    /// Comparisons; the operands meet at the wider of their widths.
    Compare: Equal "==" NotEqual "!=" Less "<" LessEqual "<=" Greater ">" GreaterEqual ">=";
    /// All bits of the operand into one.
    Reduce: Or "|" And "&" Xor "^";
}

impl Compare {
    /// Whether it holds between two numbers.
    pub fn holds(self, a: &BigUint, b: &BigUint) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
            Compare::Less => a < b,
            Compare::LessEqual => a <= b,
            Compare::Greater => a > b,
            Compare::GreaterEqual => a >= b,
        }
    }

    /// The comparison with its operands exchanged.
    pub fn mirrored(self) -> Compare {
        match self {
            Compare::Less => Compare::Greater,
            Compare::LessEqual => Compare::GreaterEqual,
            Compare::Greater => Compare::Less,
            Compare::GreaterEqual => Compare::LessEqual,
            same => same,
        }
    }

    /// The comparison that holds when this one does not.
    pub fn inverse(self) -> Compare {
        match self {
            Compare::Equal => Compare::NotEqual,
            Compare::NotEqual => Compare::Equal,
            Compare::Less => Compare::GreaterEqual,
            Compare::LessEqual => Compare::Greater,
            Compare::Greater => Compare::LessEqual,
            Compare::GreaterEqual => Compare::Less,
        }
    }
}
