//! Recorded simulations.

use super::{Target, texts};
use hpp::waveform::Waveform;

pub const TARGET: Target = Target {
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
