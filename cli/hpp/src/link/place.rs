//! Where a server listens.

use std::fmt;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::Duration;

use super::LinkError;

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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

impl Place {
    /// A connection to the first of its addresses that takes one.
    pub(crate) fn connect(&self, remedy: &str) -> Result<TcpStream, LinkError> {
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
        connected().map_err(|error| LinkError::io(&self.to_string(), &error, remedy))
    }
}
