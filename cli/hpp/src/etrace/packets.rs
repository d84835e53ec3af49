//! The packets of trace encoders, as files have them.
//!
//! Sources: *Efficient Trace for RISC-V* 2.0, chapter 7, whose packets the decoder's library reads as well; *RISC-V Processor Trace* 1.0 for the units of
//! Espressif's chips; *Unformatted Trace & Diagnostic Data Packet Encapsulation for RISC-V*; te_pkg.sv of
//! PULP's rv_tracer (2025) for its options.

use riscv_etrace::config::{AddressMode, Parameters};
use riscv_etrace::packet::payload::InstructionTrace;
use riscv_etrace::packet::sync::Synchronization;
use riscv_etrace::packet::sync::{Context, EncoderMode, QualStatus, Start, Support, Trap};
use riscv_etrace::packet::unit::IOptions;
use riscv_etrace::packet::{self};
use riscv_etrace::types::{Privilege, trap};

/// How packets lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Siemens Messaging Infrastructure, as the reference encoder writes it.
    Smi,
    Encapsulation,
    /// The same, with the options of PULP's rv_tracer.
    Pulp,
    /// The units of ESP32-C6, -H2 and -H21, which are of version 1.0 of the specification.
    Esp32,
}

impl Framing {
    pub const ALL: [(&'static str, Self); 4] = [
        ("esp32", Self::Esp32),
        ("smi", Self::Smi),
        ("encapsulation", Self::Encapsulation),
        ("pulp", Self::Pulp),
    ];

    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(_, framing)| *framing == self)
            .map_or("", |(name, _)| name)
    }
}

/// Bytes of a packet, at most.
pub const LONGEST: usize = 64;

/// What an encoder was built with.
#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    pub framing: Framing,
    /// The widths of fields, by the names of the specification.
    pub parameters: Parameters,
    /// Bits of the hart's number in front of a payload.
    pub source_bits: u8,
    /// Bits of the kind of trace in front of a payload in the standard encapsulation.
    pub type_bits: u8,
    /// Bytes of a time stamp, where the header says that there is one.
    pub time_bytes: u8,
    /// Whether addresses are differences until a packet says otherwise.
    pub mode: AddressMode,
}

/// What the bytes at a position of a file are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Padding, or a packet that is not of instruction trace.
    Nothing,
    /// A packet of this hart, with its number if it has one.
    Packet {
        hart: u32,
        index: Option<u16>,
        /// What it holds, from its first bit on.
        payload: Vec<u8>,
    },
}

/// Why no packet can be read at a position of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The file ends within a packet.
    End,
    /// No packet begins so.
    Header,
}

impl Encoder {
    /// What the bytes begin with, and how many bytes it takes. Constant time.
    pub fn packet(&self, bytes: &[u8]) -> Result<(usize, Found), Missing> {
        let header = *bytes.first().ok_or(Missing::End)?;
        let length = usize::from(header & 0x1f);
        let (more, middle) = (header & 0x80 != 0, header >> 5 & 3);
        let whole = |size: usize| bytes.get(..size).ok_or(Missing::End);
        let source = usize::from(self.source_bits).div_ceil(8);
        let (size, mut bits, index) = match self.framing {
            Framing::Esp32 if header == 0 => return Ok((1, Found::Nothing)),
            Framing::Esp32 if header > 0x1f || length < 4 => return Err(Missing::Header),
            Framing::Esp32 => {
                let packet = whole(length)?;
                let index = u16::from_le_bytes([packet[1], packet[2]]);
                (length, Bits::new(&packet[3..]), Some(index))
            }
            Framing::Smi if length == 0 || middle < 2 => return Err(Missing::Header),
            Framing::Smi => {
                let front = 1 + if more { 2 } else { 0 };
                let packet = whole(front + source + length)?;
                if middle == 3 {
                    return Ok((packet.len(), Found::Nothing));
                }
                (packet.len(), Bits::new(&packet[front..]), None)
            }
            Framing::Encapsulation | Framing::Pulp if length == 0 => {
                return Ok((1, Found::Nothing));
            }
            Framing::Encapsulation | Framing::Pulp => {
                let time = if more { self.time_bytes } else { 0 };
                let packet = whole(1 + source + usize::from(time) + length)?;
                (packet.len(), Bits::new(&packet[1..]), None)
            }
        };
        let hart = match self.framing {
            Framing::Esp32 => 0,
            _ => bits.take(self.source_bits) as u32,
        };
        match self.framing {
            Framing::Smi => bits.at = bits.at.next_multiple_of(8),
            Framing::Encapsulation | Framing::Pulp => {
                if more {
                    bits.at += 8 * usize::from(self.time_bytes);
                }
                if bits.take(self.type_bits) != 0 {
                    return Ok((size, Found::Nothing));
                }
            }
            Framing::Esp32 => {}
        }
        let payload = bits.rest();
        let packet = Found::Packet {
            hart,
            index,
            payload,
        };
        Ok((size, packet))
    }

