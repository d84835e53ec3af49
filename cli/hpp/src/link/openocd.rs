//! OpenOCD's Tcl server: commands and answers end with 0x1a.

use anyhow::{Error, Result, anyhow};

use super::Bus;
use super::wire::{Place, Stream, Wire, until};

const REMEDY: &str =
    "is OpenOCD running with its tcl_port there (6666 by default), and does it reach the target?";
const END: u8 = 0x1a;

/// OpenOCD. Whether the core has to be stopped for reads and writes is the target's matter.
pub struct OpenOcd {
    wire: Wire,
}

impl OpenOcd {
    /// Connects to the server.
    pub fn connect(place: &Place) -> Result<Self> {
        let stream = place.connect(REMEDY)?;
        Ok(Self::over(place.to_string(), Box::new(stream)))
    }

    /// A server at the other end of a stream, by name.
    pub fn over(name: String, stream: Box<dyn Stream>) -> Self {
        Self {
            wire: Wire::new(format!("OpenOCD {name}"), REMEDY, stream),
        }
    }

    fn command(&mut self, command: &str) -> Result<String> {
        self.wire.send(&[command.as_bytes(), &[END]].concat())?;
        let answer = self.wire.receive(|from| until(END, from))?;
        Ok(String::from_utf8_lossy(&answer).trim().into())
    }

    fn refused(&self, doing: &str, address: u64, answer: &str) -> Error {
        let (what, remedy) = match answer {
            _ if answer.contains("invalid command name") => {
                (answer, "OpenOCD 0.12 or later has this command")
            }
            "" => ("nothing", REMEDY),
            _ => (
                answer,
                "is the address right, and has the target to be halted for it?",
            ),
        };
        anyhow!("{}: {doing} {address:#x}: {what}; {remedy}", self.wire.name)
    }
}

impl Bus for OpenOcd {
    fn place(&self) -> &str {
        &self.wire.name
    }

    fn read(&mut self, address: u64, words: &mut [u32]) -> Result<()> {
        let command = match words.len() {
            1 => format!("read_memory {address:#x} 32 1"),
            times => format!(
                "set r {{}}; for {{set i 0}} {{$i < {times}}} {{incr i}} {{lappend r [read_memory {address:#x} 32 1]}}; set r"
            ),
        };
        let answer = self.command(&command)?;
        let number = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        let read: Option<Vec<u32>> = answer.split_whitespace().map(number).collect();
        match read.filter(|read| read.len() == words.len()) {
            Some(read) => words.copy_from_slice(&read),
            None => return Err(self.refused("reading", address, &answer)),
        }
        Ok(())
    }

    fn write(&mut self, address: u64, word: u32) -> Result<()> {
        let answer = self.command(&format!("write_memory {address:#x} 32 {{{word:#x}}}"))?;
        match answer.is_empty() {
            true => Ok(()),
            false => Err(self.refused("writing", address, &answer)),
        }
    }
}
