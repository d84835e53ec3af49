//! Prints what hardware and software path profiles agree on, program by program.
//!
//! ```text
//! cargo run --release -p hpp-verif --bin cross_check [PROGRAM...]
//! ```

use anyhow::{Context, Result};
use hpp_golden::profiler::BackwardNotTaken;
use hpp_verif::crosscheck::{Checked, Emitted, HOT_SHARE, Recording, check, check_verilog, record};
use hpp_verif::soc::{PROGRAMS, Soc};

/// How many functions, and numbers of their hot paths, are shown, the hottest first.
const SHOWN: usize = 5;

fn main() -> Result<()> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let programs: Vec<&str> = match named.is_empty() {
        true => PROGRAMS.to_vec(),
        false => named.iter().map(String::as_str).collect(),
    };
    let soc = Soc::build(None)?;
    for program in programs {
        let recording = record(&soc, program)?;
        for checked in check(&recording).with_context(|| program.to_owned())? {
            print(program, &recording, &checked);
        }
        print_verilog(&check_verilog(&recording).with_context(|| program.to_owned())?);
    }
    Ok(())
}

/// What the emitted Verilog completed of the same records.
fn print_verilog(modes: &[Emitted]) {
    println!(
        "\nthe emitted Verilog, a record a cycle: every path is the model's, in its order\n{:28} {:>8} {:>10}",
        "mode", "paths", "run"
    );
    for emitted in modes {
        println!(
            "{:28} {:>8} {:>10}",
            emitted.mode.name,
            emitted.profile.len(),
            emitted.profile.total()
        );
    }
}

fn print(program: &str, recording: &Recording, checked: &Checked) {
    let setting = match checked.setting {
        BackwardNotTaken::AsForward => "as forward",
        BackwardNotTaken::AsBackward => "as backward",
    };
    println!(
        "\n{program}, backward not taken {setting}: {} instructions, {} records, {} paths run {} times: all equal",
        recording.retired,
        recording.records.len(),
        checked.agreement.paths.len(),
        checked.agreement.executions()
    );
    println!(
        "hottest functions among the paths that hold {} % of the table:",
        HOT_SHARE * 100.0
    );
    println!(
        "{:28} {:>8} {:>4} {:>10}   {:>16} {:>12} {:>12}   hottest numbers",
        "function (probes, delta by)",
        "paths",
        "hot",
        "run",
        "Ball-Larus",
        "preferential",
        "selective"
    );
    let mut hot: Vec<_> = checked.hot.iter().collect();
    hot.sort_by_key(|function| core::cmp::Reverse(function.executions));
    for function in hot.into_iter().take(SHOWN) {
        let numbers = function.hot.iter().take(SHOWN).map(ToString::to_string);
        let numbers: Vec<String> = numbers.collect();
        println!(
            "{:28} {:>8} {:>4} {:>10}   {:>7} {:>8.2} {:>5} {:>6.2} {:>5} {:>6.2}   {}",
            function.name,
            function.paths.to_string(),
            function.hot.len(),
            function.executions,
            function.ball_larus_probes,
            function.ball_larus.ratio(),
            function.preferential_probes,
            function.preferential.ratio(),
            function.selective_probes,
            function.selective.ratio(),
            numbers.join(",")
        );
    }
}
