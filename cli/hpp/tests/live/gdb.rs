//! A debugger's stub, as GDB's remote serial protocol has it.
//!
//! Source: *Debugging with GDB*, appendix "GDB Remote Serial Protocol".

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::system::System;

/// Answers packets until the connection ends. The core runs a thousand branches whenever it is let go.
pub fn serve(system: &System, mut connection: TcpStream) {
    let mut requests = BufReader::new(connection.try_clone().expect("a connection"));
    while let Some(request) = request(&mut requests) {
        if !system.answers() {
            return;
        }
        let reply = match &*request {
            "c" => {
                system.run(1000);
                "+".into()
            }
            "\u{3}" => packet("O48690a") + &packet("T02thread:1;"),
            _ => format!("+{}", packet(&answer(system, &request))),
        };
        if connection.write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}

fn packet(content: &str) -> String {
    let sum = content.bytes().fold(0u8, u8::wrapping_add);
    format!("${content}#{sum:02x}")
}

/// The content of the next packet, or the interrupt outside packets.
fn request(from: &mut impl BufRead) -> Option<String> {
    let mut byte = [0];
    loop {
        from.read_exact(&mut byte).ok()?;
        match byte[0] {
            3 => return Some("\u{3}".into()),
            b'$' => break,
            _ => {}
        }
    }
    let mut bytes = Vec::new();
    from.read_until(b'#', &mut bytes).ok()?;
    bytes.pop()?;
    from.read_exact(&mut [0; 2]).ok()?;
    String::from_utf8(bytes).ok()
}

/// The reply; an empty one says that the request is not known.
fn answer(system: &System, request: &str) -> String {
    let answer = match request.as_bytes() {
        [b'?', ..] => Some("S05".into()),
        [b'm', ..] => read(system, &request[1..]),
        [b'M', ..] => write(system, &request[1..]),
        _ => Some(String::new()),
    };
    answer.unwrap_or("E01".into())
}

/// `address,4`
fn word(place: &str) -> Option<u32> {
    let (address, length) = place.split_once(',')?;
    assert_eq!(length, "4", "registers are words");
    u32::from_str_radix(address, 16).ok()
}

fn read(system: &System, place: &str) -> Option<String> {
    let bytes = system.read(word(place)?)?.to_le_bytes();
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// `address,4:bytes`
fn write(system: &System, request: &str) -> Option<String> {
    let (place, bytes) = request.split_once(':')?;
    let value = u32::from_str_radix(bytes, 16).ok()?.swap_bytes();
    system.write(word(place)?, value)?;
    Some("OK".into())
}
