//! Numbers: words and big integers are one kind of number.
use hpp_paths::Number;
use hpp_paths::graph::Acyclic;
use hpp_paths::num_bigint::BigInt;
use hpp_paths::numbering::BallLarus;
use proptest::prelude::*;

use crate::graphs::diamonds;

/// Integers around the limits of words, and of any size.
fn integer() -> impl Strategy<Value = BigInt> {
    let limit = prop_oneof![
        Just(0u32),
        Just(63),
        Just(64),
        Just(127),
        Just(128),
        0u32..200
    ];
    (limit, -3i64..3, any::<bool>()).prop_map(|(bits, near, negative)| {
        let number = (BigInt::from(1) << bits) + near;
        if negative { -number } else { number }
    })
}

/// 2^64 paths are one too many for a word, and the first block that has them is named.
#[test]
fn words_are_checked_and_big_integers_go_on() {
    let fits = Acyclic::depth_first(&diamonds(63));
    assert_eq!(
        BallLarus::new(&fits).expect("2^63").paths(),
        (1u64 << 63).into()
    );
    let dag = Acyclic::depth_first(&diamonds(64));
    let error = BallLarus::new(&dag).expect_err("2^64");
    assert_eq!((error.block.as_str(), error.limit), ("j0", u64::MAX));
    let exact = BallLarus::exact(&dag);
    assert_eq!(exact.paths().to_string(), "18446744073709551616");
    let last = exact.paths() - Number::ONE;
    let path = exact.path(&last).expect("the last path");
    assert_eq!(exact.number(&path), last);
}

/// With big integers and without.
#[test]
fn what_is_no_number_is_refused() {
    for text in ["8_12", "0__1", "1 2", "1.0", "0x1", "-", ""] {
        assert!(text.parse::<Number>().is_err(), "{text}");
    }
}

proptest! {
    /// Adding, subtracting, comparing, writing and reading are those of integers.
    #[test]
    fn numbers_are_integers(one in integer(), other in integer()) {
        let numbers = [&one, &other].map(|big| Number::from(big.clone()));
        let [a, b] = &numbers;
        prop_assert_eq!(a + b, Number::from(&one + &other));
        prop_assert_eq!(a - b, Number::from(&one - &other));
        prop_assert_eq!(-a, Number::from(-&one));
        prop_assert_eq!(a.clone() + b.clone(), Number::from(&one + &other));
        prop_assert_eq!(a.clone() - b.clone(), Number::from(&one - &other));
        let (mut more, mut less) = (a.clone(), a.clone());
        more += b;
        less -= b;
        prop_assert_eq!((more, less), (a + b, a - b));
        prop_assert_eq!(a.cmp(b), one.cmp(&other));
        prop_assert_eq!(a == b, one == other);
        prop_assert_eq!(a.to_big(), one.clone());
        prop_assert_eq!(a.to_string(), one.to_string());
        prop_assert_eq!(one.to_string().parse::<Number>(), Ok(a.clone()));
        prop_assert_eq!(a.to_u64(), u64::try_from(&one).ok());
        prop_assert_eq!(a.is_negative(), one < BigInt::ZERO);
    }

    /// Sums are those of integers, of numbers and of references to them.
    #[test]
    fn sums_are_those_of_integers(integers in prop::collection::vec(integer(), 0..6)) {
        let numbers: Vec<Number> = integers.iter().cloned().map(Number::from).collect();
        let sum = Number::from(integers.iter().sum::<BigInt>());
        prop_assert_eq!(numbers.iter().sum::<Number>(), sum.clone());
        prop_assert_eq!(numbers.into_iter().sum::<Number>(), sum);
    }
}
