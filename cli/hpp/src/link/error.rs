//! Why a board does not answer as it should.

use std::io;

use thiserror::Error;

/// Where something went wrong, what, and what to do.
#[derive(Debug, Error)]
#[error("{place}: {what}; {remedy}")]
pub struct LinkError {
    place: String,
    what: String,
    remedy: String,
}

impl LinkError {
    /// An error of a place.
    pub fn new(place: &str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    /// An error of the operating system. One of time means that nobody answered.
    pub(crate) fn io(place: &str, error: &io::Error, remedy: &str) -> Self {
        let what = match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "no answer in time".into(),
            io::ErrorKind::UnexpectedEof => "the connection was closed".into(),
            _ => error.to_string(),
        };
        Self::new(place, what, remedy)
    }

    /// The same with more to say of what happened.
    #[must_use]
    pub(crate) fn with(mut self, more: &str) -> Self {
        self.remedy = format!("{}; {more}", self.remedy);
        self
    }
}
