//! Etherbone: records of bus accesses in packets, as `litex_server` speaks it over TCP.
//!
//! A packet is a header of 8 bytes and one record: flags, byte enables, numbers of writes and reads; then the first address and the words of
//! the writes; then the address for the answer and the addresses of the reads. The answer is a record of writes. All is big-endian.

use std::io::ErrorKind;

use anyhow::{Context, Result};

use super::Bus;
use super::wire::{Place, Stream, Wire};

const SERVER: &str =
    "is litex_server running there (port 1234 by default), and does it reach the system?";
/// Magic, version 1 with a flag, 4 bytes for addresses and for words; the header's padding.
const HEADER: [u8; 8] = [0x4e, 0x6f, 0x10, 0x44, 0, 0, 0, 0];

/// A bridge to the bus of a LiteX system.
pub struct Etherbone {
    wire: Wire,
}

impl Etherbone {
    /// Connects to `litex_server`.
    pub fn connect(place: &Place) -> Result<Self> {
        let stream = place.connect(SERVER)?;
        Self::over(place.to_string(), Box::new(stream))
    }

    /// A server at the other end of a stream, by name.
    pub fn over(name: String, stream: Box<dyn Stream>) -> Result<Self> {
        let mut wire = Wire::new(format!("litex_server {name}"), SERVER, stream);
        // It says once what it is, without an end, and then nothing until it is asked.
        wire.receive(|from| match from.fill_buf()?.len() {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            length => {
                from.consume(length);
                Ok(())
            }
        })?;
        Ok(Self { wire })
    }

    fn answer(&mut self) -> Result<Option<Vec<u32>>> {
        self.wire.receive(|from| {
            let mut head = [0; 12];
            from.read_exact(&mut head)?;
            let mut rest = vec![0; 4 + 4 * usize::from(head[10])];
            from.read_exact(&mut rest)?;
            Ok(answer(&[&head[..], &rest].concat()))
        })
    }

    fn address(&self, address: u64) -> Result<u32> {
        let name = &self.wire.name;
        let beyond = || format!("{name}: an address beyond 32 bits; check --base");
        u32::try_from(address).ok().with_context(beyond)
    }
}

/// A packet with a record of a write, or of reads.
fn packet(writes: u8, reads: u8, words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut packet = HEADER.to_vec();
    packet.extend([0, 0xf, writes, reads]);
    packet.extend(words.into_iter().flat_map(u32::to_be_bytes));
    packet
}

/// The words of an answer; `None` if the packet is no answer.
fn answer(packet: &[u8]) -> Option<Vec<u32>> {
    let (head, rest) = packet.split_at_checked(12)?;
    let (words, left) = rest.as_chunks();
    let (_, words) = words.split_first()?;
    let is_answer = head[..2] == HEADER[..2] && words.len() == usize::from(head[10]);
    let words = words.iter().map(|bytes| u32::from_be_bytes(*bytes));
    (is_answer && left.is_empty()).then(|| words.collect())
}

impl Bus for Etherbone {
    fn place(&self) -> &str {
        &self.wire.name
    }

    fn read(&mut self, address: u64, words: &mut [u32]) -> Result<()> {
        let address = self.address(address)?;
        for words in words.chunks_mut(u8::MAX.into()) {
            // The answer is written to an address, here 0.
            let addresses = std::iter::repeat_n(address, words.len());
            let count = words.len() as u8;
            self.wire
                .send(&packet(0, count, [0].into_iter().chain(addresses)))?;
            let read = self.answer()?;
            let read = read.filter(|answer| answer.len() == words.len());
            let read = read.ok_or_else(|| self.wire.error("no answer of Etherbone"))?;
            words.copy_from_slice(&read);
        }
        Ok(())
    }

    fn write(&mut self, address: u64, word: u32) -> Result<()> {
        let request = packet(1, 0, [self.address(address)?, word]);
        self.wire.send(&request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_answer_comes_back_and_a_part_of_it_is_none(
            number in any::<u32>(), words in prop::collection::vec(any::<u32>(), 1..255), cut in any::<prop::sample::Index>()
        ) {
            let count = words.len() as u8;
            let bytes = packet(count, 0, [number].into_iter().chain(words.iter().copied()));
            prop_assert_eq!(answer(&bytes[..cut.index(bytes.len())]), None);
            prop_assert_eq!(answer(&bytes), Some(words));
        }
    }
}
