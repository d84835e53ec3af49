//! OpenOCD's Tcl server, as far as `hpp` asks it: commands and answers end with 0x1a.
//!
//! Source: *OpenOCD User's Guide*, "Tcl Scripting API" and "Memory access commands"; answers as release 0.12 writes them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::system::System;

/// Answers commands until the connection ends.
pub fn serve(system: &System, mut connection: TcpStream) {
    let commands = BufReader::new(connection.try_clone().expect("a connection"));
    for command in commands.split(0x1a).map_while(Result::ok) {
        if !system.answers() {
            return;
        }
        let command = String::from_utf8(command).expect("text");
        let answer = answer(system, &command).unwrap_or("failed to access memory".into());
        if connection.write_all((answer + "\x1a").as_bytes()).is_err() {
            return;
        }
    }
}

/// `write_memory ADDRESS 32 {WORD}`, or `read_memory ADDRESS 32 1`, by itself or in a loop.
fn answer(system: &System, command: &str) -> Option<String> {
    let number = |text: &str| {
        u32::from_str_radix(text.trim_matches(['{', '}']).strip_prefix("0x")?, 16).ok()
    };
    if let Some(given) = command.strip_prefix("write_memory ") {
        let (address, word) = given.split_once(" 32 ")?;
        system.write(number(address)?, number(word)?)?;
        return Some(String::new());
    }
    let (before, given) = command.split_once("read_memory ")?;
    let (address, _) = given.split_once(" 32 1")?;
    let times = before
        .split_once("$i < ")
        .and_then(|(_, rest)| rest.split('}').next());
    let times = times.map_or(Some(1), |times| times.parse().ok())?;
    let word = |_: usize| Some(format!("{:#x}", system.read(number(address)?)?));
    let words: Option<Vec<String>> = (0..times).map(word).collect();
    Some(words?.join(" "))
}
