//! Where a server listens, a stream of bytes to what answers there, and what is said when it does not.

use std::fmt::{self, Display};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Error, Result, anyhow};

/// Bytes to and from what answers.
pub trait Stream: Read + Write + Send {}

impl<T: Read + Write + Send> Stream for T {}

/// How long a way waits for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// `[HOST:]PORT`; without a host this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    host: String,
    port: u16,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
        let number = port.parse().ok().filter(|&port| port > 0);
        // An address of IPv6 stands in brackets.
        let host = host.trim_start_matches('[').trim_end_matches(']');
        Ok(Self {
            host: if host.is_empty() { "localhost" } else { host }.into(),
            port: number
                .ok_or_else(|| format!("`{port}` is no port; write it as 3333 or board:3333"))?,
        })
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

impl Place {
    /// A connection to the first of its addresses that takes one.
    pub(crate) fn connect(&self, remedy: &str) -> Result<TcpStream> {
        let connected = || {
            let mut last = io::Error::other("no such host");
            for address in (&*self.host, self.port).to_socket_addrs()? {
                match TcpStream::connect_timeout(&address, PATIENCE) {
                    Err(error) => last = error,
                    Ok(stream) => {
                        stream.set_nodelay(true)?;
                        stream.set_read_timeout(Some(PATIENCE))?;
                        stream.set_write_timeout(Some(PATIENCE))?;
                        return Ok(stream);
                    }
                }
            }
            Err(last)
        };
        connected().map_err(|error| failed(&self.to_string(), &error, remedy))
    }
}

/// A stream to what answers, by its name in messages, and what to look at when it does not.
pub(crate) struct Wire {
    pub(crate) name: String,
    remedy: &'static str,
    stream: BufReader<Box<dyn Stream>>,
}

impl Wire {
    pub(crate) fn new(name: String, remedy: &'static str, stream: Box<dyn Stream>) -> Self {
        Self {
            name,
            remedy,
            stream: BufReader::new(stream),
        }
    }

    pub(crate) fn error(&self, what: impl Display) -> Error {
        anyhow!("{}: {what}; {}", self.name, self.remedy)
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let sent = self.stream.get_mut().write_all(bytes);
        sent.map_err(|error| failed(&self.name, &error, self.remedy))
    }

    pub(crate) fn receive<T>(
        &mut self,
        read: impl FnOnce(&mut dyn BufRead) -> io::Result<T>,
    ) -> Result<T> {
        read(&mut self.stream).map_err(|error| failed(&self.name, &error, self.remedy))
    }
}

/// An error of the operating system. One of time means that nobody answered.
fn failed(place: &str, error: &io::Error, remedy: &str) -> Error {
    let what = match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "no answer in time".into(),
        io::ErrorKind::UnexpectedEof => "the connection was closed".into(),
        _ => error.to_string(),
    };
    anyhow!("{place}: {what}; {remedy}")
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
