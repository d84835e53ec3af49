//! The soft cores of the systems, and the Verilog that each brings along.

mod texts;

use std::path::Path;

use hpp_gen::{Ingress, RvfiNext};

use crate::design::SourceFile;
use crate::error::Result;
use crate::flow::read;

/// A soft core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// PicoRV32, RV32IMC; RV32I where the system defines HPP_BASE_ISA.
    PicoRv32,
    /// VexRiscv, RV32I: the variant VexRiscv_Min of its wheel.
    VexRiscv,
    /// VexRiscv with caches for code and data, RV32IM: the variant VexRiscv. What its caches fetch are events of its system.
    VexRiscvCaches,
    /// The same with compressed instructions, RV32IMAC: the variant VexRiscv_IMAC.
    VexRiscvImac,
    /// VexRiscv with supervisor mode and address spaces, RV32IMA: the variant VexRiscv_Linux. It boots Linux, in simulation: no board has the
    /// memory. Its system has a timer that interrupts, and devices at other addresses.
    VexRiscvLinux,
    /// Ibex, RV32IMC, with two stages: the configuration `small` of its package. Only for simulation: Yosys does not read
    /// its SystemVerilog.
    Ibex,
    /// Ibex with three stages: the configuration `maxperf`.
    IbexMaxperf,
    /// SERV, RV32I, a bit a cycle.
    Serv,
    /// CV32E40P, RV32IMC, with four stages. Only for simulation, as Ibex.
    Cv32e40p,
    /// CV32E40X, RV32IMC, with four stages. Only for simulation.
    Cv32e40x,
    /// CVA6, RV32IMAC, with caches and two commit ports: the configuration `cv32a6_imac_sv0` of its package. Only for simulation.
    Cva6,
    /// Rocket, RV64IMAC, with caches: the variant `LitexConfig` of its package. Only for simulation.
    Rocket,
}

/// Options of Verilator for the cores' sources, which have a style of their own.
pub const STYLE: [&str; 6] = [
    "-Wno-lint",
    "-Wno-TIMESCALEMOD",
    "-Wno-UNOPTFLAT",
    "-Wno-SELRANGE",
    "-Wno-SYMRSVDWORD",
    "-Wno-WIDTHCONCAT",
];

impl Core {
    /// Every core that runs programs by themselves.
    pub const ALL: [Core; 11] = [
        Core::PicoRv32,
        Core::VexRiscv,
        Core::VexRiscvCaches,
        Core::VexRiscvImac,
        Core::Ibex,
        Core::IbexMaxperf,
        Core::Serv,
        Core::Cv32e40p,
        Core::Cv32e40x,
        Core::Cva6,
        Core::Rocket,
    ];

    /// The core of this short name.
    pub fn from_key(key: &str) -> Option<Core> {
        Core::ALL.into_iter().find(|core| core.key() == key)
    }

