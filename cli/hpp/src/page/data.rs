//! What the page's script draws, written small: names, files and reasons stand once, in lists, and are numbers elsewhere; what several functions' paths
//! visit is one block. Addresses are hexadecimal text, because a number of the script has 53 bits.

use std::collections::BTreeMap;

use hpp_report::code::CodeLine;
use hpp_report::graph::{HotGraph, Route};
use hpp_report::names::shortened;
use hpp_report::{
    By, Counted, FunctionTotal, Graphs, Health, PathReport, Report, SourceLine, text,
};
use serde::Serialize;

#[derive(Serialize)]
struct Data<'a> {
    title: String,
    unit: &'static str,
    /// What stands beside it.
    beside: Option<&'static str>,
    /// The build ID of the program.
    program: Option<&'a str>,
    counted: &'a Counted,
    health: &'a Health,
    /// Paths that walk, and all; nothing without a program.
    walked: Option<[usize; 2]>,
    entries: u32,
    held: usize,
    counts: u64,
    completed: Option<u64>,
    /// The weight that shares are of, and that in words.
    total: u64,
    shares: String,
    paths: Vec<Path>,
    functions: Vec<Function>,
    /// By the rank of the path: the report may hold one function's alone.
    routes: BTreeMap<usize, &'a Option<Route>>,
    graphs: Vec<Graph>,
    blocks: Vec<Block>,
    /// A name in full and, if it is long, as it is in a column.
    names: Vec<(String, Option<String>)>,
    files: Vec<String>,
    problems: Vec<String>,
    /// Lines of source files, by file and number.
    sources: BTreeMap<&'a str, BTreeMap<u32, String>>,
}

/// A path: rank, weight, sum of shares, what stands beside the weight, function, offset in it or address, inlined function or label, source line, outcomes, reason why it does not walk, line of a library behind the source line.
type Path = (
    usize,
    u64,
    f64,
    Option<u64>,
    Option<usize>,
    String,
    Option<usize>,
    Option<Line>,
    String,
    Option<usize>,
    Option<Line>,
);

/// A function: name, weight of its own, with what is inlined in it, paths through it, source line.
type Function = (Option<usize>, u64, u64, usize, Option<Line>);

/// A file and a line in it.
type Line = (usize, u32);

/// An instruction: text, weight, share of times that its branch was taken, source line.
type Code = (String, u64, Option<f64>, Option<Line>);

/// The address of a block's first instruction, how many instructions it has, the bytes of each but the last, and the instructions. The last two are empty
/// if no path ran through it.
type Block = (String, usize, Vec<u64>, Vec<Code>);

/// Blocks of all, and edges: from, to, and 1 if a branch or jump is taken along it.
type Graph = (Vec<usize>, Vec<(usize, usize, u8)>);

/// What stands once, by what it is.
struct List<T>(BTreeMap<T, usize>);

impl<T: Ord + Clone> List<T> {
    const fn new() -> Self {
        Self(BTreeMap::new())
    }

    fn number(&mut self, of: &T) -> usize {
        let next = self.0.len();
        *self.0.entry(of.clone()).or_insert(next)
    }

    /// In the order of the numbers.
    fn all(self) -> Vec<T> {
        let mut all: Vec<(T, usize)> = self.0.into_iter().collect();
        all.sort_by_key(|(_, number)| *number);
        all.into_iter().map(|(one, _)| one).collect()
    }
}

/// The lists that are being made.
struct Writer {
    names: List<String>,
    files: List<String>,
    problems: List<String>,
    starts: List<u64>,
    blocks: Vec<Block>,
}

