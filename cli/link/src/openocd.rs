//! OpenOCD's Tcl server: commands and answers end with 0x1a.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::{Bus, LinkError, Place};

const REMEDY: &str =
    "is OpenOCD running with its tcl_port there (6666 by default), and does it reach the target?";
const END: u8 = 0x1a;

/// OpenOCD. Whether the core has to be stopped for reads and writes is the target's matter.
pub struct OpenOcd {
    place: String,
    stream: BufReader<TcpStream>,
}

impl OpenOcd {
    /// Connects to the server.
    ///
    /// # Errors
    ///
    /// If nobody listens there.
    pub fn connect(place: &Place) -> Result<Self, LinkError> {
        Ok(Self {
            stream: BufReader::new(place.connect(REMEDY)?),
            place: format!("OpenOCD {place}"),
        })
    }

    fn command(&mut self, command: &str) -> Result<String, LinkError> {
        let answer = self.answer(command);
        answer.map_err(|error| LinkError::io(&self.place, &error, REMEDY))
    }

    fn answer(&mut self, command: &str) -> io::Result<String> {
        let stream = self.stream.get_mut();
        stream.write_all(&[command.as_bytes(), &[END]].concat())?;
        let mut answer = Vec::new();
        self.stream.read_until(END, &mut answer)?;
        match answer.pop() {
            Some(END) => Ok(String::from_utf8_lossy(&answer).trim().into()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn refused(&self, doing: &str, address: u64, answer: &str) -> LinkError {
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
        let what = format!("{doing} {address:#x}: {what}");
        LinkError::new(&self.place, what, remedy)
    }
}

impl Bus for OpenOcd {
    fn place(&self) -> &str {
        &self.place
    }

    fn read(&mut self, address: u64, words: &mut [u32]) -> Result<(), LinkError> {
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

    fn write(&mut self, address: u64, word: u32) -> Result<(), LinkError> {
        let answer = self.command(&format!("write_memory {address:#x} 32 {{{word:#x}}}"))?;
        match answer.is_empty() {
            true => Ok(()),
            false => Err(self.refused("writing", address, &answer)),
        }
    }
}
