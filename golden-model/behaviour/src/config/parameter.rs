//! Parameters of a profiler. Each is declared once, as a field of a struct made by [`parameters!`](crate::parameters): name, type, default, allowed
//! values and one sentence. Configuration file, flags, help, legality and the manual's tables come from that.

use std::cell::Cell;

use serde::de::value::Error as NoValue;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use thiserror::Error;

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in a configuration file.
    pub name: &'static str,
    /// What it is, in a sentence; [`Parameter::about`] is without the blank that a comment begins with.
    #[doc(hidden)]
    pub doc: &'static str,
    /// What it may be.
    pub values: Values,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A whole number.
    Number(Range),
    /// One of some names.
    Choice(fn() -> &'static [&'static str]),
    /// True or false.
    Switch,
    /// A name.
    Name,
    /// Several names.
    Names,
    /// No value of this table: a table of its own in a configuration, or not part of one.
    Other,
}

/// The numbers that a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Least allowed value.
    pub low: u32,
    /// Greatest allowed value.
    pub high: u32,
    /// Whether only powers of two are allowed.
    pub power_of_two: bool,
    /// Whether 0 is allowed too, with the meaning that there is none.
    pub or_none: bool,
}

/// A number that a parameter may not be. The text says what is allowed.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ValueError {
    #[error("{name} = {value} is out of range; allowed: {range}")]
    OutOfRange {
        name: &'static str,
        value: u32,
        range: Range,
    },
    #[error("{name} = {value} is not a power of two; the nearest allowed: {below} and {above}")]
    NotPowerOfTwo {
        name: &'static str,
        value: u32,
        below: u32,
        above: u32,
    },
}

impl ValueError {
    /// The parameter's name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::OutOfRange { name, .. } | Self::NotPowerOfTwo { name, .. } => name,
        }
    }
}

impl core::fmt::Display for Range {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { low, high, .. } = self;
        let none = if self.or_none { "0 for none, or " } else { "" };
        let kind = if self.power_of_two {
            "a power of two, "
        } else {
            ""
        };
        write!(f, "{none}{kind}{low} to {high}")
    }
}

impl Parameter {
    /// What it is, in a sentence without a full stop.
    pub fn about(&self) -> &'static str {
        self.doc.trim().trim_end_matches('.')
    }

    /// What it may be, in words.
    pub fn allowed(&self) -> String {
        match self.values {
            Values::Number(range) => range.to_string(),
            Values::Choice(names) => names().join(", "),
            Values::Switch => "true, false".into(),
            Values::Name => "a name".into(),
            Values::Names => "names, separated by commas".into(),
            Values::Other => String::new(),
        }
    }

    /// The numbers it may be; `None` if it is not a number.
    pub const fn range(&self) -> Option<Range> {
        match self.values {
            Values::Number(range) => Some(range),
            _ => None,
        }
    }

    /// Why it may not be this number.
    pub fn refusal(&self, value: u32) -> Option<ValueError> {
        let (name, range) = (self.name, self.range()?);
        if range.or_none && value == 0 {
            return None;
        }
        if !(range.low..=range.high).contains(&value) {
            return Some(ValueError::OutOfRange { name, value, range });
        }
        (range.power_of_two && !value.is_power_of_two()).then(|| {
            let above = value.next_power_of_two();
            ValueError::NotPowerOfTwo {
                name,
                value,
                below: above / 2,
                above,
            }
        })
    }
}

/// The names of an enum's variants, as serde spells them; empty for another type.
pub fn names_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let names = Cell::new(&[][..]);
    // An enum that is deserialised names its variants first. That is all that is wanted, so there is no value and this fails.
    let _ = T::deserialize(Variants(&names));
    names.get()
}

