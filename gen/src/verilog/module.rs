//! One circuit as the text of one Verilog module.

use rust_hdl::prelude::Verilog;
use std::collections::{BTreeMap, BTreeSet};

use super::WriteError;
use super::cone::{Cone, cones};
use super::expr::{Expr, Kind, SignalId};
use super::implicit::complete;
use super::lower::{leading_comments, lower};
use super::names::{is_reserved, named_comment};
use super::number::{range, sized};
use super::print::{Printer, indent};
use super::scope::{Class, Scope, Signal};
use super::tree::Circuit;

/// A module before it has its final name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Module {
    /// What the circuit calls itself, if it does.
    pub base: Option<String>,
    /// Comment lines above the module.
    pub comment: Vec<String>,
    /// Everything after the module's name.
    pub text: String,
}

/// Writes `circuit`; `children` are the module names of its sub-circuits.
pub fn module(circuit: &Circuit, children: &[String]) -> Result<Module, WriteError> {
    let scope = Scope::of(circuit)?;
    match &circuit.code {
        Verilog::Combinatorial(block) => {
            let statements = lower(block, &scope, &circuit.place)?;
            let statements = complete(statements, circuit, &scope);
            let cones = cones(&statements, &scope, &circuit.place)?;
            let comments = leading_comments(block);
            let comments: Vec<&str> = comments.iter().map(String::as_str).collect();
            Ok(assemble(
                &comments,
                Writer::new(circuit, children, &scope).kernel(&cones),
            ))
        }
        Verilog::Custom(code) => by_hand(circuit, &scope, code, "reg"),
        Verilog::Wrapper(wrapper) if wrapper.cores.trim().is_empty() => {
            by_hand(circuit, &scope, &wrapper.code, "wire")
        }
        Verilog::Wrapper(_) | Verilog::Blackbox(_) => {
            refuse(circuit, "brings modules of its own, which is not supported")
        }
        Verilog::Empty => refuse(
            circuit,
            "has no Verilog: is `#[hdl_gen]` missing on its `update`?",
        ),
    }
}

fn refuse<T>(circuit: &Circuit, what: &str) -> Result<T, WriteError> {
    Err(WriteError::Kernel {
        place: circuit.place.clone(),
        what: what.to_string(),
    })
}

