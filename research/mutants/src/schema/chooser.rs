//! The module that says in a mutated crate which mutant is there.

/// The variable with the number of the mutant.
pub const CHOSEN: &str = "HPP_MUTANT";

/// The variable with the file that gets the numbers of the mutants that are reached, a line each; none is there then.
pub const REACHED: &str = "HPP_MUTANTS_REACHED";

/// The module, for a crate with mutants up to this number.
pub fn chooser(most: u32) -> String {
    TEXT.replace("CHOSEN_VARIABLE", CHOSEN)
        .replace("REACHED_VARIABLE", REACHED)
        .replace("NUMBERS", &(most + 1).to_string())
}

// The last two numbers are no mutants: nothing has been read yet, or what is reached is written down.
const TEXT: &str = r#"
#[doc(hidden)]
#[allow(warnings)]
mod __mutant {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

    const UNREAD: u32 = u32::MAX;
    const WRITING: u32 = u32::MAX - 1;
    static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
    static REACHED: [AtomicBool; NUMBERS] = [const { AtomicBool::new(false) }; NUMBERS];

    #[inline]
    pub fn is(number: u32) -> bool {
        match CHOSEN.load(Relaxed) {
            chosen @ ..WRITING => chosen == number,
            WRITING => write(number),
            UNREAD => read(number),
        }
    }

    #[derive(Clone)]
    pub enum Either<A, B> {
        Left(A),
        Right(B),
    }

    impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Either<A, B> {
        type Item = A::Item;

        #[inline]
        fn next(&mut self) -> Option<A::Item> {
            match self {
                Self::Left(left) => left.next(),
                Self::Right(right) => right.next(),
            }
        }

        #[inline]
        fn size_hint(&self) -> (usize, Option<usize>) {
            match self {
                Self::Left(left) => left.size_hint(),
                Self::Right(right) => right.size_hint(),
            }
        }
    }

    impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Either<A, B> {
        #[inline]
        fn next_back(&mut self) -> Option<A::Item> {
            match self {
                Self::Left(left) => left.next_back(),
                Self::Right(right) => right.next_back(),
            }
        }
    }

    impl<A: ExactSizeIterator, B: ExactSizeIterator<Item = A::Item>> ExactSizeIterator for Either<A, B> {}

    #[cold]
    fn read(number: u32) -> bool {
        let chosen = match std::env::var("CHOSEN_VARIABLE") {
            Ok(text) => text.parse().expect("the number of a mutant"),
            Err(_) if std::env::var_os("REACHED_VARIABLE").is_some() => WRITING,
            Err(_) => 0,
        };
        CHOSEN.store(chosen, Relaxed);
        is(number)
    }

    fn write(number: u32) -> bool {
        let reached = &REACHED[number as usize];
        if !reached.load(Relaxed) && !reached.swap(true, Relaxed) {
            let path = std::env::var_os("REACHED_VARIABLE").expect("a file");
            let mut file = std::fs::File::options().append(true).create(true).open(path).expect("it opens");
            file.write_all(format!("{number}\n").as_bytes()).expect("it can be written");
        }
        false
    }
}
"#;
