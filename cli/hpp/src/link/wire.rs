//! A stream of bytes to what answers, and what is said when it does not.

use std::io::{self, BufRead, BufReader, Read, Write};

use super::LinkError;

/// Bytes to and from what answers.
pub trait Stream: Read + Write + Send {}

impl<T: Read + Write + Send> Stream for T {}

/// What answers, in messages, and what to look at when it does not.
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) remedy: &'static str,
}

impl Peer {
    pub(crate) fn error(&self, what: impl Into<String>) -> LinkError {
        LinkError::new(&self.name, what, self.remedy)
    }

    pub(crate) fn checked<T>(&self, result: io::Result<T>) -> Result<T, LinkError> {
        result.map_err(|error| LinkError::io(&self.name, &error, self.remedy))
    }
}

pub(crate) struct Wire {
    pub(crate) peer: Peer,
    stream: BufReader<Box<dyn Stream>>,
}

impl Wire {
    pub(crate) fn new(name: String, remedy: &'static str, stream: Box<dyn Stream>) -> Self {
        Self {
            peer: Peer { name, remedy },
            stream: BufReader::new(stream),
        }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.peer.checked(self.stream.get_mut().write_all(bytes))
    }

    pub(crate) fn receive<T>(
        &mut self,
        read: impl FnOnce(&mut dyn BufRead) -> io::Result<T>,
    ) -> Result<T, LinkError> {
        self.peer.checked(read(&mut self.stream))
    }
}

/// The longest answer, in bytes: more than any that is asked for.
const LONGEST: u64 = 1 << 20;

/// What comes before a byte that ends it. An answer that does not end is an error before memory is.
pub(crate) fn until(end: u8, from: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LONGEST).read_until(end, &mut bytes)?;
    match bytes.pop() {
        Some(last) if last == end => Ok(bytes),
        _ if bytes.len() as u64 + 1 >= LONGEST => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "an answer without an end",
        )),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What sent without an end was kept until there was no memory.
    #[test]
    fn an_answer_without_an_end_is_an_error() {
        let mut endless = BufReader::new(io::repeat(b'x'));
        let error = until(b'#', &mut endless).expect_err("it has no end");
        assert_eq!(error.to_string(), "an answer without an end");
        let mut closed = &b"half"[..];
        let error = until(b'#', &mut closed).expect_err("it was cut");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(
            until(b'#', &mut &b"whole#rest"[..]).expect("whole"),
            b"whole"
        );
    }
}
