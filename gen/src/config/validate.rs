//! Whether a configuration can be generated.

use super::error::MOST_EVENT_BITS;
use super::prefix::is_taken;
use super::{Config, ConfigError};
use crate::verilog::is_plain_name;
use hpp_hdl::{Bus, Ingress, IngressOptions};

const OF_RVFI: &str = "it is for ingress = \"rvfi\"";
const OF_TRACE: &str = "it is for ingress = \"trace\"";
const CORE_COUNTS: &str = "the native ingress has no inputs of events: its core counts, and gives events with each record";

impl Config {
    /// Checks that the configuration can be generated.
    ///
    /// # Errors
    /// The first value found to be impossible, with what is allowed.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if !is_plain_name(&self.prefix) || is_taken(&self.prefix) {
            return Err(ConfigError::Prefix(self.prefix.clone()));
        }
        validate_ports(&self.ports)?;
        if !(1..=2).contains(&self.geometry.align) {
            return Err(ConfigError::Align(self.geometry.align));
        }
        self.geometry.validate()?;
        let (inputs, event_bits) = (self.ports.event_inputs, self.geometry.event_bits);
        if inputs * event_bits > MOST_EVENT_BITS {
            return Err(ConfigError::Events { inputs, event_bits });
        }
        self.validate_event_names()?;
        self.validate_use()?;
        self.reset.validate(&self.geometry)?;
        Ok(())
    }

    /// An option that nothing takes would be believed to do what it says.
    fn validate_use(&self) -> Result<(), ConfigError> {
        let names = &self.event_names;
        if self.ingress == Ingress::Native && !names.is_empty() {
            return Err(self.unused_port("event-names", names.join(","), CORE_COUNTS));
        }
        let (ports, plain) = (&self.ports, IngressOptions::default());
        let rvfi = self.ingress == Ingress::Rvfi;
        let trace = self.ingress == Ingress::Trace;
        let native = self.ingress == Ingress::Native;
        #[rustfmt::skip]
        let options = [
            ("retire-channels", ports.retire_channels, plain.retire_channels, rvfi, OF_RVFI),
            ("itype-bits", ports.itype_bits, plain.itype_bits, trace, OF_TRACE),
            ("iretire-bits", ports.iretire_bits, plain.iretire_bits, trace, OF_TRACE),
            ("event-inputs", ports.event_inputs, plain.event_inputs, !native, CORE_COUNTS),
        ];
        for (name, value, default, taken, remedy) in options {
            if !taken && value != default {
                return Err(self.unused_port(name, value.to_string(), remedy));
            }
        }
        if self.bus == Bus::None && self.geometry.has_drain() {
            return Err(ConfigError::Unused {
                name: "drain-depth",
                value: self.geometry.drain_depth.to_string(),
                with: "bus = \"none\"",
                remedy: "without a bus there is no table that something could leave",
            });
        }
        Ok(())
    }

    /// The ingress does not take an option.
    fn unused_port(&self, name: &'static str, value: String, remedy: &'static str) -> ConfigError {
        let with = match self.ingress {
            Ingress::Native => "ingress = \"native\"",
            Ingress::Rvfi => "ingress = \"rvfi\"",
            Ingress::Retire => "ingress = \"retire\"",
            Ingress::Trace => "ingress = \"trace\"",
        };
        ConfigError::Unused {
            name,
            value,
            with,
            remedy,
        }
    }

    fn validate_event_names(&self) -> Result<(), ConfigError> {
        let names = &self.event_names;
        if names.len() > self.ports.event_inputs as usize {
            return Err(ConfigError::TooManyEventNames {
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
        match names.iter().find(|name| !plain(name) || taken(name)) {
            Some(name) => Err(ConfigError::EventName(name.clone())),
            None => Ok(()),
        }
    }
}

/// Checks the widths of an ingress's ports.
fn validate_ports(ports: &IngressOptions) -> Result<(), ConfigError> {
    let numbers = [
        ("retire-channels", ports.retire_channels, 1, 4),
        ("itype-bits", ports.itype_bits, 3, 4),
        ("iretire-bits", ports.iretire_bits, 1, 8),
        ("event-inputs", ports.event_inputs, 1, 8),
    ];
    let impossible =
        |&&(_, value, least, greatest): &&(_, u32, u32, u32)| !(least..=greatest).contains(&value);
    match numbers.iter().find(impossible) {
        None => Ok(()),
        Some(&(name, value, least, greatest)) => Err(ConfigError::Ports {
            name,
            value,
            least,
            greatest,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `validate` says of a configuration in TOML.
    fn said(text: &str) -> String {
        let config = Config::from_toml(text, "x.toml".as_ref()).expect("it is well formed");
        config
            .validate()
            .map_or_else(|error| error.to_string(), |()| "fine".into())
    }

    #[test]
    fn an_option_that_nothing_takes_is_refused() {
        for (text, what) in [
            (
                "ingress = \"retire\"\nports.retire-channels = 4",
                "retire-channels = 4",
            ),
            ("ports.itype-bits = 3", "itype-bits = 3"),
            (
                "ingress = \"rvfi\"\nports.iretire-bits = 1",
                "iretire-bits = 1",
            ),
            ("ports.event-inputs = 2", "event-inputs = 2"),
            ("event-names = [\"l1\"]", "event-names = l1"),
            (
                "bus = \"none\"\ngeometry.drain-depth = 64",
                "drain-depth = 64",
            ),
        ] {
            let said = said(text);
            assert!(
                said.starts_with(&format!("{what} says nothing with ")),
                "{said}"
            );
        }
        assert_eq!(
            said("ingress = \"rvfi\"\nports.retire-channels = 4\nports.event-inputs = 2"),
            "fine"
        );
    }

    #[test]
    fn no_circuit_takes_instructions_of_any_number_of_bytes() {
        for align in [0, 3] {
            let said = said(&format!("geometry.align = {align}"));
            assert!(
                said.contains(&format!("align = {align} ")) && said.ends_with("allowed: 1 to 2"),
                "{said}"
            );
        }
    }
}
