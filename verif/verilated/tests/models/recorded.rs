//! What a model prints and records, and of which files it is made.

use crate::counter;
use verilated::{Builder, Error};

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
fn coverage_tells_reached_from_missed() -> verilated::Result<()> {
    let mut model = counter().coverage(true).build()?.model()?;
    let (clk, enable) = (model.input("clk")?, model.input("enable")?);
    model.set(enable, 1);
    for _ in 0..4 {
        model.cycle(clk)?;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("coverage.dat");
    model.coverage_to(&path)?;
    let text = std::fs::read_to_string(&path).expect("it was written");
    let count = |bit: &str| {
        let line = text
            .lines()
            .find(|line| line.contains(&format!("{bit}:0->1")))?;
        line.rsplit_once(' ')?.1.parse().ok()
    };
    assert!(
        count("count[0]").is_some_and(|count: u32| count > 0),
        "{text}"
    );
    assert_eq!(count("count[7]"), Some(0), "{text}");
    Ok(())
}

#[test]
fn coverage_that_was_not_built_in_names_the_remedy() -> verilated::Result<()> {
    let error = counter()
        .build()?
        .model()?
        .coverage_to("coverage.dat".as_ref())
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
