//! A circuit in the binary AIGER format, of which inputs become constants.
//!
//! Source: A. Biere, The AIGER And-Inverter Graph (AIG) Format, version 20071012.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A circuit of gates with two inputs and of latches that begin with 0. A literal is twice a variable, plus 1 if it is inverted; variable 0 is
/// the constant 0, and the inputs come first.
#[derive(Debug)]
pub(super) struct Aiger {
    /// Variables, inputs, latches, outputs, gates.
    sizes: [u32; 5],
    /// What each latch becomes, and after them the outputs.
    ends: Vec<u32>,
    /// The operands of each gate.
    gates: Vec<[u32; 2]>,
    /// The variables of the inputs.
    inputs: BTreeMap<String, u32>,
}

impl Aiger {
    /// Reads a circuit with the names of its inputs.
    ///
    /// # Errors
    ///
    /// If it is not one.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader { bytes };
        let header = reader.line()?;
        let sizes: Vec<u32> = header
            .strip_prefix("aig ")
            .context("it is no binary AIGER file")?
            .split(' ')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .context("sizes")?;
        let Ok(sizes @ [_, inputs, latches, outputs, gates]) = <[u32; 5]>::try_from(sizes) else {
            bail!("it has sizes that ABC does not write");
        };
        let end = |_| -> Result<u32> { reader.line()?.parse().context("a literal") };
        let ends = (0..latches + outputs).map(end).collect::<Result<_>>()?;
        let mut found = Vec::new();
        for gate in 0..gates {
            let literal = 2 * (1 + inputs + latches + gate);
            let mut below = |literal: u32| -> Result<u32> {
                let difference = reader.number()?;
                literal.checked_sub(difference).context("an operand")
            };
            let left = below(literal)?;
            found.push([left, below(left)?]);
        }
        let mut names = BTreeMap::new();
        while let Ok(line) = reader.line() {
            let name = line.strip_prefix('i').and_then(|line| line.split_once(' '));
            let Some((number, name)) = name else {
                break;
            };
            let number: u32 = number.parse().context("the number of an input")?;
            names.insert(name.to_owned(), number + 1);
        }
        Ok(Self {
            sizes,
            ends,
            gates: found,
            inputs: names,
        })
    }

    /// The circuit with constants in the place of some inputs, which stay without use.
    ///
    /// # Errors
    ///
    /// If there is no such input.
    pub(super) fn with(&self, constants: &[(String, bool)]) -> Result<Vec<u8>> {
        let mut known = BTreeMap::new();
        for (name, value) in constants {
            let input = self.inputs.get(name);
            let input = input.with_context(|| format!("the circuit has no input `{name}`"))?;
            known.insert(2 * input, u32::from(*value));
        }
        let filled = |literal: u32| match known.get(&(literal & !1)) {
            Some(value) => value ^ (literal & 1),
            None => literal,
        };
        let [variables, inputs, latches, outputs, gates] = self.sizes;
        let mut text = format!("aig {variables} {inputs} {latches} {outputs} {gates}\n");
        for end in &self.ends {
            let _ = writeln!(text, "{}", filled(*end));
        }
        let mut bytes = text.into_bytes();
        for (gate, operands) in (0..).zip(&self.gates) {
            let literal = 2 * (1 + inputs + latches + gate);
            let mut operands = operands.map(filled);
            operands.sort_unstable();
            let [less, more] = operands;
            put(&mut bytes, literal - more);
            put(&mut bytes, more - less);
        }
        Ok(bytes)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn line(&mut self) -> Result<&'a str> {
        let end = self.bytes.iter().position(|byte| *byte == b'\n');
        let (line, rest) = self.bytes.split_at(end.context("it ends within a line")?);
        self.bytes = &rest[1..];
        std::str::from_utf8(line).context("a line that is no text")
    }

    /// A number in groups of 7 bits, the low ones first; all but the last byte have their highest bit set.
    fn number(&mut self) -> Result<u32> {
        let mut number = 0;
        for shift in (0..u32::BITS).step_by(7) {
            let (byte, rest) = self.bytes.split_first().context("it ends within a gate")?;
            self.bytes = rest;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        bail!("a number of more than 32 bits");
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gate of inputs `a` (variable 1) and `b` (2), a latch (3) that becomes its inverse, and the gate (4) as the output.
    const AND: &[u8] = b"aig 4 2 1 1 1\n9\n8\n\x04\x02i0 a\ni1 b\n";

    #[test]
    fn an_input_becomes_a_constant_where_it_is_used() {
        let circuit = Aiger::read(AND).expect("a circuit");
        assert_eq!(circuit.gates, [[4, 2]]);
        let one = circuit.with(&[("a".into(), true)]).expect("an input");
        assert_eq!(Aiger::read(&one).expect("a circuit").gates, [[4, 1]]);
        let none = circuit.with(&[("b".into(), false)]).expect("an input");
        assert_eq!(Aiger::read(&none).expect("a circuit").gates, [[2, 0]]);
        assert!(circuit.with(&[("c".into(), true)]).is_err());
    }

    #[test]
    fn what_is_no_circuit_is_an_error() {
        assert!(Aiger::read(b"aag 0 0 0 0 0\n").is_err());
        assert!(Aiger::read(&AND[..AND.len() - 14]).is_err());
    }
}
