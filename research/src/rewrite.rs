//! A file with the code of the probes in it.
//!
//! The code of an edge goes
//!
//! - after the block, if control falls through;
//! - before its last instruction, if there is no other way out;
//! - to the beginning of the target, if there is no other way in;
//! - else to a new block at the end of the function, between the branch or the table and the target.

use std::collections::HashMap;

use hpp_paths::graph::{BlockId, Cfg, EdgeId};
use hpp_paths::placement::Site;

use crate::assembly::{Block, Ending, Function, label};
use crate::code::{Code, restore, save};
use crate::graph::Way;
use crate::plan::Plan;

pub fn symbol(function: usize, block: usize) -> String {
    format!("hpp.{function}.{block}")
}

/// The function and block of a symbol: that of a block, or of a duplicate of it.
pub fn block_of(symbol: &str) -> Option<(usize, usize)> {
    let mut parts = symbol.strip_prefix("hpp.")?.split('.');
    let mut number = || parts.next()?.parse().ok();
    Some((number()?, number()?))
}

/// A function with its graph, its plan, and its position among all of the program.
pub struct Planned<'a> {
    pub function: &'a Function,
    pub cfg: &'a Cfg<Option<usize>, Way>,
    pub plan: &'a Plan,
    pub position: usize,
}

/// Changes to a file, by line.
struct Changes<'a> {
    lines: &'a [&'a str],
    begin: &'a Code,
    before: HashMap<usize, Code>,
    after: HashMap<usize, Code>,
    changed: HashMap<usize, String>,
    stubs: usize,
}

