//! Clocks, and edges that logic makes.

use verilated::Builder;

/// Its outputs follow the clock, or an input, or change at an edge that logic makes: nothing of that may be missed by a model that is
/// clocked in any way.
const CLOCKS: &str = "
module clocks (
    input  wire       clk,
    input  wire       enable,
    output wire       level,
    output reg  [7:0] rises = 0,
    output reg  [7:0] falls = 0,
    output reg  [7:0] gated = 0
);
    wire gate = clk & enable;
    assign level = clk;
    always @(posedge clk) rises <= rises + 1;
    always @(negedge clk) falls <= falls + 1;
    always @(posedge gate) gated <= gated + 1;
endmodule
";

#[test]
fn edges_of_every_kind_are_counted() -> verilated::Result<()> {
    let design = Builder::new("clocks")
        .source_text("clocks.v", CLOCKS)
        .build()?;
    let mut model = design.model()?;
    let (clk, enable) = (model.input("clk")?, model.input("enable")?);
    let [level, rises, falls, gated] =
        ["level", "rises", "falls", "gated"].map(|name| model.output(name));
    let (level, rises, falls, gated) = (level?, rises?, falls?, gated?);
    model.fall(clk)?;
    let before = model.get(falls);
    for cycle in 1..=20 {
        model.set(enable, u64::from(cycle % 2 == 0));
        if cycle % 4 < 2 {
            model.stage(clk, 0);
            model.cycle_staged(clk)?;
        } else {
            model.fall(clk)?;
            assert_eq!(model.get(level), 0);
            model.rise(clk)?;
        }
        let counts = [rises, falls, gated].map(|port| model.get(port));
        assert_eq!(counts, [cycle, before + cycle - 1, cycle / 2]);
        assert_eq!(model.get(level), 1);
    }
    Ok(())
}
