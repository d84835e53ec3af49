//! The code for each edge of a function, and where its counters lie.

use anyhow::{Context, Result};
use hpp_paths::Number;
use hpp_paths::counters::{CounterPlaces, EdgeCounters};
use hpp_paths::graph::{Acyclic, Crossing, DagEdgeId, DagPath, EdgeId, Flow, Weights};
use hpp_paths::numbering::{
    BallLarus, Class, EdgeValues, Interesting, Preferential, Pushing, Selective, truncate,
};
use hpp_paths::placement::{Probe, Probes};
use hpp_paths::runtime::Storage;

use crate::code::{self, Code, PLACES, SECOND_SUM, SUM, word};
use crate::counter_memory::{Layout, Memory};
use crate::exact::Profile;
use crate::method::{Frequencies, Method, Placement};

/// The acyclic form in which all methods count paths: depth-first back edges broken, truncated to so many paths.
///
/// # Errors
///
/// If it cannot be cut down so far.
pub fn numbered(flow: &Flow, paths: u64) -> Result<BallLarus> {
    Ok(truncate(&Acyclic::depth_first(flow), paths)?.numbering)
}

/// What is put into a function.
#[derive(Clone, Debug)]
pub struct Plan {
    pub entry: Code,
    /// On each edge, by index.
    pub edges: Vec<Code>,
    /// In each block, by index.
    pub blocks: Vec<Code>,
    /// Whether it uses sums, so that it keeps those of its caller.
    pub sums: bool,
    layout: Layout,
}

impl Plan {
    /// The plan of a function. `profile` is that of an earlier run of the same program, and `hot` those of its paths that matter to a selective profile.
    ///
    /// # Errors
    ///
    /// If numbers do not fit, or there is no code for the method on the machine.
    pub fn new(
        method: Method,
        numbering: &BallLarus,
        profile: &Profile,
        hot: &[DagPath],
        memory: &mut Memory,
    ) -> Result<Self> {
        let flow = numbering.dag().flow();
        let weights = Weights::heuristic(flow);
        let mut plan = Plan {
            entry: Code::new(),
            edges: vec![Code::new(); flow.edges().len()],
            blocks: vec![Code::new(); flow.blocks().len()],
            sums: false,
            layout: Layout::Nothing,
        };
        match method {
            Method::Nothing => {}
            Method::Blocks => {
                let exit = flow.exit();
                let places = CounterPlaces::redundant(flow);
                let blocks = places.blocks().filter(|&block| block != exit);
                let blocks: Vec<_> = blocks.map(|block| (block, memory.zero(1))).collect();
                for &(block, word) in &blocks {
                    plan.blocks[block.index()] = code::increment(word);
                }
                plan.layout = Layout::Blocks(blocks);
            }
            Method::Edges(frequencies) => {
                let count = |edge: EdgeId| profile.edges.get(edge.index()).copied();
                let measured = |edge: EdgeId| count(edge).unwrap_or(0) as f64;
                let weights = match frequencies {
                    Frequencies::Guessed => weights,
                    Frequencies::Measured => Weights::from_fn(flow, measured),
                };
                let counters = EdgeCounters::optimal(flow, &weights);
                let edges = counters.places().edges();
                let edges: Vec<_> = edges.map(|edge| (edge, memory.zero(1))).collect();
                for &(edge, word) in &edges {
                    plan.edges[edge.index()] = code::increment(word);
                }
                plan.layout = Layout::Edges(edges);
            }
            Method::BallLarus(placement, threshold) => {
                let values = numbering.values();
                let probes = match placement {
                    Placement::Naive => Probes::naive(&values),
                    Placement::Optimised => Probes::optimised(&values, &weights),
                };
                plan.sums_of(&probes, numbering.paths(), values, threshold, memory)?;
            }
            Method::Selective if !hot.is_empty() => {
                let interesting = Interesting::new(numbering.dag(), hot.to_vec())?;
                let values = Selective::new(&interesting, Pushing::Restricted)?.values;
                let probes = Probes::kept(&values);
                plan.sums_of(
                    &probes,
                    numbering.paths(),
                    values,
                    Storage::THRESHOLD,
                    memory,
                )?;
            }
            Method::Preferential if !profile.paths.is_empty() => {
                let mut paths: Vec<DagPath> = profile.paths.keys().cloned().collect();
                paths.sort();
                plan.preferred(
                    numbering,
                    &Interesting::new(numbering.dag(), paths)?,
                    &weights,
                    memory,
                )?;
            }
            // No path of the function matters.
            Method::Selective | Method::Preferential => {}
        }
        Ok(plan)
    }

