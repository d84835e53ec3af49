//! What `hpp report` says of functions, beside what pprof says of the same profile.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::export::flat_and_cumulative;
use crate::folder::{Folder, fixture, profiler};
use crate::riscv_program::{NOP, RET, jal, program};
use crate::said::Must;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;

/// `hop`, whose last instruction jumps forward to `leaf`, called 1,000 times.
fn tail_call() -> Folder {
    let mut profiler = profiler(&Geometry::default());
    for _ in 0..1000 {
        for (kind, target) in [
            (BranchKind::Call, 0x10000),
            (BranchKind::Forward, 0x10008),
            (BranchKind::Return, 0x20000),
        ] {
            profiler.profile(&BranchRecord::new(kind, true, target, 0).with_events(1));
        }
    }
    let folder = Folder::new(Dump::of(&profiler));
    let functions = [("hop", 0, 2), ("leaf", 2, 3)];
    folder.write(
        "f.elf",
        program(&[NOP, jal(0, 4), NOP, NOP, RET], &functions),
    );
    folder
}

/// With `orders.txt` and `orders.elf` of the fixture.
fn orders() -> Folder {
    let folder = Folder::new("");
    for name in ["orders.txt", "orders.elf"] {
        folder.write(name, fixture(&format!("../orders/{name}")));
    }
    folder
}

#[test]
fn instructions_behind_a_tail_call_are_those_of_the_function_they_are_in() {
    let folder = tail_call();
    let done = folder.succeeds("report serial.txt --elf f.elf");
    done.must_have_line("3,000 60.0 % 3,000 60.0 % 1 leaf");
    done.must_have_line("2,000 40.0 % 2,000 40.0 % 1 hop");
    // Executions count where a path begins.
    let done = folder.succeeds("report serial.txt --elf f.elf --by count");
    done.must_have_line("1,000 100.0 % 1,000 100.0 % 1 hop");
    done.must_have_line("0 0.0 % 0 0.0 % 1 leaf");
}

#[test]
fn a_function_is_found_where_paths_run_through_it() {
    let done = tail_call().succeeds("report serial.txt --elf f.elf --function leaf");
    done.must_have_line("1 5,000 100.0 % 100.0 % 1,000 hop T 10000-10008 10008-10014 leaf");
    assert_eq!(done.error, "");
    // One that is only there inlined in another.
    for (folder, name, inlined) in [
        (Folder::words(), "words", "is_letter"),
        (orders(), "orders", "std::__push_heap"),
    ] {
        let report = format!("report {name}.txt --elf {name}.elf --format json");
        let [all, some] = ["", " --function "].map(|flag| {
            let report = match flag {
                "" => report.clone(),
                flag => report.clone() + flag + inlined,
            };
            folder.json(report)["paths"]
                .as_array()
                .expect("paths")
                .len()
        });
        assert!(0 < some && some < all, "{name}: {some} of {all}");
    }
    let error = Folder::words()
        .run("report words.txt --elf words.elf --function is_leter")
        .error;
    error.must_contain("there is no function `is_leter`");
}

/// What is own and inclusive of each function, by name. Of a copy of a function, the debug information has the name alone.
fn table(folder: &Folder, name: &str, by: &str) -> BTreeMap<String, [u64; 2]> {
    let report = format!("report {name}.txt --elf {name}.elf --format json --by {by}");
    let report = folder.json(report);
    let mut table = BTreeMap::new();
    for total in report["functions"].as_array().expect("functions") {
        let name = total["function"].as_str().expect("a name");
        let stem = name.split_once(".constprop").map_or(name, |(stem, _)| stem);
        let number = |key: &str| total[key].as_u64().expect("a number");
        let sums = [number("own"), number("inclusive")];
        if sums != [0, 0] {
            assert_eq!(
                table.insert(stem.to_owned(), sums),
                None,
                "{name} is there twice"
            );
        }
    }
    table
}

#[test]
fn own_and_inclusive_of_every_function_are_flat_and_cumulative_of_pprof() {
    for (folder, name) in [(Folder::words(), "words"), (orders(), "orders")] {
        folder.succeeds(format!(
            "export {name}.txt --elf {name}.elf --format pprof -o out"
        ));
        let pprof = std::fs::read(folder.path().join("out")).expect("a file");
        for (value, by) in ["count", "instructions"].into_iter().enumerate() {
            let table = table(&folder, name, by);
            assert_eq!(table, flat_and_cumulative(&pprof, value), "{name} by {by}");
            assert!(table.len() > 5 && table.values().any(|[own, all]| own < all));
        }
    }
}

/// A question like "where does the time go" is answered by instructions; how often a path ran stands beside.
#[test]
fn paths_are_ranked_by_instructions_where_they_are_known() {
    let folder = Folder::words();
    let heads = |arguments: &str| {
        let out = folder.succeeds(format!("report words.txt{arguments}")).out;
        let heads = out.lines().find(|line| line.trim_start().starts_with('#'));
        let words: Vec<&str> = heads.expect("a table").split_whitespace().collect();
        words[1..5].join(" ")
    };
    assert_eq!(
        heads(" --elf words.elf"),
        "instructions share sum executions"
    );
    assert_eq!(
        heads(" --elf words.elf --by count"),
        "executions share sum instructions"
    );
    assert_eq!(heads(""), "executions share sum path");
    let report = folder.json("report words.txt --elf words.elf --format json");
    for path in report["paths"].as_array().expect("paths") {
        let number = |key: &str| path[key].as_u64().expect("a number");
        assert_eq!(number("weight"), number("count") * number("instructions"));
    }
    assert_eq!(report["by"], "instructions");
}

#[test]
fn a_place_is_the_nearest_line_of_the_program_s_own_code() {
    let report = orders().json("report orders.txt --elf orders.elf --format json");
    let paths = report["paths"].as_array().expect("paths");
    let ends = |line: &Value, file: &str| {
        line["file"]
            .as_str()
            .is_some_and(|name| name.ends_with(file))
    };
    let mut own = 0;
    for path in paths {
        let is_library = path["place"]["function"]
            .as_str()
            .is_some_and(|name| name.contains("std::"));
        let file = if is_library {
            "/c++/12/bits/stl_heap.h"
        } else {
            "orders.cpp"
        };
        assert!(ends(&path["place"]["source"], file), "{path}");
        own += usize::from(!is_library);
    }
    assert!(own > 5);
    let library: Vec<&Value> = paths.iter().map(|path| &path["place"]["library"]).collect();
    let inlined = library
        .iter()
        .filter(|line| ends(line, "/c++/12/bits/stl_heap.h"));
    assert!(inlined.count() > 1 && library.iter().any(|line| line.is_null()));
    let out = orders().succeeds("report orders.txt --elf orders.elf").out;
    out.must_contain(" orders.cpp:29 (stl_heap.h:360)");
}
