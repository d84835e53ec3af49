//! Etherbone: records of bus accesses in packets, over TCP as `litex_server` speaks it, or over UDP as LiteEth's core does.
//!
//! A packet is a header of 8 bytes and one record: flags, byte enables, numbers of writes and reads; then the first address and the words of
//! the writes; then the address for the answer and the addresses of the reads. The answer is a record of writes. All is big-endian.

use std::io;
use std::net::UdpSocket;

use super::place::PATIENCE;
use super::wire::{Peer, Stream};
use super::{Bus, LinkError, Place};

const SERVER: &str =
    "is litex_server running there (port 1234 by default), and does it reach the system?";
const BOARD: &str =
    "does the system have LiteEth's Etherbone there, and does no litex_server hold the port?";
/// Magic, version 1 with a flag, 4 bytes for addresses and for words; the header's padding.
const HEADER: [u8; 8] = [0x4e, 0x6f, 0x10, 0x44, 0, 0, 0, 0];
/// Of version and flags: whether it is a probe, and the answer to one.
const PROBE: u8 = 1;
const PROBED: u8 = 2;
/// Longest packet that the other side sends.
const LONGEST: usize = 8 + 4 + 4 + 4 * 255;
const PROBES: u32 = 3;

/// A bridge to the bus of a LiteX system.
pub struct Etherbone {
    peer: Peer,
    way: Way,
    /// Where the last answer was to be written: it distinguishes answers.
    number: u32,
}

enum Way {
    Server(Box<dyn Stream>),
    Board(UdpSocket),
}

impl Etherbone {
    /// Connects to `litex_server`.
    pub fn server(place: &Place) -> Result<Self, LinkError> {
        let stream = place.connect(SERVER)?;
        Self::over(place.to_string(), Box::new(stream))
    }

    /// The same of a server at the other end of a stream, by name.
    pub fn over(name: String, mut stream: Box<dyn Stream>) -> Result<Self, LinkError> {
        let peer = Peer {
            name: format!("litex_server {name}"),
            remedy: SERVER,
        };
        // It says once what it is, without an end, and then nothing until it is asked.
        let greeting = stream.read(&mut [0; 128]).and_then(|read| match read {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        });
        peer.checked(greeting)?;
        Ok(Self {
            peer,
            way: Way::Server(stream),
            number: 0,
        })
    }

    /// Looks for a board that answers probes.
    pub fn board(place: &Place) -> Result<Self, LinkError> {
        let addresses = place.addresses(BOARD)?;
        let peer = Peer {
            name: format!("Etherbone {place}"),
            remedy: BOARD,
        };
        let socket = addresses.iter().map(|&address| {
            // The core answers to the port that it listens on, wherever a packet came from.
            let route = UdpSocket::bind(("0.0.0.0", 0)).or_else(|_| UdpSocket::bind(("::", 0)))?;
            route.connect(address)?;
            let socket = UdpSocket::bind((route.local_addr()?.ip(), address.port()))?;
            socket.connect(address)?;
            socket.set_read_timeout(Some(PATIENCE / PROBES))?;
            probe(&socket).map(|()| socket)
        });
        let socket = socket.reduce(|found, next| found.or(next));
        let socket = peer.checked(socket.expect("a place has an address"))?;
        Ok(Self {
            peer,
            way: Way::Board(socket),
            number: 0,
        })
    }

    fn send(&mut self, packet: &[u8]) -> io::Result<()> {
        match &mut self.way {
            Way::Server(stream) => stream.write_all(packet),
            Way::Board(socket) => socket.send(packet).map(drop),
        }
    }

    fn answer(&mut self) -> io::Result<Option<Vec<u32>>> {
        match &mut self.way {
            Way::Server(stream) => {
                let mut head = [0; 12];
                stream.read_exact(&mut head)?;
                let mut rest = vec![0; 4 + 4 * usize::from(head[10])];
                stream.read_exact(&mut rest)?;
                Ok(answer(&[&head[..], &rest].concat()).map(|(_, words)| words))
            }
            Way::Board(socket) => loop {
                let mut packet = [0; LONGEST];
                let length = socket.recv(&mut packet)?;
                match answer(&packet[..length]) {
                    // A late answer to what was given up.
                    Some((number, _)) if number != self.number => {}
                    answer => return Ok(answer.map(|(_, words)| words)),
                }
            },
        }
    }

    fn address(&self, address: u64) -> Result<u32, LinkError> {
        let beyond =
            || LinkError::new(&self.peer.name, "an address beyond 32 bits", "check --base");
        u32::try_from(address).map_err(|_| beyond())
    }
}

/// Asks until the board answers.
fn probe(socket: &UdpSocket) -> io::Result<()> {
    let mut packet = [0; 12];
    packet[..8].copy_from_slice(&HEADER);
    packet[2] |= PROBE;
    let mut result = Ok(());
    for _ in 0..PROBES {
        socket.send(&packet)?;
        let mut answer = [0; LONGEST];
        match socket.recv(&mut answer) {
            Ok(_) if answer[..2] == HEADER[..2] && answer[2] & PROBED != 0 => return Ok(()),
            Ok(_) => result = Err(io::ErrorKind::InvalidData.into()),
            Err(error) => result = Err(error),
        }
    }
    result
}

/// A packet with a record of a write, or of reads.
fn packet(writes: u8, reads: u8, words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut packet = HEADER.to_vec();
    packet.extend([0, 0xf, writes, reads]);
    packet.extend(words.into_iter().flat_map(u32::to_be_bytes));
    packet
}

/// Address and words of an answer; `None` if the packet is no answer.
fn answer(packet: &[u8]) -> Option<(u32, Vec<u32>)> {
    let (head, rest) = packet.split_at_checked(12)?;
    let (words, left) = rest.as_chunks();
    let mut words = words.iter().map(|bytes| u32::from_be_bytes(*bytes));
    let number = words.next()?;
    let words: Vec<u32> = words.collect();
    let is_answer = head[..2] == HEADER[..2] && words.len() == usize::from(head[10]);
    (is_answer && left.is_empty()).then_some((number, words))
}

impl Bus for Etherbone {
    fn place(&self) -> &str {
        &self.peer.name
    }

    fn read(&mut self, address: u64, words: &mut [u32]) -> Result<(), LinkError> {
        let address = self.address(address)?;
        for words in words.chunks_mut(u8::MAX.into()) {
            self.number = self.number.wrapping_add(1);
            let addresses = std::iter::repeat_n(address, words.len());
            let count = words.len() as u8;
            let request = packet(0, count, [self.number].into_iter().chain(addresses));
            let answer = self.send(&request).and_then(|()| self.answer());
            let answer = self.peer.checked(answer)?;
            let read = answer.filter(|answer| answer.len() == words.len());
            let read = read.ok_or_else(|| self.peer.error("no answer of Etherbone"))?;
            words.copy_from_slice(&read);
        }
        Ok(())
    }

    fn write(&mut self, address: u64, word: u32) -> Result<(), LinkError> {
        let request = packet(1, 0, [self.address(address)?, word]);
        let sent = self.send(&request);
        self.peer.checked(sent)
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
            prop_assert_eq!(answer(&bytes), Some((number, words)));
        }
    }
}
