//! Path numbers: integers as long as they need be.
use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::{BigInt, BigUint, Sign};
use thiserror::Error;

/// A path number, a path sum, or the value of an edge.
///
/// A machine word as long as that does, a big integer from then on.
///
/// ```
/// use hpp_paths::Number;
/// let number: Number = "12".parse()?;
/// assert_eq!(number - Number::from(20u32), Number::from(-8));
/// # Ok::<(), hpp_paths::NotANumber>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Form);

/// One form for each number, so that equal numbers are equal forms.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Word(i128),
    /// Beyond a word only.
    Big(Box<BigInt>),
}

/// A text is no whole number.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a whole number")]
pub struct NotANumber(String);

impl Number {
    /// 0.
    pub const ZERO: Self = Number(Form::Word(0));

    /// 1.
    pub const ONE: Self = Number(Form::Word(1));

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        *self < Self::ZERO
    }

    /// The number as a machine word; `None` if it is negative or longer.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Form::Word(word) => u64::try_from(*word).ok(),
            Form::Big(_) => None,
        }
    }

    /// The number as a position; `None` if it is negative or longer.
    pub fn to_usize(&self) -> Option<usize> {
        self.to_u64().and_then(|word| word.try_into().ok())
    }

    /// The number, rounded; infinite when it is beyond a double.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Form::Word(word) => *word as f64,
            Form::Big(big) => num_traits::ToPrimitive::to_f64(&**big).unwrap_or(f64::INFINITY),
        }
    }

    /// The number as a big integer.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Form::Word(word) => BigInt::from(*word),
            Form::Big(big) => (**big).clone(),
        }
    }

    /// The number as a big integer without a sign; `None` if it is negative.
    pub fn to_big_unsigned(&self) -> Option<BigUint> {
        self.to_big().to_biguint()
    }

    /// Adds or subtracts, by the operation on words and that on big integers.
    fn combine(
        &self,
        other: &Self,
        words: impl Fn(i128, i128) -> Option<i128>,
        big: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Self {
        if let (Form::Word(one), Form::Word(other)) = (&self.0, &other.0)
            && let Some(word) = words(*one, *other)
        {
            return Number(Form::Word(word));
        }
        big(self.to_big(), other.to_big()).into()
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Word(one), Form::Word(other)) => one.cmp(other),
            (Form::Big(one), Form::Big(other)) => one.cmp(other),
            (Form::Big(big), Form::Word(_)) => match big.sign() {
                Sign::Minus => Ordering::Less,
                _ => Ordering::Greater,
            },
            (Form::Word(_), Form::Big(_)) => other.cmp(self).reverse(),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add<&Number> for &Number {
    type Output = Number;
    fn add(self, other: &Number) -> Number {
        self.combine(other, i128::checked_add, |one, other| one + other)
    }
}

impl Sub<&Number> for &Number {
    type Output = Number;
    fn sub(self, other: &Number) -> Number {
        self.combine(other, i128::checked_sub, |one, other| one - other)
    }
}

impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        &self + &other
    }
}

impl Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        &self - &other
    }
}

impl Neg for &Number {
    type Output = Number;
    fn neg(self) -> Number {
        &Number::ZERO - self
    }
}

impl AddAssign<&Number> for Number {
    fn add_assign(&mut self, other: &Number) {
        *self = &*self + other;
    }
}

impl SubAssign<&Number> for Number {
    fn sub_assign(&mut self, other: &Number) {
        *self = &*self - other;
    }
}

impl<'a> Sum<&'a Number> for Number {
    fn sum<I: Iterator<Item = &'a Number>>(numbers: I) -> Self {
        numbers.fold(Number::ZERO, |sum, number| &sum + number)
    }
}

impl Sum for Number {
    fn sum<I: Iterator<Item = Number>>(numbers: I) -> Self {
        numbers.fold(Number::ZERO, Add::add)
    }
}

macro_rules! from_words {
    ($($word:ty),*) => {$(
        impl From<$word> for Number {
            fn from(word: $word) -> Self {
                Number(Form::Word(word.into()))
            }
        }
    )*};
}
from_words!(u8, u16, u32, u64, i8, i16, i32, i64, i128);

impl From<usize> for Number {
    fn from(word: usize) -> Self {
        Number(Form::Word(word as i128))
    }
}

impl From<BigInt> for Number {
    fn from(big: BigInt) -> Self {
        match i128::try_from(&big) {
            Ok(word) => Number(Form::Word(word)),
            Err(_) => Number(Form::Big(Box::new(big))),
        }
    }
}

impl From<BigUint> for Number {
    fn from(big: BigUint) -> Self {
        BigInt::from(big).into()
    }
}

impl FromStr for Number {
    type Err = NotANumber;
    fn from_str(text: &str) -> Result<Self, NotANumber> {
        // Big integers take `8_12` for 812, words do not.
        let number = match text.contains('_') {
            true => None,
            false => text.parse::<BigInt>().map(Number::from).ok(),
        };
        number.ok_or_else(|| NotANumber(text.into()))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Word(word) => fmt::Display::fmt(word, f),
            Form::Big(big) => fmt::Display::fmt(big, f),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// From decimal text.
impl<'d> serde::Deserialize<'d> for Number {
    fn deserialize<D: serde::Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'d, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// As decimal text, because numbers may be longer than any reader's.
impl serde::Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
