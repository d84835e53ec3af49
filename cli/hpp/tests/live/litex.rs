//! LiteX's bridge on a serial line, for `litex_server`.

use std::io;
use std::time::Duration;

use serial2::SerialPort;

use crate::system::System;

/// Answers requests on a serial line until it ends.
pub fn serve_line(system: &System, mut line: SerialPort) {
    line.set_read_timeout(Duration::from_secs(60))
        .expect("a terminal has a timeout");
    while request(system, &line).is_ok() && system.answers() {}
}

fn request(system: &System, line: &SerialPort) -> io::Result<()> {
    let mut head = [0; 6];
    line.read_exact(&mut head)?;
    let [command, count, ..] = head;
    let mut address = 4 * u32::from_be_bytes([head[2], head[3], head[4], head[5]]);
    for _ in 0..count {
        let mut word = [0; 4];
        match command {
            1 => {
                line.read_exact(&mut word)?;
                let _ = system.write(address, u32::from_be_bytes(word));
            }
            _ => line.write_all(&system.read(address).unwrap_or(0).to_be_bytes())?,
        }
        // Commands 3 and 4 stay at one address.
        address += if command < 3 { 4 } else { 0 };
    }
    Ok(())
}
