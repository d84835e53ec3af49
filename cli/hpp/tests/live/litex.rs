//! LiteX's bridges: the one on a serial line, and Etherbone over UDP.

use std::io;
use std::net::UdpSocket;
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

/// Answers packets. Before each answer comes one to the read before, as if it were late.
pub fn serve_packets(system: &System, socket: &UdpSocket) {
    let mut packet = [0; 2000];
    while let Ok((length, from)) = socket.recv_from(&mut packet) {
        if !system.answers() {
            return;
        }
        let packet = &mut packet[..length];
        if packet[2] & 1 != 0 {
            packet[2] = 0x12;
            socket.send_to(packet, from).expect("a network");
            continue;
        }
        let word = |i: usize| {
            let at = 12 + 4 * i;
            u32::from_be_bytes(packet[at..at + 4].try_into().expect("4 bytes"))
        };
        let (writes, reads) = (usize::from(packet[10]), usize::from(packet[11]));
        for i in 0..writes {
            let _ = system.write(word(0) + 4 * i as u32, word(1 + i));
        }
        if reads > 0 {
            let number = word(0);
            let words: Vec<u32> = (1..=reads)
                .map(|i| system.read(word(i)).unwrap_or(0))
                .collect();
            for number in [number - 1, number] {
                let mut answer = packet[..8].to_vec();
                answer.extend([0, 0xf, reads as u8, 0]);
                answer.extend([number].iter().chain(&words).flat_map(|w| w.to_be_bytes()));
                socket.send_to(&answer, from).expect("a network");
            }
        }
    }
}
