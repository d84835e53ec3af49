//! `hpp report --html`: one page that needs nothing else.

use serde_json::Value;

use crate::folder::{Folder, profiled};

/// What stands between two marks, the first time.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).expect("the first mark");
    rest.split_once(to).expect("the second mark").0
}

#[test]
fn the_page_holds_every_path_its_route_and_its_code() {
    let folder = Folder::new(&profiled(&[true, true, true, false]).to_string());
    let done = folder.hpp(&[
        "report",
        "serial.txt",
        "--elf",
        "f.elf",
        "--html",
        "page.html",
    ]);
    assert_eq!(done.status, 0, "{}", done.error);
    assert!(done.out.contains("health    good"), "{}", done.out);
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    assert_eq!(
        between(&page, "<title>", "</title>"),
        "Paths of f.elf: 4 in 2 paths"
    );
    assert!(!page.contains("{{"), "a part was not filled in");
    let data = between(&page, "id=\"data\">", "</script>");
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["report"]["paths"].as_array().map(Vec::len), Some(2));
    let graph = &data["graphs"][0];
    let starts: Vec<u64> = graph["blocks"]
        .as_array()
        .expect("blocks")
        .iter()
        .filter_map(|block| block["start"].as_u64())
        .collect();
    assert_eq!(starts, [0x10000, 0x10004, 0x10008]);
    assert_eq!(
        graph["edges"][1],
        serde_json::json!({"from": 0, "to": 2, "taken": true})
    );
    // Taken: over the middle block; not taken: through it, in one step of the walk.
    assert_eq!(data["routes"]["1"]["blocks"], serde_json::json!([0, 2]));
    assert_eq!(data["routes"]["2"]["blocks"], serde_json::json!([0, 1, 2]));
    assert_eq!(graph["blocks"][0]["code"][0]["weight"], 4);
}

#[test]
fn the_page_fetches_nothing() {
    let folder = Folder::new(&profiled(&[true]).to_string());
    let done = folder.hpp(&[
        "report",
        "serial.txt",
        "--elf",
        "f.elf",
        "--html",
        "page.html",
    ]);
    assert_eq!(done.status, 0, "{}", done.error);
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    for reference in ["src=", "href=", "@import", "url(http", "fetch("] {
        assert!(!page.contains(reference), "{reference}");
    }
    let addresses: Vec<&str> = page.matches("http").collect();
    // The name of SVG's namespace is no address that is fetched.
    assert_eq!(
        addresses.len(),
        page.matches("http://www.w3.org/2000/svg").count()
    );
}

/// A page of one function has some paths of the report, whose ranks have gaps.
#[test]
fn paths_of_one_function_have_their_own_routes() {
    let folder = Folder::new("");
    for name in ["words.txt", "words.elf"] {
        let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/profiles/fixture/");
        let bytes = std::fs::read(format!("{fixture}{name}")).expect("a fixture");
        folder.write(name, &bytes);
    }
    let done = folder.hpp(&[
        "report",
        "words.txt",
        "--elf",
        "words.elf",
        "--function",
        "count_words",
        "--html",
        "page.html",
    ]);
    assert_eq!(done.status, 0, "{}", done.error);
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    let data: Value =
        serde_json::from_str(between(&page, "id=\"data\">", "</script>")).expect("JSON");
    let paths = data["report"]["paths"].as_array().expect("paths");
    assert!(paths[0]["rank"].as_u64() > Some(1));
    for path in paths {
        let route = &data["routes"][path["rank"].to_string()];
        let graph = &data["graphs"][route["graph"].as_u64().expect("a graph") as usize];
        let first = route["blocks"][0].as_u64().expect("a block") as usize;
        assert_eq!(graph["blocks"][first]["start"], path["descriptor"]["start"]);
    }
    // The script finds both by rank.
    assert!(!page.contains("rank - 1"));
}

/// In a script, `<!--` and `<script` together hide its end.
#[test]
fn no_name_and_no_source_line_hides_the_end_of_the_page() {
    let folder = Folder::new(&profiled(&[true]).to_string());
    let name = "<!-- <script>.elf";
    folder.write(name, &crate::folder::elf());
    let arguments = ["report", "serial.txt", "--elf", name, "--html", "page.html"];
    assert_eq!(folder.hpp(&arguments).status, 0);
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    let data = between(&page, "id=\"data\">", "</script>");
    assert!(!data.contains('<'), "{data}");
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["title"], format!("Paths of {name}"));
}
