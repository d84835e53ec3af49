//! Random procedures of `if` and `while` alone.
use hpp_paths::graph::{BlockId, Cfg, CfgBuilder, Edge};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Statement {
    Plain,
    If(Vec<Statement>, Vec<Statement>),
    While(Vec<Statement>),
}

fn statements(depth: u32, size: u32) -> impl Strategy<Value = Vec<Statement>> {
    let plain = prop::collection::vec(Just(Statement::Plain), 0..2);
    plain.prop_recursive(depth, size, 2, |inner| {
        let statement = prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(then, or)| Statement::If(then, or)),
            inner.prop_map(Statement::While),
        ];
        prop::collection::vec(statement, 1..3)
    })
}

/// Adds the blocks of statements after a block; the block after them.
fn add(builder: &mut CfgBuilder, statements: &[Statement], mut at: BlockId) -> BlockId {
    for statement in statements {
        let next = fresh(builder);
        match statement {
            Statement::Plain => {
                builder.edge(at, next, Edge::default());
            }
            Statement::If(then, or) => {
                for way in [then, or] {
                    let first = fresh(builder);
                    builder.edge(at, first, Edge::default());
                    let last = add(builder, way, first);
                    builder.edge(last, next, Edge::default());
                }
            }
            Statement::While(body) => {
                let [header, first] = [(); 2].map(|()| fresh(builder));
                for (from, to) in [(at, header), (header, first), (header, next)] {
                    builder.edge(from, to, Edge::default());
                }
                let last = add(builder, body, first);
                builder.edge(last, header, Edge::default());
            }
        }
        at = next;
    }
    at
}

fn fresh(builder: &mut CfgBuilder) -> BlockId {
    let name = (0..).map(|n: usize| n.to_string());
    let new: Vec<String> = name
        .skip_while(|n| builder.find(n).is_some())
        .take(1)
        .collect();
    builder.block(&new[0])
}

/// Procedures whose statements are nested so deep at most, and about so many.
pub fn structured(depth: u32, size: u32) -> impl Strategy<Value = Cfg> {
    statements(depth, size).prop_map(|statements| {
        let mut builder = CfgBuilder::default();
        let entry = fresh(&mut builder);
        let exit = add(&mut builder, &statements, entry);
        builder.exit(exit);
        builder.build().expect("a graph")
    })
}
