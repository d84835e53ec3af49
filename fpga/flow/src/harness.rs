//! A bench that puts a circuit between registers, so that pins do not limit what is measured.
//!
//! Every input bit comes from a long shift register fed by one pin; every output bit is registered and then folded into
//! a signature register that ends in one pin. So nothing is optimised away, three pins suffice, and a path that place
//! and route reports is one of the circuit's own: the bench adds a single XOR between two registers.

use std::fmt::Write;

use crate::design::{Design, SourceFile};

/// Direction and width of a port of the circuit under measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    /// Whether the circuit drives it.
    pub output: bool,
    pub width: u32,
}

pub const BENCH: &str = "bench";

/// Pins of the bench on a Tang Nano 9K, whose place and route wants every pin assigned.
pub const GOWIN_PINS: &str = "IO_LOC \"clk\" 52;\nIO_LOC \"din\" 3;\nIO_LOC \"dout\" 10;\n";

/// Wraps the design: its top module with these ports (its clock is `clk`) becomes an instance in the bench.
pub fn between_registers(design: &Design, ports: &[Port]) -> Design {
    let mut bench = design.clone();
    bench.name = format!("{}-bench", design.name);
    bench
        .files
        .push(SourceFile::new("bench.v", verilog(&design.top, ports)));
    bench.top = BENCH.to_string();
    bench
}

fn verilog(top: &str, ports: &[Port]) -> String {
    let data: Vec<&Port> = ports.iter().filter(|port| port.name != "clk").collect();
    let total = |output: bool| {
        data.iter()
            .filter(|port| port.output == output)
            .map(|port| port.width)
            .sum::<u32>()
            .max(1)
    };
    let (inputs, outputs) = (total(false), total(true));
    let mut text = format!(
        "`default_nettype none\n\
         module {BENCH} (input wire clk, input wire din, output wire dout);\n\
         \x20   reg [{i}:0] stimulus;\n\
         \x20   wire [{o}:0] response;\n\
         \x20   reg [{o}:0] response_q;\n\
         \x20   reg [{o}:0] signature;\n\
         \x20   always @(posedge clk) begin\n\
         \x20       stimulus <= {{stimulus, din}};\n\
         \x20       response_q <= response;\n\
         \x20       signature <= {{signature, 1'b0}} ^ response_q;\n\
         \x20   end\n\
         \x20   assign dout = signature[{o}];\n\
         \x20   {top} dut (\n\
         \x20       .clk(clk)",
        i = inputs - 1,
        o = outputs - 1,
    );
    let mut next = [0u32; 2];
    for port in data {
        let vector = if port.output { "response" } else { "stimulus" };
        let low = &mut next[usize::from(port.output)];
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            ",\n        .{}({vector}[{low} +: {}])",
            port.name, port.width
        );
        *low += port.width;
    }
    text += "\n    );\nendmodule\n`default_nettype wire\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_port_bit_has_a_register_of_its_own() {
        let port = |name: &str, output, width| Port {
            name: name.into(),
            output,
            width,
        };
        let ports = [
            port("clk", false, 1),
            port("rst", false, 1),
            port("a", false, 3),
            port("x", true, 5),
            port("y", true, 2),
        ];
        let text = verilog("adder", &ports);
        for expected in [
            "reg [3:0] stimulus",
            "wire [6:0] response;",
            ".rst(stimulus[0 +: 1])",
            ".a(stimulus[1 +: 3])",
            ".x(response[0 +: 5])",
            ".y(response[5 +: 2])",
            "adder dut (",
        ] {
            assert!(text.contains(expected), "{expected} is missing in\n{text}");
        }
    }
}
