//! What `hpp report` says of functions, beside what pprof says of the same profile.

use std::collections::BTreeMap;

use crate::export::flat_and_cumulative;
use crate::fixtures;
use crate::folder::Folder;

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
            let before = table.insert(stem.to_owned(), sums);
            assert_eq!(before, None, "{name} is there twice");
        }
    }
    table
}

#[test]
fn own_and_inclusive_of_every_function_are_flat_and_cumulative_of_pprof() {
    let folder = fixtures::profiles();
    for name in ["words", "orders"] {
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
