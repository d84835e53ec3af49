//! `hpp trace` and `hpp replay`: what they refuse.

use crate::said::Must;
use crate::*;

#[test]
fn a_qemu_that_cannot_take_the_plugin_is_refused() {
    for (says, expected) in [
        ("usage", "does not say its version"),
        ("qemu version 4.2.1", "is QEMU 4.2; the plugin needs 7.2"),
        (
            "qemu version 10.0.13",
            "is QEMU 10.0, built without plugins; remedy: ",
        ),
        (
            "qemu version 7.2.1 -plugin",
            "QEMU 7.2 did not take the plugin (exit status: 0); what it said",
        ),
        (
            "qemu version 12.0.1 -plugin",
            "is QEMU 12.0; the last that was tested is 11.1\nhpp: QEMU 12.0 did not take the plugin",
        ),
    ] {
        let folder = folder();
        let place = fake_qemu(&folder, says);
        let output = Command::new(HPP)
            .args(["trace", "--", HPP])
            .env("HPP_QEMU", place)
            .output()
            .expect("the command starts");
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(error.contains(expected), "{says}: {error}");
    }
    let output = Command::new(HPP)
        .args(["trace", "--", HPP])
        .env("HPP_QEMU", "/nowhere")
        .output()
        .expect("the command starts");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    error.must_contain("there is no qemu-");
    error.must_contain("; remedy: ");
}

#[test]
fn a_trace_that_cannot_be_written_is_reported() {
    under_every_qemu(|| {
        let error = error(&["trace", "--write", "/nowhere/t", "--", HPP]);
        error.must_contain("cannot write /nowhere/t: No such file or directory");
    });
}
