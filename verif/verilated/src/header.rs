//! The port list, from the model class Verilator generates.
//!
//! Every port is one line of the header: `VL_IN8(&clk,0,0);`, `VL_OUT64(&forty,39,0);`,
//! `VL_INW(&wide,99,0,4);` (most and least significant bit, then the number of 32-bit words).

use crate::error::{Error, Result};

/// Which way a port carries its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
}

impl Direction {
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub name: String,
    pub member: String,
    pub direction: Direction,
    pub width: u32,
}

/// Reads the ports out of the text of `V<top>.h`, in its order.
///
/// An `inout` port or one with an unpacked dimension is an error.
pub(crate) fn ports(top: &str, header: &str) -> Result<Vec<Declaration>> {
    header
        .lines()
        .filter_map(|line| port(top, line.trim()).transpose())
        .collect()
}

fn port(top: &str, line: &str) -> Result<Option<Declaration>> {
    let Some((kind, rest)) = line.strip_prefix("VL_").and_then(|l| l.split_once('(')) else {
        return Ok(None);
    };
    let direction = match kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
        "IN" => Direction::Input,
        "OUT" => Direction::Output,
        "INOUT" => return unsupported(top, rest, "inout ports have no handle"),
        _ => return Ok(None),
    };
    if rest.contains('[') {
        return unsupported(top, rest, "ports with an unpacked dimension have no handle");
    }
    let mut fields = rest.trim_end_matches(");").split(',');
    let member = fields
        .next()
        .unwrap_or_default()
        .trim_start_matches('&')
        .to_string();
    let mut bit = || {
        fields
            .next()
            .and_then(|field| field.trim().parse::<i64>().ok())
    };
    match (bit(), bit()) {
        (Some(high), Some(low)) => {
            let width = (high - low).unsigned_abs() as u32 + 1;
            Ok(Some(Declaration {
                name: verilog_name(&member),
                member,
                direction,
                width,
            }))
        }
        _ => unsupported(top, rest, "its width is not understood"),
    }
}

fn unsupported<T>(top: &str, port: &str, reason: &'static str) -> Result<T> {
    Err(Error::UnsupportedPort {
        top: top.into(),
        port: port.into(),
        reason,
    })
}

/// Undoes Verilator's spelling of names C++ cannot hold: `__SYM__` before a keyword, `__0` and two
/// hexadecimal digits for a character.
fn verilog_name(member: &str) -> String {
    let mut rest = member.strip_prefix("__SYM__").unwrap_or(member);
    let mut name = String::with_capacity(rest.len());
    while let Some(at) = rest.find("__0") {
        name.push_str(&rest[..at]);
        let code = rest
            .get(at + 3..at + 5)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(code) => {
                name.push(char::from(code));
                rest = &rest[at + 5..];
            }
            None => {
                name.push_str("__0");
                rest = &rest[at + 3..];
            }
        }
    }
    name + rest
}
