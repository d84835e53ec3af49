//! A target as GDB's remote serial protocol shows it, with the golden model at an address.
//!
//! Source: *Debugging with GDB*, appendix "GDB Remote Serial Protocol".

use super::BASE;
use hpp_golden::profiler::Profiler;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

/// Bytes of the registers of an x86, which a GDB takes the target for that was told nothing else.
const REGISTERS: usize = 312;

/// Answers packets until the connection ends.
pub fn serve(profiler: &mut Profiler, mut connection: TcpStream) {
    let mut packets = BufReader::new(connection.try_clone().expect("a connection"));
    while let Some(packet) = packet(&mut packets) {
        let reply = answer(profiler, &packet);
        let sum = reply.bytes().fold(0u8, u8::wrapping_add);
        let reply = format!("+${reply}#{sum:02x}");
        if connection.write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}

/// The content of the next packet, behind acknowledgements: `$content#checksum`.
fn packet(from: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    from.read_until(b'$', &mut bytes).ok()?;
    bytes.clear();
    from.read_until(b'#', &mut bytes).ok()?;
    bytes.pop()?;
    let mut checksum = [0; 2];
    from.read_exact(&mut checksum).ok()?;
    String::from_utf8(bytes).ok()
}

/// The reply; an empty one says that the request is not known.
fn answer(profiler: &mut Profiler, packet: &str) -> String {
    match packet.as_bytes() {
        [b'?', ..] => "S05".into(),
        [b'H', ..] | [b'D', ..] => "OK".into(),
        [b'g', ..] => "00".repeat(REGISTERS),
        [b'm', ..] => read(profiler, &packet[1..]).unwrap_or("E01".into()),
        [b'M', ..] => write(profiler, &packet[1..]).unwrap_or("E01".into()),
        _ => String::new(),
    }
}

/// `address,length` of a register, a word.
fn word(place: &str) -> Option<u32> {
    let (address, length) = place.split_once(',')?;
    let offset = u32::from_str_radix(address, 16).ok()?.checked_sub(BASE)?;
    (length == "4" && offset < 0x80).then_some(offset)
}

fn read(profiler: &mut Profiler, place: &str) -> Option<String> {
    let bytes = profiler.read(word(place)?).to_le_bytes();
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// `address,length:bytes`
fn write(profiler: &mut Profiler, request: &str) -> Option<String> {
    let (place, bytes) = request.split_once(':')?;
    let value = u32::from_str_radix(bytes, 16).ok()?.swap_bytes();
    profiler.write(word(place)?, value);
    Some("OK".into())
}
