//! The interfaces of a profiler: where its records come from, and who reads its table.

use serde::{Deserialize, Serialize};

/// Where branch records come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ingress {
    /// The core offers records itself, over a valid/ready handshake.
    #[default]
    Native,
    /// Records are made from the retirements on a RISC-V Formal Interface.
    Rvfi,
    /// Records are made from the addresses and instructions that leave the core's last stage.
    Retire,
    /// Records are made from the blocks on the hart's interface to a trace encoder (RISC-V E-Trace).
    Trace,
}

impl Ingress {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Native, Self::Rvfi, Self::Retire, Self::Trace];
}

/// What cores differ in that have the same ingress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct IngressOptions {
    /// Channels of the RVFI ingress, 1 to 4: instructions that may retire in one cycle.
    pub retire_channels: u32,
    /// Bits of `itype` of the trace ingress: 3 or 4.
    pub itype_bits: u32,
    /// Bits of `iretire` of the trace ingress: 1 on a single-retirement interface, which counts instructions, else 2 to 8.
    pub iretire_bits: u32,
    /// Inputs of events, each as wide as the events of a record: 1 to 8, of together 64 bits at most. The native ingress has none: its core
    /// counts.
    pub event_inputs: u32,
}

impl Default for IngressOptions {
    fn default() -> Self {
        Self {
            retire_channels: 1,
            itype_bits: 4,
            iretire_bits: 3,
            event_inputs: 1,
        }
    }
}

/// The bus on which software reaches the registers and the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bus {
    /// None: the stream of completed paths is the only output, and there is no table.
    None,
    /// A Wishbone B4 slave, pipelined or classic.
    #[default]
    Wishbone,
    /// An AXI4-Lite slave.
    Axi4Lite,
    /// An APB4 slave.
    Apb,
}

impl Bus {
    /// Every bus, and none.
    pub const ALL: [Self; 4] = [Self::None, Self::Wishbone, Self::Axi4Lite, Self::Apb];
}
