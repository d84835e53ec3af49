//! Totals of functions, inlined ones among them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use hpp_golden::profiler::Metric;
use hpp_riscv::AddressRange;
use serde::Serialize;

use crate::by::By;
use crate::numbers::{grow, share};
use crate::path::PathReport;
use crate::profile::Profile;
use crate::program::{Program, SourceFrame, SourceLine, is_abridged};

/// What all paths did in one function. Executions and events count where a path begins, instructions where they are. Callees count separately:
/// a path steps over calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FunctionTotal {
    /// Its name; `None` for code of no function.
    pub function: Option<String>,
    /// Where it begins; `None` for no function, and for one that is only there inlined in others.
    pub address: Option<u64>,
    /// The weight in its own code, wherever that is inlined, without what is inlined in it.
    pub own: u64,
    /// Its share of the total, from 0 to 1.
    pub own_share: f64,
    /// The weight in its own code and in what is inlined there.
    pub inclusive: u64,
    /// Its share of the total, from 0 to 1.
    pub inclusive_share: f64,
    /// How many paths run through it.
    pub paths: usize,
    /// Ranks of these, ascending.
    #[serde(skip)]
    pub(crate) through: Vec<usize>,
    /// The source line of its first instruction, of its own where another function was inlined; of one that is only inlined, that of its definition.
    pub source: Option<SourceLine>,
}

impl FunctionTotal {
    /// Whether it goes by this name, with or without parameters and arguments of templates.
    pub fn is_called(&self, name: &str) -> bool {
        let known = self.function.as_deref();
        known.is_some_and(|known| known == name || is_abridged(known, name))
    }

    fn add(&mut self, rank: usize, weight: u64) {
        grow(&mut self.inclusive, weight);
        if self.through.last() != Some(&rank) {
            self.through.push(rank);
        }
    }
}

/// Functions by their addresses, those that are only inlined by name and line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Function {
    At(Option<u64>),
    Inlined(String, Option<u32>),
}

/// The totals under way, and which of them each address belongs to, the innermost function first.
struct Totals<'a, 'p> {
    program: &'a Program<'p>,
    all: Vec<FunctionTotal>,
    known: HashMap<Function, usize>,
    /// The functions with code of their own that go by symbols of inlined ones.
    known_symbols: HashMap<String, Option<u64>>,
    places: HashMap<u64, Vec<usize>>,
}

/// The totals, those with most of their own first. Linear in the paths' instructions, but for sorting.
pub(crate) fn totals(
    program: &Program<'_>,
    profile: &Profile,
    by: By,
    paths: &[PathReport],
    total: u64,
) -> Vec<FunctionTotal> {
    let mut totals = Totals {
        program,
        all: Vec::new(),
        known: HashMap::new(),
        known_symbols: HashMap::new(),
        places: HashMap::new(),
    };
    let spread = by == By::Instructions && profile.ppcr.metric == Metric::Executions;
    for path in paths {
        let mut ran: BTreeMap<u64, u64> = BTreeMap::new();
        for block in &path.blocks {
            let block = AddressRange {
                start: block.start,
                end: block.end,
            };
            for address in program.addresses(block) {
                let sum = ran.entry(address).or_default();
                grow(sum, path.count * u64::from(spread));
            }
        }
        if !spread || ran.is_empty() {
            ran.insert(path.descriptor.start, path.weight);
        }
        for (address, weight) in ran {
            totals.add(address, path.rank, weight);
        }
    }
    let mut all = totals.all;
    for function in &mut all {
        function.paths = function.through.len();
        function.own_share = share(function.own, total);
        function.inclusive_share = share(function.inclusive, total);
    }
    all.sort_by_key(|function| {
        let weights = (Reverse(function.own), Reverse(function.inclusive));
        (weights, function.address, function.function.clone())
    });
    all
}

impl Totals<'_, '_> {
    fn add(&mut self, address: u64, rank: usize, weight: u64) {
        if !self.places.contains_key(&address) {
            let functions = self.functions(address);
            self.places.insert(address, functions);
        }
        let functions = &self.places[&address];
        grow(&mut self.all[functions[0]].own, weight);
        for &function in functions {
            self.all[function].add(rank, weight);
        }
    }

    /// The functions that an address belongs to, the innermost first, one that is inlined in itself once.
    fn functions(&mut self, address: u64) -> Vec<usize> {
        let frames = self.program.frames(address);
        let around = self.program.image().functions().at(address);
        // Of code without a symbol the debug information may know the function.
        let inlined = match around {
            Some(_) => frames.split_last().map_or(&[][..], |(_, inlined)| inlined),
            None => &frames,
        };
        let mut functions: Vec<usize> = Vec::new();
        for frame in inlined {
            let function = self.inlined(frame);
            functions.push(self.number(function, Some(frame)));
        }
        if around.is_some() || functions.is_empty() {
            let around = around.map(|function| function.address);
            functions.push(self.number(Function::At(around), None));
        }
        let mut once = HashSet::new();
        functions.retain(|&number| once.insert(number));
        functions
    }

    /// The function of a frame: the one with code of its own, if one has its symbol.
    fn inlined(&mut self, frame: &SourceFrame) -> Function {
        let functions = self.program.image().functions();
        let symbol = self.known_symbols.entry(frame.symbol.clone());
        let address = symbol.or_insert_with(|| Some(functions.find(&frame.symbol).ok()?.address));
        match address {
            Some(address) => Function::At(Some(*address)),
            None => Function::Inlined(frame.name.clone(), frame.declared),
        }
    }

    fn number(&mut self, function: Function, frame: Option<&SourceFrame>) -> usize {
        if let Some(&number) = self.known.get(&function) {
            return number;
        }
        let mut total = FunctionTotal::default();
        if let Function::At(Some(address)) = function {
            total.function = self.program.place(address).function;
            total.address = Some(address);
            total.source = self.program.own_source(address);
        } else if let Some(frame) = frame {
            total.function = Some(frame.name.clone());
            let line = frame.declared.unwrap_or(frame.source.line);
            total.source = Some(SourceLine::new(&frame.source.file, line));
        }
        let number = self.all.len();
        self.all.push(total);
        self.known.insert(function, number);
        number
    }
}
