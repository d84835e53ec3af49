//! One circuit as the text of one Verilog module.

use rust_hdl::prelude::Verilog;
use std::collections::BTreeSet;

use super::kernel::Kernel;
use super::ports::{close, header, sink};
use super::print::indent;
use crate::verilog::WriteError;
use crate::verilog::passes::Body;
use crate::verilog::passes::common::share;
use crate::verilog::passes::cone::live;
use crate::verilog::passes::inline::Child;
use crate::verilog::passes::registers::{Clocked, in_place};
use crate::verilog::tree::circuit::Circuit;
use crate::verilog::tree::comments::{described, leading_comments};
use crate::verilog::tree::scope::{Class, Scope};

/// A module before it has its final name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Module {
    /// What the circuit calls itself, if it does.
    pub base: Option<String>,
    /// Comment lines above the module.
    pub comment: Vec<String>,
    /// Everything after the module's name.
    pub text: String,
    /// Paths of the constants that are its parameters, in order.
    pub parameters: Vec<String>,
}

/// Writes `circuit`; `children` are the modules of its sub-circuits.
pub fn module(
    circuit: &Circuit,
    children: &[Child],
    asynchronous: bool,
) -> Result<Module, WriteError> {
    let mut scope = Scope::of(circuit)?;
    match &circuit.code {
        Verilog::Combinatorial(block) => {
            let mut body = Body::of(block, circuit, &mut scope)?;
            body.inline(&mut scope, circuit, children)?;
            body.fold(&mut scope);
            body.cones = live(std::mem::take(&mut body.cones), &scope);
            body.narrow(&mut scope);
            let mut clocked = in_place(&mut body, &scope);
            share(&mut body, &mut clocked, &mut scope);
            if asynchronous {
                clocked = clocked.into_iter().flat_map(Clocked::divided).collect();
            }
            let kernel = Kernel::new(circuit, children, &scope);
            let (text, parameters) = kernel.text(&body.cones, &clocked);
            Ok(assemble(&leading_comments(block), text, parameters))
        }
        Verilog::Wrapper(wrapper) => by_hand(circuit, &scope, &wrapper.code),
        Verilog::Custom(_) | Verilog::Blackbox(_) => {
            refuse(circuit, "brings modules of its own, which is not supported")
        }
        Verilog::Empty => refuse(circuit, "has no Verilog: is `#[kernel]` missing?"),
    }
}

fn refuse<T>(circuit: &Circuit, what: &str) -> Result<T, WriteError> {
    Err(WriteError::Kernel {
        place: circuit.place.clone(),
        what: what.to_string(),
    })
}

/// Names the module after the first comment line.
fn assemble(comments: &[&str], text: String, parameters: Vec<String>) -> Module {
    let (base, comment) = described(comments);
    Module {
        base,
        comment,
        text,
        parameters,
    }
}

/// A module whose body is Verilog text.
fn by_hand(circuit: &Circuit, scope: &Scope, code: &str) -> Result<Module, WriteError> {
    if !circuit.children.is_empty() {
        return refuse(
            circuit,
            "has hand-written Verilog and sub-circuits: only one of the two is possible",
        );
    }
    scope.check_unique(circuit)?;
    let lines: Vec<&str> = code.trim_matches('\n').lines().map(str::trim_end).collect();
    let comments: Vec<&str> = lines
        .iter()
        .map_while(|line| line.trim_start().strip_prefix("//"))
        .collect();
    let body = &lines[comments.len()..];
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
    lines.extend(sink("unused", &unused));
    let ports = scope
        .signals
        .iter()
        .filter(|signal| signal.class != Class::Local);
    let ports: Vec<_> = ports.map(|signal| (signal, "wire")).collect();
    let text = close(header(&ports), lines);
    Ok(assemble(&comments, text, Vec::new()))
}
