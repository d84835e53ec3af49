//! Recorded simulations, and logs of retirements, as `hpp check` reads them.

use super::{Target, texts};
use hpp::waveform::Waveform;
use hpp_report::Recorded;

pub const WAVEFORM: Target = Target {
    name: "vcd",
    run: |input| {
        let Ok(mut read) = Waveform::read(input.to_vec()) else {
            return;
        };
        let mut samples = |name| read.samples("clk", name).ok().flatten();
        if let (Some(data), Some(valid)) = (samples("data"), samples("valid")) {
            assert_eq!(data.len(), valid.len());
        }
    },
    seeds: || {
        texts(&[
            "$timescale 1 ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n$var wire 1 \" valid $end\n\
                 $scope module inner $end\n$var wire 8 # data [7:0] $end\n$upscope $end\n$upscope $end\n\
                 $enddefinitions $end\n#0\n0!\nx\"\nbxxxxxxxx #\n#5\nb101 #\n1!\n#10\n0!\n1\"\n#15\n1!\nb110 #\n",
        ])
    },
};

pub const LOG: Target = Target {
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
