//! Small modules, built and driven.

use verilated::{Builder, Direction, Error, Kind};

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
fn display_and_finish_are_seen_and_plusargs_arrive() -> verilated::Result<()> {
    let text = "module hello(input wire clk); integer n;
                initial if (!$value$plusargs(\"n=%d\", n)) n = 0;
                always @(posedge clk) begin $display(\"n is %0d\", n); $finish; end endmodule";
    let design = Builder::new("hello").source_text("hello.v", text).build()?;
    let mut model = design.model_with_arguments(&["+n=42"])?;
    let clk = model.input("clk")?;
    model.fall(clk)?;
    assert!(!model.finished());
    model.rise(clk)?;
    assert!(model.finished());
    assert!(model.take_output().starts_with("n is 42\n"));
    assert_eq!(model.take_output(), "");
    Ok(())
}

#[test]
fn bad_verilog_gives_verilators_own_message() {
    let text = "module bad(input wire a, output wire b);\n  assign b = missing;\nendmodule\n";
    let error = Builder::new("bad")
        .source_text("bad.v", text)
        .build()
        .expect_err("not Verilog");
    assert!(matches!(error, Error::Verilog { .. }));
    let text = error.to_string();
    assert!(
        text.contains("bad.v:2") && text.contains("'missing'"),
        "{text}"
    );
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

#[test]
fn coverage_tells_reached_from_missed() -> verilated::Result<()> {
    let mut model = counter().coverage(true).build()?.model()?;
    let (clk, enable) = (model.input("clk")?, model.input("enable")?);
    model.set(enable, 1);
    for _ in 0..4 {
        model.cycle(clk)?;
    }
    let coverage = model.coverage()?;
    let missed: Vec<&str> = coverage.missed(Kind::Toggle).map(|p| &*p.what).collect();
    assert!(
        missed.iter().any(|what| what.starts_with("count[7]")),
        "{missed:?}"
    );
    assert!(
        !missed.iter().any(|what| what.starts_with("count[0]")),
        "{missed:?}"
    );
    let line = |line| {
        coverage
            .points()
            .any(|(p, n)| p.kind == Kind::Line && p.line == line && n > 0)
    };
    assert!(line(12), "the increment was reached: {coverage:?}");
    let (reached, all) = coverage.reached(Kind::Line);
    assert!(
        0 < reached && reached < all,
        "{reached} of {all}: the reset was not"
    );
    Ok(())
}

#[test]
fn coverage_that_was_not_built_in_names_the_remedy() -> verilated::Result<()> {
    let error = counter()
        .build()?
        .model()?
        .coverage()
        .expect_err("not built in");
    assert!(error.to_string().contains("Builder::coverage"), "{error}");
    Ok(())
}

#[test]
fn a_trace_shows_the_ports() -> verilated::Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("counter.vcd");
    let mut model = counter().trace(true).build()?.model()?;
    model.trace_to(&path)?;
    let clk = model.input("clk")?;
    model.cycle(clk)?;
    drop(model);
    let text = std::fs::read_to_string(&path).expect("it was written");
    assert!(
        text.contains("$enddefinitions") && text.contains(" enable "),
        "{text}"
    );
    Ok(())
}

#[test]
fn a_bit_that_flips_is_followed_by_what_depends_on_it() -> verilated::Result<()> {
    let mut model = counter().state(true).build()?.model()?;
    let (clk, rst, enable) = (
        model.input("clk")?,
        model.input("rst")?,
        model.input("enable")?,
    );
    let (count, odd) = (model.output("count")?, model.output("odd")?);
    model.set(rst, 1);
    model.cycle(clk)?;
    model.set(rst, 0);
    let variables = model.variables()?;
    let held = variables
        .iter()
        .find(|v| v.scope == "counter" && v.name == "count");
    let held = held.expect("the register").clone();
    assert_eq!((held.width, held.elements), (8, 1));
    model.set(enable, 1);
    model.fall(clk)?;
    assert_eq!((model.get(count), model.get(odd)), (0, 0));
    model.flip(&held, 0, 0);
    model.flip(&held, 0, 5);
    model.fall(clk)?;
    assert_eq!((model.get(count), model.get(odd)), (33, 1));
    model.rise(clk)?;
    assert_eq!(model.get(count), 34);
    let error = counter().build()?.model()?.variables();
    let error = error.expect_err("not built in").to_string();
    assert!(error.contains("Builder::state"), "{error}");
    Ok(())
}

#[test]
fn a_file_within_a_folder_of_includes_is_part_of_the_design() -> verilated::Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("part")).expect("a folder");
    let value = |value: &str| {
        let text = format!("`define VALUE {value}\n");
        std::fs::write(folder.path().join("part/value.vh"), text).expect("a file");
        let text = "`include \"part/value.vh\"\nmodule constant(output [7:0] q); assign q = `VALUE; endmodule\n";
        let design = Builder::new("constant").source_text("constant.v", text);
        let mut model = design.include_dir(folder.path()).build()?.model()?;
        let q = model.output("q")?;
        model.eval()?;
        verilated::Result::Ok(model.get(q))
    };
    assert_eq!(value("3")?, 3);
    assert_eq!(value("4")?, 4);
    Ok(())
}

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

#[test]
fn an_input_that_changes_while_the_clock_is_low_is_seen_at_the_edge() -> verilated::Result<()> {
    let mut model = counter().build()?.model()?;
    let (clk, rst, enable) = (
        model.input("clk")?,
        model.input("rst")?,
        model.input("enable")?,
    );
    let (count, odd) = (model.output("count")?, model.output("odd")?);
    model.set(rst, 1);
    model.cycle(clk)?;
    model.set(rst, 0);
    model.fall(clk)?;
    model.set(enable, 1);
    model.rise(clk)?;
    assert_eq!((model.get(count), model.get(odd)), (1, 1));
    model.rise(clk)?;
    assert_eq!(model.get(count), 1, "no edge");
    model.set(enable, 0);
    model.eval()?;
    assert_eq!((model.get(count), model.get(odd)), (1, 0));
    Ok(())
}
