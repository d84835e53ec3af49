//! GDB's remote serial protocol, as the debugger speaks it to a stub.
//!
//! A packet is `$content#checksum`, acknowledged by `+`. The core is stopped while the stub takes requests, and runs between
//! [`release`](Bus::release) and [`hold`](Bus::hold).

use std::io::{self, BufRead};

use anyhow::Result;

use super::Bus;
use super::wire::{Place, Stream, Wire, until};

const REMEDY: &str = "is a debugger's stub there (gdb_port of OpenOCD, 3333 by default), has it the target, and has another debugger left it?";
/// What a debugger sends outside packets to stop the core.
const INTERRUPT: u8 = 3;

/// A target of GDB's remote protocol.
pub struct Gdb {
    wire: Wire,
    runs: bool,
}

impl Gdb {
    /// Connects to a stub, which stops the core.
    pub fn connect(place: &Place) -> Result<Self> {
        let stream = place.connect(REMEDY)?;
        Self::over(place.to_string(), Box::new(stream))
    }

    /// The same of a stub at the other end of a stream, by name.
    pub fn over(name: String, stream: Box<dyn Stream>) -> Result<Self> {
        let mut gdb = Self {
            wire: Wire::new(format!("GDB stub {name}"), REMEDY, stream),
            runs: false,
        };
        let why = gdb.ask("?")?;
        gdb.stopped(&why)?;
        Ok(gdb)
    }

    fn send(&mut self, content: &str) -> Result<()> {
        let packet = format!("${content}#{:02x}", checksum(content.as_bytes()));
        self.wire.send(packet.as_bytes())
    }

    fn ask(&mut self, content: &str) -> Result<String> {
        self.send(content)?;
        self.reply()
    }

    /// The next packet's content, acknowledged; what a target prints meanwhile is passed over.
    fn reply(&mut self) -> Result<String> {
        loop {
            let packet = self.wire.receive(packet)?;
            let content = packet.ok_or_else(|| self.wire.error("a damaged packet"))?;
            self.wire.send(b"+")?;
            let is_output = content.starts_with('O') && content != "OK";
            if !is_output {
                return Ok(content);
            }
        }
    }

    fn stopped(&mut self, reply: &str) -> Result<()> {
        if !reply.starts_with(['S', 'T']) {
            return Err(self
                .wire
                .error(format!("the core is not stopped, but `{reply}`")));
        }
        self.runs = false;
        Ok(())
    }
}

impl Bus for Gdb {
    fn place(&self) -> &str {
        &self.wire.name
    }

    fn read(&mut self, address: u64, words: &mut [u32]) -> Result<()> {
        for word in words {
            let reply = self.ask(&format!("m{address:x},4"))?;
            let bytes = u32::from_str_radix(&reply, 16).ok();
            let bytes = bytes.filter(|_| reply.len() == 8);
            *word = bytes
                .ok_or_else(|| {
                    self.wire
                        .error(format!("cannot read {address:#x}: `{reply}`"))
                })?
                .swap_bytes();
        }
        Ok(())
    }

    fn write(&mut self, address: u64, word: u32) -> Result<()> {
        let reply = self.ask(&format!("M{address:x},4:{:08x}", word.swap_bytes()))?;
        match &*reply {
            "OK" => Ok(()),
            _ => Err(self
                .wire
                .error(format!("cannot write {address:#x}: `{reply}`"))),
        }
    }

    fn hold(&mut self) -> Result<()> {
        if !self.runs {
            return Ok(());
        }
        self.wire.send(&[INTERRUPT])?;
        let reply = self.reply()?;
        self.stopped(&reply)
    }

    fn release(&mut self) -> Result<()> {
        if self.runs {
            return Ok(());
        }
        self.runs = true;
        self.send("c")
    }
}

impl Drop for Gdb {
    /// Whatever went wrong, the core goes on.
    fn drop(&mut self) {
        // Without a connection there is nobody to tell.
        let _ = self.release();
    }
}

fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// The content of the next packet, after acknowledgements; `None` if its checksum is wrong or it is no text.
fn packet(from: &mut dyn BufRead) -> io::Result<Option<String>> {
    from.skip_until(b'$')?;
    let bytes = until(b'#', from)?;
    let mut sum = [0; 2];
    from.read_exact(&mut sum)?;
    let sum = str::from_utf8(&sum).ok();
    let sum = sum.and_then(|sum| u8::from_str_radix(sum, 16).ok());
    match sum == Some(checksum(&bytes)) {
        true => Ok(expanded(&bytes).and_then(|bytes| String::from_utf8(bytes).ok())),
        false => Ok(None),
    }
}

/// A packet's content with its runs written out: after `*` stands how often the character before it is repeated, plus 29.
fn expanded(content: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut content = content.iter();
    while let Some(&byte) = content.next() {
        match byte {
            b'*' => {
                let times = content.next()?.checked_sub(29)?;
                let last = *bytes.last()?;
                bytes.extend(std::iter::repeat_n(last, times.into()));
            }
            _ => bytes.push(byte),
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn runs_are_written_out() {
        // The protocol's own example: "0* " is "0000".
        assert_eq!(expanded(b"0* ").as_deref(), Some(&b"0000"[..]));
        assert_eq!(expanded(b"* "), None);
        assert_eq!(expanded(b"0*"), None);
    }

    proptest! {
        #[test]
        fn a_packet_comes_back_and_a_damaged_one_is_noticed(
            content in "[0-9a-zA-Z,:;]{0,60}", noise in "[+-]{0,3}", at in any::<prop::sample::Index>()
        ) {
            let text = format!("{noise}${content}#{:02x}", checksum(content.as_bytes()));
            prop_assert_eq!(packet(&mut text.as_bytes()).expect("whole"), Some(content.clone()));
            let mut bytes = text.into_bytes();
            let at = noise.len() + 1 + at.index(content.len() + 1);
            let digits = at == noise.len() + 1 + content.len();
            bytes[if digits { at + 1 } else { at }] ^= if digits { 1 } else { 0x80 };
            prop_assert_ne!(packet(&mut &*bytes).ok().flatten(), Some(content));
        }

        #[test]
        fn no_bytes_are_fatal(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = packet(&mut &*bytes);
        }
    }
}
