//! The profiler inside an unmodified core: a SystemVerilog `bind` directive.
//!
//! A directive puts an instance into every instance of a module, and connects it to names of that module. A core whose
//! last stage has no ports then needs none, in any tool that reads the directive: simulators, and most synthesisers.

use hpp_hdl::Ingress;
use thiserror::Error;

use crate::config::Config;
use crate::verilog::{Direction, Port, is_plain_name};

/// Which module the profiler is bound into, and to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bind {
    /// Name of the module.
    pub module: String,
    /// A port of the profiler and an expression for it; it comes before what is known of the module.
    pub connect: Vec<(String, String)>,
}

/// Why a profiler cannot be bound.
#[expect(missing_docs, reason = "the text says what it is")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BindError {
    #[error(
        "no connection is known for these inputs of the profiler in module {module}: {}; remedy: {}--connect PORT=EXPRESSION for each, with names of \
         {module} or of modules above it",
        ports.join(", "),
        fits.map_or(String::new(), |ingress| format!("--ingress {}, whose connections are known, or ", format!("{ingress:?}").to_lowercase()))
    )]
    Open {
        module: String,
        ports: Vec<String>,
        fits: Option<Ingress>,
    },
    #[error(
        "--bind {0:?}: a module's name is a letter or underscore, then letters, digits and underscores, and no reserved word of Verilog"
    )]
    Module(String),
    #[error(
        "--connect {0}=: there is no expression; remedy: --connect {0}=EXPRESSION, with names of the module or of modules above it"
    )]
    NoExpression(String),
    #[error("--connect says twice what `{0}` is connected to")]
    Twice(String),
    #[error(
        "{0} runs compressed instructions, but this profiler drops bit 1 of every address; remedy: --align 1"
    )]
    Compressed(String),
    #[error("the profiler has no port `{port}`; there are {}", ports.join(", "))]
    NoPort { port: String, ports: Vec<String> },
}

/// What is known of a core's module: the ingress that fits it, and an expression for each of its ports.
type Known = (
    &'static str,
    Ingress,
    &'static [(&'static str, &'static str)],
);

/// What a core says of compressed instructions that it shows expanded. One that has them does not know in its last stage how long they were.
const NEVER_EXPANDED: &str = "retire_expanded";

/// Cores that always have compressed instructions.
const COMPRESSED: [&str; 1] = ["ibex_top"];

const KNOWN: [Known; 4] = [
    (
        "VexRiscv",
        Ingress::Retire,
        &[
            ("clk", "clk"),
            ("rst", "reset"),
            (
                "retire_valid",
                "lastStageIsFiring || CsrPlugin_hadException || CsrPlugin_interruptJump",
            ),
            (
                "retire_trap",
                "CsrPlugin_hadException || CsrPlugin_interruptJump",
            ),
            ("retire_insn", "lastStageInstruction"),
            (NEVER_EXPANDED, "1'b0"),
            ("retire_pc", "lastStagePc"),
        ],
    ),
    ("ibex_top", Ingress::Rvfi, &rvfi("clk_i", "!rst_ni")),
    ("picorv32", Ingress::Rvfi, &rvfi("clk", "!resetn")),
    ("serv_top", Ingress::Rvfi, &rvfi("clk", "i_rst")),
];

/// A core with ports of RVFI, by their own names.
const fn rvfi(clk: &'static str, rst: &'static str) -> [(&'static str, &'static str); 8] {
    [
        ("clk", clk),
        ("rst", rst),
        ("rvfi_valid", "rvfi_valid"),
        ("rvfi_insn", "rvfi_insn"),
        ("rvfi_trap", "rvfi_trap"),
        ("rvfi_intr", "rvfi_intr"),
        ("rvfi_pc_rdata", "rvfi_pc_rdata"),
        ("rvfi_pc_wdata", "rvfi_pc_wdata"),
    ]
}

pub(crate) fn directive(bind: &Bind, config: &Config, ports: &[Port]) -> Result<String, BindError> {
    check(bind, config, ports)?;
    let connected: Vec<(&Port, Option<&str>)> = ports
        .iter()
        .map(|port| (port, expression(bind, config, &port.name)))
        .collect();
    let open = |(port, expression): &(&Port, Option<&str>)| {
        let open = port.direction == Direction::Input && expression.is_none();
        open.then(|| port.name.clone())
    };
    let open: Vec<String> = connected.iter().filter_map(open).collect();
    if !open.is_empty() {
        return Err(BindError::Open {
            module: bind.module.clone(),
            ports: open,
            fits: KNOWN.iter().find_map(|(module, ingress, _)| {
                (*module == bind.module && *ingress != config.ingress).then_some(*ingress)
            }),
        });
    }
    let (prefix, module) = (&config.prefix, &bind.module);
    let lines: Vec<String> = connected
        .iter()
        .map(|(port, expression)| format!("  .{}({})", port.name, expression.unwrap_or_default()))
        .collect();
    Ok(format!(
        "// Binds the profiler into every instance of `{module}`. Compile this file with the design; its source stays unchanged.\n\
         // The hierarchical name of a profiler port is CORE.{prefix}.PORT, where CORE is an instance of `{module}`.\n\
         `default_nettype none\n\n\
         bind {module} {prefix} {prefix} (\n{}\n);\n\n\
         `default_nettype wire\n",
        lines.join(",\n")
    ))
}

/// Whether what was asked for can be.
fn check(bind: &Bind, config: &Config, ports: &[Port]) -> Result<(), BindError> {
    // A module of somebody else's may begin with an underscore, as no generated name does.
    let module = &bind.module;
    let underscored = module.starts_with('_') && is_plain_name(&format!("m{module}"));
    if !is_plain_name(module) && !underscored {
        return Err(BindError::Module(bind.module.clone()));
    }
    for (place, (port, expression)) in bind.connect.iter().enumerate() {
        if !ports.iter().any(|known| known.name == *port) {
            return Err(BindError::NoPort {
                port: port.clone(),
                ports: ports.iter().map(|port| port.name.clone()).collect(),
            });
        }
        if expression.trim().is_empty() {
            return Err(BindError::NoExpression(port.clone()));
        }
        if bind.connect[..place]
            .iter()
            .any(|(before, _)| before == port)
        {
            return Err(BindError::Twice(port.clone()));
        }
    }
    if COMPRESSED.contains(&bind.module.as_str()) && config.geometry.align > 1 {
        return Err(BindError::Compressed(bind.module.clone()));
    }
    Ok(())
}

/// What is known of a module's signal for a port: of one instruction a cycle, and of the length of instructions only if all have one.
fn known(module: &str, config: &Config, port: &str) -> Option<&'static str> {
    let (_, _, known) = KNOWN
        .iter()
        .find(|(name, ingress, _)| *name == module && *ingress == config.ingress)?;
    let of_lengths = port == NEVER_EXPANDED && config.geometry.align == 1;
    if config.ports.retire_channels > 1 || of_lengths {
        return None;
    }
    let (_, expression) = known.iter().find(|(name, _)| *name == port)?;
    Some(expression)
}

/// What a port is connected to.
fn expression<'a>(bind: &'a Bind, config: &Config, port: &str) -> Option<&'a str> {
    let given = bind.connect.iter().find(|(name, _)| name == port);
    // What a core does not count is nothing.
    let nothing = (port == "event_in").then_some("'0");
    given
        .map(|(_, expression)| expression.as_str())
        .or_else(|| known(&bind.module, config, port))
        .or(nothing)
}
