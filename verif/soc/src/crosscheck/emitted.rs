//! The emitted Verilog beside the model: the paths that `path_*` shows while a run's records are offered one a cycle.
//!
//! The model's path stack stands for the hardware in the comparison with software. Here the hardware itself takes the same records, in
//! every mode that paths can be made in.

use std::num::NonZeroU32;

use anyhow::{Context, Result, ensure};
use hpp_gen::Config;
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::{
    BackwardNotTaken, ExactProfile, Extension, PathStack, ResetValues, Rows,
};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::{Device, Drive, Harness, VerilatedDevice};

/// Cycles without a record after which no path is on its way: more than the detector's four.
const DRAIN: usize = 8;

#[derive(Clone, Copy, Debug)]
pub struct Mode {
    pub name: &'static str,
    rows: Rows,
    backward_not_taken: BackwardNotTaken,
    extension: Extension,
}

impl Mode {
    /// Rows and modes after reset; extensions across one boundary.
    fn reset(&self) -> ResetValues {
        ResetValues {
            enable: true,
            rows: self.rows,
            backward_not_taken: self.backward_not_taken,
            extension: self.extension,
            max_extension: u8::from(self.extension != Extension::None),
            ..ResetValues::default()
        }
    }
}

const fn mode(name: &'static str, rows: Rows, extension: Extension) -> Mode {
    Mode {
        name,
        rows,
        backward_not_taken: BackwardNotTaken::AsForward,
        extension,
    }
}

const BALL_LARUS: Rows = Rows::BALL_LARUS;

/// Every mode that paths can be made in.
pub const MODES: [Mode; 5] = [
    mode("Ball-Larus, as forward", BALL_LARUS, Extension::None),
    Mode {
        backward_not_taken: BackwardNotTaken::AsBackward,
        ..mode("Ball-Larus, as backward", BALL_LARUS, Extension::None)
    },
    mode(
        "whole program paths",
        Rows::WHOLE_PROGRAM_PATH,
        Extension::None,
    ),
    mode("loop extension, 1", BALL_LARUS, Extension::Loop),
    mode("procedure extension, 1", BALL_LARUS, Extension::Procedure),
];

/// Runs the emitted Verilog and the model's path stack over the records of a run, and compares every path in its order. With parallel lookup, which
/// takes a record in every cycle.
///
/// # Errors
///
/// If the Verilog does not build, or shows another path than the model, or more or fewer.
pub fn check_emitted(
    records: &[BranchRecord],
    geometry: &Geometry,
    mode: Mode,
) -> Result<ExactProfile> {
    let named = Named {
        name: "cross-check",
        seed: None,
        geometry: Geometry {
            lookup: LookupScheme::Parallel,
            ..*geometry
        },
    };
    let config = Config {
        reset: mode.reset(),
        ..Config::default()
    };
    let harness = Harness::build(&named, &config)?;
    let mut device = VerilatedDevice::new(harness.design(), NonZeroU32::MIN)?;
    // What is shown before the first edge of a reset means nothing.
    let reset = Drive {
        reset: true,
        ..Drive::default()
    };
    device.cycle(&reset).map_err(anyhow::Error::msg)?;
    let mut stack = PathStack::new(geometry, mode.reset().ppcr());
    let mut expected = records.iter().filter_map(|record| stack.step(record));
    let mut profile = ExactProfile::new();
    let mut cycle = |drive: Drive| -> Result<bool> {
        let seen = device.cycle(&drive).map_err(anyhow::Error::msg)?;
        if let Some(path) = seen.path {
            let model = expected.next();
            ensure!(
                model == Some(path),
                "the Verilog completes {path:?}, the model {model:?}"
            );
            profile.record(&path);
        }
        Ok(seen.ready)
    };
    for (index, record) in records.iter().enumerate() {
        let record = Some(*record);
        let offer = Drive {
            record,
            ..Drive::default()
        };
        let ready = cycle(offer).with_context(|| format!("at record {index}"))?;
        ensure!(ready, "record {index} is not taken in its cycle");
    }
    for _ in 0..DRAIN {
        cycle(Drive::default())?;
    }
    let left = expected.next();
    ensure!(left.is_none(), "the Verilog does not complete {left:?}");
    Ok(profile)
}
