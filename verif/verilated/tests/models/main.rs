//! Small modules, built and driven.

mod clocks;
mod recorded;

use verilated::{Builder, Direction};

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

const WIDE: &str = "
module wide (
    input  wire [99:0]  a,
    input  wire [63:0]  b,
    output wire [99:0]  not_a,
    output wire [127:0] joined,
    output wire [39:0]  low,
    output wire [15:0]  half
);
    assign not_a = ~a;
    assign joined = {b, a[63:0]};
    assign low = a[39:0];
    assign half = b[63:48];
endmodule
";

fn counter() -> Builder {
    Builder::new("counter").source_text("counter.v", COUNTER)
}

#[test]
fn a_counter_counts() -> verilated::Result<()> {
    let mut model = counter().parameter("W", 12).build()?.model()?;
    let (clk, rst, enable) = (
        model.input("clk")?,
        model.input("rst")?,
        model.input("enable")?,
    );
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
    assert_eq!(model.time(), 2 * 501);
    Ok(())
}

#[test]
fn a_batch_equals_single_cycles() -> verilated::Result<()> {
    let design = counter().build()?;
    let rows: Vec<u64> = (0..64)
        .flat_map(|i| [u64::from(i == 0), u64::from(i % 3 != 0)])
        .collect();
    let mut single = design.model()?;
    let (clk, rst, enable) = (
        single.input("clk")?,
        single.input("rst")?,
        single.input("enable")?,
    );
    let (count, odd) = (single.output("count")?, single.output("odd")?);
    let mut expected = Vec::new();
    for row in rows.chunks(2) {
        single.set(rst, row[0]);
        single.set(enable, row[1]);
        single.fall(clk)?;
        expected.extend([single.get(count), single.get(odd)]);
        single.rise(clk)?;
    }
    let mut batch = design.model()?;
    let mut response = vec![0; rows.len()];
    let done = batch.run(clk, &[rst, enable], &rows, &[count, odd], &mut response)?;
    assert_eq!(
        (done, response, batch.time()),
        (64, expected.clone(), single.time())
    );
    let mut staged = design.model()?;
    let mut shown = Vec::new();
    for row in rows.chunks(2) {
        staged.stage(rst, row[0]);
        // Beyond the port's width.
        staged.stage(enable, row[1] | 0xf0);
        staged.cycle_staged(clk)?;
        shown.extend([staged.shown(count), staged.shown(odd)]);
    }
    assert_eq!((shown, staged.time()), (expected, single.time()));
    Ok(())
}

const PARTS: &str = "module parts(input [127:0] even, input [99:0] odd, input [11:0] few,
                     output [127:0] not_even, output [99:0] not_odd, output [11:0] not_few);
                     assign not_even = ~even;
                     assign not_odd = ~odd;
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
    let words = |name| model.output(name).map(|port| model.words(port).to_vec());
    assert_eq!(words("not_even")?, [!1, !2, !3, !0x8000_0004]);
    // 25 bits each, from bits 0, 25, 50 and 75 on.
    let expected = [
        !0x0123_4567,
        !(0x1ff_ffff << 18),
        !(0x1ff_ffff >> 14 | 1 << 11),
        0xf,
    ];
    assert_eq!(words("not_odd")?, expected);
    assert_eq!(model.get(model.output("not_few")?), !0x321 & 0xfff);
    model.set_parts(even, &[1 << 40 | 5, u64::MAX]);
    model.eval()?;
    let port = model.output("not_even")?;
    assert_eq!(model.words(port), [!5, !(1 << 8), 0, 0]);
    Ok(())
}

#[test]
fn ports_of_any_width_carry_every_bit() -> verilated::Result<()> {
    let design = Builder::new("wide").source_text("wide.v", WIDE).build()?;
    let mut ports: Vec<_> = design
        .ports()
        .iter()
        .map(|p| (&*p.name, p.direction, p.width))
        .collect();
    ports.sort_unstable_by_key(|port| port.0);
    assert_eq!(ports[0], ("a", Direction::Input, 100));
    assert_eq!(ports[3], ("joined", Direction::Output, 128));
    assert_eq!(ports.len(), 6);
    let mut model = design.model()?;
    let (a, b) = (model.input("a")?, model.input("b")?);
    model.set_words(a, &[0x0123_4567, 0x89ab_cdef, 0xdead_beef, 0xa]);
    model.set(b, 0xfedc_ba98_7654_3210);
    model.eval()?;
    let read = |name| model.output(name).map(|port| model.words(port).to_vec());
    assert_eq!(
        read("not_a")?,
        [!0x0123_4567, !0x89ab_cdef, !0xdead_beef, 0x5]
    );
    assert_eq!(
        read("joined")?,
        [0x0123_4567, 0x89ab_cdef, 0x7654_3210, 0xfedc_ba98]
    );
    assert_eq!(model.get(model.output("low")?), 0xef_0123_4567);
    assert_eq!(model.get(model.output("half")?), 0xfedc);
    Ok(())
}

#[test]
#[should_panic(expected = "0x2 does not fit the 1 bits of `enable`")]
fn a_value_too_wide_for_its_port_is_refused() {
    let mut model = counter()
        .build()
        .and_then(|d| d.model())
        .expect("the counter builds");
    let enable = model.input("enable").expect("it has one");
    model.set(enable, 2);
}

#[test]
fn a_failed_assertion_is_an_error_with_its_text() -> verilated::Result<()> {
    let mut model = counter().parameter("LIMIT", "8'd5").build()?.model()?;
    let (clk, rst, enable) = (
        model.input("clk")?,
        model.input("rst")?,
        model.input("enable")?,
    );
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
fn assertions_can_be_left_out() -> verilated::Result<()> {
    let mut model = counter()
        .parameter("LIMIT", "8'd5")
        .assertions(false)
        .build()?
        .model()?;
    let (clk, enable) = (model.input("clk")?, model.input("enable")?);
    model.set(enable, 1);
    for _ in 0..50 {
        model.cycle(clk)?;
    }
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

#[test]
fn a_combinational_loop_that_does_not_settle_is_an_error() -> verilated::Result<()> {
    let text = "module ring(input wire run, output wire q);
                /* verilator lint_off UNOPTFLAT */ wire n; /* verilator lint_on UNOPTFLAT */
                assign n = run & ~n; assign q = n; endmodule";
    let mut model = Builder::new("ring")
        .source_text("ring.v", text)
        .build()?
        .model()?;
    let run = model.input("run")?;
    model.eval()?;
    model.set(run, 1);
    let error = model.eval().expect_err("it oscillates");
    assert!(error.to_string().contains("converge"), "{error}");
    Ok(())
}

#[test]
fn a_misspelt_port_is_answered_with_those_there_are() -> verilated::Result<()> {
    let model = counter().build()?.model()?;
    let text = model
        .input("reset")
        .expect_err("it is called rst")
        .to_string();
    assert_eq!(
        text,
        "`counter` has no input port `reset`; it has clk, rst, enable"
    );
    assert!(model.output("clk").is_err(), "an input is no output");
    Ok(())
}
