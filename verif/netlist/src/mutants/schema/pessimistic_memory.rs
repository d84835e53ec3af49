//! Memories that promise the least a part may promise.

use super::writer::Writer;
use crate::verilog::tree::Module;

/// What is read, in the modules that keep it.
const READ: &str = " <= cells[read_address];";

impl Writer<'_> {
    /// In a memory that promises nothing of a cell read at the edge at which it is written, what is read then is inverted, of the ways that are written: a
    /// circuit that uses it is noticed, as it would be on some parts.
    pub(super) fn pessimistic(&mut self, module: &Module) {
        let end = self.text[module.items_at..].find("\nendmodule");
        let end = module.items_at + end.expect("a module that was read has an end");
        let body = &self.text[module.items_at..end];
        if !body.contains("no_rw_check") {
            return;
        }
        let read = body.find(READ).expect("such a memory is read");
        let name = body[..read].rsplit(' ').next().unwrap_or_default();
        let declared = body.find(&format!(" {name};")).expect("it is declared") + 1;
        let places = [
            (declared, name.len() + 1, inverted(module, name)),
            (read - name.len(), name.len(), "held_q".to_owned()),
        ];
        for (place, length, text) in places {
            let start = module.items_at + place;
            self.edits.push((start..start + length, text));
        }
    }
}

/// What follows `reg [..]` in the place of the register of that name: another register, and the name for what it holds, in which each way that was
/// written at the edge of the read is inverted.
fn inverted(module: &Module, name: &str) -> String {
    let width = |name| module.signal(name).and_then(|signal| signal.width);
    let (ways, written) = match width("write_ways") {
        Some(ways) => (ways, "write_ways"),
        None => (1, "write_enable"),
    };
    let bits = width(name).unwrap_or(1);
    let each = format!("{{{}{{same_q[WAY]}}}}", bits / ways);
    let each = (0..ways)
        .rev()
        .map(|way| each.replace("WAY", &way.to_string()));
    let enabled = match module.signal("read_enable") {
        Some(_) => "if (read_enable) ",
        None => "",
    };
    format!(
        "held_q;\n  reg [{}:0] same_q;\n  wire [{}:0] {name} = held_q ^ {{{}}};
  always @(posedge clk) {enabled}same_q <= {written} & {{{ways}{{write_address == read_address}}}};",
        ways - 1,
        bits - 1,
        each.collect::<Vec<_>>().join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::Schema;

    const MEMORY: &str = "module memory (
  input  wire       clk,
  input  wire       read_enable,
  input  wire [1:0] read_address,
  output wire [7:0] read_data,
  input  wire [1:0] write_address,
  input  wire [7:0] write_data,
  input  wire       write_enable
);
  (* no_rw_check *)
  reg [7:0] cells [0:3];
  reg [7:0] word_q;
  always @(posedge clk) begin
    if (write_enable) cells[write_address] <= write_data;
    if (read_enable) word_q <= cells[read_address];
  end
  assign read_data = word_q;
endmodule
";

    #[test]
    fn what_is_read_at_the_edge_of_a_write_is_inverted() {
        let pessimistic = Schema::directed(MEMORY, []).expect("the generator's language");
        for line in [
            "reg [7:0] held_q;",
            "wire [7:0] word_q = held_q ^ {{8{same_q[0]}}};",
            "if (read_enable) same_q <= write_enable & {1{write_address == read_address}};",
            "if (read_enable) held_q <= cells[read_address];",
        ] {
            assert!(
                pessimistic.verilog.contains(line),
                "{}",
                pessimistic.verilog
            );
        }
        let ways = MEMORY
            .replace("       write_enable\n", " [1:0] write_ways\n")
            .replace("if (write_enable) ", "");
        let ways = Schema::directed(&ways, []).expect("the generator's language");
        let each = "held_q ^ {{4{same_q[1]}}, {4{same_q[0]}}};";
        assert!(ways.verilog.contains(each), "{}", ways.verilog);
        let promised = MEMORY.replace("  (* no_rw_check *)\n", "");
        let as_it_was = Schema::directed(&promised, []).expect("the generator's language");
        assert!(!as_it_was.verilog.contains("held_q"));
    }
}