    /// Whether so many packets follow one another, or as many as there are bytes for. Padding is not counted.
    pub fn chains(&self, mut bytes: &[u8], mut packets: usize) -> bool {
        let mut before = None;
        while packets > 0 {
            match self.packet(bytes) {
                Ok((size, found)) => {
                    if let Found::Packet { index, .. } = found {
                        let follows = |before: u16| index == Some(before.wrapping_add(1));
                        if index.is_some() && !before.is_none_or(follows) {
                            return false;
                        }
                        before = index;
                        packets -= 1;
                    }
                    bytes = &bytes[size..];
                }
                Err(Missing::End) => return true,
                Err(Missing::Header) => return false,
            }
        }
        true
    }

    /// What a packet says; `None` if it is no valid packet of instruction trace. Linear in its length.
    pub fn payload(&self, payload: &[u8]) -> Option<Said> {
        let mut bits = Bits::new(payload);
        if bits.take(2) != 3 {
            let builder = packet::builder().with_params(&self.parameters);
            let said = builder.decoder(payload).decode_payload().ok()?;
            return Some(Said::Path(said));
        }
        Some(Said::Sync(match bits.take(2) {
            0 => Synchronization::Start(Start {
                branch: bits.flag(),
                ctx: self.context(&mut bits)?,
                address: self.address(&mut bits),
            }),
            1 => Synchronization::Trap(self.trap(&mut bits)?),
            2 => Synchronization::Context(self.context(&mut bits)?),
            _ => Synchronization::Support(self.support(&mut bits)?),
        }))
    }

    fn is_first_version(&self) -> bool {
        self.framing == Framing::Esp32
    }

    fn context(&self, bits: &mut Bits<'_>) -> Option<Context> {
        let widths = &self.parameters;
        let privilege = match (
            bits.take(widths.privilege_width_p.get()),
            self.is_first_version(),
        ) {
            // One bit tells the machine's level from the user's.
            (1, true) => Privilege::Machine,
            (level, _) => Privilege::try_from(u8::try_from(level).ok()?).ok()?,
        };
        let time = (!widths.notime_p).then(|| bits.take(widths.time_width_p.get()));
        let context = match widths.nocontext_p {
            true => 0,
            false => bits.take(widths.context_width_p.get()),
        };
        Some(Context {
            privilege,
            time,
            context,
        })
    }

    fn address(&self, bits: &mut Bits<'_>) -> u64 {
        let widths = &self.parameters;
        let width = widths.iaddress_width_p.get();
        bits.take(width.saturating_sub(widths.iaddress_lsb_p)) << widths.iaddress_lsb_p
    }

