//! The devices that the profiler is measured on, and how each is synthesised for, placed and packed.

use clap::ValueEnum;

use crate::tool::Tool;

/// A family of devices: what decides the synthesis command and the names of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Family {
    Ecp5,
    /// Lattice iCE40, LP and HX parts.
    Ice40,
    /// Lattice iCE40 UltraPlus.
    #[value(name = "up5k")]
    Ice40Ultra,
    /// Gowin LittleBee.
    Gowin,
}

impl Family {
    /// The Yosys command that maps the design `top` and writes `netlist.json`.
    ///
    /// Without wide functions (five inputs and more, made of LUTs and multiplexers) a circuit of ours takes about a tenth
    /// fewer LUTs on these families.
    pub fn synthesis(self, top: &str) -> String {
        match self {
            Family::Ecp5 => format!("synth_ecp5 -nowidelut -top {top} -json netlist.json"),
            Family::Ice40 => format!("synth_ice40 -top {top} -json netlist.json"),
            Family::Ice40Ultra => {
                format!("synth_ice40 -device u -dsp -top {top} -json netlist.json")
            }
            // synth_gowin puts pads at the ports of a module that is kept by itself, so none is.
            Family::Gowin => format!(
                "hierarchy -top {top}; setattr -unset keep_hierarchy */c:*; \
                 synth_gowin -nowidelut -top {top} -json netlist.json"
            ),
        }
    }

    pub const fn place_and_route(self) -> Tool {
        match self {
            Family::Ecp5 => Tool::NextpnrEcp5,
            Family::Ice40 | Family::Ice40Ultra => Tool::NextpnrIce40,
            Family::Gowin => Tool::NextpnrGowin,
        }
    }

    /// Extension of what place and route writes, the packer, and extension of the bitstream.
    const fn files(self) -> (&'static str, Tool, &'static str) {
        match self {
            Family::Ecp5 => ("config", Tool::Ecppack, "bit"),
            Family::Ice40 | Family::Ice40Ultra => ("asc", Tool::Icepack, "bin"),
            Family::Gowin => ("json", Tool::GowinPack, "fs"),
        }
    }
}

/// A part in its package and speed grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device {
    /// Short name, as on the command line and in file names.
    pub key: &'static str,
    pub name: &'static str,
    pub family: Family,
    /// Logic cells: LUTs with a flip-flop each.
    pub luts: u32,
    pub block_rams: u32,
    /// Arguments of place and route that choose the part.
    part: &'static [&'static str],
}

pub const ECP5_25F: Device = Device {
    key: "ecp5-25f",
    name: "ECP5-25F, speed 6",
    family: Family::Ecp5,
    luts: 24_288,
    block_rams: 56,
    part: &["--25k", "--package", "CABGA381", "--speed", "6"],
};

/// Lattice ECP5-85F, speed 6: the part of a ULX3S.
pub const ECP5_85F: Device = Device {
    key: "ecp5-85f",
    name: "ECP5-85F, speed 6",
    family: Family::Ecp5,
    luts: 83_640,
    block_rams: 208,
    part: &["--85k", "--package", "CABGA381", "--speed", "6"],
};

pub const HX8K: Device = Device {
    key: "hx8k",
    name: "iCE40 HX8K",
    family: Family::Ice40,
    luts: 7_680,
    block_rams: 32,
    part: &["--hx8k", "--package", "ct256"],
};

pub const UP5K: Device = Device {
    key: "up5k",
    name: "iCE40 UP5K",
    family: Family::Ice40Ultra,
    luts: 5_280,
    block_rams: 30,
    part: &["--up5k", "--package", "sg48"],
};

/// Gowin GW1NR-9: the part of a Tang Nano 9K.
pub const GW1NR9: Device = Device {
    key: "gw1nr-9",
    name: "GW1NR-9, C6/I5",
    family: Family::Gowin,
    luts: 8_640,
    block_rams: 26,
    part: &[
        "--device",
        "GW1NR-LV9QN88PC6/I5",
        "--vopt",
        "family=GW1N-9C",
    ],
};

/// The four devices of the README's table.
pub const MEASURED: [Device; 4] = [ECP5_25F, HX8K, UP5K, GW1NR9];

