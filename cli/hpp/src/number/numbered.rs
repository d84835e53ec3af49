//! The numberings of a graph.

use anyhow::{Context, Result, bail};
use hpp_paths::Number;
use hpp_paths::graph::DagPath;
use hpp_paths::metrics::Compactness;
use hpp_paths::numbering::arithmetic::Model;
use hpp_paths::numbering::{BallLarus, EdgeValues, Interesting, Preferential, Pushing, Selective};
use hpp_paths::placement::Probes;

use super::source::Source;
use super::{Algorithm, Args, Placement};

/// Every numbering that was asked for.
pub struct Numbered {
    pub paths: Number,
    pub interesting: Option<Interesting>,
    pub columns: Vec<Column>,
    /// The path of the number that was asked for.
    pub regenerated: Vec<Regenerated>,
}

pub struct Column {
    pub algorithm: Algorithm,
    /// Values and probes; arithmetic coding has none.
    pub edges: Option<Edges>,
    /// Entropy in bits and gamma; arithmetic coding only.
    pub coding: Option<(f64, f64)>,
    /// The numbers of the interesting paths, in their order.
    pub numbers: Vec<Number>,
    /// Compactness of the numbers of the interesting paths, if there are any.
    pub delta: Option<Compactness>,
}

/// What a numbering puts on the edges.
pub struct Edges {
    pub values: EdgeValues,
    /// The code of each edge and of the entry and exit blocks.
    pub probes: Probes,
}

pub struct Regenerated {
    pub algorithm: Algorithm,
    pub number: Number,
    pub path: DagPath,
}

impl Numbered {
    pub fn new(source: &Source, args: &Args) -> Result<Self> {
        let ball_larus = BallLarus::exact(&source.dag);
        let interesting = interesting(source, args, &ball_larus)?;
        let input = Input {
            source,
            ball_larus,
            interesting,
            placement: args.placement,
        };
        let algorithms = algorithms(args, input.interesting.is_some())?;
        let columns: Vec<Column> = algorithms.into_iter().map(|a| input.number(a)).collect();
        let regenerated = match &args.regenerate {
            Some(number) => input.regenerate_by(&columns, number)?,
            None => Vec::new(),
        };
        Ok(Self {
            paths: input.ball_larus.paths(),
            interesting: input.interesting,
            columns,
            regenerated,
        })
    }
}

/// The algorithms that were asked for, or all that can be had.
fn algorithms(args: &Args, interesting: bool) -> Result<Vec<Algorithm>> {
    use Algorithm::{Arithmetic, BallLarus, Preferential, Selective};
    match args.algorithm.as_slice() {
        [] if interesting => Ok(vec![BallLarus, Preferential, Selective, Arithmetic]),
        [] => Ok(vec![BallLarus, Arithmetic]),
        asked => {
            let needs = |algorithm: &&Algorithm| matches!(algorithm, Preferential | Selective);
            if let (false, Some(algorithm)) = (interesting, asked.iter().find(needs)) {
                bail!(
                    "{} numbering is for interesting paths; \
                     name them with --interesting or --interesting-blocks",
                    algorithm.name()
                );
            }
            Ok(asked.to_vec())
        }
    }
}

/// The interesting paths, by number and by blocks.
fn interesting(source: &Source, args: &Args, numbering: &BallLarus) -> Result<Option<Interesting>> {
    let mut paths = Vec::new();
    for number in &args.interesting {
        let path = numbering.path(number);
        paths.push(path.context("--interesting")?);
    }
    for list in &args.interesting_blocks {
        let place = || format!("--interesting-blocks \"{list}\"");
        let block = |name| {
            let block = source.dag.flow().find(name);
            block.with_context(|| format!("{}: there is no block `{name}`", place()))
        };
        let blocks: Vec<_> = list.split_whitespace().map(block).collect::<Result<_>>()?;
        let path = DagPath::from_blocks(&source.dag, &blocks);
        paths.push(path.with_context(place)?);
    }
    if paths.is_empty() {
        return Ok(None);
    }
    Ok(Some(Interesting::new(&source.dag, paths)?))
}

