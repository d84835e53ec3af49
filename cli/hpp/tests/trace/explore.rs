//! `hpp explore`: what it measures, writes and keeps.

use std::fs;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

use crate::said::Must;
use crate::{GZIP, HPP, folder, hpp, out};

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
fn the_other_policy_keeps_more_in_a_small_table() {
    let rows = table(&["--entries", "64", "--replacement", "lfu,shadow"]);
    let overlap = |row: &[String]| row[4].parse::<f64>().expect("a number");
    assert_eq!(
        (&rows[0][2], &rows[1][2]),
        (&"lfu".into(), &"shadow".into())
    );
    assert!(overlap(&rows[1]) > overlap(&rows[0]), "{rows:?}");
}

#[test]
fn how_few_entries_can_leave_is_reported_when_it_is_asked_for() {
    let rows = table(&[
        "--entries",
        "64",
        "--replacement",
        "lfu,shadow,rrip",
        "--least",
    ]);
    let last = |row: &[String]| -> Vec<f64> {
        let numbers = row[row.len() - 3..].iter();
        numbers.map(|n| n.parse().expect("a number")).collect()
    };
    let [lfu, shadow, rrip] = [0, 1, 2].map(|row| last(&rows[row]));
    assert!(lfu[0] > lfu[1] && lfu[1] >= lfu[2] && rrip[0] > rrip[2] && rrip[2] > 0.0);
    assert_eq!((&lfu[1..], &lfu[1..]), (&shadow[1..], &rrip[1..]));
    let csv = |flags: &[&str]| -> Vec<String> {
        let flags = [&["explore", GZIP, "--format", "csv"], flags].concat();
        out(&flags).lines().map(str::to_owned).collect()
    };
    let lines = csv(&["--entries", "64", "--least"]);
    assert!(lines[0].ends_with("dynamic_best,left,least_in_sets,least"));
    let numbers: Vec<f64> = lines[1].split(',').filter_map(|n| n.parse().ok()).collect();
    for (number, shown) in numbers[numbers.len() - 3..].iter().zip(&lfu) {
        assert!((number - shown).abs() < 0.000_501, "{lines:?} {lfu:?}");
    }
    assert!(csv(&[])[0].ends_with("dynamic_best"));
}

#[test]
fn every_form_has_the_same_rows() {
    let folder = folder();
    let name = |name: &str| folder.path().join(name).display().to_string();
    let (parquet, plot) = (name("e.parquet"), name("e.svg"));
    let lists = [
        "--entries",
        "32,128",
        "--extend",
        "nothing,loop,call",
        "--window",
        "1e5",
    ];
    let flags = [&lists[..], &["--parquet", &parquet, "--plot", &plot]].concat();
    let csv = out(&[&["explore", GZIP, "--format", "csv"], &flags[..]].concat());
    let json = out!(
        "explore {GZIP} --format json --entries 32,128 --extend nothing,loop,call --window 1e5"
    );
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
fn effects_are_reported_in_every_form() {
    let folder = folder();
    let effects = folder.path().join("effects.csv").display().to_string();
    let text = out!("explore {GZIP} --design full --entries 16,512 --ways 2,4");
    let rows = text
        .lines()
        .skip_while(|line| !line.contains("significant"));
    let rows: Vec<&str> = rows.skip(1).collect();
    let csv = hpp!("explore {GZIP} --design full --entries 16,512 --ways 2,4 --format csv");
    assert!(String::from_utf8_lossy(&csv.stderr).contains("--effects FILE"));
    let csv = hpp!(
        "explore {GZIP} --design full --entries 16,512 --ways 2,4 --format csv --effects {effects}"
    );
    assert!(csv.status.success() && csv.stderr.is_empty(), "{csv:?}");
    let file = fs::read_to_string(&effects).expect("the effects");
    let mut lines = file.lines();
    assert_eq!(lines.next(), Some("factor,with,effect,share,significant"));
    assert_eq!((rows.len(), lines.clone().count()), (3, 3));
    for (row, line) in rows.iter().zip(lines) {
        let shown: f64 = row
            .split_whitespace()
            .next()
            .expect("an effect")
            .parse()
            .expect("a number");
        let quoted: Vec<&str> = line.split('"').collect();
        let factors: Vec<&str> = quoted.iter().skip(1).step_by(2).copied().collect();
        assert!(row.ends_with(&factors.join(" with ")), "{row} {line}");
        let fields: Vec<&str> = quoted
            .last()
            .expect("numbers")
            .trim_start_matches(',')
            .split(',')
            .collect();
        assert!(
            (fields[0].parse::<f64>().expect("a number") - shown).abs() < 0.0051,
            "{row} {line}"
        );
        assert_eq!(row.split_whitespace().nth(2), Some(fields[2]));
    }
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
fn an_experiment_reports_effects() {
    for (plan, runs, effects) in [("plackett-burman", 12, 3), ("full", 8, 6)] {
        let said =
            out!("explore {GZIP} --design {plan} --entries 16,512 --ways 2,8 --index start,full");
        let lines: Vec<&str> = said.lines().collect();
        let measured = lines.iter().filter(|line| line.contains("ball-larus"));
        assert_eq!(measured.count(), runs, "{said}");
        let head = lines.iter().position(|line| line.contains("significant"));
        let shown = &lines[head.expect("the effects") + 1..];
        assert_eq!(shown.len(), effects, "{said}");
        // The size matters most here.
        assert!(
            shown[0].contains("entries (16, 512)") && shown[0].contains('+'),
            "{said}"
        );
    }
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
    let refused = hpp(&["explore", GZIP, "--plot", "overlap.gif"]);
    let refused = String::from_utf8_lossy(&refused.stderr).into_owned();
    refused.must_contain("an image is called .svg or .png");
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

#[test]
fn the_help_has_lists_alone_under_the_heading_of_lists() {
    let help = out(&["explore", "--help"]);
    let (options, lists) = help
        .split_once("\nProfilers: every combination of these lists:\n")
        .expect("both headings");
    let of = |part: &str| -> Vec<String> {
        let lines = part.lines().map(str::trim_start);
        lines
            .filter(|line| line.starts_with("--"))
            .map(String::from)
            .collect()
    };
    assert!(
        of(lists).len() > 8 && of(lists).iter().all(|flag| flag.ends_with(",..>")),
        "{lists}"
    );
    for flag in [
        "--design",
        "--effects",
        "--least",
        "--window",
        "--format",
        "--parquet",
        "--plot",
        "--resume",
    ] {
        assert!(
            of(options).iter().any(|line| line.starts_with(flag)),
            "{flag}: {options}"
        );
    }
}
