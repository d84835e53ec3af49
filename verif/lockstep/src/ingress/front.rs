//! The front of a profiler: its ingress and the options of its ports.

use super::core::{Core, ExecutingCore};
use super::interface::Interface;
use super::model::{IngressModel, Model};
use super::ports::IngressPorts;
use super::retire::RetireInterface;
use super::rvfi::RvfiInterface;
use super::trace::TraceInterface;
use anyhow::{Context, Result, bail};
use hpp_gen::{Config, Ingress};
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_riscv::RvfiNext;
use hpp_riscv::trace::TraceForm;
use std::fmt;
use verilated::Model as Verilated;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Front {
    pub ingress: Ingress,
    pub options: IngressOptions,
}

/// Runs code with the interface of an ingress; does nothing for the native one.
macro_rules! with_interface {
    ($front:expr, $geometry:expr, $interface:ident => $what:expr) => {
        match $front.ingress {
            Ingress::Native => None,
            Ingress::Rvfi => {
                let $interface = RvfiInterface::new($geometry, &$front.options);
                Some($what)
            }
            Ingress::Retire => {
                let $interface = RetireInterface::new($geometry, &$front.options);
                Some($what)
            }
            Ingress::Trace => {
                let $interface = TraceInterface::new($geometry, $front.form());
                Some($what)
            }
        }
    };
}

impl Front {
    pub fn of(config: &Config) -> Self {
        Self {
            ingress: config.ingress,
            options: config.ports,
        }
    }

    /// The default profiler behind it.
    pub fn config(&self) -> Config {
        Config {
            ingress: self.ingress,
            ports: self.options,
            ..Config::default()
        }
    }

    fn with_default_ports(ingress: Ingress) -> Self {
        Self {
            ingress,
            ..Self::default()
        }
    }

    /// An RVFI with `channels` channels.
    pub fn rvfi(channels: u32) -> Self {
        let mut front = Self::with_default_ports(Ingress::Rvfi);
        front.options.retire_channels = channels;
        front
    }

    /// An RVFI that takes targets from the next retirement.
    pub fn follower(channels: u32) -> Self {
        let mut front = Self::rvfi(channels);
        front.options.rvfi_next = RvfiNext::Retirement;
        front
    }

    /// A trace interface in one of its forms.
    pub fn trace(form: TraceForm) -> Self {
        let mut front = Self::with_default_ports(Ingress::Trace);
        front.options.itype_bits = if form.short_itype { 3 } else { 4 };
        front.options.iretire_bits = if form.single { 1 } else { 3 };
        front
    }

    /// The same front with `inputs` event inputs.
    pub fn with_events(mut self, inputs: u32) -> Self {
        self.options.event_inputs = inputs;
        self
    }

    fn form(&self) -> TraceForm {
        TraceForm {
            short_itype: self.options.itype_bits == 3,
            single: self.options.iretire_bits == 1,
        }
    }

    /// The golden model of the ingress; `None` for the native one.
    pub fn model(&self, geometry: &Geometry) -> Option<Box<dyn IngressModel>> {
        let inputs = self.options.event_inputs;
        with_interface!(self, geometry, interface => {
            Box::new(Model::new(interface, geometry, inputs)) as Box<dyn IngressModel>
        })
    }

    /// A core in front of the ingress; `None` for the native one.
    pub fn core(&self, geometry: &Geometry, seed: u64) -> Option<Box<dyn Core>> {
        let inputs = self.options.event_inputs;
        with_interface!(self, geometry, interface => {
            Box::new(ExecutingCore::new(interface, geometry, inputs, seed)) as Box<dyn Core>
        })
    }

    /// The ports of the ingress in a model, by name; `None` for the native one.
    pub fn ports(model: &Verilated) -> verilated::Result<Option<IngressPorts>> {
        let has = |port: &str| model.output(port).is_ok();
        if has(RvfiInterface::STALL) {
            let channels = model.input_width(model.input("rvfi_valid")?);
            IngressPorts::find::<RvfiInterface>(model, channels as usize).map(Some)
        } else if has(RetireInterface::STALL) {
            IngressPorts::find::<RetireInterface>(model, 1).map(Some)
        } else if has(TraceInterface::STALL) {
            IngressPorts::find::<TraceInterface>(model, 1).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Parses a label in the format of [`fmt::Display`].
    ///
    /// # Errors
    ///
    /// The part of the label that is unknown, and the known ones.
    pub fn find(label: &str) -> Result<Self> {
        let (name, inputs) = label.split_once(':').unwrap_or((label, "1"));
        let inputs = inputs
            .parse()
            .context("`:` is followed by a number of inputs")?;
        let all = Self::all();
        let Some((_, front)) = all.iter().find(|(known, _)| *known == name) else {
            let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
            bail!("no ingress `{name}`; there are {}", names.join(", "));
        };
        Ok(front.with_events(inputs))
    }

    /// All ingresses by name, each with one event input.
    pub fn all() -> [(&'static str, Self); 13] {
        let trace = |short_itype, single| {
            Self::trace(TraceForm {
                short_itype,
                single,
            })
        };
        [
            ("native", Self::default()),
            ("rvfi", Self::rvfi(1)),
            ("rvfi2", Self::rvfi(2)),
            ("rvfi3", Self::rvfi(3)),
            ("rvfi4", Self::rvfi(4)),
            ("rvfi-next", Self::follower(1)),
            ("rvfi2-next", Self::follower(2)),
            ("rvfi4-next", Self::follower(4)),
            ("retire", Self::with_default_ports(Ingress::Retire)),
            ("trace", trace(false, false)),
            ("trace-short", trace(true, false)),
            ("trace-single", trace(false, true)),
            ("trace-short-single", trace(true, true)),
        ]
    }
}

/// `NAME`, or `NAME:INPUTS` with several event inputs.
impl fmt::Display for Front {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = Self::all();
        let name = all
            .iter()
            .find(|(_, front)| front.with_events(self.options.event_inputs) == *self)
            .map_or("other", |(name, _)| *name);
        f.write_str(name)?;
        match self.options.event_inputs {
            1 => Ok(()),
            inputs => write!(f, ":{inputs}"),
        }
    }
}
