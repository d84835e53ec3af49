//! `hpp explore`: what it measures and writes.

use crate::{GZIP, out};

/// The lines of the table, as words.
fn table(arguments: &[&str]) -> Vec<Vec<String>> {
    let said = out(&[&["explore", GZIP], arguments].concat());
    let lines = said.lines().take_while(|line| !line.is_empty()).skip(1);
    let words = |line: &str| line.split_whitespace().map(String::from).collect();
    lines.map(words).collect()
}

#[test]
fn each_profiler_measures_what_a_replay_says() {
    let rows = table(&["--entries", "32,512", "--ways", "2,4"]);
    assert_eq!(rows.len(), 4);
    for row in rows {
        let (sets, ways) = row[1].split_once('x').expect("sets x ways");
        let number = |text: &str| text.parse::<u32>().expect("a number");
        let entries = number(sets) * number(ways);
        let replay = out(&["replay", GZIP, "--sets", sets, "--ways", ways, "--top", "0"]);
        let expected = format!(
            "overlap with the exact profile {} %; the table accounts for {} %, the {} hottest paths for {} %",
            row[4], row[5], entries, row[7]
        );
        assert!(replay.contains(&expected), "{row:?}\n{replay}");
    }
}

#[test]
fn every_form_has_the_same_rows() {
    let lists = "--entries 32,128 --extend nothing,loop,call --window 1e5";
    let csv = out!("explore {GZIP} --format csv {lists}");
    let json = out!("explore {GZIP} --format json {lists}");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head line");
    let column = |name| {
        let place = head.iter().position(|head| *head == name);
        place.expect("a column")
    };
    let measured = json[0]["measured"].as_array().expect("profilers");
    assert_eq!(measured.len(), 6);
    for (line, measured) in lines.by_ref().zip(measured) {
        for (name, value) in [
            ("overlap", &measured["complete"]["overlap"]),
            ("dynamic_overlap", &measured["dynamic"]["overlap"]),
        ] {
            let value = value.as_f64().expect("a number");
            assert_eq!(format!("{value:.6}"), line[column(name)]);
        }
        assert_eq!(measured["paths"].to_string(), line[column("paths")]);
    }
    assert!(lines.next().is_none());
    // Two whole windows; the rest is a little less than a half.
    assert_eq!(json[0]["phases"].as_array().expect("phases").len(), 2);
}

#[test]
fn the_distributions_add_up() {
    let json = out!("explore {GZIP} --format json --metric executions,instructions");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let found = json[0]["distributions"].as_array().expect("distributions");
    let paths: Vec<_> = found.iter().map(|found| &found["paths"]).collect();
    assert_eq!(paths, ["ball-larus", "ball-larus, instructions"]);
    for found in found {
        let lengths = found["lengths"].as_array().expect("lengths");
        let sum: f64 = lengths.iter().filter_map(serde_json::Value::as_f64).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{found}");
        let hottest = found["hottest"].as_array().expect("the hottest");
        assert_eq!(hottest[hottest.len() - 1], serde_json::json!([788, 1.0]));
    }
}
