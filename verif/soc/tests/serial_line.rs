//! The boards' serial line: every byte arrives at every board's clock, and a line at the wrong speed is noticed.

use hpp_fpga::board::BOARDS;
use verilated::tools::project_root;
use verilated::{Builder, Design, Model};

const BAUD: u32 = 115_200;

/// Transmitter and receiver on one line; the transmitter's cycles for a bit can be off.
const LINE: &str = "
module line #(parameter integer CLOCK_HZ = 12000000, parameter integer CYCLES_PER_BIT = 104) (
    input wire clk, input wire rst, input wire valid, input wire [7:0] data, output wire ready,
    output wire received, output wire [7:0] received_data, output wire framing_error
);
    wire wire_;
    uart_transmitter #(.CYCLES_PER_BIT(CYCLES_PER_BIT)) sender (
        .clk(clk), .rst(rst), .valid(valid), .data(data), .ready(ready), .tx(wire_));
    uart_receiver #(.CLOCK_HZ(CLOCK_HZ)) receiver (
        .clk(clk), .rst(rst), .rx(wire_), .valid(received), .data(received_data), .framing_error(framing_error));
endmodule
";

fn line(clock_hz: u32, cycles_per_bit: u32) -> Design {
    let folder = project_root().join("fpga/boards");
    Builder::new("line")
        .source_text("line.v", LINE)
        .source(folder.join("uart_transmitter.v"))
        .source(folder.join("uart_receiver.v"))
        .parameter("CLOCK_HZ", clock_hz)
        .parameter("CYCLES_PER_BIT", cycles_per_bit)
        .flag("-Wno-WIDTHEXPAND")
        .build()
        .expect("the line builds")
}

/// What arrives of the bytes, sent without a pause, and whether the receiver found a fault.
fn send(mut model: Model, bytes: &[u8]) -> (Vec<u8>, bool) {
    let input = |model: &Model, name| model.input(name).expect("a port");
    let output = |model: &Model, name| model.output(name).expect("a port");
    let [clk, rst, valid, data] = ["clk", "rst", "valid", "data"].map(|name| input(&model, name));
    let [ready, received, received_data, fault] =
        ["ready", "received", "received_data", "framing_error"].map(|name| output(&model, name));
    model.set(rst, 1);
    model.cycle(clk).expect("it runs");
    model.set(rst, 0);
    let (mut left, mut arrived) = (bytes.iter(), Vec::new());
    let mut idle = 0;
    while idle < 4_000 {
        model.eval().expect("it runs");
        idle += 1;
        if model.get(ready) == 1 {
            let byte = left.next();
            model.set(valid, u64::from(byte.is_some()));
            model.set(data, byte.copied().unwrap_or(0).into());
            idle = if byte.is_some() { 0 } else { idle };
        }
        model.cycle(clk).expect("it runs");
        if model.get(received) == 1 {
            arrived.push(model.get(received_data) as u8);
        }
    }
    (arrived, model.get(fault) == 1)
}

#[test]
fn every_byte_arrives_at_every_boards_clock() {
    let bytes: Vec<u8> = (0..=255).rev().collect();
    for board in BOARDS {
        let design = line(board.clock_hz, (board.clock_hz + BAUD / 2) / BAUD);
        let model = design.model().expect("a model");
        assert_eq!(
            send(model, &bytes),
            (bytes.clone(), false),
            "{}",
            board.name
        );
    }
}

/// Half a bit in ten is where 8N1 ends to work: 6 % too slow or too fast is beyond it.
#[test]
fn a_line_at_the_wrong_speed_does_not_pass() {
    for cycles_per_bit in [98, 111] {
        let model = line(12_000_000, cycles_per_bit).model().expect("a model");
        let bytes: Vec<u8> = (0..=255).collect();
        let (arrived, fault) = send(model, &bytes);
        assert!(fault || arrived != bytes, "{cycles_per_bit}");
    }
}
