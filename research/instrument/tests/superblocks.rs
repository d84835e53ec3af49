//! Code laid out anew does what it did, on random functions read by a small machine, and on a core.

use std::collections::HashMap;
use std::fmt::Write;

use hpp_fpga::core::Core;
use hpp_instrument::assembly::functions;
use hpp_instrument::exact::{Followed, Profile, Tracker};
use hpp_instrument::graph::graph;
use hpp_instrument::superblocks::{HotPath, Limits, emit, form, of_edges, of_paths, superblocks};
use hpp_instrument::{Assembled, Method, Sources};
use hpp_paths::graph::Acyclic;
use hpp_soc::Soc;
use proptest::prelude::*;

/// How a random block ends; targets modulo the number of blocks.
#[derive(Clone, Debug)]
enum End {
    Fall,
    Branch(usize, usize),
    Jump(usize),
    Table(Vec<usize>),
    Return,
}

fn end() -> impl Strategy<Value = End> {
    let block = 0..64usize;
    prop_oneof![
        2 => Just(End::Fall),
        5 => (0..8usize, block.clone()).prop_map(|(word, to)| End::Branch(word, to)),
        2 => block.clone().prop_map(End::Jump),
        1 => proptest::collection::vec(block, 1..5).prop_map(End::Table),
        1 => Just(End::Return),
    ]
}

const BRANCHES: [&str; 8] = [
    "beq\ta0,a1",
    "bne\ta0,a1",
    "blt\ta0,a1",
    "bge\ta0,a1",
    "bltu\ta0,a1",
    "bgeu\ta0,a1",
    "bgtz\ta0",
    "blez\ta0",
];

/// The assembly of a function of these blocks, as GCC would write it. Each block says its number.
fn text(blocks: &[(bool, End)]) -> String {
    let count = blocks.len();
    let mut text =
        String::from("\t.text\n\t.section\t.text.f\n\t.align\t1\n\t.type\tf, @function\nf:\n");
    for (at, (silent, end)) in blocks.iter().enumerate() {
        writeln!(text, ".L{at}:").expect("text");
        // Some blocks are a jump and nothing else.
        if !(*silent && matches!(end, End::Jump(_))) {
            writeln!(text, "\tsay\t{at}").expect("text");
        }
        let end = if at + 1 == count { &End::Return } else { end };
        match end {
            End::Fall => {}
            // It would go there in any case, and need not stay.
            End::Branch(_, to) if to % count == at + 1 => {}
            End::Branch(word, to) => {
                writeln!(text, "\t{},.L{}", BRANCHES[*word], to % count).expect("text");
            }
            End::Jump(to) => writeln!(text, "\tj\t.L{}", to % count).expect("text"),
            End::Table(targets) => {
                write!(
                    text,
                    "\tjr\ta5\n\t.section\t.rodata\n\t.align\t2\n.T{at}:\n"
                )
                .expect("text");
                for to in targets {
                    writeln!(text, "\t.word\t.L{}", to % count).expect("text");
                }
                text += "\t.section\t.text.f\n";
            }
            End::Return => text += "\tret\n",
        }
    }
    text + "\t.size\tf, .-f\n"
}

/// What a machine says that reads a function's text, when a branch compares these outcomes: whether `a0 == a1`, say, is decided by the
/// condition that its mnemonic or the opposite one names.
fn run(text: &str, outcomes: &[u8]) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut in_text = true;
    let mut code = Vec::new();
    let mut labels = HashMap::new();
    let mut tables: HashMap<usize, Vec<&str>> = HashMap::new();
    let mut table: Option<usize> = None;
    for line in &lines {
        let line = line.trim();
        if line.starts_with(".section") {
            in_text = line.contains(".text");
        } else if let Some(name) = line.strip_suffix(':') {
            if in_text {
                labels.insert(name, code.len());
            } else {
                table = name.strip_prefix(".T").and_then(|at| at.parse().ok());
            }
        } else if let Some(word) = line.strip_prefix(".word") {
            let at = table.expect("a table has a label");
            tables.entry(at).or_default().push(word.trim());
        } else if !line.starts_with('.') {
            code.push(line);
        }
    }
    let (mut said, mut at, mut last) = (Vec::new(), labels["f"], 0);
    let mut outcomes = outcomes.iter();
    // A loop of jumps alone says nothing for ever.
    for _ in 0..20_000 {
        if said.len() >= 500 {
            break;
        }
        let (word, operands) = code[at].split_once('\t').unwrap_or((code[at], ""));
        let to = operands.rsplit(',').next().unwrap_or("");
        at += 1;
        match word {
            "say" => {
                last = operands.parse().expect("a number");
                said.push(operands.to_owned());
            }
            "ret" => break,
            "j" => at = labels[to],
            "jr" => {
                let Some(&outcome) = outcomes.next() else {
                    break;
                };
                let targets = &tables[&last];
                at = labels[targets[usize::from(outcome) % targets.len()]];
            }
            _ => {
                let Some(&outcome) = outcomes.next() else {
                    break;
                };
                let opposite = ["bne", "bge", "bgeu", "blez"].contains(&word);
                if (outcome & 1 == 1) != opposite {
                    at = labels[to];
                }
            }
        }
    }
    said
}

