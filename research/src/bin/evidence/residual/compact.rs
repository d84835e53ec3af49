//! How compact preferential numbers are, and what other paths are taken for.

use anyhow::{Context, Result};
use hpp_paths::interprocedural::PathProfile;
use hpp_paths::metrics::Compactness;
use hpp_paths::numbering::{BallLarus, Class, Interesting, Preferential};
use hpp_paths::residual::Tested;
use verilated::tools::figures::thousands;

use crate::document::percent;

pub const HEAD: &str = "program (depth) | functions with two paths or more | delta 1 | mean delta | \
    worst delta | Ball-Larus's delta by it, geometric mean | untested paths | aliases | \
    of executions of untested paths";

/// The compactness of the tested paths' numbers in each graph, and the class of the field's other paths.
pub fn row(name: String, tested: &Tested, field: &PathProfile) -> Result<Vec<String>> {
    let (mut deltas, mut logarithms) = (Vec::new(), 0.0);
    let (mut untested, mut aliases) = ([0, 0], [0, 0]);
    for graph in tested.graphs().iter() {
        let paths = tested.paths(graph.root());
        if paths.is_empty() {
            continue;
        }
        let interesting = Interesting::new(graph.dag(), paths.to_vec())?;
        let preferential = Preferential::new(&interesting);
        let second = BallLarus::new(graph.dag())?;
        if paths.len() > 1 {
            let numbers: Vec<_> = paths.iter().map(|path| second.number(path)).collect();
            let delta = preferential.compactness().ratio();
            let other = Compactness::of(&numbers)
                .context("there are paths")?
                .ratio();
            deltas.push(delta);
            logarithms += (other / delta).ln();
        }
        let classifier = preferential.classifier(&interesting, &second);
        for (_, path, count) in field.iter().filter(|(of, ..)| *of == graph.root()) {
            let class = classifier.classify(&preferential.values().sum(path), &second.number(path));
            let add = |sums: &mut [u64; 2]| {
                sums[0] += 1;
                sums[1] += count;
            };
            match class {
                Class::Interesting(_) => {}
                Class::Alias(_) => {
                    add(&mut untested);
                    add(&mut aliases);
                }
                _ => add(&mut untested),
            }
        }
    }
    let count = deltas.len() as f64;
    let compact = deltas.iter().filter(|&&delta| delta == 1.0).count();
    let part = |part: u64, all: u64| match all {
        0 => "-".into(),
        _ => percent(part as f64 / all as f64),
    };
    Ok(vec![
        name,
        deltas.len().to_string(),
        compact.to_string(),
        format!("{:.2}", deltas.iter().sum::<f64>() / count),
        format!("{:.2}", deltas.iter().copied().fold(1.0, f64::max)),
        format!("{:.1e}", (logarithms / count).exp()),
        thousands(untested[0]),
        part(aliases[0], untested[0]),
        part(aliases[1], untested[1]),
    ])
}
