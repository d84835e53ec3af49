//! The interfaces of a profiler: the source of its records, and the bus of its registers.

use hpp_golden::ingress::{Extensions, RvfiNext, Vendor};
use hpp_golden::parameters;
use serde::{Deserialize, Serialize};

/// The source of branch records.
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
    /// All ingresses.
    pub const ALL: [Self; 4] = [Self::Native, Self::Rvfi, Self::Retire, Self::Trace];
}

parameters! {
    /// What cores differ in that have the same ingress.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
    pub struct IngressOptions {
        /// Channels of the RVFI ingress: instructions that may retire in one cycle.
        retire_channels: u32 = 1, number(1, 4);
        /// What tells the RVFI ingress where an instruction leads: its rvfi_pc_wdata (pc-wdata), or the next retirement, whose port then has neither rvfi_pc_wdata nor rvfi_intr (retirement).
        rvfi_next: RvfiNext = RvfiNext::PcWdata, choice;
        /// The core of the RVFI or retire ingress has Zcmp and Zcmt, whose encodings are those of c.fsdsp: their returns, jumps and calls make records.
        zcmp: bool = false, switch;
        /// Whose instructions of its own the core of the RVFI or retire ingress has: their branches, jumps and returns make records. With core-v (COREV_PULP) so does what a further input, rvfi_loop_end or retire_loop_end, marks as the last instruction of a hardware loop's body.
        vendor: Vendor = Vendor::None, choice;
        /// Width of `itype` of the trace ingress in bits.
        itype_bits: u32 = 4, number(3, 4);
        /// Width of `iretire` of the trace ingress in bits; 1 on a single-retirement interface, which counts instructions.
        iretire_bits: u32 = 3, number(1, 8);
        /// Inputs of events, each as wide as the events of a record; 64 bits at most together. The native ingress has none: its core counts.
        event_inputs: u32 = 1, number(1, 8);
    }
}

impl IngressOptions {
    /// What the core's encodings mean.
    pub const fn extensions(&self) -> Extensions {
        Extensions {
            zcm: self.zcmp,
            vendor: self.vendor,
        }
    }

    /// The core has hardware loops.
    pub fn has_loops(&self) -> bool {
        self.vendor == Vendor::CoreV
    }

    /// The core has instructions of 48 bits.
    pub fn has_long(&self) -> bool {
        self.vendor == Vendor::Qualcomm
    }

    /// Some jumps do not say in what the core shows whether they lead back.
    pub fn has_undirected(&self) -> bool {
        self.zcmp || self.has_long()
    }
}

/// The bus on which software accesses registers and table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bus {
    /// No bus. The profiler outputs the stream of completed paths, and has no table.
    None,
    /// A Wishbone B4 slave, pipelined or classic.
    #[default]
    Wishbone,
    /// An AXI4-Lite slave.
    Axi4Lite,
    /// An APB4 slave.
    Apb,
    /// The register port itself, for a bus without an adapter.
    Native,
}

impl Bus {
    /// All buses, and none.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Wishbone,
        Self::Axi4Lite,
        Self::Apb,
        Self::Native,
    ];
}
