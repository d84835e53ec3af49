//! Memories as the least that a part may promise.

use super::super::tree::Module;
use super::writer::Writer;

/// What is read, in the modules that keep it.
const READ: &str = " <= cells[read_address];";

impl Writer<'_> {
    /// In a memory that promises nothing of a cell read at the edge at which it is written, what is read then is inverted, of the ways that are written: a
    /// circuit that uses it is noticed, as it would be on some parts.
    pub(super) fn harsh(&mut self, module: &Module) {
        let end = self.text[module.items_at..].find("\nendmodule");
        let end = module.items_at + end.expect("a module that was read has an end");
        let body = &self.text[module.items_at..end];
        if !body.contains("no_rw_check") {
            return;
        }
        let read = body.find(READ).expect("such a memory is read");
        let name = body[..read].rsplit(' ').next().unwrap_or_default();
        let enabled = match module.signal("read_enable") {
            Some(_) => "if (read_enable) ",
            None => "",
        };
        let declared = body.find(&format!(" {name};")).expect("it is declared") + 1;
        let width = body[..declared].rsplit("reg ").next().unwrap_or_default();
        let width = width.trim_end();
        // Each way is written, or not, by itself.
        let (ways, written) = match module.signal("write_ways") {
            Some(ways) => (ways.width.unwrap_or(1), "write_ways"),
            None => (1, "write_enable"),
        };
        let bits = module
            .signal(name)
            .and_then(|signal| signal.width)
            .unwrap_or(1)
            / ways;
        let each: Vec<_> = (0..ways)
            .rev()
            .map(|way| format!("{{{bits}{{same_q[{way}]}}}}"))
            .collect();
        let held = format!(
            "held_q;\n  reg [{high}:0] same_q;\n  wire {width} {name} = held_q ^ {{{each}}};
  always @(posedge clk) {enabled}same_q <= {written} & {{{ways}{{write_address == read_address}}}};",
            high = ways - 1,
            each = each.join(", ")
        );
        let at = module.items_at;
        let renamed = read - name.len();
        self.edits
            .push((at + declared..at + declared + name.len() + 1, held));
        self.edits
            .push((at + renamed..at + read, "held_q".to_owned()));
    }
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
        let harsh = Schema::directed(MEMORY, []).expect("the generator's language");
        for line in [
            "reg [7:0] held_q;",
            "wire [7:0] word_q = held_q ^ {{8{same_q[0]}}};",
            "if (read_enable) same_q <= write_enable & {1{write_address == read_address}};",
            "if (read_enable) held_q <= cells[read_address];",
        ] {
            assert!(harsh.verilog.contains(line), "{}", harsh.verilog);
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
