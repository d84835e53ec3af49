//! The manifest: what was generated, for programs.

use hpp_golden::profiler::Profiler;
use hpp_golden::registers::{
    Access, DRAIN_REGISTERS, Field, Register, ppcr_mode, registers as registers_of,
};
use hpp_hdl::Bus;
use serde::Serialize;

use crate::config::{Config, ConfigError};
use crate::verilog::{Memory, Port, VerilogText};

/// Everything about one generated profiler.
#[expect(missing_docs, reason = "the other names say what they are")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Manifest {
    pub generator: String,
    pub version: String,
    /// SHA-256 of the configuration file that `--print-config` prints.
    pub configuration_hash: String,
    pub configuration: Config,
    /// Features of the manual that the engine lacks; none for the full engine.
    pub left_out: &'static [&'static str],
    pub derived: Derived,
    pub top: String,
    /// Names of all modules, the top first.
    pub modules: Vec<String>,
    /// The modules that are memories.
    pub memories: Vec<Memory>,
    /// Ports of the top module, in order.
    pub ports: Vec<Port>,
    /// Registers in the order of their address; none without a bus.
    pub registers: Vec<RegisterEntry>,
    /// Names of the Verilog files to compile, the top module's first.
    pub verilog: Vec<String>,
    /// Names of the files, this one included.
    pub files: Vec<String>,
}

/// Sizes that follow from the geometry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Derived {
    /// Entries of the hot path table.
    pub entries: u32,
    /// Width of a path's length in bits.
    pub length_bits: u32,
    /// 32-bit words of one entry on TABLE_DATA.
    pub entry_words: u32,
    /// Most cycles from an access's acceptance by the bus to its acknowledgement.
    pub longest_access: u32,
}

/// A register.
#[expect(missing_docs, reason = "the other names say what they are")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RegisterEntry {
    pub name: String,
    /// Byte offset from the profiler's base address.
    pub offset: u32,
    /// `read-only`, `read-write`, `write-only` or `write-one-to-clear`.
    pub access: &'static str,
    /// What it holds after reset.
    pub reset: u32,
    pub description: String,
    /// Its fields, lowest first.
    pub fields: Vec<FieldEntry>,
}

/// A field of a register: `width` bits from bit `lsb` on.
#[expect(missing_docs, reason = "the names say what it is")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldEntry {
    pub name: String,
    pub lsb: u32,
    pub width: u32,
    pub description: String,
    pub values: Vec<NamedValue>,
}

/// A value of a field that has a name.
#[expect(missing_docs, reason = "the names say what it is")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedValue {
    pub name: String,
    pub value: u32,
}

impl Manifest {
    /// The manifest of `written`, whose files have the names `verilog`; it names no others yet.
    pub(crate) fn new(
        config: &Config,
        written: &VerilogText,
        verilog: Vec<String>,
    ) -> Result<Self, ConfigError> {
        config.validate()?;
        let geometry = &config.geometry;
        let registers = match config.bus {
            Bus::None => Vec::new(),
            _ => registers(config),
        };
        Ok(Self {
            generator: "gen-verilog".to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            configuration_hash: config.hash(),
            configuration: config.clone(),
            left_out: config.left_out(),
            derived: Derived {
                entries: geometry.entries(),
                length_bits: geometry.length_bits(),
                entry_words: geometry.entry_words(),
                longest_access: geometry.longest_access(),
            },
            top: written.top.clone(),
            modules: written.modules.clone(),
            memories: written.memories.clone(),
            ports: written.ports.clone(),
            registers,
            verilog,
            files: Vec::new(),
        })
    }
}

/// The registers with the values that the model reads right after reset, while the table is still being emptied.
fn registers(config: &Config) -> Vec<RegisterEntry> {
    let mut model = Profiler::new(&config.geometry, &config.effective_reset())
        .expect("the configuration has been checked");
    model.set_clearing(true);
    registers_of(&config.geometry)
        .map(|register| describe(register, config, model.read(register.offset)))
        .collect()
}

/// The registers of a drain, for a driver that serves every configuration, of one that has none.
pub(crate) fn absent_registers(config: &Config) -> Vec<RegisterEntry> {
    if config.geometry.has_drain() {
        return Vec::new();
    }
    let absent = DRAIN_REGISTERS.iter();
    absent
        .map(|register| describe(register, config, 0))
        .collect()
}

fn describe(register: &Register, config: &Config, reset: u32) -> RegisterEntry {
    RegisterEntry {
        name: register.name.to_string(),
        offset: register.offset,
        access: access(register.access),
        reset,
        description: register.description.to_string(),
        fields: register.fields.iter().map(|f| field(f, config)).collect(),
    }
}

fn access(access: Access) -> &'static str {
    match access {
        Access::ReadOnly => "read-only",
        Access::ReadWrite => "read-write",
        Access::WriteOnly => "write-only",
        Access::WriteOneToClear => "write-one-to-clear",
    }
}

fn field(field: &Field, config: &Config) -> FieldEntry {
    let value = |(name, value): &(&str, u32)| NamedValue {
        name: (*name).to_string(),
        value: *value,
    };
    let mut values: Vec<NamedValue> = field.values.iter().map(value).collect();
    if *field == ppcr_mode::EVENT_SELECT {
        values.extend(event_inputs(config));
    }
    FieldEntry {
        name: field.name.to_string(),
        lsb: field.lsb,
        width: field.width,
        description: field.description.to_string(),
        values,
    }
}

/// The inputs of events by the names that the configuration gives them, else by number; the first is also `EXTERNAL`.
fn event_inputs(config: &Config) -> Vec<NamedValue> {
    let inputs = 0..config.ports.event_inputs as usize;
    let name = |input: usize| match config.event_names.get(input) {
        Some(name) => Some(name.to_uppercase().replace('-', "_")),
        None if input == 0 => None,
        None => Some(format!("EXTERNAL_{input}")),
    };
    let named = inputs.zip(FIRST_INPUT..).filter_map(|(input, value)| {
        let name = name(input)?;
        Some(NamedValue { name, value })
    });
    named.collect()
}

/// Event type of the first input.
const FIRST_INPUT: u32 = 2;
