//! Verilog without registers under Icarus: values of its inputs, and what its outputs must be.

use num_bigint::BigUint;
use std::fmt::Write;
use std::process::Command;
use verilated::tools::tool;

/// A port with its width.
pub type Port = (String, usize);

/// Ports of a module, values for the inputs, and what the outputs are then.
#[derive(Debug)]
pub struct Vectors {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub values: Vec<(Vec<BigUint>, Vec<BigUint>)>,
}

impl Vectors {
    fn bench(&self, module: &str) -> String {
        let mut text = String::from("module bench;\n");
        for (kind, ports) in [("reg", &self.inputs), ("wire", &self.outputs)] {
            for (name, width) in ports {
                let _ = writeln!(text, "  {kind} [{}:0] {name};", width - 1);
            }
        }
        let ports = self.inputs.iter().chain(&self.outputs);
        let ports: Vec<String> = ports.map(|(name, _)| format!(".{name}({name})")).collect();
        let _ = writeln!(
            text,
            "  {module} it ({});\n  initial begin",
            ports.join(", ")
        );
        for (values, expected) in &self.values {
            for ((name, width), value) in self.inputs.iter().zip(values) {
                let _ = writeln!(text, "    {name} = {width}'h{value:x};");
            }
            text.push_str("    #1;\n");
            for ((name, width), value) in self.outputs.iter().zip(expected) {
                let _ = writeln!(
                    text,
                    "    if ({name} !== {width}'h{value:x}) $display(\"{name} is %h, not {value:x}\", {name});"
                );
            }
        }
        text + "    $display(\"done\");\n  end\nendmodule\n"
    }

    /// What a module of this text does otherwise, a line each; nothing if it does what it must.
    pub fn differences(&self, text: &str, module: &str) -> String {
        let said = simulated(text, &self.bench(module));
        let differences = said.strip_suffix("done\n");
        differences.unwrap_or_else(|| panic!("{said}")).to_string()
    }
}

/// What a bench, the module `bench`, says of a text that it is compiled with without a warning.
pub fn simulated(text: &str, bench: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |command: &mut Command| {
        let output = command.current_dir(folder.path()).output();
        let output = output.expect("the tool starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said + &String::from_utf8_lossy(&output.stderr)
    };
    for (name, text) in [("it.v", text), ("bench.v", bench)] {
        std::fs::write(folder.path().join(name), text).expect("the folder is writable");
    }
    let compiled = run(tool("iverilog").args(["-g2005", "-o", "bench", "it.v", "bench.v"]));
    assert_eq!(compiled, "", "{text}");
    run(tool("vvp").args(["-n", "bench"]))
}
