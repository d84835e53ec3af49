//! Reading and writing graphs, and profiles and reports as serde does.
use hpp_paths::counters::EdgeCounters;
use hpp_paths::format::text::{self, Text};
use hpp_paths::format::{dot, json};
use hpp_paths::graph::{Acyclic, Cfg, CfgBuilder, Edge, EdgeClass, Weights};
use hpp_paths::interprocedural::{
    Event, Inlining, PathProfile, Procedure, ProcedureId, Program, Supergraphs, Windows,
};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use crate::graphs::{executed, graph};

/// Everything a graph holds, as text.
fn whole(cfg: &Cfg) -> String {
    text::write(cfg, |_| None)
}

#[test]
fn text_says_all_there_is_to_say() {
    let text = "\
        block a at 0x10 # first\n\
        a -> b indirect taken weight 7 ; 3, increment -1\n\
        ; test nothing\n\
        b -> a\n\
        b -> \"an exit; really\"\n\
        block b at 16\n";
    let read = Text::parse(text).expect("a graph");
    let edges: Vec<_> = read.cfg.edges().map(|e| *read.cfg.edge(e)).collect();
    assert_eq!(edges[0].class, EdgeClass::Indirect);
    assert_eq!((edges[0].outcome, edges[0].weight), (Some(true), Some(7)));
    assert_eq!(edges[1].class, EdgeClass::Backward);
    assert_eq!(read.cfg.name(read.cfg.exit()), "an exit; really");
    let (line, expected) = &read.expectations[0];
    let expected: Vec<_> = expected.iter().map(|e| (&*e.key, &*e.value)).collect();
    assert_eq!(
        (*line, expected),
        (2, vec![("value", "3"), ("increment", "-1")])
    );
    assert_eq!(read.notes[0].words, ["test", "nothing"]);
    // A plain word is written without quotes.
    let written = whole(&read.cfg);
    assert!(
        written.contains("a -> b indirect taken weight 7\n"),
        "{written}"
    );
    assert!(written.contains("b -> \"an exit; really\""), "{written}");
}

/// Lines with `|` between them, and what is said of them.
const NONSENSE: &str = r#"
a -> b|a = b => line 2: cannot read a line that begins with `a`; write `a -> b`, `block a`, `entry a` or `exit a`
a -> b sideways => line 1: `sideways` says nothing of an edge; use forward, backward, indirect, taken, not-taken or weight N; `#` begins a comment, `;` what a test expects
a -> b "taken" => line 1: `taken` says nothing of an edge; use forward, backward, indirect, taken, not-taken or weight N; `#` begins a comment, `;` what a test expects
a -> b weight => line 1: expected how often the edge ran after `weight`
a -> b weight -1 => line 1: `-1` is not a number from 0 to 2^64 - 1
a -> b weight 8_12 => line 1: `8_12` is not a number from 0 to 2^64 - 1
a -> b|block a at 0x+5 => line 2: `0x+5` is not a number from 0 to 2^64 - 1
a -> b ; 1 2 3 => line 1: `1 2 3` is not a value or a key and a value
a -> b taken weight 1 not-taken => line 1: `not-taken` says again, or says otherwise, what was said of the edge before; leave one out
a -> b indirect forward => line 1: `forward` says again, or says otherwise, what was said of the edge before; leave one out
a -> b weight 1 weight 2 => line 1: `weight` says again, or says otherwise, what was said of the edge before; leave one out
block a at 1|a -> b|block a at 2 => line 3: the block `a` was given its address before, on line 1
a -> b||entry c => line 3: the entry `c` is no block of the graph
entry a|entry a|a -> b => line 2: the entry was named before, on line 1
block a b => line 1: expected nothing or `at ADDRESS` after a block's name
block a of 1 => line 1: expected nothing or `at ADDRESS` after a block's name
block a "at" 1 => line 1: expected nothing or `at ADDRESS` after a block's name
block a ; 1 => line 1: `; 1` follows a line that is not an edge
"a -> b => line 1: a quoted name does not end, or holds a wrong escape
 => the graph has no blocks; declare at least its entry
"#;

#[test]
fn nonsense_in_text_is_reported_with_its_line() {
    for (text, reason) in NONSENSE.lines().filter_map(|row| row.split_once(" => ")) {
        let read = Text::parse(&text.replace('|', "\n"));
        assert_eq!(read.expect_err(reason).to_string(), reason);
    }
}

