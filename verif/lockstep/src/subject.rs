//! A subject of the lockstep tests: a geometry, its ingress, its bus and its reset values, under one label.

use super::activity::{mode, rows};
use super::geometries::Named;
use super::harness::Harness;
use super::ingress::Front;
use super::stream;
use anyhow::{Context, Result, bail};
use hpp_gen::{Bus, Config};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Ppcr, ResetValues};
use rand::RngExt;
use std::fmt;

#[derive(Debug, Clone, Copy)]
pub struct Subject {
    pub named: Named,
    pub front: Front,
    /// The bus; never [`Bus::None`].
    pub bus: Bus,
    /// The seed of its reset values; `None` for the usual ones.
    pub reset: Option<u64>,
}

/// `GEOMETRY+INGRESS@BUS~SEED`. The native ingress, Wishbone and the usual reset values are left out.
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named.label())?;
        if self.front != Front::default() {
            write!(f, "+{}", self.front)?;
        }
        if self.bus != Bus::default() {
            write!(f, "@{}", name(self.bus))?;
        }
        self.reset.map_or(Ok(()), |seed| write!(f, "~{seed}"))
    }
}

const fn name(bus: Bus) -> &'static str {
    match bus {
        Bus::None => "none",
        Bus::Wishbone => "wishbone",
        Bus::Axi4Lite => "axi4-lite",
        Bus::Apb => "apb",
        Bus::Native => "native",
    }
}

const BUSES: [Bus; 4] = [Bus::Wishbone, Bus::Axi4Lite, Bus::Apb, Bus::Native];

impl Subject {
    /// A geometry with the native ingress, Wishbone and the usual reset values.
    pub fn of(named: Named) -> Self {
        Self {
            named,
            front: Front::default(),
            bus: Bus::Wishbone,
            reset: None,
        }
    }

    /// Any geometry, ingress, bus and reset values, determined by the seed.
    pub fn random(seed: u64) -> Self {
        Self {
            named: Named::random(seed),
            front: any_front(seed / 4),
            bus: BUSES[(seed % 4) as usize],
            reset: Some(seed),
        }
    }

    /// The subject of a label, as [`fmt::Display`] writes it.
    ///
    /// # Errors
    ///
    /// The part of the label that is unknown, and the known ones.
    pub fn find(label: &str) -> Result<Self> {
        let (rest, reset) = match label.rsplit_once('~') {
            Some((rest, seed)) => (rest, Some(seed)),
            None => (label, None),
        };
        let reset = reset
            .map(|seed| seed.parse().context("`~` is followed by a number"))
            .transpose()?;
        let (geometry, bus) = rest.split_once('@').unwrap_or((rest, "wishbone"));
        let Some(bus) = BUSES.into_iter().find(|known| name(*known) == bus) else {
            bail!("no bus `{bus}`; there are {}", BUSES.map(name).join(", "));
        };
        let (geometry, front) = geometry.split_once('+').unwrap_or((geometry, "native"));
        let front = Front::find(front)?;
        let named = Named::find(geometry).with_context(|| {
            let all = super::geometries::all();
            let names: Vec<_> = all.iter().map(|named| named.name).collect();
            format!(
                "no geometry `{geometry}`; there are {} and random:SEED",
                names.join(", ")
            )
        })?;
        Ok(Self {
            named,
            front,
            bus,
            reset,
        })
    }

    pub fn reset_values(&self) -> ResetValues {
        self.reset.map_or_else(ResetValues::default, |seed| {
            random_reset(&self.named.geometry, seed)
        })
    }

    pub fn build(&self) -> Result<Harness> {
        let config = Config {
            bus: self.bus,
            reset: self.reset_values(),
            ..self.front.config()
        };
        Harness::build(&self.named, &config).with_context(|| self.to_string())
    }
}

/// Any ingress; the native one in half of the cases.
fn any_front(seed: u64) -> Front {
    let all = Front::all();
    match seed.is_multiple_of(2) {
        true => Front::default(),
        false => all[(seed / 2 % all.len() as u64) as usize].1,
    }
}

fn random_reset(geometry: &Geometry, seed: u64) -> ResetValues {
    let mut rng = stream::rng(seed);
    let mut ppcr = Ppcr::ball_larus();
    ppcr.write_mode(mode(geometry, &mut rng), geometry);
    ResetValues {
        enable: rng.random(),
        freeze: rng.random_range(0..4) == 0,
        lossy: rng.random(),
        metric: ppcr.metric,
        backward_not_taken: ppcr.backward_not_taken,
        extension: ppcr.extension,
        max_extension: ppcr.max_extension,
        event_select: ppcr.event_select,
        seed: rng.random(),
        rows: rows(&mut rng),
        counters: starts(geometry)[rng.random_range(0..3)],
    }
}

/// Start values of counters: 0, just below the end of a low word, and just below the end of the counter.
fn starts(geometry: &Geometry) -> [u64; 3] {
    let last = Geometry::mask(geometry.counter_bits);
    [0, u64::from(u32::MAX) - 2000, last - 2000]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_random_subject_can_be_generated() {
        for subject in (0..1000).map(Subject::random) {
            let geometry = &subject.named.geometry;
            assert_eq!(geometry.validate(), Ok(()), "{subject}");
            assert_eq!(
                subject.reset_values().validate(geometry),
                Ok(()),
                "{subject}"
            );
        }
    }
}
