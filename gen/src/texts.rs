//! Files made from templates: C header and driver, Rust module of the registers, register page, FuseSoC core,
//! testbench, assertions, instantiation template, VHDL component.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, UndefinedBehavior, context};

use hpp_golden::config::Geometry;
use hpp_golden::profiler::Rows;
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::manifest::{Manifest, absent_registers};
use crate::testbench::Testbench;

/// Template of each file that only makes sense with registers: suffix and text.
const WITH_REGISTERS: [(&str, &str); 5] = [
    ("_driver.c", include_str!("../templates/driver.c.j2")),
    ("_driver.h", include_str!("../templates/driver.h.j2")),
    (".h", include_str!("../templates/header.h.j2")),
    (".md", include_str!("../templates/registers.md.j2")),
    (".rs", include_str!("../templates/registers.rs.j2")),
];

/// Template of each file that is always made: suffix and text.
const ALWAYS: [(&str, &str); 4] = [
    (".core", include_str!("../templates/fusesoc.core.j2")),
    ("_assume.sv", include_str!("../templates/assume.sv.j2")),
    ("_instance.v", include_str!("../templates/instance.v.j2")),
    ("_tb.sv", include_str!("../templates/testbench.sv.j2")),
];

/// The template for designs in VHDL.
const VHDL: (&str, &str) = (
    "_component.vhd",
    include_str!("../templates/component.vhd.j2"),
);

/// The ports whose bits make up a completed path, in the testbench's order.
const PATH_PORTS: [&str; 4] = ["path_start", "path_length", "path_outcomes", "path_count"];

/// What a port is called where there is one hart, and whose it is: `br_hart_1_valid` is `br_valid` of hart 1. A port that
/// the harts share has none.
fn of_hart(port: &str) -> (Cow<'_, str>, Option<u32>) {
    let Some((front, back)) = port.split_once("_hart_") else {
        return (port.into(), None);
    };
    let digits = back.find(|c: char| !c.is_ascii_digit());
    let (number, rest) = back.split_at(digits.unwrap_or(back.len()));
    (format!("{front}{rest}").into(), number.parse().ok())
}

/// Width of each port in bits, and of a whole `path` and of a whole `stimulus`.
fn widths<'a>(manifest: &'a Manifest, stimulus: &[&str]) -> BTreeMap<Cow<'a, str>, usize> {
    let ports = manifest.ports.iter();
    let mut widths: BTreeMap<Cow<'_, str>, usize> = ports
        .map(|port| (of_hart(&port.name).0, port.width))
        .collect();
    let whole = |ports: &[&str]| ports.iter().filter_map(|port| widths.get(*port)).sum();
    let (path, stimulus) = (whole(&PATH_PORTS), whole(stimulus));
    widths.insert("path".into(), path);
    widths.insert("stimulus".into(), stimulus);
    widths
}

/// Each file's suffix and text.
pub(crate) fn render(
    manifest: &Manifest,
    testbench: &Testbench,
    vhdl: bool,
) -> Result<Vec<(&'static str, String)>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()?;
    environment.set_syntax(syntax);
    environment.add_filter("hex8", |value: u32| format!("0x{value:08x}"));
    environment.add_filter("hex2", |value: u32| format!("0x{value:02x}"));
    environment.add_filter("of_one_hart", |port: String| of_hart(&port).0.into_owned());
    environment.add_filter("hart", |port: String| {
        of_hart(&port).1.map_or(-1, i64::from)
    });
    environment.add_filter("pad", |text: String, width: usize| format!("{text:width$}"));
    environment.add_filter("shifted", |value: u32, lsb: u32| value << lsb);
    environment.add_filter("mask", |width: u32, lsb: u32| {
        (u32::MAX >> (32 - width)) << lsb
    });
    environment.add_filter("literal", |value: u64, width: usize| {
        format!("{width}'h{:x}", value & Geometry::mask(width as u32))
    });
    environment.add_filter("range", |width: usize| match width {
        1 => String::new(),
        _ => format!("[{}:0]", width - 1),
    });
    let registers = WITH_REGISTERS.into_iter();
    registers
        .filter(|_| !manifest.registers.is_empty())
        .chain(ALWAYS)
        .chain(vhdl.then_some(VHDL))
        .map(|(suffix, template)| {
            let text = environment.render_str(
                template,
                context! {
                    m => Serde(manifest),
                    absent => Serde(absent_registers(&manifest.configuration)),
                    t => Serde(testbench),
                    widths => Serde(widths(manifest, testbench.stimulus_ports())),
                    rows => context! {
                        ball_larus => Rows::BALL_LARUS.to_word(),
                        whole_program => Rows::WHOLE_PROGRAM_PATH.to_word(),
                    },
                    prefix => manifest.top.as_str(),
                    PREFIX => manifest.top.to_uppercase(),
                },
            )?;
            Ok((suffix, text))
        })
        .collect()
}
