//! The soft cores of the systems, and the Verilog that each brings along.

mod texts;

use std::path::Path;

use hpp_gen::{Ingress, RvfiNext, Vendor};

use crate::design::SourceFile;
use crate::error::Result;
use crate::flow::read;

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
    /// The same with CORE-V's extensions, hardware loops among them: COREV_PULP is 1.
    Cv32e40pPulp,
    /// CV32E40X, RV32IMC, with four stages. Only for simulation.
    Cv32e40x,
    /// CVA6, RV32IMAC, with caches and two commit ports: the configuration `cv32a6_imac_sv0` of its package. Only for simulation.
    Cva6,
    /// Rocket, RV64IMAC, with caches: the variant `LitexConfig` of its package. Only for simulation.
    Rocket,
}

/// What a system with a core is made of, and what it asks of a profiler.
#[derive(Debug)]
pub struct About {
    pub name: &'static str,
    /// Short name in file names.
    pub key: &'static str,
    /// The package that the core comes in, as `scripts/tool-paths` calls it.
    package: &'static str,
    /// What it implements, as GCC names it.
    pub isa: &'static str,
    /// The Verilog macros that the system with this core wants.
    pub defines: &'static [&'static str],
    /// The profiler's ingress behind it.
    pub ingress: Ingress,
    /// How many instructions may retire in a cycle.
    pub retire_channels: u32,
    /// What tells an RVFI ingress where an instruction leads.
    pub rvfi_next: RvfiNext,
    /// Whether it has Zcmp and Zcmt.
    pub zcmp: bool,
    /// Whose branches of its own it has. Of CORE-V's the profiler is told where hardware loops end.
    pub vendor: Vendor,
    /// Whether it can be held when the profiler takes nothing, or never needs to be.
    pub waits: bool,
    /// Whether a tiny profiler, which takes no compressed instructions and has to hold it, can be behind it in the system.
    pub takes_tiny: bool,
    /// What is added to the addresses of the system's devices for a program: a core with caches may keep what is at the system's own.
    pub devices: u32,
    /// Where the memory begins for a program.
    pub memory: u32,
    /// Bits of an address that it shows.
    pub pc_bits: u32,
    /// The inputs of events that the system gives the profiler.
    pub events: &'static [&'static str],
    /// The files of `fpga/soc/cores` that give it the ports of the system. The first has a name of its own there.
    adapters: &'static [&'static str],
}

const PICORV32: About = About {
    name: "PicoRV32",
    key: "picorv32",
    package: "picorv32",
    isa: "rv32imc",
    defines: &["RISCV_FORMAL"],
    ingress: Ingress::Rvfi,
    retire_channels: 1,
    rvfi_next: RvfiNext::PcWdata,
    zcmp: false,
    vendor: Vendor::None,
    waits: true,
    takes_tiny: false,
    devices: 0,
    memory: 0,
    pc_bits: 32,
    events: &["memory-access"],
    adapters: &["picorv32.v"],
};

const VEXRISCV: About = About {
    name: "VexRiscv",
    key: "vexriscv",
    package: "vexriscv",
    isa: "rv32i",
    defines: &["HPP_RETIRE"],
    ingress: Ingress::Retire,
    events: &[],
    adapters: &["vexriscv.v"],
    ..PICORV32
};

const VEXRISCV_CACHES: About = About {
    name: "VexRiscv with caches",
    key: "vexriscv-caches",
    isa: "rv32im",
    defines: &["HPP_RETIRE", "HPP_CACHES"],
    devices: 0x8000_0000,
    events: &["icache-refill", "dcache-refill"],
    ..VEXRISCV
};

const VEXRISCV_IMAC: About = About {
    name: "VexRiscv RV32IMAC",
    key: "vexriscv-imac",
    isa: "rv32imc",
    ..VEXRISCV_CACHES
};

const VEXRISCV_LINUX: About = About {
    name: "VexRiscv for Linux",
    key: "vexriscv-linux",
    defines: &[
        "HPP_RETIRE",
        "HPP_CACHES",
        "HPP_CONTEXT_BITS=8",
        "HPP_TIMER_INTERRUPT",
    ],
    devices: 0,
    adapters: &["vexriscv.v", "plic.v"],
    ..VEXRISCV_CACHES
};

