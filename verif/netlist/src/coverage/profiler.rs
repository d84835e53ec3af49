//! The profilers whose coverage is merged.

use anyhow::{Context, Result};
use hpp_gen::{Bus, Config};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_lockstep::geometries::{self, Named};
use hpp_lockstep::ingress::Front;

/// A profiler: a geometry and what is around it.
#[derive(Debug, Clone)]
pub struct Profiler {
    /// What it is called.
    pub label: String,
    /// The geometry.
    pub named: Named,
    /// The ingress.
    pub front: Front,
    /// The bus.
    pub bus: Bus,
    /// Values after reset.
    pub reset: ResetValues,
    /// What nothing reaches in it is asked about; if not, it only shows what can be reached.
    pub asked: bool,
}

/// Geometries whose circuits take long to prove anything of; what they are made of is in others, less often or less wide.
const NOT_ASKED: [&str; 3] = ["associative", "largest", "shadow-widest"];

impl Profiler {
    fn of(named: Named) -> Self {
        Self {
            label: named.label(),
            named,
            front: Front::default(),
            bus: Bus::Wishbone,
            reset: ResetValues::default(),
            asked: !NOT_ASKED.contains(&named.name),
        }
    }

    /// Its Verilog.
    ///
    /// # Errors
    ///
    /// What the generator says.
    pub fn verilog(&self) -> Result<String> {
        let config = Config {
            geometry: self.named.geometry,
            ingress: self.front.ingress,
            ports: self.front.options,
            bus: self.bus,
            reset: self.reset,
            ..Config::default()
        };
        let output = hpp_gen::generate(&config)
            .with_context(|| format!("cannot generate `{}`", self.label))?;
        Ok(output.verilog().to_string())
    }
}

/// Every geometry of the lockstep tests on Wishbone with the native ingress. One on each other bus, one whose counters are about to wrap,
/// two with RVFI, and a tiny one.
pub fn profilers() -> Vec<Profiler> {
    let all = geometries::all();
    let default = Profiler::of(all[0]);
    let like = |named: &str, suffix: &str| {
        let named = Named::find(named).unwrap_or(all[0]);
        let label = format!("{}{suffix}", named.label());
        Profiler {
            label,
            ..Profiler::of(named)
        }
    };
    let others = [
        Profiler {
            bus: Bus::Axi4Lite,
            ..like("parallel", "@axi4-lite")
        },
        Profiler {
            bus: Bus::Apb,
            ..like("parallel", "@apb")
        },
        Profiler {
            reset: ResetValues {
                counters: u64::MAX - 2000,
                ..default.reset
            },
            ..like("parallel", ", counters about to wrap")
        },
        Profiler {
            front: Front::rvfi(1),
            ..like("parallel", ", RVFI")
        },
        Profiler {
            front: Front::rvfi(1),
            ..like("rv64", ", RVFI")
        },
        Profiler {
            front: Front::retire(),
            ..Profiler::of(Named {
                name: "tiny",
                seed: None,
                geometry: Geometry::tiny(),
            })
        },
    ];
    all.into_iter().map(Profiler::of).chain(others).collect()
}
