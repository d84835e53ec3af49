//! Profilers with a mistake in their Verilog, which the bench must find.
//!
//! A text holds many mistakes, and the input [`INPUT`] chooses one, so that a profiler is compiled once for all.

use super::corners::Stimulus;
use super::geometries::Named;
use super::ingress::Front;
use super::{Bench, Device, Disagreement, Drive, Seen, VerilatedDevice};
use anyhow::{Context, Result, ensure};
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verilated::{Builder, Design};

/// The input that chooses the mistake, counted from 1; 0 is the profiler as it was.
pub const INPUT: &str = "mistake";

/// The names of the profilers: between them they have every circuit but the other ingresses and `tiny`.
pub const PROFILERS: [&str; 6] = ["parallel", "sequential", "shadow", "rrip", "drain", "rvfi"];

/// A profiler in which mistakes are made.
#[derive(Debug, Clone)]
pub struct Profiler {
    pub config: Config,
    front: Front,
    /// Its Verilog; the top module is `hpp`.
    pub verilog: String,
}

impl Profiler {
    /// The profiler of a name. No width is a round number where it need not be one. Accumulators are so narrow that they saturate, and counters start just
    /// below the end of their low words, those of `sequential` just below their own end.
    ///
    /// # Errors
    ///
    /// If it is none of [`PROFILERS`].
    pub fn find(name: &str) -> Result<Self> {
        let odd = |name| Named::find(name).map(|named| named.geometry);
        let geometry = match name {
            "parallel" => odd("odd").map(|odd| Geometry {
                stack_depth: 8,
                context_bits: 3,
                stack_check: true,
                ..odd
            }),
            "sequential" | "shadow" | "rrip" => odd(&format!("{name}-odd")),
            "drain" => odd("drained-odd"),
            // A table that soon makes the core wait.
            "rvfi" => odd("sequential"),
            _ => None,
        };
        let known = || format!("no profiler `{name}`; there are {}", PROFILERS.join(", "));
        let geometry = Geometry {
            accumulator_bits: 8,
            ..geometry.with_context(known)?
        };
        let last = match name {
            "sequential" => Geometry::mask(geometry.counter_bits),
            _ => u32::MAX.into(),
        };
        let front = match name {
            "rvfi" => Front::rvfi(2),
            _ => Front::default(),
        };
        let config = Config {
            geometry,
            reset: ResetValues {
                enable: name == "sequential",
                counters: last - 20,
                ..ResetValues::default()
            },
            ..front.config()
        };
        let verilog = hpp_gen::generate(&config)?.verilog().to_string();
        Ok(Self {
            config,
            front,
            verilog,
        })
    }

    /// What the bench says to a mistake of a design, if it finds it; after what the stimulus does, or when it takes longer than it may.
    pub fn finds(
        &self,
        design: &Design,
        mistake: u32,
        stimulus: &Stimulus<Mistaken>,
    ) -> Result<Option<String>> {
        let mut device = VerilatedDevice::new(design, NonZeroU32::MIN)?;
        let model = device.model_mut();
        model.set(model.input(INPUT)?, mistake.into());
        let left = stimulus.cycles;
        let device = Mistaken { device, left };
        let run = || -> Result<(), Disagreement> {
            let Config {
                geometry, reset, ..
            } = &self.config;
            let front = (&self.front, 1);
            let mut bench = Bench::with_front(device, front, geometry, reset, stimulus.protocol)?;
            (stimulus.run)(&mut bench)
        };
        // What is shown may be beyond what the model's types can say, which is a panic.
        Ok(match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(())) => None,
            Ok(Err(difference)) => Some(difference.to_string()),
            Err(_) => Some("a value that the model does not know".into()),
        })
    }
}

/// A profiler with a mistake; it fails if it is driven for longer than it may.
#[derive(Debug)]
pub struct Mistaken {
    device: VerilatedDevice,
    left: u64,
}

impl Device for Mistaken {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or("it takes longer than it may")?;
        self.device.cycle_into(drive, seen)
    }
}

/// Builds a text with mistakes, which make constant conditions, unused bits and loops through values that do not depend on themselves.
pub fn build(verilog: &str) -> Result<Design> {
    let builder = Builder::new("hpp").source_text("hpp.v", verilog);
    let builder = builder.flag("-Wno-fatal").flag("-Wno-lint");
    Ok(builder.build()?)
}

/// The Verilog with mistakes, each in a module: what stands there, an expression or a statement with its semicolon, and what stands there instead.
///
/// # Errors
///
/// If there is no such module or text.
pub fn mistaken<'a>(
    verilog: &str,
    mistakes: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
) -> Result<String> {
    let mut text = verilog.to_owned();
    for ((module, from, to), number) in mistakes.into_iter().zip(1..) {
        let place = body(&text, module)?;
        let sound = &text[place.clone()];
        ensure!(sound.contains(from), "`{from}` is not in {module}");
        let chosen = format!("({INPUT}_number == 16'd{number})");
        let choice = match from.ends_with(';') {
            true => format!("if {chosen} begin {to} end else begin {from} end"),
            false => format!("({chosen} ? ({to}) : ({from}))"),
        };
        let changed = sound.replacen(from, &choice, 1);
        text.replace_range(place, &changed);
    }
    // Every module sees the variable outside of modules.
    text.insert_str(
        body(&text, "hpp")?.end,
        &format!("\n  always @* {INPUT}_number = {INPUT};"),
    );
    let port = format!("module hpp (\n  input wire [15:0] {INPUT},\n");
    let text = text.replacen("module hpp (\n", &port, 1);
    Ok(format!("reg [15:0] {INPUT}_number;\n{text}"))
}

/// Where a module is in a text.
fn body(text: &str, module: &str) -> Result<std::ops::Range<usize>> {
    let start = text.find(&format!("\nmodule {module} "));
    let start = start.with_context(|| format!("there is no module `{module}`"))?;
    let length = text[start..].find("\nendmodule");
    Ok(start..start + length.context("a module ends")?)
}
