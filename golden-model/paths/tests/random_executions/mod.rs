//! Random executions of one procedure.
use hpp_paths::graph::{Cfg, EdgeId};

/// An execution: at each block the next of these choices says which edge control takes.
pub fn execute(cfg: &Cfg, choices: &[u8]) -> Vec<EdgeId> {
    let mut control = cfg.entry();
    let mut taken = Vec::new();
    for &choice in choices {
        let out = cfg.successors(control);
        if out.is_empty() {
            break;
        }
        let edge = out[choice as usize % out.len()];
        taken.push(edge);
        control = cfg.ends(edge).1;
    }
    taken
}
