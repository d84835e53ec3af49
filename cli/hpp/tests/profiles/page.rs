//! `hpp report --html`: one page that needs nothing else.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::folder::{Folder, profiled};
use crate::said::Must;

/// What stands between two marks, the first time.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).expect("the first mark");
    rest.split_once(to).expect("the second mark").0
}

/// The page of the folder, and what its script draws.
fn page(folder: &Folder, arguments: &str) -> (String, Value) {
    folder.succeeds(format!("report {arguments} --html page.html"));
    let page = folder.text("page.html");
    let data = serde_json::from_str(between(&page, "id=\"data\">", "</script>"));
    (page, data.expect("JSON"))
}

#[test]
fn the_page_holds_every_path_its_route_and_its_code() {
    let folder = Folder::new(profiled(&[true, true, true, false]));
    let done = folder.succeeds("report serial.txt --elf f.elf --html page.html");
    done.out.must_contain("health    good");
    let page = folder.text("page.html");
    assert_eq!(
        between(&page, "<title>", "</title>"),
        "Paths of f.elf: 9 instructions in 2 paths"
    );
    assert!(!page.contains("{{"), "a part was not filled in");
    let (_, data) = self::page(&folder, "serial.txt --elf f.elf");
    assert_eq!(data["paths"].as_array().map(Vec::len), Some(2));
    let [blocks, edges] = [0, 1].map(|part| data["graphs"][0][part].clone());
    let block = |number: &Value| &data["blocks"][number.as_u64().expect("a number") as usize];
    let blocks = blocks.as_array().expect("blocks").iter();
    let blocks: Vec<&Value> = blocks.map(block).collect();
    let starts: Vec<&Value> = blocks.iter().map(|block| &block[0]).collect();
    assert_eq!(starts, ["10000", "10004", "10008"]);
    assert_eq!(edges, serde_json::json!([[0, 1, 0], [0, 2, 1], [1, 2, 0]]));
    // Taken: over the middle block; not taken: through it, in one step of the walk.
    assert_eq!(data["routes"]["1"]["blocks"], serde_json::json!([0, 2]));
    assert_eq!(data["routes"]["2"]["blocks"], serde_json::json!([0, 1, 2]));
    assert_eq!(blocks[0][3][0][1], 4);
}

/// 40.148 % was 40.15 % in the data, and 40.2 % on the page.
#[test]
fn the_page_rounds_once() {
    let folder = Folder::words();
    let (_, data) = page(&folder, "words.txt --elf words.elf");
    let report = folder.json("report words.txt --elf words.elf --format json");
    let all = |value: &Value| value.as_array().expect("a list").clone();
    for (path, known) in all(&data["paths"]).iter().zip(all(&report["paths"])) {
        let sums = ["weight", "cumulative"].map(|key| &known[key]);
        assert_eq!([&path[1], &path[2]], sums);
    }
    assert_eq!(data["program"], report["program"]);
    for (function, known) in all(&data["functions"])
        .iter()
        .zip(all(&report["functions"]))
    {
        let name = &data["names"][function[0].as_u64().expect("a name") as usize][0];
        assert_eq!(name, &known["function"]);
        let sums = ["own", "inclusive", "paths"].map(|key| &known[key]);
        assert_eq!([&function[1], &function[2], &function[3]], sums);
    }
}

#[test]
fn the_page_fetches_nothing() {
    let folder = Folder::new(profiled(&[true]));
    let (page, _) = page(&folder, "serial.txt --elf f.elf");
    for reference in ["src=", "href=", "@import", "url(http", "fetch("] {
        assert!(!page.contains(reference), "{reference}");
    }
    // The name of SVG's namespace is no address that is fetched.
    let namespaces = page.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(page.matches("http").count(), namespaces);
}

/// A page of one function has some paths of the report, whose ranks have gaps.
#[test]
fn paths_of_one_function_have_their_own_routes() {
    let folder = Folder::words();
    let (page, data) = page(&folder, "words.txt --elf words.elf --function count_words");
    let paths = data["paths"].as_array().expect("paths");
    assert!(paths[0][0].as_u64() > Some(1));
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let hexadecimal = |value: &Value| {
        let text = value.as_str().expect("an address");
        u64::from_str_radix(text, 16).expect("hexadecimal")
    };
    for path in paths {
        let route = &data["routes"][path[0].to_string()];
        let graph = &data["graphs"][number(&route["graph"])];
        let start = |place: usize| hexadecimal(&data["blocks"][number(&graph[0][place])][0]);
        let first = number(&route["blocks"][0]);
        // The function begins at 0x134, and the path after that.
        assert_eq!(start(first), 0x134 + hexadecimal(&path[5]));
        assert_eq!(
            data["names"][number(&path[4])][0],
            "count_words.constprop.0"
        );
    }
    // The script finds both by rank.
    assert!(!page.contains("rank - 1"));
}

/// What many paths have in common stands once: the page of the fixture's 24 paths took 58,000 bytes of data.
#[test]
fn names_files_and_blocks_stand_once() {
    let folder = Folder::words();
    let (page, data) = page(&folder, "words.txt --elf words.elf");
    assert_eq!(page.matches("\"count_words.constprop.0\"").count(), 1);
    assert_eq!(page.matches("main.c\"").count(), 1);
    let blocks = data["blocks"].as_array().expect("blocks");
    let starts: BTreeSet<_> = blocks.iter().map(|block| block[0].as_str()).collect();
    assert_eq!(starts.len(), blocks.len());
}

/// In a script, `<!--` and `<script` together hide its end.
#[test]
fn no_name_and_no_source_line_hides_the_end_of_the_page() {
    let folder = Folder::new(profiled(&[true]));
    let name = "<!-- <script>.elf";
    folder.write(name, crate::folder::elf());
    let arguments = ["report", "serial.txt", "--elf", name, "--html", "page.html"];
    assert_eq!(folder.hpp(&arguments).status, 0);
    let page = folder.text("page.html");
    let data = between(&page, "id=\"data\">", "</script>");
    assert!(!data.contains('<'), "{data}");
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["title"], format!("Paths of {name}"));
}
