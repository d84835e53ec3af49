//! Branch records from the packets of trace encoders (E-Trace).
//!
//! | module | what it holds |
//! | --- | --- |
//! | `encoders` | which encoder wrote them |
//! | `packets` | how packets lie in a file, and what they say |
//! | `code` | the program as the decoder of packets wants it |
//! | `session` | where the packets of one hart led |
//!
//! `riscv-etrace` follows the run between packets. Where the packets contradict the program, or some are missing, the run is known again from the next
//! packet of synchronisation on.

mod code;
mod encoders;
mod packets;
mod session;

use std::io::{BufRead, ErrorKind, Read};
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use hpp_explore::trace::{Ending, Isa};
use hpp_golden::branch::BranchRecord;
use hpp_report::numbers::number_of;
use hpp_riscv::{Image, Xlen};
use packets::{Encoder, Found, LONGEST, Missing};
use session::Session;

use crate::log::ReadParts;
use crate::log::follow::{self, Harts, Parts};
use crate::log::formats::Reader;

/// How many bytes are read to find out the encoder.
const TRIED: usize = 1 << 14;

/// Size of the buffer; twice as much may be held.
const ROOM: usize = 1 << 16;

/// Records of a part, at least, unless some are missing or the packets end.
const PART: usize = 1 << 16;

/// So many packets in a row are no coincidence: packets begin there.
const CHAIN: usize = 4;

const NOTHING_FITS: &str = "it is no text, and no packets of a trace encoder that ran this program (--elf); remedy: give the program that ran, or say with \
    --encoder what the encoder was built with (docs/from-a-log.md)";

/// Whether a file may hold packets: it is binary, or has its bytes as hexadecimal digits, as firmware prints them.
pub fn are_packets(beginning: &[u8]) -> bool {
    let is_text = |&byte: &u8| byte >= b' ' || byte.is_ascii_whitespace() || byte == 0x1b;
    let mut lines = beginning.split(|&byte| byte == b'\n').take(1000);
    let is_log = lines.any(|line| Reader::of(line.trim_ascii_end()).is_some());
    !is_log && (!beginning.iter().all(is_text) || is_hexadecimal(beginning))
}

fn is_hexadecimal(beginning: &[u8]) -> bool {
    let mut words = beginning
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let is_bytes =
        |word: &[u8]| word.len().is_multiple_of(2) && word.iter().all(u8::is_ascii_hexdigit);
    // The last line may be cut off, as only the beginning was read.
    let (first, all) = (
        words.next(),
        words.all(|word| word.iter().all(u8::is_ascii_hexdigit)),
    );
    all && first.is_some_and(|first| {
        is_bytes(first) || first.len() == beginning.len() && first.iter().all(u8::is_ascii_hexdigit)
    })
}

/// The bytes that hexadecimal digits stand for.
struct Hexadecimal<R>(R);

impl<R: BufRead> Read for Hexadecimal<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let mut digits = self.0.by_ref().bytes().filter_map(|byte| {
            let digit = byte.map(|byte| char::from(byte).to_digit(16));
            digit.transpose()
        });
        for (place, byte) in bytes.iter_mut().enumerate() {
            let (Some(high), Some(low)) = (digits.next(), digits.next()) else {
                return Ok(place);
            };
            *byte = (high? << 4 | low?) as u8;
        }
        Ok(bytes.len())
    }
}

/// Packets, read as records of one hart.
pub struct Packets {
    input: Box<dyn Read>,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were read.
    at: usize,
    is_over: bool,
    is_cut: bool,
    encoder: Encoder,
    xlen: Xlen,
    session: Session,
    parts: Parts,
    hart: Option<u32>,
    harts: Harts,
    packets: u64,
    index: Option<u16>,
    /// Gaps in the numbers of packets, and the packet after the first.
    gaps: (u64, u64),
    /// Bytes that are no packets, and the packet after the first.
    skipped: (u64, u64),
    /// Bytes at the end that are no whole packet.
    left: usize,
    is_ended: bool,
}

impl Packets {
    /// Finds out the encoder from the program and the parameters that are `given`, such as `framing=smi,iaddress_width_p=40`. Only packets of `hart` count;
    /// by default those of the first hart in the file.
    ///
    /// # Errors
    ///
    /// If no encoder fits.
    pub fn new(
        mut input: Box<dyn BufRead>,
        image: Image,
        given: Option<&str>,
        hart: Option<u32>,
    ) -> Result<Self> {
        let is_hexadecimal = input.fill_buf().is_ok_and(is_hexadecimal);
        let input: Box<dyn Read> = match is_hexadecimal {
            true => Box::new(Hexadecimal(input)),
            false => Box::new(input),
        };
        let image = Rc::new(image);
        let candidates = encoders::candidates(image.xlen(), given)?;
        let mut read = Self {
            input,
            buffer: Vec::new(),
            at: 0,
            is_over: false,
            is_cut: false,
            encoder: candidates[0],
            xlen: image.xlen(),
            session: Session::new(candidates[0], &image),
            parts: Parts::default(),
            hart,
            harts: Harts::new(hart),
            packets: 0,
            index: None,
            gaps: (0, 0),
            skipped: (0, 0),
            left: 0,
            is_ended: false,
        };
        read.fill(TRIED)?;
        let tried = &read.buffer[..read.buffer.len().min(TRIED)];
        let encoder = encoders::best(candidates, tried, &image).context(NOTHING_FITS)?;
        read.encoder = encoder;
        read.session = Session::new(encoder, &image);
        Ok(read)
    }

