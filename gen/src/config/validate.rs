//! Whether a configuration can be generated.

use super::error::MOST_EVENT_BITS;
use super::{Config, ConfigError, PARAMETERS};
use crate::names::is_taken;
use crate::verilog::is_plain_name;
use hpp_golden::config::IndexScheme;
use hpp_hdl::{Bus, Ingress, IngressOptions, Vendor};

const OF_RVFI: &str = "it is for ingress = \"rvfi\"";
const OF_TRACE: &str = "it is for ingress = \"trace\"";
const DECODED: &str =
    "it is for ingress = \"rvfi\" and ingress = \"retire\", which decode instructions";
const CORE_COUNTS: &str = "the native ingress has no inputs of events: its core counts, and gives events with each record";

const NO_TABLE: &str = "without a bus there is no table from which paths could be evicted";
const NO_REGISTERS: &str = "without a bus there are no registers by which software could set them";
const NO_SHARED_TABLE: &str = "without a bus there is no table that they could share";

/// What a tiny profiler leaves out.
const LEFT_OUT: &[&str] = &[
    "compressed instructions",
    "contexts",
    "counters of more than 32 bits",
    "drain",
    "events",
    "extended paths",
    "lossy mode",
    "path ports",
    "rows and modes of the PPCR",
    "triggers",
];