    fn trap(&self, bits: &mut Bits<'_>) -> Option<Trap> {
        let branch = bits.flag();
        let ctx = self.context(bits)?;
        let cause = bits.take(self.parameters.ecause_width_p.get());
        let interrupt = bits.flag();
        // Version 1.0 always has the handler's address.
        let thaddr = self.is_first_version() || bits.flag();
        let address = self.address(bits);
        let value = bits.take(self.parameters.iaddress_width_p.get());
        Some(Trap {
            branch,
            ctx,
            thaddr,
            address,
            info: trap::Info {
                ecause: u16::try_from(cause).ok()?,
                tval: (!interrupt).then_some(value),
            },
        })
    }

    fn support(&self, bits: &mut Bits<'_>) -> Option<Support<Options, ()>> {
        let ienable = bits.flag();
        if !self.is_first_version() && bits.flag() {
            return None;
        }
        let qual_status = match bits.take(2) {
            0 => QualStatus::NoChange,
            1 => QualStatus::EndedRep,
            2 => QualStatus::TraceLost,
            _ => QualStatus::EndedNtr,
        };
        let ioptions = match self.framing {
            Framing::Esp32 => Options::default(),
            Framing::Pulp => {
                let [jumps, predicts, returns, pairs, exceptions, full, delta] =
                    std::array::from_fn(|_| bits.flag());
                Options {
                    full: (full != delta).then_some(full),
                    returns: Some(returns),
                    pairs: Some(pairs),
                    unsupported: [exceptions, predicts, jumps],
                }
            }
            Framing::Smi | Framing::Encapsulation => {
                let [returns, exceptions, full, jumps, predicts] =
                    std::array::from_fn(|_| bits.flag());
                Options {
                    full: Some(full),
                    returns: Some(returns),
                    pairs: None,
                    unsupported: [exceptions, predicts, jumps],
                }
            }
        };
        Some(Support {
            ienable,
            encoder_mode: EncoderMode::BranchTrace,
            qual_status,
            ioptions,
            denable: false,
            dloss: false,
            doptions: (),
        })
    }
}

pub enum Said {
    /// How the run goes on.
    Path(InstructionTrace),
    Sync(Synchronization<Options, ()>),
}

/// The options that an encoder reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    full: Option<bool>,
    returns: Option<bool>,
    pairs: Option<bool>,
    /// Implicit exceptions, branch prediction and a cache of targets.
    unsupported: [bool; 3],
}

impl IOptions for Options {
    fn address_mode(&self) -> Option<AddressMode> {
        self.full.map(AddressMode::from_full)
    }

    fn sequentially_inferred_jumps(&self) -> Option<bool> {
        self.pairs
    }

    fn implicit_return(&self) -> Option<bool> {
        self.returns
    }

    fn implicit_exception(&self) -> Option<bool> {
        Some(self.unsupported[0])
    }

    fn branch_prediction(&self) -> Option<bool> {
        Some(self.unsupported[1])
    }

    fn jump_target_cache(&self) -> Option<bool> {
        Some(self.unsupported[2])
    }
}

/// The bits of a packet. Its end is compressed: bits that repeat the last one are left out.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bits<'b> {
    const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn flag(&mut self) -> bool {
        let end = 8 * self.bytes.len();
        let at = self.at.min(end.saturating_sub(1));
        self.at += 1;
        self.bytes
            .get(at / 8)
            .is_some_and(|byte| byte >> (at % 8) & 1 != 0)
    }

    /// The next bits; at most 64 are returned.
    fn take(&mut self, width: u8) -> u64 {
        let bit = |value, place: u8| {
            value
                | u64::from(self.flag())
                    .checked_shl(place.into())
                    .unwrap_or(0)
        };
        (0..width).fold(0, bit)
    }

    /// The remaining bits, as bytes.
    fn rest(mut self) -> Vec<u8> {
        let left = (8 * self.bytes.len()).saturating_sub(self.at);
        match self.at % 8 {
            0 => self.bytes.get(self.at / 8..).unwrap_or_default().to_vec(),
            _ => (0..left.div_ceil(8)).map(|_| self.take(8) as u8).collect(),
        }
    }
}