    /// Name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Core::PicoRv32 => "PicoRV32",
            Core::VexRiscv => "VexRiscv",
            Core::VexRiscvCaches => "VexRiscv with caches",
            Core::VexRiscvImac => "VexRiscv RV32IMAC",
            Core::VexRiscvLinux => "VexRiscv for Linux",
            Core::Ibex => "Ibex",
            Core::IbexMaxperf => "Ibex, three stages",
            Core::Serv => "SERV",
            Core::Cv32e40p => "CV32E40P",
            Core::Cv32e40x => "CV32E40X",
            Core::Cva6 => "CVA6",
            Core::Rocket => "Rocket",
        }
    }

    /// Short name in file names.
    pub const fn key(self) -> &'static str {
        match self {
            Core::PicoRv32 => "picorv32",
            Core::VexRiscv => "vexriscv",
            Core::VexRiscvCaches => "vexriscv-caches",
            Core::VexRiscvImac => "vexriscv-imac",
            Core::VexRiscvLinux => "vexriscv-linux",
            Core::Ibex => "ibex",
            Core::IbexMaxperf => "ibex-maxperf",
            Core::Serv => "serv",
            Core::Cv32e40p => "cv32e40p",
            Core::Cv32e40x => "cv32e40x",
            Core::Cva6 => "cva6",
            Core::Rocket => "rocket",
        }
    }

    /// The package that the core comes in, as `scripts/tool-paths` calls it.
    const fn package(self) -> &'static str {
        match self {
            Core::IbexMaxperf => "ibex",
            Core::VexRiscvCaches | Core::VexRiscvImac | Core::VexRiscvLinux => "vexriscv",
            _ => self.key(),
        }
    }

    /// What it implements, as GCC names it.
    pub const fn isa(self) -> &'static str {
        match self {
            Core::PicoRv32
            | Core::VexRiscvImac
            | Core::Ibex
            | Core::IbexMaxperf
            | Core::Cv32e40p
            | Core::Cv32e40x
            | Core::Cva6 => "rv32imc",
            Core::VexRiscvCaches | Core::VexRiscvLinux => "rv32im",
            Core::VexRiscv | Core::Serv => "rv32i",
            Core::Rocket => "rv64imac",
        }
    }

    /// The Verilog macros that the system with this core wants.
    pub const fn defines(self) -> &'static [&'static str] {
        match self {
            Core::PicoRv32 | Core::Serv => &["RISCV_FORMAL"],
            Core::VexRiscv | Core::Cv32e40p => &["HPP_RETIRE"],
            Core::Rocket => &["HPP_RETIRE", "HPP_PC_BITS=34"],
            Core::Cv32e40x => &["HPP_RETIRE", "HPP_CV32E40X"],
            Core::VexRiscvCaches | Core::VexRiscvImac => &["HPP_RETIRE", "HPP_CACHES"],
            Core::VexRiscvLinux => &[
                "HPP_RETIRE",
                "HPP_CACHES",
                "HPP_CONTEXT_BITS=8",
                "HPP_TIMER_INTERRUPT",
            ],
            Core::Ibex => &["RVFI", "HPP_PIPELINE=2"],
            Core::IbexMaxperf => &["RVFI", "HPP_PIPELINE=3"],
            Core::Cva6 => &[
                "WT_DCACHE",
                "RVFI_TRACE",
                "HPP_CHANNELS=2",
                "HPP_NEXT_RETIREMENT",
            ],
        }
    }

    /// The profiler's ingress behind it.
    pub const fn ingress(self) -> Ingress {
        match self {
            Core::VexRiscv
            | Core::VexRiscvCaches
            | Core::VexRiscvImac
            | Core::VexRiscvLinux
            | Core::Cv32e40p
            | Core::Cv32e40x
            | Core::Rocket => Ingress::Retire,
            Core::PicoRv32 | Core::Ibex | Core::IbexMaxperf | Core::Serv | Core::Cva6 => {
                Ingress::Rvfi
            }
        }
    }

    /// How many instructions may retire in a cycle.
    pub const fn retire_channels(self) -> u32 {
        match self {
            Core::Cva6 => 2,
            _ => 1,
        }
    }

    /// What tells an RVFI ingress where an instruction leads.
    pub const fn rvfi_next(self) -> RvfiNext {
        match self {
            Core::Cva6 => RvfiNext::Retirement,
            _ => RvfiNext::PcWdata,
        }
    }

    /// Whether it can be held when the profiler takes nothing, or never needs to be.
    pub const fn waits(self) -> bool {
        !matches!(
            self,
            Core::Ibex
                | Core::IbexMaxperf
                | Core::Cv32e40p
                | Core::Cv32e40x
                | Core::Cva6
                | Core::Rocket
        )
    }

    /// Whether a tiny profiler, which takes no compressed instructions and has to hold it, can be behind it in the system.
    pub const fn takes_tiny(self) -> bool {
        matches!(self, Core::Serv)
    }

    /// What is added to the addresses of the system's devices for a program: a core with caches may keep what is at the system's own.
    pub const fn devices(self) -> u32 {
        match self {
            Core::VexRiscvCaches | Core::VexRiscvImac | Core::Cva6 => 0x8000_0000,
            Core::Rocket => 0x2000_0000,
            _ => 0,
        }
    }

    /// Where the memory begins for a program.
    pub const fn memory(self) -> u32 {
        match self {
            Core::Rocket => 0x8000_0000,
            _ => 0,
        }
    }

    /// Bits of an address that it shows.
    pub const fn pc_bits(self) -> u32 {
        match self {
            Core::Rocket => 34,
            _ => 32,
        }
    }

    /// The inputs of events that the system gives the profiler.
    pub const fn events(self) -> &'static [&'static str] {
        match self {
            Core::VexRiscvCaches | Core::VexRiscvImac | Core::VexRiscvLinux => {
                &["icache-refill", "dcache-refill"]
            }
            Core::VexRiscv | Core::Cv32e40p | Core::Cv32e40x | Core::Cva6 | Core::Rocket => &[],
            _ => &["memory-access"],
        }
    }

    /// The file of `fpga/soc/cores` that gives it the ports of the system.
    const fn adapter(self) -> &'static str {
        match self {
            Core::PicoRv32 => "picorv32.v",
            Core::VexRiscv | Core::VexRiscvCaches | Core::VexRiscvImac | Core::VexRiscvLinux => {
                "vexriscv.v"
            }
            Core::Ibex | Core::IbexMaxperf => "ibex.sv",
            Core::Serv => "serv.v",
            Core::Cv32e40p | Core::Cv32e40x => "cv32e40.sv",
            Core::Cva6 => "cva6.sv",
            Core::Rocket => "rocket.sv",
        }
    }

    /// The core, its adapter, and the system of `fpga/soc` around it.
    ///
    /// # Errors
    ///
    /// If the core's package is not installed, or its text is not the one that is expected.
    pub fn files(self, root: &Path) -> Result<Vec<SourceFile>> {
        let mut files = texts::own_files(self, root)?;
        let soc = root.join("fpga/soc");
        let adapter = read(&soc.join("cores").join(self.adapter()))?;
        files.push(SourceFile::new(format!("core_{}", self.adapter()), adapter));
        if matches!(self, Core::Cva6 | Core::Rocket) {
            let bridge = read(&soc.join("cores/axi_bridge.v"))?;
            files.push(SourceFile::new("axi_bridge.v", bridge));
        }
        if self == Core::VexRiscvLinux {
            let controller = read(&soc.join("cores/plic.v"))?;
            files.push(SourceFile::new("plic.v", controller));
        }
        files.push(SourceFile::new("hpp_soc.v", read(&soc.join("hpp_soc.v"))?));
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_is_not_installed_is_named_with_its_remedy() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let scripts = root.path().join("scripts");
        std::fs::create_dir(&scripts).expect("a folder");
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/tool-paths");
        // A copy would be busy while another thread's child still has it open for writing.
        std::os::unix::fs::symlink(real, scripts.join("tool-paths")).expect("a link");
        for core in Core::ALL.into_iter().chain([Core::VexRiscvLinux]) {
            let message = core
                .files(root.path())
                .expect_err("nothing is installed there")
                .to_string();
            assert!(
                message.starts_with(core.package())
                    && message.contains("remedy: scripts/setup-tools.sh"),
                "{message}"
            );
        }
    }
}
