//! The model, the emitted Verilog and software see the same paths in the same run of real programs.

use hpp_soc::crosscheck::{check, check_modes, record};
use hpp_soc::{Program, Soc};

/// Checks a program in both settings; it must have at least this many different paths.
fn agrees(program: &str, paths: usize) {
    let soc = Soc::build(None).expect("the system builds");
    let named = Program::Named(program.into());
    let recording = record(&soc, &named).expect("the program runs");
    for checked in check(&recording).unwrap_or_else(|error| panic!("{program}: {error:#}")) {
        let found = checked.agreement.paths.len();
        assert!(found >= paths, "{program}: only {found} paths");
        assert!(!checked.hot.is_empty(), "{program}: no hot paths");
    }
    for checked in check_modes(&recording).unwrap_or_else(|error| panic!("{program}: {error:#}")) {
        let (mode, found) = (checked.mode.name, checked.profile.len());
        assert!(found >= paths / 2, "{program}, {mode}: only {found} paths");
    }
}

#[test]
fn coremark() {
    agrees("coremark", 300);
}

#[test]
fn dhrystone() {
    agrees("dhrystone", 60);
}

#[test]
fn zlib() {
    agrees("zlib", 500);
}

#[test]
fn bzip2() {
    agrees("bzip2", 1000);
}
