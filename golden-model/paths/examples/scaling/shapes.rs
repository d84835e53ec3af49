//! Graphs of any size, of shapes that are hard on an algorithm that recurses or looks at all pairs.
use hpp_paths::graph::{Cfg, CfgBuilder, Edge};

/// A shape: its name, and the graph of about so many blocks.
pub type Shape = (&'static str, fn(usize) -> Cfg);

pub const SHAPES: [Shape; 6] = [
    ("row", row),
    ("ladder", ladder),
    ("switch", switch),
    ("exits", exits),
    ("loops", loops),
    ("nest", nest),
];

fn graph(edges: impl Iterator<Item = (usize, usize)>, exit: usize) -> Cfg {
    let mut builder = CfgBuilder::default();
    for (from, to) in edges {
        let [from, to] = [from, to].map(|block| builder.block(&block.to_string()));
        builder.edge(from, to, Edge::default());
    }
    let exit = builder.block(&exit.to_string());
    builder.exit(exit);
    builder.build().expect("every block leads to the exit")
}

/// One block after another.
fn row(blocks: usize) -> Cfg {
    graph((0..blocks - 1).map(|at| (at, at + 1)), blocks - 1)
}

/// Diamonds one after another.
fn ladder(blocks: usize) -> Cfg {
    let rungs = blocks / 3;
    let rung = |at| {
        [
            (at, at + 1),
            (at, at + 2),
            (at + 1, at + 3),
            (at + 2, at + 3),
        ]
    };
    graph((0..rungs).flat_map(|at| rung(3 * at)), 3 * rungs)
}

/// One block with a case for each other, which all lead to the last.
fn switch(blocks: usize) -> Cfg {
    let case = |case| [(0, case), (case, blocks - 1)];
    graph((1..blocks - 1).flat_map(case), blocks - 1)
}

/// One block after another, and each may end the procedure: dominators as deep as the graph.
fn exits(blocks: usize) -> Cfg {
    let at = |at| [(at, at + 1), (at, blocks - 1)];
    graph((0..blocks - 1).flat_map(at), blocks - 1)
}

/// Loops one after another.
fn loops(blocks: usize) -> Cfg {
    let many = blocks / 2;
    let around = |at| [(at, at + 1), (at + 1, at), (at, at + 2)];
    graph((0..many).flat_map(|at| around(2 * at)), 2 * many)
}

/// Loops in one another, left at their ends.
fn nest(blocks: usize) -> Cfg {
    let deep = blocks / 2;
    let latch = |at| 2 * deep - 1 - at;
    let down = (0..deep).map(|at| (at, at + 1));
    let back = (0..deep).flat_map(|at| [(latch(at), at), (latch(at), latch(at) + 1)]);
    graph(down.chain(back), 2 * deep)
}
