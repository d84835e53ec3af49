//! A chip on JTAG: ARM's debug port with one access port for memory and a core, as OpenOCD's `remote_bitbang` drives its pins.
//!
//! Sources: *ARM Debug Interface Architecture Specification ADIv5*; OpenOCD, `remote_bitbang.txt`; IEEE 1149.1 for the states.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::core::Core;
use crate::system::System;

/// The chip's identification.
pub const IDCODE: u32 = 0x4ba0_0477;
const INSTRUCTION_BITS: u32 = 4;
/// Instructions: accesses of the debug port, of the access port, and the identification.
const DPACC: u64 = 0xa;
const APACC: u64 = 0xb;
const IDENTIFY: u64 = 0xe;
/// The answer of an access that was done.
const DONE: u64 = 0b010;

/// States of the controller, in the order of [`NEXT`].
const TEST_LOGIC_RESET: usize = 0;
const CAPTURE_DR: usize = 3;
const SHIFT_DR: usize = 4;
const UPDATE_DR: usize = 8;
const CAPTURE_IR: usize = 10;
const SHIFT_IR: usize = 11;
const UPDATE_IR: usize = 15;

/// The next state by TMS.
const NEXT: [[usize; 2]; 16] = [
    [1, 0],
    [1, 2],
    [3, 9],
    [4, 5],
    [4, 5],
    [6, 8],
    [6, 7],
    [4, 8],
    [1, 2],
    [10, 0],
    [11, 12],
    [11, 12],
    [13, 15],
    [13, 14],
    [11, 15],
    [1, 2],
];

struct Chip<'a> {
    system: &'a System,
    core: Core,
    state: usize,
    clock: bool,
    instruction: u64,
    shifted: u64,
    /// What the access before this one read.
    read: u32,
    control: u32,
    select: u32,
    /// Of the access port: control and status word, transfer address.
    csw: u32,
    tar: u32,
}

/// Follows the pins until the connection ends.
pub fn serve(system: &System, mut connection: TcpStream) {
    let mut chip = Chip {
        system,
        core: Core::new(),
        state: TEST_LOGIC_RESET,
        clock: false,
        instruction: IDENTIFY,
        shifted: 0,
        read: 0,
        control: 0,
        select: 0,
        csw: 0,
        tar: 0,
    };
    let mut commands = [0; 4096];
    while let Ok(length @ 1..) = connection.read(&mut commands) {
        let answers: Vec<u8> = commands[..length]
            .iter()
            .filter_map(|&command| chip.command(command))
            .collect();
        if connection.write_all(&answers).is_err() {
            return;
        }
    }
}

impl Chip<'_> {
    /// Pins, or a question for the output. Lights and resets do nothing.
    fn command(&mut self, command: u8) -> Option<u8> {
        match command {
            b'0'..=b'7' => self.pins(command - b'0'),
            b'R' => return Some(b'0' + (self.shifted & 1) as u8),
            _ => {}
        }
        None
    }

    /// Clock, mode and data: bits 2 to 0. Everything happens on a rising edge.
    fn pins(&mut self, pins: u8) {
        let rises = !self.clock && pins & 4 != 0;
        self.clock = pins & 4 != 0;
        if !rises {
            return;
        }
        let data = u64::from(pins & 1);
        match self.state {
            CAPTURE_DR => {
                self.shifted = match self.instruction {
                    IDENTIFY => IDCODE.into(),
                    DPACC | APACC => u64::from(self.read) << 3 | DONE,
                    _ => 0,
                }
            }
            CAPTURE_IR => self.shifted = 1,
            SHIFT_DR => self.shift(data, self.data_bits()),
            SHIFT_IR => self.shift(data, INSTRUCTION_BITS),
            _ => {}
        }
        self.state = NEXT[self.state][usize::from(pins >> 1 & 1)];
        match (self.state, self.instruction) {
            (TEST_LOGIC_RESET, _) => self.instruction = IDENTIFY,
            (UPDATE_IR, _) => self.instruction = self.shifted,
            (UPDATE_DR, DPACC | APACC) => self.access(),
            _ => {}
        }
    }

    fn data_bits(&self) -> u32 {
        match self.instruction {
            IDENTIFY => 32,
            DPACC | APACC => 35,
            _ => 1,
        }
    }

    fn shift(&mut self, bit: u64, bits: u32) {
        self.shifted = self.shifted >> 1 | bit << (bits - 1);
    }

    /// Does what was shifted in: bit 0 reads, bits 2 and 1 are the address, the rest is data.
    fn access(&mut self) {
        let (reads, address) = (self.shifted & 1 != 0, (self.shifted << 1 & 0xc) as u32);
        let data = (self.shifted >> 3) as u32;
        let port = self.instruction == APACC && self.select >> 24 == 0;
        let register = match port {
            true => 0x100 | self.select & 0xf0 | address,
            false if self.instruction == APACC => return self.read = 0,
            false => address,
        };
        match (reads, register) {
            // Whoever asks for power has it.
            (true, 0x4) => self.read = self.control | self.control << 1 & 0xa000_0000,
            (true, 0x8) => self.read = self.select,
            (true, 0x100) => self.read = self.csw,
            (true, 0x104) => self.read = self.tar,
            (true, 0x10c) => {
                self.read = self.load(self.tar);
                self.advance();
            }
            // The four words around the address, without its change.
            (true, 0x110..=0x11c) => self.read = self.load(self.tar & !0xf | register & 0xc),
            (true, 0x1fc) => self.read = 0x2477_0011,
            (true, _) => self.read = 0,
            (false, 0x4) => self.control = data & 0x5000_0000,
            (false, 0x8) => self.select = data,
            // Words only, one address at a time or ascending: a mode that is not there reads back as another.
            (false, 0x100) => self.csw = data & 0x10 | 0x42,
            (false, 0x104) => self.tar = data,
            (false, 0x10c) => {
                self.store(self.tar, data);
                self.advance();
            }
            (false, 0x110..=0x11c) => self.store(self.tar & !0xf | register & 0xc, data),
            (false, _) => {}
        }
    }

    fn load(&self, address: u32) -> u32 {
        let word = self.core.read(address);
        word.or_else(|| self.system.read(address)).unwrap_or(0)
    }

    fn store(&mut self, address: u32, word: u32) {
        self.core.write(address, word);
        let _ = self.system.write(address, word);
    }

    fn advance(&mut self) {
        if self.csw & 0x10 != 0 {
            self.tar = self.tar.wrapping_add(4);
        }
    }
}
