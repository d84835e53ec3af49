//! LiteX's bridge on a serial line.
//!
//! A request is a command, the number of words, and the word's address of 4 bytes; data are words of 4 bytes. All are big-endian.

use std::path::Path;
use std::time::Duration;

use serial2::SerialPort;

use super::wire::{Stream, Wire};
use super::{Bus, LinkError};

const REMEDY: &str =
    "is a LiteX bridge (uartbone) on this line, at this speed (--baud), and no other program?";
const WRITE: u8 = 1;
const READ: u8 = 2;
/// Reads of one address.
const READ_FIXED: u8 = 4;
/// A slow system's bus and 4 bytes at 9600 baud take less.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bridge from a serial line to the bus of a system.
pub struct Uartbone {
    wire: Wire,
}

impl Uartbone {
    /// Opens a serial line: 8 data bits, no parity, 1 stop bit.
    pub fn open(device: &Path, baud: u32) -> Result<Self, LinkError> {
        let place = format!("{} at {baud} baud", device.display());
        let open = || {
            let mut port = SerialPort::open(device, baud)?;
            port.set_read_timeout(PATIENCE)?;
            port.set_write_timeout(PATIENCE)?;
            Ok(port)
        };
        match open() {
            Ok(port) => Ok(Self::over(place, Box::new(port))),
            Err(error) => Err(LinkError::io(&place, &error, REMEDY)),
        }
    }

    /// A bridge at the other end of a stream, by name.
    pub fn over(name: String, stream: Box<dyn Stream>) -> Self {
        Self {
            wire: Wire::new(name, REMEDY, stream),
        }
    }

    fn request(command: u8, count: u8, address: u64) -> Option<Vec<u8>> {
        let word = u32::try_from(address / 4).ok()?;
        Some([&[command, count][..], &word.to_be_bytes()].concat())
    }

    /// What was sent before, as by a console, is no answer.
    fn exchange(&mut self, request: Option<Vec<u8>>, answer: &mut [u8]) -> Result<(), LinkError> {
        let request = request.ok_or_else(|| {
            let name = &self.wire.peer.name;
            LinkError::new(name, "an address beyond 34 bits", "check --base")
        })?;
        self.wire.forget()?;
        self.wire.send(&request)?;
        self.wire.receive(|from| from.read_exact(answer))
    }
}

impl Bus for Uartbone {
    fn place(&self) -> &str {
        &self.wire.peer.name
    }

    fn read(&mut self, address: u64, words: &mut [u32]) -> Result<(), LinkError> {
        for words in words.chunks_mut(u8::MAX.into()) {
            let count = words.len() as u8;
            let command = if count == 1 { READ } else { READ_FIXED };
            let mut answer = vec![0; 4 * words.len()];
            self.exchange(Self::request(command, count, address), &mut answer)?;
            for (word, bytes) in words.iter_mut().zip(answer.as_chunks().0) {
                *word = u32::from_be_bytes(*bytes);
            }
        }
        Ok(())
    }

    fn write(&mut self, address: u64, word: u32) -> Result<(), LinkError> {
        let mut request = Self::request(WRITE, 1, address);
        if let Some(request) = &mut request {
            request.extend(word.to_be_bytes());
        }
        self.exchange(request, &mut [])
    }
}