    fn sums_of(
        &mut self,
        probes: &Probes,
        paths: Number,
        values: EdgeValues,
        threshold: usize,
        memory: &mut Memory,
    ) -> Result<()> {
        let count: Box<dyn Fn(i32, bool) -> Code>;
        match Storage::choose(&paths, threshold) {
            Storage::Array(width) => {
                let base = memory.zero(width);
                self.layout = Layout::Array(values, base, width);
                count = Box::new(move |value, sum| match sum {
                    true => code::count_in_array(base, value),
                    false => code::increment(base.wrapping_add_signed(value)),
                });
            }
            Storage::Hash => {
                let base = memory.zero(2 * PLACES as usize);
                self.layout = Layout::Table(values, base);
                count = Box::new(move |value, sum| code::count_in_table(base, value, sum));
            }
        }
        let probe = |probe: Option<&Probe>| match probe {
            None => (Code::new(), false),
            Some(Probe::Set(value)) => (code::set(SUM, word(value)), true),
            Some(Probe::Add(value)) => (code::add(SUM, word(value)), true),
            Some(Probe::Count(value)) => (count(word(value), true), true),
            Some(Probe::CountAt(value)) => (count(word(value), false), false),
        };
        self.place(
            probes,
            &|edge| probe(probes.on(edge)),
            &[probes.at_entry(), probes.at_exit()].map(probe),
        );
        Ok(())
    }

    /// Probes of two registers, which stand on the same edges.
    fn preferred(
        &mut self,
        numbering: &BallLarus,
        interesting: &Interesting,
        weights: &Weights,
        memory: &mut Memory,
    ) -> Result<()> {
        let preferential = Preferential::new(interesting);
        let classifier = preferential
            .classifier(interesting, numbering)
            .limited(Storage::THRESHOLD);
        let width = usize::try_from(preferential.width()).context("a width fits")?;
        let width = width.min(Storage::THRESHOLD);
        // No path has the number that fills the holes.
        let mut entries = vec![[u32::MAX, 0]; width];
        for (number, path) in preferential.numbers().iter().zip(interesting.paths()) {
            if let Some(entry) = usize::try_from(number)
                .ok()
                .and_then(|at| entries.get_mut(at))
            {
                entry[0] = word(&numbering.number(path)) as u32;
            }
        }
        let base = memory.take(entries.iter().flatten().copied());
        let (width, other) = (width as u32, memory.zero(1));
        let [one, two] = [preferential.values(), &numbering.values()]
            .map(|values| Probes::optimised(values, weights));
        let probe = |first: Option<&Probe>, second: Option<&Probe>| match (first, second) {
            (Some(Probe::Set(a)), Some(Probe::Set(b))) => {
                let set = [code::set(SUM, word(a)), code::set(SECOND_SUM, word(b))];
                (set.concat(), true)
            }
            (Some(Probe::Count(a)), Some(Probe::Count(b))) => (
                code::count_preferred(base, width, other, [word(a), word(b)]),
                true,
            ),
            (Some(Probe::CountAt(a)), Some(Probe::CountAt(b))) => {
                let counter = match classifier.classify(a, b) {
                    Class::Interesting(_) => base + 2 * word(a) as u32 + 1,
                    _ => other,
                };
                (code::increment(counter), false)
            }
            (first, second) => {
                let mut code = Code::new();
                for (register, probe) in [(SUM, first), (SECOND_SUM, second)] {
                    if let Some(Probe::Add(value)) = probe {
                        code.extend(code::add(register, word(value)));
                    }
                }
                (code, first.is_some() || second.is_some())
            }
        };
        let at_entry = probe(one.at_entry(), two.at_entry());
        let at_exit = probe(one.at_exit(), two.at_exit());
        self.place(
            &one,
            &|edge| probe(one.on(edge), two.on(edge)),
            &[at_entry, at_exit],
        );
        self.layout = Layout::Preferred {
            first: preferential.values().clone(),
            second: numbering.clone(),
            classifier,
            base,
            width,
            other,
        };
        Ok(())
    }

    /// Puts probes onto the edges of the graph; each says whether it uses sums.
    fn place(
        &mut self,
        probes: &Probes,
        on: &dyn Fn(DagEdgeId) -> (Code, bool),
        [entry, exit]: &[(Code, bool); 2],
    ) {
        let dag = probes.dag();
        self.sums = entry.1 || exit.1;
        self.entry = entry.0.clone();
        for edge in dag.flow().edges() {
            let parts = match dag.crossing(edge) {
                None => vec![],
                Some(Crossing::Inside(inside)) if dag.ends(inside).1 == dag.exit() => {
                    vec![on(inside), exit.clone()]
                }
                Some(Crossing::Inside(inside)) => vec![on(inside)],
                Some(Crossing::Break { stop, start }) => {
                    vec![on(stop), start.map_or_else(|| entry.clone(), on)]
                }
            };
            for (code, sums) in parts {
                self.edges[edge.index()].extend(code);
                self.sums |= sums;
            }
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}
