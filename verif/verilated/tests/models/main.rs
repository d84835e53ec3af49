//! Small modules, built and driven.

mod clocks;

use verilated::{Builder, Input, Model};

const COUNTER: &str = "
module counter #(parameter W = 8, parameter [W-1:0] LIMIT = {W{1'b1}}) (
    input  wire         clk,
    input  wire         rst,
    input  wire         enable,
    output reg  [W-1:0] count,
    output wire         odd
);
    assign odd = count[0] & enable;
    always @(posedge clk)
        if (rst) count <= 0;
        else if (enable) count <= count + 1;
    always @(posedge clk)
        if (!rst) assert (count != LIMIT) else $error(\"count reached %0d\", LIMIT);
endmodule
";

/// Clock, reset and enable of a counter.
fn inputs(model: &Model) -> verilated::Result<[Input; 3]> {
    Ok([
        model.input("clk")?,
        model.input("rst")?,
        model.input("enable")?,
    ])
}

fn counter() -> Builder {
    Builder::new("counter").source_text("counter.v", COUNTER)
}

#[test]
fn a_counter_counts() -> verilated::Result<()> {
    let mut model = counter().parameter("W", 12).build()?.model()?;
    let [clk, rst, enable] = inputs(&model)?;
    let (count, odd) = (model.output("count")?, model.output("odd")?);
    assert_eq!(model.output_width(count), 12);
    model.set(rst, 1);
    model.cycle(clk)?;
    model.set(rst, 0);
    model.set(enable, 1);
    for expected in 0..500 {
        model.fall(clk)?;
        assert_eq!((model.get(count), model.get(odd)), (expected, expected & 1));
        model.rise(clk)?;
    }
    Ok(())
}

#[test]
fn a_staged_cycle_shows_what_a_fall_and_a_rise_do() -> verilated::Result<()> {
    let design = counter().build()?;
    let (mut single, mut staged) = (design.model()?, design.model()?);
    let [clk, rst, enable] = inputs(&single)?;
    let (count, odd) = (single.output("count")?, single.output("odd")?);
    for i in 0..64 {
        let (resets, enables) = (u64::from(i == 0), u64::from(i % 3 != 0));
        single.set(rst, resets);
        single.set(enable, enables);
        single.fall(clk)?;
        staged.stage(rst, resets);
        // Beyond the port's width.
        staged.stage(enable, enables | 0xf0);
        staged.cycle_staged(clk)?;
        for port in [count, odd] {
            assert_eq!(staged.shown(port), single.get(port), "cycle {i}");
        }
        single.rise(clk)?;
    }
    Ok(())
}

const PARTS: &str = "module parts(input [127:0] even, input [99:0] odd, input [11:0] few,
                     output [63:0] even_low, even_high, odd_low, output [35:0] odd_high, output [11:0] not_few);
                     assign {even_high, even_low} = ~even;
                     assign {odd_high, odd_low} = ~odd;
                     assign not_few = ~few;
                     endmodule";

#[test]
fn parts_of_a_port_are_set_to_the_low_bits_of_their_values() -> verilated::Result<()> {
    let design = Builder::new("parts")
        .source_text("parts.v", PARTS)
        .build()?;
    let mut model = design.model()?;
    let input = |name| model.input(name);
    let (even, odd, few) = (input("even")?, input("odd")?, input("few")?);
    let high = 0xffff_ffff_0000_0000_u64;
    model.set_parts(even, &[high | 1, high | 2, high | 3, 0x8000_0004]);
    model.set_parts(odd, &[u64::MAX << 25 | 0x123_4567, 0, 0x1ff_ffff, 1]);
    model.set_parts(few, &[0xf1, 2, 3]);
    model.eval()?;
    let get = |model: &Model, name| model.output(name).map(|port| model.get(port));
    assert_eq!(get(&model, "even_low")?, !0x2_0000_0001);
    assert_eq!(get(&model, "even_high")?, !0x8000_0004_0000_0003);
    // 25 bits each, from bits 0, 25, 50 and 75 on.
    assert_eq!(get(&model, "odd_low")?, !(0x123_4567 | 0x3fff << 50));
    assert_eq!(get(&model, "odd_high")?, 0xf_ffff_ffff & !(0x7ff | 1 << 11));
    assert_eq!(get(&model, "not_few")?, !0x321 & 0xfff);
    model.set_parts(even, &[1 << 40 | 5, u64::MAX]);
    model.eval()?;
    let halves = ["even_low", "even_high"].map(|name| get(&model, name));
    let [low, high] = halves;
    assert_eq!((low?, high?), (!(1 << 40 | 5), 0));
    Ok(())
}

#[test]
fn a_failed_assertion_is_an_error_with_its_text() -> verilated::Result<()> {
    let mut model = counter().parameter("LIMIT", "8'd5").build()?.model()?;
    let [clk, rst, enable] = inputs(&model)?;
    model.set(rst, 1);
    model.cycle(clk)?;
    model.set(rst, 0);
    model.set(enable, 1);
    let mut cycles = 0;
    let error = loop {
        match model.cycle(clk) {
            Ok(()) => cycles += 1,
            Err(error) => break error,
        }
        assert!(cycles < 100, "the assertion never failed");
    };
    assert_eq!(cycles, 5);
    let text = error.to_string();
    assert!(
        text.contains("count reached 5") && text.contains("counter.v:14"),
        "{text}"
    );
    assert_eq!(
        model.cycle(clk).expect_err("it stays failed").to_string(),
        text
    );
    Ok(())
}

#[test]
fn models_of_one_design_and_of_two_run_side_by_side() -> verilated::Result<()> {
    let narrow = counter().parameter("W", 6).build()?;
    let failing = counter().parameter("LIMIT", "8'd3").build()?;
    let threads: Vec<_> = [&narrow, &failing, &narrow, &failing]
        .into_iter()
        .map(|design| {
            let mut model = design.model()?;
            let (clk, enable) = (model.input("clk")?, model.input("enable")?);
            let count = model.output("count")?;
            model.set(enable, 1);
            Ok(std::thread::spawn(move || {
                let outcome = (0..20).try_for_each(|_| model.cycle(clk));
                (outcome.is_ok(), model.get(count))
            }))
        })
        .collect::<verilated::Result<_>>()?;
    let ends: Vec<_> = threads
        .into_iter()
        .map(|t| t.join().expect("no panic"))
        .collect();
    assert_eq!(ends, [(true, 20), (false, 4), (true, 20), (false, 4)]);
    Ok(())
}
