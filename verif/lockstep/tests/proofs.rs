//! The properties of the circuits are proved, and each damage to a circuit is noticed; of slow ones only the first steps are tried.

use hpp_lockstep::proofs::{self, Verdict};
use verilated::tools::cache;
use verilated::tools::project_root;

fn prove(name: &str) {
    let properties = proofs::all(&project_root()).expect("readable");
    let property = properties.iter().find(|property| property.name == name);
    let property = property.unwrap_or_else(|| panic!("no file {name}"));
    let verilog = proofs::circuit(property).expect("a legal configuration");
    let verdict = proofs::attempt(property, &verilog);
    let verdict = verdict.unwrap_or_else(|error| panic!("{name}: {error:#}"));
    assert_eq!(verdict, Verdict::Proved, "{name}");
    assert!(!property.damages.is_empty(), "{name} notices nothing");
    for damage in &property.damages {
        let noticed = proofs::is_noticed(property, &verilog, damage);
        assert!(
            noticed.unwrap_or_else(|error| panic!("{name}: {error:#}")),
            "{name}: {damage:?}"
        );
    }
    cache::tell(name);
}

/// Also of slow ones, whose damages are left to `make prove`.
#[test]
fn every_damage_is_to_text_that_is_there() {
    for property in proofs::all(&project_root()).expect("readable") {
        let verilog = proofs::circuit(&property).expect("a legal configuration");
        for damage in &property.damages {
            let damaged = damage.applied(&verilog);
            assert!(damaged.is_ok(), "{}: {damaged:?}", property.name);
        }
    }
}

#[test]
fn slow_ones_hold_at_first() {
    let properties = proofs::all(&project_root()).expect("readable");
    for property in properties.iter().filter(|property| property.slow) {
        let verilog = proofs::circuit(property).expect("a legal configuration");
        let failed = proofs::first_steps(property, &verilog);
        let failed = failed.unwrap_or_else(|error| panic!("{}: {error:#}", property.name));
        assert_eq!(failed, None, "{}", property.name);
    }
}

/// A test for each file, so that they run side by side; and the list of all.
macro_rules! files {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                prove(stringify!($name));
            }
        )*

        #[test]
        fn every_file_has_a_test() {
            let properties = proofs::all(&project_root()).expect("readable");
            let quick = properties.iter().filter(|property| !property.slow);
            let names: Vec<_> = quick.map(|property| property.name.as_str()).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

files! {
    admission apb axi4_lite clear_skewed counters drain drain_fifo drain_losses errors evictions harts lossy lossy_checked mirror
    on_way_parallel on_way_parallel_checked on_way_sequential on_way_sequential_checked on_way_skewed on_way_skewed_checked path_crossing path_stack
    path_tag queue readout record_buffer sequential_readout skewed_tag stepwise_stack stepwise_stack_harts table_parallel
    table_parallel_drained table_sequential table_sequential_drained table_stages tiny trigger_gate wishbone
}
