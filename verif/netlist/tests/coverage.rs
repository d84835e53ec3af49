//! What is proved never to be reached is what cannot be; and places are found in a real profiler.

use anyhow::{Context, Result};
use hpp_netlist::coverage::{Edge, Effort, Place, What, profilers, reach, unreachable};
use std::collections::BTreeSet;
use verilated::tools::cache;

/// `stuck` is 0 from the first reset on: `q` follows `a`, whatever `stuck` was before, and memory returns anything.
const VERILOG: &str = "module hpp (
  input  wire       clk,
  input  wire       rst,
  input  wire       a,
  output reg        q,
  output wire [1:0] pair,
  output wire       word
);
  reg        stuck;
  reg        first;
  assign pair = {stuck, a};
  wire chosen = stuck ? a : !a;

  hpp_memory memory (
    .clk(clk),
    .address(a),
    .read_data(word)
  );

  always @(posedge clk) begin
    q <= a;
    first <= 1'b1;
    if (stuck) q <= chosen;
    if (stuck & a) stuck <= 1'b1;
    if (rst) stuck <= 1'b0;
  end
endmodule

module hpp_memory (
  input  wire       clk,
  input  wire       address,
  output reg        read_data
);
  reg  cells [0:1];
  always @(posedge clk) begin
    read_data <= cells[address];
    cells[address] <= 1'b0;
  end
endmodule
";

fn toggles(module: &str, instance: &str, signal: &str, bit: Option<u32>) -> [Place; 2] {
    [Edge::Rise, Edge::Fall].map(|edge| Place {
        module: module.into(),
        instance: instance.into(),
        what: What::Toggle {
            signal: signal.into(),
            bit,
            edge,
        },
    })
}

/// The sides of the branch on a line of the text, and where Verilator says they are.
fn branch(line: &str, column: u32) -> Result<[(Place, (u32, u32)); 2]> {
    let number = VERILOG.lines().position(|text| text.trim() == line);
    let number = number.context("a line of the text")? as u32 + 1;
    Ok([("if", 0), ("else", 1)].map(|(side, beside)| {
        let place = Place {
            module: "hpp".into(),
            instance: "hpp".into(),
            what: What::Branch {
                side: side.into(),
                line: line.into(),
                number: 0,
            },
        };
        (place, (number, column + beside))
    }))
}

#[test]
fn what_cannot_change_is_proved_and_nothing_else() -> Result<()> {
    let mut places = Vec::new();
    for (signal, bit) in [
        ("stuck", None),
        ("first", None),
        ("q", None),
        ("word", None),
        ("pair", Some(0)),
        ("pair", Some(1)),
    ] {
        places.extend(toggles("hpp", "hpp", signal, bit).map(|place| (place, (1, 1))));
    }
    places.extend(
        toggles("hpp_memory", "hpp.memory", "read_data", None).map(|place| (place, (1, 1))),
    );
    let taken = branch("if (stuck) q <= chosen;", 5)?;
    let chosen = branch("wire chosen = stuck ? a : !a;", 25)?;
    places.extend([taken.clone(), chosen.clone()].concat());
    let mut expected = BTreeSet::from([taken[0].0.clone(), chosen[0].0.clone()]);
    for (signal, bit) in [("stuck", None), ("first", None), ("pair", Some(1))] {
        expected.extend(toggles("hpp", "hpp", signal, bit));
    }
    assert_eq!(unreachable(VERILOG, &places)?, expected);
    cache::tell("coverage");
    Ok(())
}

/// Every branch that Verilator counts is found in the text, or it could not be proved.
#[test]
fn places_of_a_profiler_are_found_where_they_are() -> Result<()> {
    let smallest = profilers()
        .into_iter()
        .find(|profiler| profiler.label == "smallest");
    let effort = Effort {
        records: 400,
        epochs: 1,
        seed: 0,
    };
    let reached = reach(&smallest.context("a profiler")?, effort)?;
    let branches = reached
        .places
        .iter()
        .filter(|(place, _)| matches!(&place.what, What::Branch { side, .. } if side != "block"));
    let at: BTreeSet<_> = branches.map(|(_, (at, _))| *at).collect();
    let (_, found) = hpp_netlist::coverage::watch(&reached.verilog, &at)?;
    let missing: Vec<_> = at.iter().filter(|at| !found.contains_key(at)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(at.len() > 100 && reached.places.values().any(|(_, reached)| *reached));
    Ok(())
}
