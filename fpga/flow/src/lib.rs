//! From the emitted Verilog to bitstreams and to tables of size and speed, with the open FPGA tools.
//!
//! A [`design::Design`] (source texts and a top module) is synthesised by Yosys for a [`device::Device`], placed and
//! routed by nextpnr with several seeds, and packed, each in a folder of its own ([`flow::Flow`]). What it costs is read
//! from the tools' own JSON: cells from Yosys ([`stat`]), the highest frequency from nextpnr ([`report`]).

pub mod board;
pub mod core;
pub mod demo;
pub mod design;
pub mod device;
pub mod error;
pub mod flow;
pub mod harness;
pub mod image;
pub mod measure;
pub mod profiler;
pub mod report;
pub mod stat;
pub mod system;
pub mod table;
pub mod tool;
