//! Random expressions as syntax trees, and how to compute them.

use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogOp, VerilogOpUnary};

/// Bits of the rust-hdl types that expressions have.
pub const TYPES: [usize; 7] = [1, 2, 3, 8, 33, 64, 100];

/// Computes an expression from the values of the signals.
pub type Value = Box<dyn Fn(&[BigUint]) -> BigUint>;

/// A random expression, and how to compute it.
pub struct Random {
    pub tree: VerilogExpression,
    pub value: Value,
}

impl Random {
    fn constant(tree: VerilogExpression, value: BigUint) -> Self {
        let value = Box::new(move |_: &[BigUint]| value.clone());
        Self { tree, value }
    }
}

pub fn ones(bits: usize) -> BigUint {
    (BigUint::from(1u32) << bits) - 1u32
}

/// Expressions of a given type, at most `depth` operators deep.
pub struct Generator {
    pub random: ChaCha8Rng,
    /// So many leaves in five are numbers.
    pub numbers: usize,
    /// The names in the tree of the signals that are read, in the order of their values.
    pub signals: Vec<String>,
}

impl Generator {
    /// The seed is `HPP_SEED`, if it is set, and is printed.
    pub fn new(seed: u64, numbers: usize, signals: Vec<String>) -> (u64, Self) {
        let given = std::env::var("HPP_SEED").ok();
        let seed = given.and_then(|text| text.parse().ok()).unwrap_or(seed);
        eprintln!("HPP_SEED={seed}");
        let random = ChaCha8Rng::seed_from_u64(seed);
        let generator = Self {
            random,
            numbers,
            signals,
        };
        (seed, generator)
    }

    /// A number of any size.
    pub fn word(&mut self) -> BigUint {
        let word: u128 = self.random.random();
        BigUint::from(word >> self.pick(128))
    }

    pub fn pick(&mut self, count: usize) -> usize {
        self.random.random_range(0..count)
    }

    pub fn expression(&mut self, ty: usize, depth: usize) -> Random {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.pick(14) {
            0..=4 => self.binary(ty, depth),
            5 => self.not(ty, depth),
            6 | 7 => self.shift(ty, depth),
            8 | 9 => self.slice(ty, depth),
            10 => self.replace_bit(ty, depth),
            _ if ty == 1 => self.truth(depth),
            _ => self.cast(ty, depth),
        }
    }

    /// A signal cut to the type, or a number of it.
    fn leaf(&mut self, ty: usize) -> Random {
        if self.pick(5) < self.numbers {
            return self.number(ty);
        }
        let index = self.pick(self.signals.len());
        self.signal(index, ty)
    }

    pub fn signal(&self, index: usize, ty: usize) -> Random {
        let signal = VerilogExpression::Signal(self.signals[index].clone());
        Random {
            tree: VerilogExpression::Cast(Box::new(signal), ty),
            value: Box::new(move |values| &values[index] & ones(ty)),
        }
    }

    fn number(&mut self, ty: usize) -> Random {
        let number: u64 = self.random.random::<u64>() >> self.pick(64);
        let literal = Box::new(VerilogExpression::Literal(number.into()));
        let value = BigUint::from(number) & ones(ty);
        Random::constant(VerilogExpression::Cast(literal, ty), value)
    }

    /// The right operand: an expression of the type or, as rust-hdl allows, a bare number.
    fn right(&mut self, ty: usize, depth: usize) -> Random {
        if ty == 1 || self.pick(4) > 0 {
            return self.expression(ty, depth);
        }
        let number = self.random.random::<u64>() >> (64 - ty.min(63)).max(1);
        Random::constant(VerilogExpression::Literal(number.into()), number.into())
    }

    fn binary(&mut self, ty: usize, depth: usize) -> Random {
        let (a, b) = (self.expression(ty, depth - 1), self.right(ty, depth - 1));
        let (x, y) = (a.value, b.value);
        let (op, value): (_, Value) = match self.pick(6) {
            0 => (VerilogOp::BitAnd, Box::new(move |i| x(i) & y(i))),
            1 => (VerilogOp::BitOr, Box::new(move |i| x(i) | y(i))),
            2 => (VerilogOp::BitXor, Box::new(move |i| x(i) ^ y(i))),
            3 => (VerilogOp::Add, Box::new(move |i| (x(i) + y(i)) & ones(ty))),
            4 => (
                VerilogOp::Sub,
                Box::new(move |i| (x(i) + ones(ty) + 1u32 - y(i)) & ones(ty)),
            ),
            _ => (VerilogOp::Mul, Box::new(move |i| (x(i) * y(i)) & ones(ty))),
        };
        let tree = VerilogExpression::Binary(Box::new(a.tree), op, Box::new(b.tree));
        Random { tree, value }
    }

