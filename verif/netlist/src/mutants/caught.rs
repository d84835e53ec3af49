//! A panic as an answer.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

thread_local! {
    /// A panic of this thread is an answer, and nobody has to read it.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// What something returns, or what it says when it panics.
pub(super) fn caught<T>(what: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info: &PanicHookInfo| {
            if !EXPECTED.get() {
                before(info);
            }
        }));
    });
    let was = EXPECTED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(what));
    EXPECTED.set(was);
    outcome.map_err(|said| match said.downcast::<String>() {
        Ok(said) => *said,
        Err(said) => said
            .downcast_ref::<&str>()
            .copied()
            .unwrap_or_default()
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn what_a_panic_says_is_the_answer() {
        assert_eq!(caught(|| 1), Ok(1));
        let number = 2;
        assert_eq!(
            caught(|| panic!("{number} of it")),
            Err::<(), _>("2 of it".into())
        );
        assert_eq!(caught(|| panic!("it")), Err::<(), _>("it".into()));
    }
}
