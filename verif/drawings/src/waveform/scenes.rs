//! The scenes of the manual's waveforms.

use super::{Drawing, Format, Row};
use anyhow::{Context, Result};
use hpp_gen::{Bus, Config, Ingress, generate};
use hpp_golden::branch::BranchKind;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use std::path::Path;
use verilated::{Builder, Model, Samples, sample};

/// A profiler, what is done to it, and what is shown of it.
pub struct Scene {
    /// Name of the picture's files.
    pub name: &'static str,
    config: Config,
    /// Done before the picture begins, as `steps` are.
    before: Vec<Step>,
    /// The inputs of each cycle; inputs that are not named are 0.
    steps: Vec<Step>,
    rows: Vec<(&'static str, Format, Option<&'static str>)>,
    /// A cycle is marked when these signals have these values.
    mark: (&'static [(&'static str, u64)], &'static str),
}

/// The inputs of a cycle.
type Step = Vec<(&'static str, u64)>;

/// All of them.
pub fn all() -> Vec<Scene> {
    vec![native(), waits(), rvfi()]
}

const HEX: Format = Format::Word(|value| format!("{value:#x}"));
const DECIMAL: Format = Format::Word(|value| value.to_string());
const KIND: Format = Format::Word(|value| {
    BranchKind::ALL
        .get(usize::try_from(value).unwrap_or(usize::MAX))
        .map_or_else(String::new, |kind| format!("{kind}"))
});

/// Rows of a completed path.
const PATH: [(&str, Format, Option<&str>); 4] = [
    ("path_valid", Format::Bit, None),
    ("path_start", HEX, Some("path_valid")),
    ("path_length", DECIMAL, Some("path_valid")),
    ("path_outcomes", HEX, Some("path_valid")),
];

/// Rows of a record.
const RECORD: [(&str, Format, Option<&str>); 6] = [
    ("br_valid", Format::Bit, None),
    ("br_ready", Format::Bit, None),
    ("br_kind", KIND, Some("br_valid")),
    ("br_taken", DECIMAL, Some("br_valid")),
    ("br_target", HEX, Some("br_valid")),
    ("br_events", DECIMAL, Some("br_valid")),
];

fn record(kind: BranchKind, target: u64) -> Step {
    vec![
        ("br_valid", 1),
        ("br_kind", kind.code().into()),
        ("br_taken", 1),
        ("br_target", target),
        ("br_events", 3),
    ]
}

/// Two rounds of a loop, the second with a call.
fn native() -> Scene {
    let mut rows = RECORD.to_vec();
    rows.extend(PATH);
    let mut steps = vec![
        vec![],
        record(BranchKind::Backward, 0x100),
        vec![],
        record(BranchKind::Call, 0x200),
        record(BranchKind::Return, 0x108),
        record(BranchKind::Backward, 0x100),
    ];
    steps.resize(11, vec![]);
    Scene {
        name: "record-native",
        config: Config {
            bus: Bus::None,
            ..Config::default()
        },
        before: Vec::new(),
        steps,
        rows,
        mark: ACCEPTED,
    }
}

/// A path in every cycle, for a small table that looks up way after way: records have to wait.
fn waits() -> Scene {
    let mut rows = RECORD[..5].to_vec();
    rows.push(PATH[0]);
    let round = |round: u64| record(BranchKind::Backward, 0x100 + 4 * round);
    Scene {
        name: "record-waits",
        config: Config {
            geometry: Geometry {
                sets: 16,
                ways: 2,
                queue_depth: 2,
                lookup: LookupScheme::Sequential,
                ..Geometry::default()
            },
            reset: ResetValues {
                enable: true,
                ..ResetValues::default()
            },
            ..Config::default()
        },
        before: (0..64).map(round).collect(),
        steps: (64..68).map(round).chain([vec![]]).collect(),
        rows,
        mark: ACCEPTED,
    }
}

const ACCEPTED: (&[(&str, u64)], &str) = (&[("br_valid", 1), ("br_ready", 1)], "accepted");

/// Cycles after reset in which the table has been emptied.
const SETTLE: usize = 256;

/// A loop whose second round is interrupted; the handler begins with a jump.
fn rvfi() -> Scene {
    let retire = |pc: u64, insn: u64, next: u64, intr: u64| {
        vec![
            ("rvfi_valid", 1),
            ("rvfi_insn", insn),
            ("rvfi_pc_rdata", pc),
            ("rvfi_pc_wdata", next),
            ("rvfi_intr", intr),
        ]
    };
    let mut rows = vec![
        ("rvfi_valid", Format::Bit, None),
        ("rvfi_insn", Format::Word(mnemonic), Some("rvfi_valid")),
        ("rvfi_intr", Format::Bit, None),
        ("rvfi_pc_rdata", HEX, Some("rvfi_valid")),
        ("rvfi_pc_wdata", HEX, Some("rvfi_valid")),
        ("rvfi_stall", Format::Bit, None),
        ("records_valid", Format::Bit, None),
        ("records_kind", KIND, Some("records_valid")),
    ];
    rows.extend(PATH);
    let mut steps = vec![
        vec![],
        retire(0x104, BNE, 0x100, 0),
        retire(0x100, ADDI, 0x104, 0),
        retire(0x400, J, 0x480, 1),
        retire(0x480, MRET, 0x104, 0),
        retire(0x104, BNE, 0x100, 0),
        retire(0x100, ADDI, 0x104, 0),
    ];
    steps.resize(13, vec![]);
    Scene {
        name: "record-rvfi",
        config: Config {
            ingress: Ingress::Rvfi,
            bus: Bus::None,
            ..Config::default()
        },
        before: Vec::new(),
        steps,
        rows,
        mark: (&[("rvfi_valid", 1), ("rvfi_stall", 0)], "retires"),
    }
}

/// `bne t0, zero, -4`, `addi t0, t0, -1`, `j 0x80`, `mret`.
const BNE: u64 = 0xfe02_9ee3;
const ADDI: u64 = 0xfff2_8293;
const J: u64 = 0x0800_006f;
const MRET: u64 = 0x3020_0073;

fn mnemonic(insn: u64) -> String {
    let name = match insn {
        BNE => "bne",
        ADDI => "addi",
        J => "j",
        MRET => "mret",
        _ => return format!("{insn:08x}"),
    };
    name.to_string()
}

impl Scene {
    /// Simulates the scene; its VCD stays in `folder`.
    ///
    /// # Errors
    ///
    /// What generator, Verilator, compiler or the file system say.
    pub fn record(&self, folder: &Path) -> Result<Drawing> {
        let path = folder.join(format!("{}.vcd", self.name));
        self.simulate(&path)?;
        let names: Vec<&str> = self.rows.iter().map(|row| row.0).collect();
        let samples = sample(&path, "clk", &names)?;
        Ok(self.drawing(&samples))
    }

    fn simulate(&self, path: &Path) -> Result<()> {
        let profiler = generate(&self.config)?;
        let design = Builder::new("hpp")
            .source_text("hpp.v", profiler.verilog())
            .trace(true)
            .build()?;
        let mut model = design.model()?;
        let (clk, rst) = (model.input("clk")?, model.input("rst")?);
        model.set(rst, 1);
        for _ in 0..4 {
            model.cycle(clk)?;
        }
        model.set(rst, 0);
        for _ in 0..SETTLE {
            model.cycle(clk)?;
        }
        for step in &self.before {
            while !self.step(&mut model, step)? {}
        }
        model.trace_to(path)?;
        for step in &self.steps {
            while !self.step(&mut model, step)? {}
        }
        Ok(())
    }

    /// One cycle; whether the step is done: a record waits for `br_ready`, a retirement for `rvfi_stall` to fall.
    fn step(&self, model: &mut Model, step: &[(&str, u64)]) -> Result<bool> {
        let clk = model.input("clk")?;
        for (name, _, _) in &self.rows {
            if let Ok(port) = model.input(name) {
                model.set(port, 0);
            }
        }
        for (name, value) in step {
            let port = model.input(name)?;
            model.set(port, *value);
        }
        model.fall(clk)?;
        let done = match self.config.ingress {
            Ingress::Native => model.get(model.output("br_ready")?) == 1,
            Ingress::Rvfi => model.get(model.output("rvfi_stall")?) == 0,
            Ingress::Retire => model.get(model.output("retire_stall")?) == 0,
            Ingress::Trace => model.get(model.output("trace_stall")?) == 0,
        };
        model.rise(clk)?;
        Ok(done || step.is_empty())
    }

    fn drawing(&self, samples: &[Samples]) -> Drawing {
        let cycles = samples.first().map_or(0, Vec::len);
        let column = |name: &str| {
            let index = self.rows.iter().position(|row| row.0 == name);
            &samples[index.expect("a scene refers to its own rows")]
        };
        let is = |name: &str, value: u64, cycle: usize| column(name)[cycle] == Some(value);
        let rows = self.rows.iter().zip(samples);
        let rows = rows.map(|(&(name, format, valid), samples)| Row {
            name,
            format,
            samples: samples.clone(),
            meant: valid.map(|valid| (0..cycles).map(|cycle| is(valid, 1, cycle)).collect()),
        });
        let (conditions, text) = self.mark;
        let marked = |cycle: &usize| {
            conditions
                .iter()
                .all(|&(name, value)| is(name, value, *cycle))
        };
        Drawing {
            rows: rows.collect(),
            marks: (0..cycles)
                .filter(marked)
                .map(|cycle| (cycle, text))
                .collect(),
            cycles,
        }
    }
}

/// The scene's picture as SVG.
///
/// # Errors
///
/// If it cannot be simulated or drawn.
pub fn svg(scene: &Scene, folder: &Path) -> Result<String> {
    use plotters::prelude::*;
    let drawing = scene.record(folder)?;
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, drawing.size()).into_drawing_area();
        drawing
            .draw(&area)
            .with_context(|| format!("cannot draw {}", scene.name))?;
    }
    Ok(text)
}