/// The data as JSON. Linear in the graphs' code and the paths, but for the logarithms of lists.
pub fn written(
    name: &str,
    build_id: Option<&str>,
    report: &Report,
    graphs: &Graphs,
    sources: BTreeMap<&str, BTreeMap<u32, String>>,
) -> serde_json::Result<String> {
    let mut writer = Writer {
        names: List::new(),
        files: List::new(),
        problems: List::new(),
        starts: List::new(),
        blocks: Vec::new(),
    };
    let beside = text::beside(report);
    let path = |path| writer.path(path, report.by, beside.is_some());
    let paths = report.paths.iter().map(path).collect();
    let functions = report.functions.iter();
    let functions = functions.map(|total| writer.function(total)).collect();
    let shown = graphs.graphs.iter().map(|graph| writer.graph(graph));
    let shown = shown.collect();
    let ranks = report.paths.iter().map(|path| path.rank);
    let walked = report.walked.as_ref();
    let data = Data {
        title: format!("Paths of {name}"),
        unit: text::unit(report.by),
        beside,
        program: report.program.as_deref().or(build_id),
        counted: &report.counted,
        health: &report.health,
        walked: walked.map(|walked| [walked.walk, walked.of]),
        entries: report.entries,
        held: report.held,
        counts: report.counts,
        completed: report.completed,
        total: report.total,
        shares: text::shares(report),
        paths,
        functions,
        routes: ranks.zip(&graphs.routes).collect(),
        graphs: shown,
        blocks: writer.blocks,
        names: writer.names.all().into_iter().map(with_short).collect(),
        files: writer.files.all(),
        problems: writer.problems.all(),
        sources,
    };
    serde_json::to_string(&data)
}

/// A name, and what it is in a column if that is shorter.
fn with_short(name: String) -> (String, Option<String>) {
    let short = shortened(&name).into_owned();
    let short = Some(short).filter(|short| *short != name);
    (name, short)
}

impl Writer {
    fn line(&mut self, source: Option<&SourceLine>) -> Option<Line> {
        source.map(|source| (self.files.number(&source.file), source.line))
    }

    fn function(&mut self, total: &FunctionTotal) -> Function {
        let name = total.function.as_ref().map(|name| self.names.number(name));
        let source = self.line(total.source.as_ref());
        (name, total.own, total.inclusive, total.paths, source)
    }

    fn path(&mut self, path: &PathReport, by: By, beside: bool) -> Path {
        let place = &path.place;
        let function = place.function.as_ref();
        let function = function.map(|name| self.names.number(name));
        let inside = place.inlined.as_ref().or(place.label.as_ref());
        let at = match function {
            Some(_) => place.offset,
            None => place.address,
        };
        (
            path.rank,
            path.weight,
            path.cumulative,
            text::other(path, by).filter(|_| beside),
            function,
            format!("{at:x}"),
            inside.map(|name| self.names.number(name)),
            self.line(place.source.as_ref()),
            path.outcomes.clone(),
            path.problem.as_ref().map(|why| self.problems.number(why)),
            self.line(place.library.as_ref()),
        )
    }

    fn graph(&mut self, graph: &HotGraph) -> Graph {
        let blocks = graph
            .blocks
            .iter()
            .map(|block| self.block(block.start, &block.code));
        let blocks = blocks.collect();
        let edges = graph.edges.iter();
        let edge = |edge: &hpp_report::graph::GraphEdge| (edge.from, edge.to, edge.taken.into());
        (blocks, edges.map(edge).collect())
    }

    fn block(&mut self, start: u64, code: &[CodeLine]) -> usize {
        let number = self.starts.number(&start);
        if number == self.blocks.len() {
            let ran = match code.iter().any(|line| line.weight > 0) {
                true => code,
                false => &[],
            };
            let bytes = ran.windows(2).map(|two| two[1].address - two[0].address);
            let bytes = bytes.collect();
            let lines = ran.iter().map(|line| self.code(line)).collect();
            self.blocks
                .push((format!("{start:x}"), code.len(), bytes, lines));
        }
        number
    }

    fn code(&mut self, line: &CodeLine) -> Code {
        let text = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let source = self.line(line.source.as_ref());
        (text, line.weight, line.taken, source)
    }
}