const IBEX: About = About {
    name: "Ibex",
    key: "ibex",
    package: "ibex",
    defines: &["RVFI", "HPP_PIPELINE=2"],
    waits: false,
    adapters: &["ibex.sv"],
    ..PICORV32
};

const IBEX_MAXPERF: About = About {
    name: "Ibex, three stages",
    key: "ibex-maxperf",
    defines: &["RVFI", "HPP_PIPELINE=3"],
    ..IBEX
};

const SERV: About = About {
    name: "SERV",
    key: "serv",
    package: "serv",
    isa: "rv32i",
    takes_tiny: true,
    adapters: &["serv.v"],
    ..PICORV32
};

const CV32E40P: About = About {
    name: "CV32E40P",
    key: "cv32e40p",
    package: "cv32e40p",
    isa: "rv32imc",
    waits: false,
    adapters: &["cv32e40.sv"],
    ..VEXRISCV
};

const CV32E40P_PULP: About = About {
    name: "CV32E40P with COREV_PULP",
    key: "cv32e40p-pulp",
    defines: &["HPP_RETIRE", "HPP_COREV"],
    vendor: Vendor::CoreV,
    ..CV32E40P
};

const CV32E40X: About = About {
    name: "CV32E40X",
    key: "cv32e40x",
    package: "cv32e40x",
    defines: &["HPP_RETIRE", "HPP_CV32E40X"],
    zcmp: true,
    ..CV32E40P
};

const CVA6: About = About {
    name: "CVA6",
    key: "cva6",
    package: "cva6",
    defines: &[
        "WT_DCACHE",
        "RVFI_TRACE",
        "HPP_CHANNELS=2",
        "HPP_NEXT_RETIREMENT",
    ],
    retire_channels: 2,
    rvfi_next: RvfiNext::Retirement,
    waits: false,
    devices: 0x8000_0000,
    events: &[],
    adapters: &["cva6.sv", "axi_bridge.v"],
    ..PICORV32
};

const ROCKET: About = About {
    name: "Rocket",
    key: "rocket",
    package: "rocket",
    isa: "rv64imac",
    defines: &["HPP_RETIRE", "HPP_PC_BITS=34"],
    waits: false,
    devices: 0x2000_0000,
    memory: 0x8000_0000,
    pc_bits: 34,
    adapters: &["rocket.sv", "axi_bridge.v"],
    ..VEXRISCV
};

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
    pub const ALL: [Core; 12] = [
        Core::PicoRv32,
        Core::VexRiscv,
        Core::VexRiscvCaches,
        Core::VexRiscvImac,
        Core::Ibex,
        Core::IbexMaxperf,
        Core::Serv,
        Core::Cv32e40p,
        Core::Cv32e40pPulp,
        Core::Cv32e40x,
        Core::Cva6,
        Core::Rocket,
    ];

    pub fn from_key(key: &str) -> Option<Core> {
        Core::ALL.into_iter().find(|core| core.about().key == key)
    }

    /// What its systems are made of.
    pub const fn about(self) -> &'static About {
        match self {
            Core::PicoRv32 => &PICORV32,
            Core::VexRiscv => &VEXRISCV,
            Core::VexRiscvCaches => &VEXRISCV_CACHES,
            Core::VexRiscvImac => &VEXRISCV_IMAC,
            Core::VexRiscvLinux => &VEXRISCV_LINUX,
            Core::Ibex => &IBEX,
            Core::IbexMaxperf => &IBEX_MAXPERF,
            Core::Serv => &SERV,
            Core::Cv32e40p => &CV32E40P,
            Core::Cv32e40pPulp => &CV32E40P_PULP,
            Core::Cv32e40x => &CV32E40X,
            Core::Cva6 => &CVA6,
            Core::Rocket => &ROCKET,
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
        for (place, &name) in self.about().adapters.iter().enumerate() {
            let prefix = if place == 0 { "core_" } else { "" };
            let text = read(&soc.join("cores").join(name))?;
            files.push(SourceFile::new(format!("{prefix}{name}"), text));
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
                message.starts_with(core.about().package)
                    && message.contains("remedy: scripts/setup-tools.sh"),
                "{message}"
            );
        }
    }
}