    /// Reads until so many bytes are in the buffer, or the file ends.
    fn fill(&mut self, bytes: usize) -> Result<()> {
        if self.at > ROOM {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let mut room = vec![0; ROOM];
        while !self.is_over && self.buffer.len() - self.at < bytes {
            match self.input.read(&mut room) {
                Ok(0) => self.is_over = true,
                Ok(count) => self.buffer.extend(&room[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A run that was stopped leaves a file that is cut off. Its complete packets count.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    (self.is_over, self.is_cut) = (true, true);
                }
                Err(error) => {
                    bail!(
                        "after packet {}: the file is damaged ({error}); remedy: copy it again, or compress it anew",
                        self.packets
                    );
                }
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<()> {
        if self.buffer.len() - self.at < CHAIN * LONGEST {
            self.fill(ROOM)?;
        }
        match self.encoder.packet(&self.buffer[self.at..]) {
            Ok((size, found)) => {
                self.at += size;
                match found {
                    Found::Nothing => Ok(()),
                    Found::Packet {
                        hart,
                        index,
                        payload,
                    } => self.packet(hart, index, &payload),
                }
            }
            Err(Missing::End) => {
                self.left = self.buffer.len() - self.at;
                self.end()
            }
            Err(Missing::Header) => {
                let number = self.packets + 1;
                self.session.lose(number, &mut self.parts);
                self.index = None;
                while self.at < self.buffer.len()
                    && !self.encoder.chains(&self.buffer[self.at..], CHAIN)
                {
                    follow::count(&mut self.skipped, number);
                    self.at += 1;
                    if self.buffer.len() - self.at < CHAIN * LONGEST {
                        self.fill(ROOM)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn packet(&mut self, hart: u32, index: Option<u16>, payload: &[u8]) -> Result<()> {
        if hart != *self.hart.get_or_insert(hart) {
            self.harts.pass(hart);
            return Ok(());
        }
        self.packets += 1;
        let packet = self.packets;
        let before = std::mem::replace(&mut self.index, index);
        if before.is_some_and(|before| index != Some(before.wrapping_add(1))) {
            follow::count(&mut self.gaps, packet);
            self.session.lose(packet, &mut self.parts);
        }
        self.session.take(payload, packet, &mut self.parts)
    }

    fn end(&mut self) -> Result<()> {
        self.is_ended = true;
        self.session.hart.end(self.packets, &mut self.parts);
        match self.harts.asked {
            Some(hart) if self.packets == 0 => bail!(
                "hart {hart} is in no packet; those there are: {}; remedy: --hart with one of them",
                self.harts.named().unwrap_or_default()
            ),
            _ => Ok(()),
        }
    }
}

impl ReadParts for Packets {
    fn isa(&self) -> Isa {
        follow::isa(self.xlen)
    }

    fn records(&self) -> &[BranchRecord] {
        self.parts.records()
    }

    fn next_parts(&mut self) -> Result<Vec<(bool, Vec<u32>)>> {
        while !self.is_ended && self.parts.in_last() < PART {
            self.step()?;
        }
        Ok(self.parts.take())
    }

    fn ending(&self) -> Ending {
        let session = &self.session;
        let mut reason = format!(
            "{} packets of a trace encoder ({}, {} bits of addresses), {} instructions of hart {}",
            self.packets,
            self.encoder.framing.name(),
            self.encoder.parameters.iaddress_width_p,
            session.hart.instructions,
            self.hart.unwrap_or_default(),
        );
        reason += &session.hart.beginning();
        let is = |count| if count == 1 { "is" } else { "are" };
        let skipped = format!(
            "{{byte}} that {} no packet, the first before packet {{first}}",
            is(self.skipped.0)
        );
        // The file has ended.
        let stops = (session.stopped.0.saturating_sub(1), session.stopped.1);
        let mut left_out = follow::left_out(&[
            (
                session.lost,
                "what the encoder lost in {place}, the first before packet {first}",
            ),
            (
                stops,
                "what ran while the encoder had stopped, in {place}, the first after packet {first}",
            ),
            (
                self.gaps,
                "packets in {gap} of their numbers, the first before packet {first}",
            ),
            (
                session.contradicted,
                "what comes after {place} at which packets do not fit the program (--elf), the first packet {first}: packets are missing, or another program ran",
            ),
            (
                session.outside,
                "what comes after {place} at which they lead to code that is not in the program (--elf), the first packet {first}",
            ),
            (
                session.unknown,
                "{packet} of no known kind, the first packet {first}",
            ),
            (
                session.before,
                "{packet} before one that says where the run is, the first packet {first}",
            ),
            (self.skipped, &skipped),
            (
                session.hart.lost,
                "instructions in {place}, the first before packet {first}; paths that were under way there are dropped",
            ),
            (
                session.hart.unentered,
                "what was interrupted before {trap return}, the first before packet {first}",
            ),
        ]);
        if self.left > 0 || self.is_cut {
            left_out.push(format!(
                "the end: {} after packet {} {} no whole packet{}",
                number_of(self.left as u64, "byte"),
                self.packets,
                is(self.left as u64),
                match self.is_cut {
                    true => ", where the compressed file ends early",
                    false => "",
                },
            ));
        }
        left_out.extend(self.harts.left_out("packet"));
        Ending { reason, left_out }
    }
}