struct Input<'a> {
    source: &'a Source,
    ball_larus: BallLarus,
    interesting: Option<Interesting>,
    placement: Option<Placement>,
}

impl Input<'_> {
    fn number(&self, algorithm: Algorithm) -> Column {
        let (values, coding, numbers) = match (algorithm, &self.interesting) {
            (Algorithm::Preferential, Some(set)) => {
                let numbering = Preferential::new(set);
                let numbers = numbering.numbers().to_vec();
                (Some(numbering.values().clone()), None, numbers)
            }
            (Algorithm::Selective, Some(set)) => {
                let numbering = Selective::exact(set, Pushing::Restricted);
                let sums = numbering.sums().to_vec();
                (Some(numbering.values), None, sums)
            }
            (Algorithm::Arithmetic, _) => {
                let model = self.model();
                let codes = self.paths().filter_map(|path| model.encode(path)).collect();
                (None, Some((model.entropy(), model.gamma())), codes)
            }
            _ => {
                let numbers = self
                    .paths()
                    .map(|path| self.ball_larus.number(path))
                    .collect();
                (Some(self.ball_larus.values()), None, numbers)
            }
        };
        let edges = values.map(|values| Edges {
            probes: self.place(algorithm, &values),
            values,
        });
        Column {
            algorithm,
            edges,
            coding,
            delta: Compactness::of(&numbers),
            numbers,
        }
    }

    fn place(&self, algorithm: Algorithm, values: &EdgeValues) -> Probes {
        let own = match algorithm {
            // Its few values are few probes only where they stand.
            Algorithm::Selective => Placement::Kept,
            _ => Placement::Optimised,
        };
        match self.placement.unwrap_or(own) {
            Placement::Naive => Probes::naive(values),
            Placement::Kept => Probes::kept(values),
            Placement::Optimised => Probes::optimised(values, &self.source.weights),
        }
    }

    /// The path with this number in each numbering that has one; an error if none has.
    fn regenerate_by(&self, columns: &[Column], number: &Number) -> Result<Vec<Regenerated>> {
        let mut found = Vec::new();
        let mut missing = None;
        for column in columns {
            match self.regenerate(column.algorithm, number, &column.numbers) {
                Ok(path) => found.push(Regenerated {
                    algorithm: column.algorithm,
                    number: number.clone(),
                    path,
                }),
                Err(error) => missing = missing.or(Some(error)),
            }
        }
        match missing {
            Some(error) if found.is_empty() => Err(error),
            _ => Ok(found),
        }
    }

    fn paths(&self) -> impl Iterator<Item = &DagPath> {
        self.interesting.iter().flat_map(Interesting::paths)
    }

    fn model(&self) -> Model {
        match &self.interesting {
            Some(set) => Model::preferential(set),
            None => Model::ball_larus(&self.source.dag),
        }
    }

    fn regenerate(
        &self,
        algorithm: Algorithm,
        number: &Number,
        numbers: &[Number],
    ) -> Result<DagPath> {
        let place = || format!("--regenerate, {} numbering", algorithm.name());
        match algorithm {
            Algorithm::BallLarus => {
                let path = self.ball_larus.path(number);
                path.with_context(place)
            }
            Algorithm::Arithmetic => {
                let model = self.model();
                model.decode(number).with_context(|| {
                    let codes = model.codes();
                    format!(
                        "{}: no path has the code {number}; codes are below {codes}",
                        place()
                    )
                })
            }
            Algorithm::Preferential | Algorithm::Selective => {
                let position = numbers.iter().position(|n| n == number);
                let path = position.and_then(|i| self.paths().nth(i));
                path.cloned().with_context(|| {
                    let known = few(numbers);
                    format!(
                        "{}: no interesting path has the number {number}; they have {known}",
                        place()
                    )
                })
            }
        }
    }
}

fn few(numbers: &[Number]) -> String {
    const SHOWN: usize = 8;
    let mut text: Vec<String> = numbers.iter().take(SHOWN).map(Number::to_string).collect();
    if numbers.len() > SHOWN {
        text.push("...".into());
    }
    text.join(", ")
}
