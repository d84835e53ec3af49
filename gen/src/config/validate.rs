//! Whether a configuration can be generated.

use super::error::MOST_EVENT_BITS;
use super::{Config, ConfigError};
use crate::verilog::is_plain_name;
use hpp_hdl::IngressOptions;

impl Config {
    /// Checks that the configuration can be generated.
    ///
    /// # Errors
    /// The first value found to be impossible, with what is allowed.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if !is_plain_name(&self.prefix) {
            return Err(ConfigError::Prefix(self.prefix.clone()));
        }
        validate_ports(&self.ports)?;
        self.geometry.validate()?;
        if self.geometry.align == 0 {
            return Err(ConfigError::Unaligned);
        }
        let (inputs, event_bits) = (self.ports.event_inputs, self.geometry.event_bits);
        if inputs * event_bits > MOST_EVENT_BITS {
            return Err(ConfigError::Events { inputs, event_bits });
        }
        self.validate_event_names()?;
        self.reset.validate(&self.geometry)?;
        Ok(())
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
            let own = ["cycles", "instructions"].contains(&name) || name.starts_with("external");
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
