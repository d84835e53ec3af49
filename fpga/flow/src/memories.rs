//! The memories of a hot path table by themselves: what bounds the frequency of everything that reads them.
//!
//! Each memory of the table that looks all ways up at once, tags, accumulators and orders, reads into registers, with
//! nothing in between. No circuit around them is faster.

use hpp_gen::{Bus, Config};
use hpp_hdl::table::TagLayout;

use crate::design::{Design, SourceFile};
use crate::harness::Port;

/// Name of the top module.
const TOP: &str = "memories";

/// The memories as a design, and the ports of its top module; nothing if the configuration's table is another one, or there is none.
pub fn of_table(name: &str, config: &Config) -> Option<(Design, Vec<Port>)> {
    let geometry = &config.geometry;
    if geometry.buffers_paths() || config.bus == Bus::None {
        return None;
    }
    let layout = TagLayout::new(geometry);
    let each_way = [layout.width(), layout.count_bits];
    let mut widths: Vec<u32> = (0..layout.ways).flat_map(|_| each_way).collect();
    widths.extend((layout.order_bits() > 0).then(|| layout.order_bits()));
    let design = Design {
        name: format!("{name}-{TOP}"),
        top: TOP.to_string(),
        defines: Vec::new(),
        parameters: Vec::new(),
        files: vec![SourceFile::new(
            "memories.v",
            verilog(layout.set_bits, &widths),
        )],
    };
    Some((design, ports(layout.set_bits, &widths)))
}

fn ports(address_bits: u32, widths: &[u32]) -> Vec<Port> {
    let port = |name: &str, output: bool, width: u32| Port {
        name: name.to_string(),
        output,
        width,
    };
    let bits = widths.iter().sum();
    vec![
        port("clk", false, 1),
        port("read_address", false, address_bits),
        port("write_address", false, address_bits),
        port("write_enable", false, widths.len() as u32),
        port("write_data", false, bits),
        port("read_data", true, bits),
    ]
}

fn verilog(address_bits: u32, widths: &[u32]) -> String {
    let bits: u32 = widths.iter().sum();
    let address = address_bits - 1;
    let mut text = format!(
        "module memory #(parameter WIDTH = 1) (\n\
         \x20 input  wire clk,\n\
         \x20 input  wire [{address}:0] read_address,\n\
         \x20 input  wire [{address}:0] write_address,\n\
         \x20 input  wire write_enable,\n\
         \x20 input  wire [WIDTH-1:0] write_data,\n\
         \x20 output reg  [WIDTH-1:0] read_data\n\
         );\n\
         \x20 (* no_rw_check, ram_style = \"block\" *)\n\
         \x20 reg [WIDTH-1:0] cells [0:{last}];\n\
         \x20 reg [WIDTH-1:0] word;\n\
         \x20 always @(posedge clk) begin\n\
         \x20   if (write_enable) cells[write_address] <= write_data;\n\
         \x20   word <= cells[read_address];\n\
         \x20   read_data <= word;\n\
         \x20 end\n\
         endmodule\n\
         \n\
         module {TOP} (\n\
         \x20 input  wire clk,\n\
         \x20 input  wire [{address}:0] read_address,\n\
         \x20 input  wire [{address}:0] write_address,\n\
         \x20 input  wire [{enables}:0] write_enable,\n\
         \x20 input  wire [{top}:0] write_data,\n\
         \x20 output wire [{top}:0] read_data\n\
         );\n",
        last = (1u64 << address_bits) - 1,
        enables = widths.len() - 1,
        top = bits - 1,
    );
    let mut low = 0;
    for (number, width) in widths.iter().enumerate() {
        text += &format!(
            "  memory #(.WIDTH({width})) memory_{number} (clk, read_address, write_address, \
             write_enable[{number}], write_data[{low} +: {width}], read_data[{low} +: {width}]);\n"
        );
        low += width;
    }
    text + "endmodule\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpp_golden::config::{LookupScheme, Replacement};

    fn parallel() -> Config {
        let mut config = Config::default();
        config.geometry.lookup = LookupScheme::Parallel;
        config
    }

    #[test]
    fn every_bit_of_a_row_has_its_place() {
        let (design, ports) =
            of_table("parallel", &parallel()).expect("all ways are looked up at once");
        let text = &design.files[0].text;
        // Four ways of a tag and an accumulator each, and six bits of order.
        let width = |name: &str| ports.iter().find(|port| port.name == name).map(|p| p.width);
        assert_eq!(width("read_data"), Some(4 * (62 + 32) + 6));
        assert_eq!(width("write_enable"), Some(9));
        assert!(text.contains("reg [WIDTH-1:0] cells [0:127];"), "{text}");
        assert!(text.contains("memory_8 (clk, "), "{text}");
        assert!(text.contains("read_data[376 +: 6]"), "{text}");
        assert!(!text.contains("memory_9"), "{text}");
    }

    #[test]
    fn one_way_has_no_order() {
        let mut config = parallel();
        config.geometry.ways = 1;
        let (design, _) = of_table("one", &config).expect("all ways are looked up at once");
        assert_eq!(design.files[0].text.matches(") memory_").count(), 2);
    }

    #[test]
    fn other_tables_have_other_memories() {
        let mut skewed = parallel();
        skewed.geometry.replacement = Replacement::Shadow;
        let none = Config {
            bus: Bus::None,
            ..parallel()
        };
        for config in [Config::default(), skewed, none] {
            assert!(of_table("other", &config).is_none(), "{config:?}");
        }
    }
}
