//! `hpp explore`: what it measures, writes and keeps.

use std::fs;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

use crate::said::Must;
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
    let (parquet, plot) = (name("e.parquet"), name("e.svg"));
    let lists = "--entries 32,128 --extend nothing,loop,call --window 1e5";
    let csv = out!("explore {GZIP} --format csv {lists} --parquet {parquet} --plot {plot}");
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
    let image = fs::read_to_string(plot).expect("the image");
    image.must_contain("<svg");
    image.must_contain("a line the best one");
    image.must_contain("8x4 lfu, ball-larus, loops 1");
}

#[test]
fn bars_of_one_colour_have_numbers_and_names_room() {
    let folder = folder();
    let drawn = |flags: &[&str]| {
        let file = folder.path().join("overlap.svg").display().to_string();
        out(&[&["explore", "--plot", &file], flags].concat());
        fs::read_to_string(&file).expect("the drawing")
    };
    let trace = fs::read(GZIP).expect("the recorded run");
    let long = ["a-program-with-a-long-name", "b-program-with-a-long-name"];
    let traces = long.map(|name| super::write(&folder, &format!("{name}.hpptrace"), &trace));
    let x = |svg: &str, name: &str| -> f64 {
        let before = svg.split(&format!("\n{name}\n")).next().expect("text");
        let element = before.rsplit("<text ").next().expect("an element");
        let x = element.split("x=\"").nth(1).expect("a place");
        x.split('"')
            .next()
            .expect("a number")
            .parse()
            .expect("a number")
    };
    let svg = drawn(&[&traces[0], &traces[1]]);
    // Letters of 12 points are at least 5 wide.
    let apart = x(&svg, long[1]) - x(&svg, long[0]);
    assert!(apart >= 5.0 * long[0].len() as f64, "{apart}");
    assert!(!svg.contains("1: "));
    let svg = drawn(&[GZIP, "--entries", "32,64,128,256", "--ways", "2,4"]);
    svg.must_contain("\n8: 64x4 lfu, ball-larus\n");
    svg.must_contain("\n8\n");
}

#[test]
fn the_distributions_add_up_and_images_are_drawn_as_png() {
    let folder = folder();
    let png = folder.path().join("e.png").display().to_string();
    let json = out!("explore {GZIP} --format json --metric executions,instructions --plot {png}");
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
    let image = fs::read(&png).expect("the image");
    assert!(image.starts_with(b"\x89PNG") && image.len() > 4000);
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
