//! What texts of a command must be.

/// What a text must be; where it is not, the test ends and shows all of it.
#[allow(dead_code, reason = "not every test needs all")]
pub trait Must {
    /// It is this.
    fn must_be(&self, expected: &str);
    /// It has this in it.
    fn must_contain(&self, part: &str);
    fn must_begin(&self, start: &str);
    fn must_end(&self, end: &str);
}

impl Must for str {
    #[track_caller]
    fn must_be(&self, expected: &str) {
        assert_eq!(self, expected);
    }

    #[track_caller]
    fn must_contain(&self, part: &str) {
        assert!(self.contains(part), "no {part:?} in {self}");
    }

    #[track_caller]
    fn must_begin(&self, start: &str) {
        assert!(self.starts_with(start), "no {start:?} before {self}");
    }

    #[track_caller]
    fn must_end(&self, end: &str) {
        assert!(self.ends_with(end), "no {end:?} after {self}");
    }
}