const NONSENSE_IN_JSON: &str = r#"
{} => line 1, column 2: missing field `edges`
{"edges": [{"from": 1, "to": "b"}]} => line 1, column 21: integer `1`, expected a string
{"edges": [|{"from": "a", "to": "b", "weight": -1}]} => line 2, column 37: integer `-1`, expected a whole number from 0 to 18446744073709551615
{"edges": 1} => line 1, column 11: integer `1`, expected a list
{"blocks": [{"name": "a"}], "edges": [{"from": "a", "to": "b"}]} => edge 0 (from 0) names the block `b`, which is not among the blocks
{"blocks": [{"name": "a"}, {"name": "a"}], "edges": []} => the block `a` is declared twice
{"entry": "x", "edges": [{"from": "a", "to": "b"}]} => entry names the block `x`, which is not among the blocks
{"edges": [], "extra": 1} => line 1, column 21: unknown field `extra`, expected one of `entry`, `exit`, `blocks`, `edges`
"#;

#[test]
fn nonsense_in_json_is_reported() {
    let rows = NONSENSE_IN_JSON.lines();
    for (text, reason) in rows.filter_map(|row| row.split_once(" => ")) {
        let read = json::parse(&text.replace('|', "\n"));
        assert_eq!(read.expect_err(reason).to_string(), reason);
    }
}

#[test]
fn drawings_dash_what_is_cut() {
    let cfg = Cfg::from_edges([("a", "b"), ("b", "b"), ("b", "the \"end\"")]).expect("a graph");
    let dag = Acyclic::depth_first(&cfg);
    let drawing = dot::acyclic(&dag, |edge| format!("e{}", edge.index()));
    assert_eq!(
        drawing,
        "digraph {\n\
         \x20   0 [ label = \"a\" shape = oval]\n\
         \x20   1 [ label = \"b\" shape = box]\n\
         \x20   2 [ label = \"the \\\"end\\\"\" shape = oval]\n\
         \x20   0 -> 1 [ label = \"e0\"]\n\
         \x20   1 -> 2 [ label = \"e1\"]\n\
         \x20   1 -> 2 [ label = \"e2\" style = dashed]\n\
         \x20   0 -> 1 [ label = \"e3\" style = dashed]\n\
         }\n"
    );
}

/// Names of any characters, keywords and signs of the text format among them.
fn name() -> impl Strategy<Value = String> {
    let signs = [
        "", "->", "at", "block", "entry", "exit", " ", "\t", "\u{1}", "\u{85}", "a b", "#", ";",
        "\"",
    ];
    prop_oneof![
        prop::sample::select(signs.to_vec()).prop_map(String::from),
        any::<String>()
    ]
}

/// A row of blocks of different names, the entry declared last.
fn row() -> impl Strategy<Value = Cfg> {
    prop::collection::btree_set(name(), 1..6).prop_map(|names| {
        let mut builder = CfgBuilder::default();
        let blocks: Vec<_> = names.iter().map(|name| builder.block(name)).collect();
        for pair in blocks.windows(2) {
            builder.edge(pair[1], pair[0], Edge::default());
        }
        builder.entry(blocks[blocks.len() - 1]);
        builder.exit(blocks[0]);
        builder.build().expect("a row")
    })
}

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    serde_json::from_str(&text).expect("it can be read")
}

proptest! {
    /// Text and JSON read back what they write.
    #[test]
    fn formats_keep_the_graph(cfg in prop_oneof![graph(2..14), row()]) {
        let from_text = Text::parse(&whole(&cfg)).expect("what was written");
        prop_assert_eq!(whole(&from_text.cfg), whole(&cfg));
        let from_json = json::parse(&json::write(&cfg)).expect("what was written");
        prop_assert_eq!(whole(&from_json), whole(&cfg));
    }

    /// No input makes a reader panic.
    #[test]
    fn readers_take_anything(text in "([a-c\"#;, ]|->|\n|entry |block |at |weight |0x|[0-9]){0,40}") {
        if let Ok(read) = Text::parse(&text) {
            prop_assert_eq!(whole(&Text::parse(&whole(&read.cfg)).expect("what was written").cfg), whole(&read.cfg));
        }
        prop_assert!(json::parse(&text).is_err());
    }

    #[test]
    fn profiles_come_back((cfg, execution) in executed(2..10, 60)) {
        let counters = EdgeCounters::optimal(&cfg, &Weights::uniform(&cfg));
        let mut counts = counters.places().counters();
        counts.call(&execution).expect("an execution");
        let profile = counters.profile(&counts).expect("its counts");
        prop_assert_eq!(&again(&profile), &profile);

        let start = ProcedureId::new(0);
        let program = Program::new(vec![Procedure::new("f", Acyclic::depth_first(&cfg))]).expect("no calls");
        let graphs = Supergraphs::build(&program, &Inlining::all(0));
        let run = execution.into_iter().map(Event::Take);
        let paths = PathProfile::of(&program, &graphs, Windows::Tiled, start, run).expect("a run");
        prop_assert_eq!(&again(&paths), &paths);
    }
}
