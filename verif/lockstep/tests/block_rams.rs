//! The block RAM models of `verif/lockstep/cells`, each width by itself: what was written is read, what the cell does not promise
//! comes out random.

use hpp_fpga::device::Family;
use hpp_lockstep::netlist::{model_of, synthesise};
use hpp_lockstep::{powered_up, stream};
use rand::RngExt;
use std::collections::HashMap;
use std::num::NonZeroU32;
use verilated::tools::cache;
use verilated::{Design, Model};

const CYCLES: u64 = 20_000;

/// A memory of `width` bits that fills a block RAM, with one port for writing and one for reading.
fn memory(width: u32, address_bits: u32) -> String {
    format!(
        "module memory (
  input wire clk, input wire write, input wire read,
  input wire [{top}:0] write_address, input wire [{top}:0] read_address,
  input wire [{left}:0] data, output reg [{left}:0] word
);
  (* ram_style = \"block\", no_rw_check *)
  reg [{left}:0] cells [0:{last}];
  always @(posedge clk) begin
    if (write) cells[write_address] <= data;
    if (read) word <= cells[read_address];
  end
endmodule
",
        top = address_bits - 1,
        left = width - 1,
        last = (1 << address_bits) - 1,
    )
}

fn build(family: Family, width: u32, address_bits: u32) -> Design {
    let netlist = synthesise(family, "memory", &memory(width, address_bits))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let modules = netlist.cells().block_rams.iter().map(|ram| model_of(ram));
    let counted: usize = modules.map(|module| netlist.count(&module)).sum();
    assert_eq!(counted, 1, "{family:?}, {width} bits: one block RAM");
    let design = netlist.builder().build();
    design.unwrap_or_else(|error| panic!("{family:?}, {width} bits: {error}"))
}

fn start(design: &Design, seed: u32) -> Model {
    let seed = NonZeroU32::new(seed).expect("not 0");
    powered_up(design, seed).expect("it starts")
}

/// One cycle: what to write where, what to read.
fn cycle(model: &mut Model, write: Option<(u64, u64)>, read: Option<u64>) -> u64 {
    let (write_address, data) = write.unwrap_or((0, 0));
    let ports = [
        ("write", u64::from(write.is_some())),
        ("read", u64::from(read.is_some())),
        ("write_address", write_address),
        ("read_address", read.unwrap_or(0)),
        ("data", data),
    ];
    for (name, value) in ports {
        let port = model.input(name).expect("a port of the memory");
        model.set(port, value);
    }
    let clk = model.input("clk").expect("a port of the memory");
    model.cycle(clk).expect("no assertion fails");
    model.get(model.output("word").expect("a port of the memory"))
}

/// Random reads and writes of a few words against a map; returns the reads at the edge of a write of the same word, and how
/// many of them returned neither the old word nor the new one, or the one where they should say nothing.
fn drive(model: &mut Model, width: u32, address_bits: u32, place: &str) {
    let mut rng = stream::rng(u64::from(width));
    let mut cells = HashMap::new();
    let mut held = None;
    let (mut compared, mut clashes, mut strange) = (0, 0, 0);
    for at in 0..CYCLES {
        // Few words, spread over every address bit.
        let mut address = || {
            let near: u64 = rng.random_range(0..4);
            (near | near << (address_bits - 2)) ^ (rng.random_range(0..2_u64) << (address_bits / 2))
        };
        let (target, source) = (address(), address());
        let data = rng.random_range(0..1_u64 << width);
        let write = rng.random_bool(0.5).then_some((target, data));
        let read = rng.random_bool(0.8).then_some(source);
        let word = cycle(model, write, read);
        let expected = match read {
            Some(_) if write.is_some() && target == source => {
                clashes += 1;
                strange += u32::from(Some(&word) != cells.get(&source) && word != data);
                Some(word)
            }
            Some(source) => cells.get(&source).copied(),
            None => held,
        };
        if let Some(expected) = expected {
            compared += 1;
            assert_eq!(
                word, expected,
                "{place}, cycle {at}: read {read:?}, write {write:?}"
            );
        }
        held = Some(word);
        cells.extend(write);
    }
    assert!(compared > CYCLES / 2, "{place}: {compared} reads compared");
    // A word of one bit is always the old or the new one, when they differ.
    assert!(
        clashes > 100 && (width == 1 || strange > clashes / 10),
        "{place}: {strange} of {clashes}"
    );
}

fn check(family: Family, shapes: &[(u32, u32)]) {
    for &(width, address_bits) in shapes {
        let place = format!("{family:?}, {width} bits");
        let design = build(family, width, address_bits);
        drive(&mut start(&design, 1), width, address_bits, &place);
        let first = |seed| {
            let mut model = start(&design, seed);
            (0..64)
                .map(|address| cycle(&mut model, None, Some(address)))
                .collect::<Vec<_>>()
        };
        assert_ne!(first(1), first(2), "{place}: contents at power-up");
    }
    cache::tell(&format!("synthesis of memories for {family:?}"));
}

/// Widths and address bits of memories of 18 kilobits.
const WIDE: [(u32, u32); 6] = [(1, 14), (2, 13), (4, 12), (9, 11), (18, 10), (36, 9)];
const NARROW: [(u32, u32); 4] = [(2, 11), (4, 10), (8, 9), (16, 8)];

verilated::tests! {
    dp16kd_keeps_what_is_written_and_promises_nothing_else: check(Family::Ecp5, &WIDE);
    sb_ram40_4k_keeps_what_is_written_and_promises_nothing_else: check(Family::Ice40, &NARROW);
    block_rams_of_gowin_keep_what_is_written_and_promise_nothing_else: check(Family::Gowin, &WIDE);
}
