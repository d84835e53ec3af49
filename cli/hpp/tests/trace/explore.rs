//! `hpp explore`: what it measures, writes and keeps.

use std::fs;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

use crate::{GZIP, HPP, folder, out};

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
    let folder = folder();
    let name = |name: &str| folder.path().join(name).display().to_string();
    let parquet = name("e.parquet");
    let lists = "--entries 32,128 --extend nothing,loop,call --window 1e5";
    let csv = out!("explore {GZIP} --format csv {lists} --parquet {parquet}");
    let json = out!("explore {GZIP} --format json {lists}");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |name| {
        lines[0]
            .iter()
            .position(|head| *head == name)
            .expect("a column")
    };
    let file = fs::File::open(&parquet).expect("the file");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    let mut count = 0;
    for (row, (line, number)) in rows.zip(lines[1..].iter().zip(0..)) {
        let row = row.expect("a row");
        let measured = &json[0]["measured"][number];
        for (name, value) in [
            ("overlap", &measured["complete"]["overlap"]),
            ("dynamic_overlap", &measured["dynamic"]["overlap"]),
        ] {
            let value = value.as_f64().expect("a number");
            assert_eq!(format!("{value:.6}"), line[column(name)]);
            let written = row.get_double(column(name)).expect("a number");
            assert!((written - value).abs() < 1e-12);
        }
        assert_eq!(
            row.get_long(column("paths")).expect("a number").to_string(),
            line[column("paths")]
        );
        count += 1;
    }
    assert_eq!(count, 6);
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

#[test]
fn a_program_is_explored_like_its_trace() {
    super::under_every_qemu(|| {
        let folder = folder();
        let trace = folder.path().join("hpp").display().to_string();
        hpp!("trace --limit 1e6 --write {trace} -- {HPP} replay {GZIP}");
        let run = hpp!("explore --limit 1e6 --format csv -- {HPP} replay {GZIP}");
        let lines = |csv: &str| -> Vec<String> { csv.lines().map(str::to_owned).collect() };
        let of_trace = lines(&out(&["explore", &trace, "--format", "csv"]));
        let of_program = lines(&String::from_utf8_lossy(&run.stdout));
        assert_eq!(of_program[0], of_trace[0]);
        let end = |line: &str| line.split_once(",x86-64,").map(|(_, end)| end.to_owned());
        assert!(of_program[1].starts_with("hpp,"), "{of_program:?}");
        assert_eq!(end(&of_program[1]), end(&of_trace[1]));
    });
}