    fn not(&mut self, ty: usize, depth: usize) -> Random {
        let a = self.expression(ty, depth - 1);
        let x = a.value;
        Random {
            tree: VerilogExpression::Unary(VerilogOpUnary::Not, Box::new(a.tree)),
            value: Box::new(move |i| x(i) ^ ones(ty)),
        }
    }

    fn shift(&mut self, ty: usize, depth: usize) -> Random {
        let (a, left) = (self.expression(ty, depth - 1), self.pick(2) == 0);
        let amount = if self.pick(2) == 0 {
            self.expression(3, depth - 1)
        } else {
            self.number(8)
        };
        let (x, y) = (a.value, amount.value);
        let op = if left { VerilogOp::Shl } else { VerilogOp::Shr };
        let shift = move |i: &[BigUint]| {
            let amount = usize::try_from(y(i)).expect("a small amount");
            if left {
                (x(i) << amount) & ones(ty)
            } else {
                x(i) >> amount
            }
        };
        Random {
            tree: VerilogExpression::Binary(Box::new(a.tree), op, Box::new(amount.tree)),
            value: Box::new(shift),
        }
    }

    /// `get_bits` or `get_bit` of something wider, at a fixed or computed place.
    fn slice(&mut self, ty: usize, depth: usize) -> Random {
        let wide = TYPES[self.pick(TYPES.len())].max(ty);
        let a = self.expression(wide, depth - 1);
        let offset = if self.pick(2) == 0 {
            self.expression(3, depth - 1)
        } else {
            let value = self.pick(wide);
            Random::constant(VerilogExpression::Literal(value.into()), value.into())
        };
        let (x, y) = (a.value, offset.value);
        let (inner, at) = (Box::new(a.tree), Box::new(offset.tree));
        Random {
            tree: match ty {
                1 => VerilogExpression::Index(inner, at),
                _ => VerilogExpression::Slice(inner, ty, at),
            },
            value: Box::new(move |i| {
                (x(i) >> usize::try_from(y(i)).expect("a small place")) & ones(ty)
            }),
        }
    }

    fn replace_bit(&mut self, ty: usize, depth: usize) -> Random {
        if ty < 8 {
            return self.leaf(ty);
        }
        let (a, index) = (
            self.expression(ty, depth - 1),
            self.expression(3, depth - 1),
        );
        let bit = self.expression(1, depth - 1);
        let (x, y, z) = (a.value, index.value, bit.value);
        let replace = move |i: &[BigUint]| {
            let (mut word, at) = (x(i), u64::try_from(y(i)).expect("a small place"));
            word.set_bit(at, z(i).bit(0));
            word
        };
        Random {
            tree: VerilogExpression::IndexReplace(
                Box::new(a.tree),
                Box::new(index.tree),
                Box::new(bit.tree),
            ),
            value: Box::new(replace),
        }
    }

    fn cast(&mut self, ty: usize, depth: usize) -> Random {
        let from = TYPES[self.pick(TYPES.len())];
        let a = self.expression(from, depth - 1);
        let x = a.value;
        Random {
            tree: VerilogExpression::Cast(Box::new(a.tree), ty),
            value: Box::new(move |i| x(i) & ones(ty)),
        }
    }

    /// A comparison or a reduction.
    fn truth(&mut self, depth: usize) -> Random {
        let ty = TYPES[self.pick(TYPES.len())];
        let a = self.expression(ty, depth - 1);
        let x = a.value;
        if self.pick(2) == 0 {
            type Reduced = fn(&BigUint, usize) -> bool;
            let (op, reduced): (_, Reduced) = match self.pick(3) {
                0 => (VerilogOpUnary::Any, |word, _| word.bits() > 0),
                1 => (VerilogOpUnary::All, |word, ty| *word == ones(ty)),
                _ => (VerilogOpUnary::Xor, |word, _| word.count_ones() % 2 == 1),
            };
            return Random {
                tree: VerilogExpression::Unary(op, Box::new(a.tree)),
                value: Box::new(move |i| BigUint::from(u8::from(reduced(&x(i), ty)))),
            };
        }
        let b = self.right(ty, depth - 1);
        let y = b.value;
        type Holds = fn(&BigUint, &BigUint) -> bool;
        let (op, holds): (_, Holds) = match self.pick(6) {
            0 => (VerilogOp::Eq, |a, b| a == b),
            1 => (VerilogOp::Ne, |a, b| a != b),
            2 => (VerilogOp::Lt, |a, b| a < b),
            3 => (VerilogOp::Le, |a, b| a <= b),
            4 => (VerilogOp::Gt, |a, b| a > b),
            _ => (VerilogOp::Ge, |a, b| a >= b),
        };
        Random {
            tree: VerilogExpression::Binary(Box::new(a.tree), op, Box::new(b.tree)),
            value: Box::new(move |i| BigUint::from(u8::from(holds(&x(i), &y(i))))),
        }
    }
}