/// The paths of a walk through blocks: a new one begins after a backward step.
fn paths(said: &[String]) -> Vec<HotPath> {
    let blocks: Vec<usize> = said
        .iter()
        .map(|block| block.parse().expect("a number"))
        .collect();
    let pieces: Vec<&[usize]> = blocks.chunk_by(|a, b| a < b).collect();
    let then = pieces
        .iter()
        .skip(1)
        .map(|piece| Some(piece[0]))
        .chain([None]);
    let hot = |(piece, then): (&&[usize], Option<usize>)| HotPath {
        blocks: piece.to_vec(),
        then,
        count: 1.0,
    };
    pieces.iter().zip(then).map(hot).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn functions_laid_out_anew_say_what_they_said(
        blocks in proptest::collection::vec((any::<bool>(), end()), 2..14),
        trained in proptest::collection::vec(any::<u8>(), 0..200),
        tried in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..100), 4),
        growth in 0.0..8.0f64,
        rounds in 1..5u32,
    ) {
        let before = text(&blocks);
        let lines: Vec<&str> = before.lines().collect();
        let function = functions(&lines).expect("a function").remove(0);
        let hot = paths(&run(&before, &trained));
        let limits = Limits { growth, rounds, least: 0.0 };
        let copies = form(&[&function], &[hot], &limits).remove(0);
        let after = emit(&lines, &[(&function, &copies, 0)]).expect("a layout");
        for outcomes in tried.iter().chain([&trained]) {
            prop_assert_eq!(run(&before, outcomes), run(&after, outcomes), "{}\n{}", before, after);
        }
        let all: usize = function.blocks.iter().map(|block| block.end - block.body).sum();
        let more: usize = copies.0.iter().skip(function.blocks.len()).map(|copy| {
            let block = &function.blocks[copy.block];
            block.end - block.body
        }).sum();
        prop_assert!(more as f64 <= all as f64 * growth);
    }
}

/// What makes paths of a profile.
type Driver = fn(&Followed, &Profile) -> Vec<HotPath>;

/// Runs a program. Returns cycles, and the paths of each function.
fn measured(soc: &Soc, sources: &Sources, built: &Assembled) -> (u64, Vec<Profile>) {
    let mut tracker = Tracker::new(&sources.listing.functions, built.places.clone());
    let run = soc.run(&built.elf, &mut tracker).expect("a run");
    assert_eq!(run.status, 0, "{}", run.uart);
    let seen = tracker.finish().expect("control stays in the graphs");
    (seen.cycles, seen.profiles)
}

#[test]
fn dhrystone_goes_the_same_paths_in_fewer_cycles() {
    let soc = Soc::with_core(Core::PicoRv32, None).expect("a system");
    let sources = Sources::compile_as("dhrystone", Core::PicoRv32, "rv32im").expect("assembly");
    let (plans, memory) = sources
        .plan(Method::Nothing, &[], &[])
        .expect("nothing fits");
    let built = sources
        .assemble("test-plain", &plans, &memory)
        .expect("a program");
    let (before, profiles) = measured(&soc, &sources, &built);
    let drivers: [(&str, Driver); 2] = [("edges", of_edges), ("paths", of_paths)];
    for (name, of) in drivers {
        let functions = &sources.listing.functions;
        let hot: Vec<_> = functions
            .iter()
            .zip(&profiles)
            .map(|(one, profile)| of(one, profile))
            .collect();
        let copies = superblocks(functions, &hot, &Limits::default());
        let built = sources
            .superblocks(&format!("test-{name}"), &copies)
            .expect("a program");
        let (after, same) = measured(&soc, &sources, &built);
        assert_eq!(same, profiles, "{name}");
        assert!(after < before, "{name}: {after} cycles, before {before}");
    }
}

/// A loop of one block, a hundred rounds.
const LOOP: &str = "\t.text\n\t.type\tf, @function\nf:\n\tli\ta0,100\n.L2:\n\taddi\ta0,a0,-1\n\tbnez\ta0,.L2\n\tret\n\t.size\tf, .-f\n";

#[test]
fn an_edge_profile_of_a_loop_predicts_its_rounds() {
    let lines: Vec<&str> = LOOP.lines().collect();
    let function = functions(&lines).expect("a function").remove(0);
    let cfg = graph(&function).expect("a graph");
    let dag = Acyclic::depth_first(&cfg);
    let followed = Followed { function, cfg, dag };
    let mut profile = Profile {
        blocks: vec![1, 100, 1, 0],
        ..Default::default()
    };
    let ways = followed.cfg.edges().map(|edge| {
        let (from, to) = followed.cfg.ends(edge);
        match (from.index(), to.index()) {
            (1, 1) => 99,
            _ => 1,
        }
    });
    profile.edges = ways.collect();
    let mut hot = of_edges(&followed, &profile);
    hot.sort_by(|a, b| b.count.total_cmp(&a.count));
    let hottest = HotPath {
        blocks: vec![1],
        then: Some(1),
        count: 98.01,
    };
    assert!((hot[0].count - hottest.count).abs() < 1e-9);
    assert_eq!(
        (&hot[0].blocks, hot[0].then),
        (&hottest.blocks, hottest.then)
    );
    let all: f64 = hot.iter().map(|path| path.count).sum();
    assert!((all - 100.0).abs() < 1e-9, "as many paths as begin");
    let limits = Limits {
        growth: 1.5,
        ..Limits::default()
    };
    let copies = form(&[&followed.function], &[hot], &limits).remove(0);
    let after = emit(&lines, &[(&followed.function, &copies, 0)]).expect("a layout");
    // Four rounds: three leave by the opposite branch, one goes back.
    assert_eq!(after.matches("beqz\ta0").count(), 3, "{after}");
    assert_eq!(after.matches("bnez\ta0").count(), 1, "{after}");
}
