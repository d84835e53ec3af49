//! Graphs of functions: on random programs every path number stands for one descriptor and back, and the descriptor
//! walks through the code of its path.

use std::collections::HashSet;

use hpp_golden::path::MAX_BRANCHES;
use hpp_golden::profiler::Ppcr;
use hpp_paths::Number;
use hpp_paths::graph::PathEnd;
use hpp_paths::numbering::BallLarus;
use hpp_riscv::walk;
use hpp_riscv::{Blocks, Exit, FunctionGraph, Starts};
use proptest::prelude::*;

use crate::random_code::{backward_not_taken, code, functions};

/// Paths looked at in each function; most have fewer.
const MOST: u32 = 300;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn numbers_and_descriptors_are_one_to_one(code in code(), backward_not_taken in backward_not_taken()) {
        let ppcr = Ppcr { backward_not_taken, ..Ppcr::ball_larus() };
        let functions = functions();
        let blocks = Blocks::recover(&code, &functions, &Starts::Assumed);
        for function in functions.iter() {
            let graph = FunctionGraph::new(&blocks, &functions, function, backward_not_taken)
                .expect("every function has code");
            let dag = graph.dag();
            let numbering = BallLarus::exact(dag);
            let mut seen = HashSet::new();
            let numbers = (0..MOST).map(Number::from).take_while(|n| *n < numbering.paths());
            for number in numbers {
                let path = numbering.path(&number).expect("a path");
                let Some(descriptor) = graph.descriptor(&path) else { continue };
                prop_assert!(seen.insert(descriptor), "{} twice", descriptor);
                let back = graph.path(MAX_BRANCHES, &descriptor);
                prop_assert_eq!(back, Ok(path.clone()), "{}", descriptor);
                let blocks = path.route(dag);
                let last = blocks.blocks.iter().rev().find_map(|&b| graph.code(b)).expect("code");
                if blocks.end == PathEnd::Exit && last.exit == Exit::Dead {
                    continue;
                }
                let walked = walk(&code, &ppcr, MAX_BRANCHES, &descriptor);
                prop_assert_eq!(walked.map(|walk| walk.last + 4), Ok(last.end), "{}", descriptor);
            }
        }
    }
}