struct Variants<'a>(&'a Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Variants<'_> {
    type Error = NoValue;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, NoValue> {
        self.0.set(variants);
        Err(NoValue::custom("no value"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue::custom("no enum"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A field's name as a configuration file spells it, with hyphens.
#[doc(hidden)]
pub const fn kebab<const N: usize>(name: &str) -> [u8; N] {
    let (mut spelt, mut at) = ([0; N], 0);
    while at < N {
        let letter = name.as_bytes()[at];
        spelt[at] = if letter == b'_' { b'-' } else { letter };
        at += 1;
    }
    spelt
}

/// A struct of parameters: with its defaults, the table of its parameters, and the values of those that are numbers.
///
/// After each field stand its default and what it may be: `number(low, high)`, `power_of_two(low, high)`, `power_of_two_or_none(low, high)`,
/// `choice` (of the names of an enum), `switch`, `name`, `names`, or `other`.
///
/// ```
/// use hpp_golden::parameters;
/// use serde::{Deserialize, Serialize};
///
/// parameters! {
///     /// The sizes of a window.
///     #[derive(Serialize, Deserialize)]
///     #[serde(default, rename_all = "kebab-case")]
///     pub struct Window {
///         /// Rows of text.
///         row_count: u32 = 24, number(1, 100);
///     }
/// }
/// assert_eq!(Window::default().row_count, 24);
/// let [rows] = Window::PARAMETERS else { unreachable!() };
/// assert_eq!((rows.name, rows.about(), rows.allowed()), ("row-count", "Rows of text", "1 to 100".into()));
/// let error = rows.refusal(101).unwrap();
/// assert_eq!(error.to_string(), "row-count = 101 is out of range; allowed: 1 to 100");
/// ```
#[macro_export]
macro_rules! parameters {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $(
        $(#[doc = $doc:literal])+ $(#[serde($serde:meta)])?
        $field:ident: $type:ty = $default:expr, $kind:ident $(($($argument:expr),+))?;
    )+ }) => {
        $(#[$meta])*
        $vis struct $name { $(
            $(#[doc = $doc])+ $(#[serde($serde)])?
            pub $field: $type,
        )+ }

        impl ::core::default::Default for $name {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }

        impl $name {
            /// Every parameter, in the order of the fields.
            pub const PARAMETERS: &'static [$crate::config::Parameter] = &[$(
                $crate::config::Parameter {
                    name: {
                        const NAME: [u8; stringify!($field).len()] = $crate::config::kebab(stringify!($field));
                        match ::core::str::from_utf8(&NAME) {
                            Ok(name) => name,
                            Err(_) => panic!("a field's name is text"),
                        }
                    },
                    doc: concat!($($doc),+),
                    values: $crate::parameters!(@values $kind, $type $(, $($argument),+)?),
                },
            )+];

            /// The values of those that are numbers, in the order of [`Self::PARAMETERS`].
            pub fn numbers(&self) -> [Option<u32>; Self::PARAMETERS.len()] {
                [$($crate::parameters!(@number $kind, self.$field)),+]
            }

            /// Why its numbers are not allowed, each by itself.
            pub fn refusals(&self) -> impl Iterator<Item = $crate::config::ValueError> + use<> {
                let numbers = Self::PARAMETERS.iter().zip(self.numbers());
                numbers.filter_map(|(parameter, value)| parameter.refusal(value?))
            }
        }
    };
    (@range $low:expr, $high:expr, $power_of_two:expr, $or_none:expr) => {
        $crate::config::Values::Number($crate::config::Range {
            low: $low,
            high: $high,
            power_of_two: $power_of_two,
            or_none: $or_none,
        })
    };
    (@values number, $type:ty, $low:expr, $high:expr) => { $crate::parameters!(@range $low, $high, false, false) };
    (@values power_of_two, $type:ty, $low:expr, $high:expr) => { $crate::parameters!(@range $low, $high, true, false) };
    (@values power_of_two_or_none, $type:ty, $low:expr, $high:expr) => { $crate::parameters!(@range $low, $high, true, true) };
    (@values choice, $type:ty) => {
        $crate::config::Values::Choice($crate::config::names_of::<$type>)
    };
    (@values switch, $type:ty) => { $crate::config::Values::Switch };
    (@values name, $type:ty) => { $crate::config::Values::Name };
    (@values names, $type:ty) => { $crate::config::Values::Names };
    (@values other, $type:ty) => { $crate::config::Values::Other };
    (@number number, $value:expr) => { Some(u32::from($value)) };
    (@number power_of_two, $value:expr) => { Some(u32::from($value)) };
    (@number power_of_two_or_none, $value:expr) => { Some(u32::from($value)) };
    (@number $kind:ident, $value:expr) => { None };
}
