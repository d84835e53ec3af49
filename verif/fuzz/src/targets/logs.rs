//! Logs of retirements, as `hpp check` reads them.

use super::{Target, texts};
use hpp_report::Recorded;

pub const TARGET: Target = Target {
    name: "retirement-log",
    run: |input| {
        let Ok(text) = std::str::from_utf8(input) else {
            return;
        };
        match Recorded::from_log(text) {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(recorded) => {
                let lines = text.lines().skip(1);
                let retired = lines.filter(|line| !line.trim().is_empty()).count();
                let runs = recorded.runs.iter().map(Vec::len);
                assert_eq!(runs.clone().sum::<usize>(), retired);
                assert!(runs.clone().all(|length| length > 0));
            }
        }
    },
    seeds: || {
        texts(&[
            "pc_rdata,insn,trap\n10,13,0\n14,30200073,1\n",
            "pc_rdata,insn,trap,pc_wdata,intr,reset\n0x10,8082,0,100,0,0\n\n100, 13 ,0,104,1,1\n",
        ])
    },
};
