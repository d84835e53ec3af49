//! What a debugger sees of a core: a Cortex-M's debug registers, as far as OpenOCD and GDB use them. It runs no code.
//!
//! Source: *ARMv7-M Architecture Reference Manual*, part C1.

/// Its identification: a Cortex-M3.
const CPUID: u32 = 0x412f_c231;
/// The addresses of the private peripheral bus, and of registers there.
const PRIVATE: u32 = 0xe000_0000;
const IDENTIFICATION: u32 = 0xe000_ed00;
const STATUS: u32 = 0xe000_edf0;
const SELECTION: u32 = 0xe000_edf4;
const DATA: u32 = 0xe000_edf8;
/// Of the status: what software writes, and that the core is halted or ready.
const WRITTEN: u32 = 0x3f;
const HALT: u32 = 2;
const IS_READY: u32 = 1 << 16;
const IS_HALTED: u32 = 1 << 17;
/// Of the selection: the register is written.
const WRITES: u32 = 1 << 16;
/// The number of the program status, and the bit that is always 1.
const PROGRAM_STATUS: usize = 16;
const THUMB: u32 = 1 << 24;

/// The core.
pub struct Core {
    status: u32,
    data: u32,
    registers: [u32; 128],
}

impl Core {
    /// One that runs.
    pub fn new() -> Self {
        let mut registers = [0; 128];
        registers[PROGRAM_STATUS] = THUMB;
        Self {
            status: 0,
            data: 0,
            registers,
        }
    }

    /// A word, if the address is the core's own.
    pub fn read(&self, address: u32) -> Option<u32> {
        let halted = if self.status & HALT != 0 {
            IS_HALTED
        } else {
            0
        };
        (address >= PRIVATE).then_some(match address {
            IDENTIFICATION => CPUID,
            STATUS => self.status | IS_READY | halted,
            DATA => self.data,
            _ => 0,
        })
    }

    /// Writes one.
    pub fn write(&mut self, address: u32, word: u32) {
        let register = (word & 0x7f) as usize;
        match address {
            STATUS => self.status = word & WRITTEN,
            DATA => self.data = word,
            SELECTION if word & WRITES != 0 => self.registers[register] = self.data,
            SELECTION => self.data = self.registers[register],
            _ => {}
        }
    }
}