/// Names the module after the first comment line.
fn assemble(comments: &[&str], text: String) -> Module {
    let mut comment: Vec<String> = comments
        .iter()
        .map(|line| line.trim().to_string())
        .collect();
    let named = comment.first().and_then(|line| named_comment(line));
    let named = named.map(|(name, text)| (name.to_string(), text.to_string()));
    let base = named.map(|(name, text)| {
        comment[0] = capitalised(&text);
        name
    });
    Module {
        base,
        comment,
        text,
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A module whose body is Verilog text.
fn by_hand(
    circuit: &Circuit,
    scope: &Scope,
    code: &str,
    output: &str,
) -> Result<Module, WriteError> {
    if !circuit.children.is_empty() {
        return refuse(
            circuit,
            "has hand-written Verilog and sub-circuits: only one of the two is possible",
        );
    }
    let lines: Vec<&str> = code.trim_matches('\n').lines().map(str::trim_end).collect();
    let comments: Vec<&str> = lines
        .iter()
        .map_while(|line| line.trim_start().strip_prefix("//"))
        .collect();
    let body = &lines[comments.len()..];
    if let Some(signal) = scope
        .signals
        .iter()
        .find(|signal| is_reserved(signal.name.trim_end_matches('_')))
    {
        return refuse(
            circuit,
            &format!(
                "names a port `{}`, a reserved word",
                signal.name.trim_end_matches('_')
            ),
        );
    }
    let words: BTreeSet<&str> = body
        .iter()
        .map(|line| line.split_once("//").map_or(*line, |(code, _)| code))
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .collect();
    let unused: Vec<String> = scope
        .signals
        .iter()
        .filter(|signal| signal.class == Class::Input && !words.contains(signal.name.as_str()))
        .map(|signal| signal.name.clone())
        .collect();
    let mut lines = indent(body.iter().map(|line| line.to_string()).collect());
    let sink_name = sink_names().find(|name| {
        !words.contains(name.as_str()) && !scope.signals.iter().any(|signal| signal.name == *name)
    });
    lines.extend(sink(&sink_name.expect("some name is free"), &unused));
    let ports: Vec<_> = scope
        .signals
        .iter()
        .filter(|signal| signal.class != Class::Local)
        .map(|s| (s, output))
        .collect();
    Ok(assemble(&comments, close(header(&ports), lines)))
}

/// The port list.
fn header(ports: &[(&Signal, &str)]) -> Vec<String> {
    let size = ports
        .iter()
        .map(|(signal, _)| range(signal.width).len())
        .max()
        .unwrap_or(0);
    let longest = ports
        .iter()
        .map(|(signal, _)| signal.name.len())
        .max()
        .unwrap_or(0);
    let last = ports.len().saturating_sub(1);
    let line = |(index, (signal, output)): (usize, &(&Signal, &str))| {
        let direction = match signal.class {
            Class::Input => "input  wire".to_string(),
            _ => format!("output {output:<4}"),
        };
        let comma = if index == last { "" } else { "," };
        let name = format!("{}{comma}", signal.name);
        let port = format!("  {direction} {:size$} ", range(signal.width));
        let port = if size == 0 {
            format!("  {direction} ")
        } else {
            port
        };
        match signal.doc.as_str() {
            "" => format!("{port}{name}"),
            doc => format!("{port}{name:width$}  // {doc}", width = longest + 1),
        }
    };
    ports.iter().enumerate().map(line).collect()
}

fn close(header: Vec<String>, body: Vec<String>) -> String {
    let mut text = String::from(" (\n");
    for line in header {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(");\n");
    for line in body {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("endmodule\n");
    text
}

/// Names for the wire that takes what is unused; tools know by them that it is meant so.
fn sink_names() -> impl Iterator<Item = String> {
    let numbered = (2..).map(|n| format!("unused_{n}"));
    std::iter::once("unused".to_string()).chain(numbered)
}

/// The customary way to say that something is left unused on purpose.
fn sink(name: &str, unused: &[String]) -> Vec<String> {
    if unused.is_empty() {
        return Vec::new();
    }
    vec![
        String::new(),
        "  // What this configuration leaves unused.".to_string(),
        format!("  wire {name} = &{{1'b0, {}}};", unused.join(", ")),
    ]
}

struct Writer<'a> {
    circuit: &'a Circuit,
    children: &'a [String],
    scope: &'a Scope,
    printer: Printer,
    /// Signals assigned in `always` blocks.
    registers: BTreeSet<SignalId>,
    /// Sub-circuit inputs connected to an expression directly.
    direct: BTreeSet<SignalId>,
    /// Outputs that are an output of a sub-circuit, connected to its port directly.
    through: BTreeMap<SignalId, SignalId>,
}

impl<'a> Writer<'a> {
    fn new(circuit: &'a Circuit, children: &'a [String], scope: &'a Scope) -> Writer<'a> {
        let instances = circuit.children.iter().map(Circuit::instance);
        Writer {
            circuit,
            children,
            scope,
            printer: Printer::new(scope.signals.clone(), instances.collect()),
            registers: BTreeSet::new(),
            direct: BTreeSet::new(),
            through: BTreeMap::new(),
        }
    }

    fn kernel(mut self, cones: &[Cone]) -> String {
        self.classify(cones);
        let code = self.code(cones);
        let instances = self.instances(cones);
        let mut body = self.declarations(cones);
        for lines in [instances, code] {
            if !lines.is_empty() && !body.is_empty() {
                body.push(String::new());
            }
            body.extend(lines);
        }
        let name = self.printer.free(sink_names());
        body.extend(sink(&name, &self.unused(cones)));
        let ports: Vec<_> = self
            .scope
            .signals
            .iter()
            .enumerate()
            .filter(|(_, signal)| matches!(signal.class, Class::Input | Class::Output))
            .map(|(id, signal)| (signal, self.net(id)))
            .collect();
        close(header(&ports), body)
    }

    fn net(&self, id: SignalId) -> &'static str {
        if self.registers.contains(&id) {
            "reg"
        } else {
            "wire"
        }
    }

    /// Decides which signals are registers, and which sub-circuit inputs need no wire.
    fn classify(&mut self, cones: &[Cone]) {
        let read: BTreeSet<SignalId> = cones.iter().flat_map(Cone::reads).collect();
        for cone in cones {
            match cone.expression() {
                None => self.registers.extend(&cone.targets),
                Some(value) => {
                    let only = |id: &&SignalId| {
                        self.scope.signals[**id].class == Class::ChildInput && !read.contains(id)
                    };
                    self.pass_through(cone, value);
                    if is_simple(value) {
                        self.direct.extend(cone.targets.iter().filter(only));
                    }
                }
            }
        }
    }

    /// Lets an output that only repeats an output of a sub-circuit take its place.
    fn pass_through(&mut self, cone: &Cone, value: &Expr) {
        let (Kind::Signal(source), Some(&target)) = (&value.kind, cone.targets.first()) else {
            return;
        };
        let (from, to) = (&self.scope.signals[*source], &self.scope.signals[target]);
        let is_port = from.class == Class::ChildOutput && to.class == Class::Output;
        if is_port && from.width == to.width && !self.through.values().any(|known| known == source)
        {
            self.printer.signals[*source].name = to.name.clone();
            self.printer.used[*source].fill(true);
            self.through.insert(target, *source);
        }
    }

    fn code(&mut self, cones: &[Cone]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for cone in cones
            .iter()
            .filter(|cone| cone.targets.is_disjoint(&self.direct))
            .filter(|cone| !cone.targets.iter().any(|id| self.through.contains_key(id)))
        {
            match (cone.expression(), cone.targets.first()) {
                (Some(value), Some(&target)) => {
                    let text = self.printer.at(value, self.scope.signals[target].width);
                    out.push(format!(
                        "  assign {} = {text};",
                        self.scope.signals[target].name
                    ));
                }
                _ => {
                    if !out.last().is_none_or(|line| line.is_empty()) {
                        out.push(String::new());
                    }
                    out.extend(indent(self.printer.block(&cone.targets, &cone.statements)));
                    out.push(String::new());
                }
            }
        }
        if out.last().is_some_and(|line| line.is_empty()) {
            out.pop();
        }
        out
    }

    fn instances(&mut self, cones: &[Cone]) -> Vec<String> {
        let mut out = Vec::new();
        for ((child, ports), module) in self
            .circuit
            .children
            .iter()
            .zip(&self.scope.child_ports)
            .zip(self.children)
        {
            if !out.is_empty() {
                out.push(String::new());
            }
            out.push(format!("  {module} {} (", child.instance()));
            let last = ports.len().saturating_sub(1);
            for (index, (id, port)) in ports.iter().enumerate() {
                let actual = self.actual(*id, cones);
                let comma = if index == last { "" } else { "," };
                out.push(format!("    .{port}({actual}){comma}"));
            }
            out.push("  );".to_string());
        }
        out
    }

    /// What a port of a sub-circuit is connected to.
    fn actual(&mut self, id: SignalId, cones: &[Cone]) -> String {
        let signal = &self.scope.signals[id];
        let direct = cones
            .iter()
            .find(|cone| self.direct.contains(&id) && cone.targets.contains(&id));
        if let Some(value) = direct.and_then(Cone::expression) {
            return self.printer.at(value, signal.width);
        }
        if signal.class == Class::ChildInput {
            self.printer.used[id].fill(true);
        }
        self.printer.signals[id].name.clone()
    }

    /// Variants, wires and registers, in the order of the circuit.
    fn declarations(&self, cones: &[Cone]) -> Vec<String> {
        let mut out = Vec::new();
        for (name, (width, value)) in &self.printer.variants {
            let size = spaced(range(*width));
            out.push(format!(
                "  localparam {size}{name} = {};",
                sized(value, *width)
            ));
        }
        if !out.is_empty() {
            out.push(String::new());
        }
        let declared = self.declared(cones);
        let longest = declared
            .iter()
            .map(|&id| range(self.printer.signals[id].width).len())
            .max();
        let size = longest.unwrap_or(0);
        for id in declared {
            let signal = &self.printer.signals[id];
            let net = if self.printer.scratch.contains(&id) {
                "reg"
            } else {
                self.net(id)
            };
            let value = self
                .printer
                .helpers
                .iter()
                .find(|(helper, _)| *helper == id);
            let value = value.map_or(String::new(), |(_, text)| format!(" = {text}"));
            let range = spaced(format!("{:size$}", range(signal.width)));
            out.push(format!("  {net:<4} {range}{}{value};", signal.name));
        }
        out
    }

    /// The signals the module declares itself, helpers last.
    fn declared(&self, cones: &[Cone]) -> Vec<SignalId> {
        let live: BTreeSet<SignalId> = cones
            .iter()
            .flat_map(|cone| cone.targets.iter().copied())
            .collect();
        let is_declared = |&id: &SignalId| match self.printer.signals[id].class {
            Class::Input | Class::Output => false,
            Class::ChildOutput => !self.through.values().any(|through| *through == id),
            Class::ChildInput => !self.direct.contains(&id),
            Class::Local => id >= self.scope.signals.len() || live.contains(&id),
        };
        (0..self.printer.signals.len())
            .filter(is_declared)
            .collect()
    }

    /// Bits that nothing reads, as part selects.
    fn unused(&self, cones: &[Cone]) -> Vec<String> {
        let live: BTreeSet<SignalId> = cones
            .iter()
            .flat_map(|cone| cone.targets.iter().copied())
            .collect();
        let mut out = Vec::new();
        for (id, signal) in self.printer.signals.iter().enumerate() {
            let seen = match signal.class {
                Class::Output | Class::ChildInput => true,
                Class::Local => id < self.scope.signals.len() && !live.contains(&id),
                Class::Input | Class::ChildOutput => false,
            };
            if !seen {
                out.extend(unread_parts(signal, &self.printer.used[id]));
            }
        }
        out
    }
}

/// The unread bits of a signal, highest part first.
fn unread_parts(signal: &Signal, used: &[bool]) -> Vec<String> {
    if used.iter().all(|used| !used) {
        return vec![signal.name.clone()];
    }
    let mut out = Vec::new();
    let mut top = used.len();
    while let Some(high) = used[..top].iter().rposition(|used| !used) {
        let low = used[..high]
            .iter()
            .rposition(|used| *used)
            .map_or(0, |used| used + 1);
        out.push(match high - low {
            0 => format!("{}[{low}]", signal.name),
            _ => format!("{}[{high}:{low}]", signal.name),
        });
        top = low;
    }
    out
}

/// `text` and a space, or nothing.
fn spaced(text: String) -> String {
    if text.is_empty() { text } else { text + " " }
}

/// Whether an expression reads well as a port connection.
fn is_simple(e: &Expr) -> bool {
    match &e.kind {
        Kind::Constant(..) | Kind::Signal(_) => true,
        Kind::Slice(inner, _) => matches!(inner.kind, Kind::Signal(_)),
        Kind::Not(inner) => e.width == 1 && matches!(inner.kind, Kind::Signal(_)),
        Kind::Concat(pieces) => pieces.iter().all(|(piece, _)| is_simple(piece)),
        _ => false,
    }
}