impl Config {
    /// Checks that the configuration can be generated.
    ///
    /// # Errors
    /// The first of its [violations](Self::violations).
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.violations().into_iter().next().map_or(Ok(()), Err)
    }

    /// Every value that is impossible, with what is allowed.
    #[must_use]
    pub fn violations(&self) -> Vec<ConfigError> {
        let mut violations = Vec::new();
        if !is_plain_name(&self.prefix) || is_taken(&self.prefix) {
            violations.push(ConfigError::Prefix(self.prefix.clone()));
        }
        violations.extend(self.ports.refusals().map(ConfigError::from));
        let model_only = |name, value, allowed| ConfigError::ModelOnly {
            name,
            value,
            allowed,
        };
        if self.geometry.align == 0 {
            violations.push(model_only("align", "0", "1 or 2"));
        }
        if self.geometry.index_scheme != IndexScheme::Full {
            violations.push(model_only("index-scheme", "start", "full"));
        }
        violations.extend(
            self.geometry
                .violations()
                .into_iter()
                .map(ConfigError::from),
        );
        let (inputs, event_bits) = (self.ports.event_inputs, self.geometry.event_bits);
        if inputs.saturating_mul(event_bits) > MOST_EVENT_BITS {
            violations.push(ConfigError::Events { inputs, event_bits });
        }
        violations.extend(self.event_name_violation());
        violations.extend(self.unused());
        violations.extend(self.beyond_tiny());
        let reset = self.reset.violations(&self.geometry);
        violations.extend(reset.into_iter().map(ConfigError::from));
        violations
    }

    /// Features that its engine lacks.
    pub(crate) const fn left_out(&self) -> &'static [&'static str] {
        match self.geometry.is_tiny() {
            true => LEFT_OUT,
            false => &[],
        }
    }

    /// What a tiny profiler lacks at its ports and in its registers.
    fn beyond_tiny(&self) -> Vec<ConfigError> {
        if !self.geometry.is_tiny() {
            return Vec::new();
        }
        let beyond = [
            ("ingress", self.ingress != Ingress::Retire, "retire"),
            ("bus", self.bus != Bus::Wishbone, "wishbone"),
            ("event-names", !self.event_names.is_empty(), "none"),
        ];
        let beyond = beyond.into_iter().filter(|(_, is_beyond, _)| *is_beyond);
        let mut errors: Vec<ConfigError> = beyond
            .map(|(name, _, allowed)| ConfigError::tiny(name, allowed))
            .collect();
        let [own, default] = [self, &Self::default()].map(|config| {
            toml::Table::try_from(config).expect("a configuration is a table of tables")
        });
        for table in &PARAMETERS {
            let Some(name @ ("ports" | "reset")) = table.name else {
                continue;
            };
            for parameter in table.parameters {
                let key = parameter.name;
                if own[name].get(key) != default[name].get(key) {
                    errors.push(ConfigError::tiny(key, table.default(parameter)));
                }
            }
        }
        errors
    }

    /// Options that nothing takes: they would seem to do what they say.
    fn unused(&self) -> Vec<ConfigError> {
        let (names, ports, geometry) = (&self.event_names, &self.ports, &self.geometry);
        let plain = IngressOptions::default();
        let with = match self.ingress {
            Ingress::Native => "ingress = \"native\"",
            Ingress::Rvfi => "ingress = \"rvfi\"",
            Ingress::Retire => "ingress = \"retire\"",
            Ingress::Trace => "ingress = \"trace\"",
        };
        let no_bus = "bus = \"none\"";
        let rvfi = self.ingress == Ingress::Rvfi;
        let trace = self.ingress == Ingress::Trace;
        let counts = self.ingress != Ingress::Native;
        let decodes = rvfi || self.ingress == Ingress::Retire;
        let with_bus = self.bus != Bus::None;
        let mut vendors = Vendor::NAMED.into_iter();
        let vendor = vendors.find(|(vendor, _)| *vendor == ports.vendor);
        let number = |value: u32, plain: u32| (value != plain).then(|| value.to_string());
        let said = |is_on: bool, value: String| is_on.then_some(value);
        // A name, its value if it is other than by default, whether something takes it, and what to say if nothing does.
        #[rustfmt::skip]
        let options = [
            ("event-names", said(!names.is_empty(), names.join(",")), counts, with, CORE_COUNTS),
            ("retire-channels", number(ports.retire_channels, plain.retire_channels), rvfi, with, OF_RVFI),
            ("itype-bits", number(ports.itype_bits, plain.itype_bits), trace, with, OF_TRACE),
            ("iretire-bits", number(ports.iretire_bits, plain.iretire_bits), trace, with, OF_TRACE),
            ("event-inputs", number(ports.event_inputs, plain.event_inputs), counts, with, CORE_COUNTS),
            ("rvfi-next", said(ports.rvfi_next != plain.rvfi_next, "retirement".into()), rvfi, with, OF_RVFI),
            ("zcmp", said(ports.zcmp, "true".into()), decodes, with, DECODED),
            ("vendor", vendor.map(|(_, name)| name.into()), decodes, with, DECODED),
            ("drain-depth", said(geometry.has_drain(), geometry.drain_depth.to_string()), with_bus, no_bus, NO_TABLE),
            ("triggers", said(geometry.triggers, "true".into()), with_bus, no_bus, NO_REGISTERS),
            ("harts", said(geometry.harts > 1, geometry.harts.to_string()), with_bus, no_bus, NO_SHARED_TABLE),
        ];
        let unused = options.into_iter().filter(|(_, _, taken, ..)| !taken);
        unused
            .filter_map(|(name, value, _, with, remedy)| {
                Some(ConfigError::Unused {
                    name,
                    value: value?,
                    with,
                    remedy,
                })
            })
            .collect()
    }

    fn event_name_violation(&self) -> Option<ConfigError> {
        let names = &self.event_names;
        if names.len() > self.ports.event_inputs as usize {
            return Some(ConfigError::TooManyEventNames {
                names: names.len(),
                inputs: self.ports.event_inputs,
            });
        }
        let plain = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        let taken = |name: &str| {
            // The last two are what the C header calls the field's mask and its lowest bit.
            let own = ["cycles", "instructions", "mask", "shift"].contains(&name)
                || name.starts_with("external");
            own || names.iter().filter(|other| *other == name).count() > 1
        };
        let name = names.iter().find(|name| !plain(name) || taken(name))?;
        Some(ConfigError::EventName(name.clone()))
    }
}