pub const ALL: [Device; 5] = [ECP5_25F, ECP5_85F, HX8K, UP5K, GW1NR9];

/// How place and route is to see a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placer {
    /// As the tool does by default.
    Default,
    /// A few paths, those of a core, are far longer than the rest: the placer attends to them first. On an ECP5 that is nextpnr's
    /// `static` placer, on an iCE40 a higher criticality exponent.
    FewLongPaths,
}

impl Placer {
    const fn arguments(self, family: Family) -> &'static [&'static str] {
        match (self, family) {
            (Placer::FewLongPaths, Family::Ecp5) => &["--placer", "static"],
            (Placer::FewLongPaths, Family::Ice40 | Family::Ice40Ultra) => {
                &["--placer-heap-critexp", "4"]
            }
            (Placer::FewLongPaths, Family::Gowin) | (Placer::Default, _) => &[],
        }
    }
}

/// What place and route is asked for.
#[derive(Clone, Copy, Debug)]
pub struct PlaceRequest<'a> {
    pub seed: u32,
    /// Frequency that the placer strives for, in MHz.
    pub target_mhz: f64,
    pub placer: Placer,
    /// Constraint file (LPF, PCF or CST), relative to the folder.
    pub constraints: Option<&'a str>,
}

impl Device {
    /// Name of what place and route writes for the packer.
    pub fn placed_file(&self, seed: u32) -> String {
        let (extension, ..) = self.family.files();
        format!("placed-{seed}.{extension}")
    }

    /// Arguments of place and route; `report` is the JSON file that it writes its findings to.
    pub fn place_arguments(
        &self,
        request: &PlaceRequest<'_>,
        netlist: &str,
        report: &str,
    ) -> Vec<String> {
        let mut arguments: Vec<String> = self.part.iter().map(ToString::to_string).collect();
        let placed = self.placed_file(request.seed);
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(ToString::to_string));
        add(&["--json", netlist, "--report", report, "--timing-allow-fail"]);
        add(&[
            "--seed",
            &request.seed.to_string(),
            "--freq",
            &request.target_mhz.to_string(),
        ]);
        add(request.placer.arguments(self.family));
        match (self.family, request.constraints) {
            (Family::Ecp5, Some(file)) => add(&["--lpf", file, "--textcfg", &placed]),
            (Family::Ecp5, None) => add(&["--lpf-allow-unconstrained"]),
            (Family::Ice40 | Family::Ice40Ultra, Some(file)) => {
                add(&["--pcf", file, "--asc", &placed]);
            }
            (Family::Ice40 | Family::Ice40Ultra, None) => add(&["--pcf-allow-unconstrained"]),
            (Family::Gowin, Some(file)) => {
                add(&["--vopt", &format!("cst={file}"), "--write", &placed]);
            }
            (Family::Gowin, None) => {}
        }
        arguments
    }

    /// The packer, its arguments for what was placed with the seed, and the bitstream that it writes.
    pub fn pack(&self, seed: u32, bitstream: &str) -> (Tool, Vec<String>, String) {
        let (_, packer, extension) = self.family.files();
        let (placed, file) = (self.placed_file(seed), format!("{bitstream}.{extension}"));
        let words: &[&str] = match self.family {
            Family::Ecp5 => &["--compress", &placed, &file],
            Family::Ice40 | Family::Ice40Ultra => &[&placed, &file],
            Family::Gowin => &["-d", "GW1N-9C", "-o", &file, &placed],
        };
        (
            packer,
            words.iter().map(ToString::to_string).collect(),
            file,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constrained_run_writes_what_the_packer_reads() {
        let request = PlaceRequest {
            seed: 3,
            target_mhz: 12.5,
            placer: Placer::Default,
            constraints: Some("pins"),
        };
        for device in ALL {
            let arguments = device
                .place_arguments(&request, "n.json", "r.json")
                .join(" ");
            assert!(arguments.contains("--seed 3 --freq 12.5"), "{arguments}");
            assert!(arguments.contains(&device.placed_file(3)), "{arguments}");
            assert!(device.pack(3, "x").1.contains(&device.placed_file(3)));
        }
    }
}
