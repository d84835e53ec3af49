//! The SVD, as PeakRDL reads it.

use crate::{output, run, words, written};
use hpp_gen::Config;
use std::process::Command;
use verilated::tools::tool_path;

#[test]
fn peakrdl_reads_every_register_and_what_a_write_clears() {
    let python = tool_path("python").expect("Python packages");
    let mut drained = Config::default();
    drained.geometry.drain_depth = 64;
    for config in [Config::default(), drained] {
        let output = output(&config);
        let folder = written(&output);
        let mut peakrdl = Command::new(&python);
        peakrdl.args(["-m", "peakrdl", "systemrdl", "hpp.svd", "-o", "hpp.rdl"]);
        let done = run(&mut peakrdl, folder.path());
        assert!(done.status.success(), "{}", words(&done));
        let read = std::fs::read_to_string(folder.path().join("hpp.rdl")).expect("SystemRDL");
        for register in &output.manifest.registers {
            let instance = format!(" {} @ 0x{:X};", register.name, register.offset);
            assert!(read.contains(&instance), "{instance}: {read}");
        }
        assert!(read.contains("onwrite = woclr;"), "{read}");
    }
}
