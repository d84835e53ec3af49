//! The state bits of a profiler, found in its emitted Verilog and in the model built from it.

use anyhow::{Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use verilated::{Model, Variable};

/// Where a bit flips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a register.
    Register,
    /// In a memory.
    Memory,
}

/// A bit of a register or memory.
#[derive(Debug, Clone)]
pub struct Bit {
    /// The register or memory.
    pub variable: Variable,
    /// The cell of a memory; 0 for a register.
    pub element: u32,
    /// The bit in it, 0 the lowest.
    pub bit: u32,
}

impl std::fmt::Display for Bit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Variable {
            scope,
            name,
            elements,
            ..
        } = &self.variable;
        match elements {
            1 => write!(f, "{scope}.{name}[{}]", self.bit),
            _ => write!(f, "{scope}.{name}[{}][{}]", self.element, self.bit),
        }
    }
}

/// What a module holds and is made of.
#[derive(Debug, Default)]
struct Module {
    /// What its clocked blocks assign.
    held: BTreeSet<String>,
    /// Its instances and their modules.
    instances: Vec<(String, String)>,
}

/// The registers or the memories of a model that was built of `verilog`, whose top module is `top`: the variables that clocked blocks assign.
///
/// # Errors
///
/// If the model was built without state, or holds nothing of the kind.
pub fn bits(model: &Model, verilog: &str, top: &str, place: Place) -> Result<Vec<Variable>> {
    let modules = modules(verilog);
    let mut held = BTreeSet::new();
    let mut open = vec![(top.to_string(), top.to_string())];
    while let Some((scope, module)) = open.pop() {
        let Some(module) = modules.get(&module) else {
            continue;
        };
        held.extend(module.held.iter().map(|name| (scope.clone(), name.clone())));
        let below = module.instances.iter();
        open.extend(below.map(|(name, module)| (format!("{scope}.{name}"), module.clone())));
    }
    let mut variables = model.variables()?;
    variables.retain(|variable| {
        let is_memory = variable.elements > 1;
        is_memory == (place == Place::Memory)
            && held.contains(&(variable.scope.clone(), variable.name.clone()))
    });
    ensure!(
        !variables.is_empty(),
        "the model holds nothing of the kind {place:?}"
    );
    Ok(variables)
}

fn modules(verilog: &str) -> BTreeMap<String, Module> {
    let mut modules = BTreeMap::new();
    let mut name = String::new();
    let mut module = Module::default();
    let mut is_clocked = false;
    for line in verilog.lines() {
        if let Some(rest) = line.strip_prefix("module ") {
            name = rest
                .split([' ', '('])
                .next()
                .unwrap_or_default()
                .to_string();
        } else if line == "endmodule" {
            modules.insert(std::mem::take(&mut name), std::mem::take(&mut module));
        } else if line.trim_start().starts_with("always") {
            is_clocked = line.contains("@(posedge");
        } else if line.starts_with("  end") && !line.starts_with("   ") {
            is_clocked = false;
        } else if let Some((kind, instance)) = instance(line) {
            module.instances.push((instance, kind));
        }
        if is_clocked {
            module.held.extend(assigned(line));
        }
    }
    modules
}

/// `  module #(...) name (` as module and name.
fn instance(line: &str) -> Option<(String, String)> {
    let line = line
        .strip_prefix("  ")
        .filter(|line| !line.starts_with(' '))?;
    let head = line.strip_suffix(" (")?;
    let (kind, rest) = head.split_once(' ')?;
    let name = rest.rsplit(' ').next()?;
    let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name(kind) && is_name(name)).then(|| (kind.to_string(), name.to_string()))
}

/// What a line assigns: the name before each `<=` that is not within parentheses.
fn assigned(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let depth = |text: &str| {
        let count = |c| text.matches(c).count() as i64;
        count('(') - count(')')
    };
    let before = |(place, _): (usize, &str)| {
        let head = code[..place].trim_end();
        (depth(head) == 0).then_some(head)
    };
    let name = |head: &str| {
        let head = match head.strip_suffix(']') {
            Some(inside) => &inside[..without_index(inside)],
            None => head,
        };
        let start = head.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        head[start.map_or(0, |start| start + 1)..].to_string()
    };
    code.match_indices("<=")
        .filter_map(before)
        .map(name)
        .collect()
}

/// Where the name ends in `name[index` or `name[index][bits`.
fn without_index(inside: &str) -> usize {
    let mut end = inside.rfind('[').unwrap_or(0);
    while let Some(more) = inside[..end].strip_suffix(']') {
        end = more.rfind('[').unwrap_or(0);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_assigns_is_found_and_what_it_compares_is_not() {
        let cases: [(&str, &[&str]); 6] = [
            ("    count <= count + 8'd1;", &["count"]),
            ("    if (a <= b) c <= d;  // x <= y", &["c"]),
            ("    if (we[0]) cells[address][61:0] <= word;", &["cells"]),
            ("    word[3:0] <= x;", &["word"]),
            ("      2'd1: row <= 4'd0;", &["row"]),
            ("    total <= (a <= b) ? c : d;", &["total"]),
        ];
        for (line, names) in cases {
            assert_eq!(assigned(line), names, "{line}");
        }
    }

    #[test]
    fn an_instance_is_distinguished_from_a_module_and_a_block() {
        let found = instance("  hpp_way #(.NUMBER(2'd1)) ways_1 (");
        assert_eq!(found, Some(("hpp_way".into(), "ways_1".into())));
        for line in ["module hpp (", "    .clk(clk),", "  always @* begin"] {
            assert_eq!(instance(line), None, "{line}");
        }
    }
}
