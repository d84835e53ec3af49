//! Measuring: every seed once, and nothing again that is known.

use hpp_fpga::design::{Design, SourceFile};
use hpp_fpga::device::{ECP5_25F, HX8K, Placer, UP5K};
use hpp_fpga::measure::{Job, Measured, Timing, measure};
use tempfile::TempDir;

use crate::tools::Tools;

struct Bench {
    folder: TempDir,
    tools: Tools,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let tools = Tools::in_folder(folder.path().join("bin"));
        Self { folder, tools }
    }

    /// Measures in a process of its own, as it were: tools are asked for their versions again.
    fn measure(&self, jobs: &[Job], workers: usize) -> hpp_fpga::error::Result<Vec<Measured>> {
        let flow = self.tools.flow(&self.folder.path().join("build"));
        measure(&flow, jobs, workers, &|_| ())
    }
}

fn design(name: &str) -> Design {
    Design {
        name: name.into(),
        top: "top".into(),
        defines: Vec::new(),
        parameters: Vec::new(),
        files: vec![SourceFile::new(
            "top.v",
            format!("module top; /* {name} */ endmodule"),
        )],
    }
}

fn jobs(seeds: u32) -> Vec<Job> {
    [ECP5_25F, HX8K, UP5K]
        .map(|device| Job {
            design: design("blink"),
            device,
            seeds,
            target_mhz: 50.0,
            placer: Placer::Default,
            constraints: None,
        })
        .to_vec()
}

fn medians(measured: &[Measured]) -> Vec<Option<f64>> {
    let median = |one: &Measured| one.timing.median().map(|median| median.mhz);
    measured.iter().map(median).collect()
}

#[test]
fn results_are_in_the_order_of_the_jobs_whatever_the_number_of_workers() {
    for workers in [0, 1, 5] {
        let bench = Bench::new();
        let mut jobs = jobs(3);
        jobs[1].seeds = 5;
        jobs[2].seeds = 0;
        let measured = bench.measure(&jobs, workers).expect("measured");
        assert_eq!(medians(&measured), [Some(102.0), Some(103.0), None]);
        assert_eq!(measured[2].usage().luts, 10);
        assert_eq!(bench.tools.runs().len(), 3 + 8);
    }
}

#[test]
fn what_is_known_is_not_run_again_and_more_seeds_run_the_new_ones_only() {
    let bench = Bench::new();
    let first = bench.measure(&jobs(2), 2).expect("measured");
    let runs = bench.tools.runs().len();
    let again = bench.measure(&jobs(2), 2).expect("measured");
    assert_eq!(medians(&first), medians(&again));
    assert_eq!(bench.tools.runs().len(), runs);
    bench.measure(&jobs(3), 2).expect("measured");
    assert_eq!(bench.tools.runs().len(), runs + 3);
}

#[test]
fn another_text_or_another_version_of_a_tool_runs_everything_anew() {
    let bench = Bench::new();
    let mut jobs = jobs(1);
    jobs.truncate(1);
    let runs = |jobs: &[Job]| {
        bench.measure(jobs, 1).expect("measured");
        bench.tools.runs().len()
    };
    assert_eq!(runs(&jobs), 2);
    jobs[0].design.files[0].text += "\n";
    assert_eq!(runs(&jobs), 4);
    bench.tools.say("version", "1.1");
    assert_eq!(runs(&jobs), 6);
    jobs[0].target_mhz += 1.0;
    assert_eq!(runs(&jobs), 7, "place and route alone");
}

#[test]
fn a_failing_seed_is_named_and_the_others_are_kept() {
    let bench = Bench::new();
    bench.tools.say("broken", "2");
    let error = bench.measure(&jobs(3), 2).expect_err("a seed failed");
    let message = error.to_string();
    assert!(
        message.contains("ERROR: out of patience") && message.ends_with("place-2.log"),
        "{message}"
    );
    let runs = bench.tools.runs().len();
    assert_eq!(runs, 3 + 9, "a failure keeps nobody from finishing");
    bench.tools.remove("broken");
    let measured = bench.measure(&jobs(3), 2).expect("measured");
    assert_eq!(medians(&measured), [Some(102.0); 3]);
    assert_eq!(bench.tools.runs().len(), runs + 3);
}

#[test]
fn what_a_run_for_another_input_left_half_written_is_not_taken() {
    let bench = Bench::new();
    let first = jobs(1);
    let expected = medians(&bench.measure(&first, 1).expect("measured"));
    let mut other = jobs(1);
    other.iter_mut().for_each(|job| job.target_mhz += 1.0);
    bench.tools.say("broken", "1");
    bench.measure(&other, 1).expect_err("it fails");
    bench.tools.remove("broken");
    assert_eq!(
        medians(&bench.measure(&first, 1).expect("run anew")),
        expected
    );
}

#[test]
fn a_full_device_is_no_failure_and_is_remembered() {
    let bench = Bench::new();
    bench.tools.say("full", "");
    let measured = bench.measure(&jobs(1), 1).expect("measured");
    let Timing::DoesNotFit(reason) = &measured[0].timing else {
        panic!("it fits: {:?}", measured[0]);
    };
    assert!(reason.contains("no BELs remaining"), "{reason}");
    let runs = bench.tools.runs().len();
    let again = bench.measure(&jobs(1), 1).expect("measured");
    assert_eq!(again[0].timing, measured[0].timing);
    assert_eq!(bench.tools.runs().len(), runs);
}