/// The text of a file with the code of its functions; `main` begins with this code.
pub fn rewrite(lines: &[&str], functions: &[Planned<'_>], begin: &Code) -> String {
    let mut changes = Changes {
        lines,
        begin,
        before: HashMap::new(),
        after: HashMap::new(),
        changed: HashMap::new(),
        stubs: 0,
    };
    for planned in functions {
        changes.function(planned);
    }
    changes.text()
}

impl Changes<'_> {
    fn function(&mut self, planned: &Planned<'_>) {
        let Planned { function, plan, .. } = *planned;
        let mut entry = Code::new();
        if function.name == "main" {
            entry.extend(self.begin.clone());
        }
        if plan.sums {
            entry.extend(save());
        }
        entry.extend(plan.entry.clone());
        // After the function's own label, before those that loops lead to.
        self.put_after(function.blocks[0].first, entry);
        let mut heads = vec![Code::new(); function.blocks.len()];
        let mut stubs = Code::new();
        for edge in planned.cfg.edges() {
            self.edge(planned, edge, &mut heads, &mut stubs);
        }
        for (at, block) in function.blocks.iter().enumerate() {
            let mut head = vec![format!("{}:", symbol(planned.position, at))];
            head.append(&mut heads[at]);
            head.extend(plan.blocks[at].clone());
            match block.body.checked_sub(1) {
                Some(last) if block.body > block.first => self.put_after(last, head),
                _ => self.put_before(block.body, head),
            }
        }
        self.put_before(function.size, stubs);
    }

    fn edge(&mut self, planned: &Planned<'_>, edge: EdgeId, heads: &mut [Code], stubs: &mut Code) {
        let Planned {
            function,
            cfg,
            plan,
            ..
        } = *planned;
        let (from, to) = cfg.ends(edge);
        let mut code = plan.edges[edge.index()].clone();
        let block = &function.blocks[from.index()];
        let last = block.end - 1;
        match cfg.edge(edge) {
            Way::Never => {}
            Way::Leave => {
                if plan.sums {
                    code.extend(restore());
                }
                self.put_before(last, code);
            }
            Way::Jump => self.put_before(last, code),
            Way::Fall if falls_both_ways(block, from) => self.put_before(last, code),
            Way::Fall => self.put_after(last, code),
            _ if code.is_empty() => {}
            Way::Taken | Way::Table(_) if Site::of(cfg, edge) == Site::Target => {
                heads[to.index()] = code;
            }
            Way::Table(_) if Site::of(cfg, edge) == Site::Source => self.put_before(last, code),
            Way::Taken => {
                let old = operand(self.lines[last]).to_owned();
                let new = self.stub(&old, code, stubs);
                self.lead(last, &old, &new);
            }
            Way::Table(words) => {
                let old = operand(self.lines[words[0]]).to_owned();
                let new = self.stub(&old, code, stubs);
                for &word in words {
                    let old = operand(self.lines[word]).to_owned();
                    self.lead(word, &old, &new);
                }
            }
        }
    }

    /// A place of its own for code that goes on to a label.
    fn stub(&mut self, target: &str, code: Code, stubs: &mut Code) -> String {
        let name = format!(".Lhpp{}", self.stubs);
        self.stubs += 1;
        stubs.push(format!("{name}:"));
        stubs.extend(code);
        stubs.push(format!("\tj {target}"));
        name
    }

    /// Leads a line that ends with a label to another.
    fn lead(&mut self, line: usize, old: &str, new: &str) {
        let text = self.lines[line].trim_end();
        let kept = text.strip_suffix(old).unwrap_or(text);
        self.changed.insert(line, format!("{kept}{new}"));
    }

    fn put_before(&mut self, line: usize, code: Code) {
        self.before.entry(line).or_default().extend(code);
    }

    fn put_after(&mut self, line: usize, code: Code) {
        self.after.entry(line).or_default().extend(code);
    }

    fn text(mut self) -> String {
        let mut text = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            let line = self.changed.remove(&at).unwrap_or_else(|| (*line).into());
            let before = self.before.remove(&at).unwrap_or_default();
            let after = self.after.remove(&at).unwrap_or_default();
            for line in before.iter().chain([&line]).chain(&after) {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }
}

/// Whether a block ends with a branch to the next one.
fn falls_both_ways(block: &Block, from: BlockId) -> bool {
    block.ending == Ending::Branch(from.index() + 1)
}

/// The label that a line ends with.
fn operand(line: &str) -> &str {
    debug_assert!(label(line).is_none(), "a label is no branch");
    let last = line.rsplit([',', ' ', '\t']).next();
    last.unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use hpp_paths::numbering::BallLarus;

    use super::*;
    use crate::assembly::functions;
    use crate::counter_memory::Memory;
    use crate::exact::Profile;
    use crate::graph::graph;
    use crate::method::{Method, Placement};
    use crate::plan::numbered;

    /// A branch over an instruction: falling through has a way of its own, being taken has none.
    const TEXT: &str = "\t.type\tf, @function\nf:\n\tbeq\ta0,zero,.L2\n\taddi\ta0,a0,1\n.L2:\n\tret\n\t.size\tf, .-f";

    #[test]
    fn code_lies_where_only_its_edge_leads() {
        let lines: Vec<&str> = TEXT.lines().collect();
        let function = functions(&lines).expect("a function").remove(0);
        let cfg = graph(&function).expect("a graph");
        let numbering: BallLarus = numbered(&cfg, 1 << 31).expect("two paths");
        let method = Method::BallLarus(Placement::Naive, 10);
        let mut memory = Memory::default();
        let plan = Plan::new(method, &numbering, &Profile::default(), &[], &mut memory);
        let planned = Planned {
            function: &function,
            cfg: &cfg,
            plan: &plan.expect("small numbers"),
            position: 3,
        };
        let text = rewrite(&lines, &[planned], &Code::new());
        let text: Vec<&str> = text.lines().map(str::trim).collect();
        let place = |line: &str| {
            let found = text.iter().position(|other| *other == line);
            found.unwrap_or_else(|| panic!("no line `{line}` in {text:#?}"))
        };
        let in_order = [
            // The caller's sum is kept before the first block, and taken back before the return.
            "sw s11,0(s9)",
            "hpp.3.0:",
            "beq\ta0,zero,.Lhpp0",
            "li s11,0",
            "hpp.3.1:",
            ".L2:",
            "hpp.3.2:",
            "slli t5,s11,2",
            "lw s11,0(s9)",
            "ret",
            // The branch has a place of its own after the function.
            ".Lhpp0:",
            "li s11,1",
            "j .L2",
            ".size\tf, .-f",
        ];
        assert!(in_order.map(place).is_sorted(), "{text:#?}");
        assert_eq!(memory.0.len(), 3, "a word that is lost, and two paths");
    }
}
