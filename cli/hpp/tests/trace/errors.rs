//! `hpp trace` and `hpp replay`: what they refuse.

use crate::said::Must;
use crate::*;

#[test]
fn what_is_no_trace_is_refused_by_name() {
    let folder = folder();
    let file = write(&folder, "x.txt", b"HPP dump 2 begins\n");
    error(&["replay", &file]).must_be(&format!(
            "hpp: {file}: not a record trace: it does not begin with HPPTRACE; `hpp trace --write` makes one\n"
        ));
    let whole = fs::read(GZIP).expect("the recorded run");
    let file = write(&folder, "cut", &whole[..whole.len() / 2]);
    assert!(error(&["replay", &file]).contains("cut: the trace ends in chunk 0"));
    let file = write(&folder, "none", b"");
    assert!(error(&["replay", &file]).contains("not a record trace"));
    assert!(error(&["replay", "/nowhere"]).contains("cannot read /nowhere"));
}

#[test]
fn a_profiler_that_cannot_be_is_refused() {
    error(&["replay", GZIP, "--sets", "100"]).must_be("hpp: no profiler has this configuration: sets = 100 is not a power of two; the nearest allowed: 64 and 128\n");
}

#[test]
fn what_cannot_be_traced_is_reported_with_the_remedy() {
    let folder = folder();
    error(&["trace", "--", "no-such-program"]).must_be("hpp: there is no program `no-such-program` on the PATH; for a file here, say ./no-such-program\n");
    let script = write(&folder, "script", b"#!/usr/bin/perl -w\nprint 1;\n");
    error(&["trace", "--", &script]).must_be(&format!(
        "hpp: {script}: a script; trace its interpreter: hpp trace -- /usr/bin/perl -w {script}\n"
    ));
    let text = write(&folder, "text", b"words\n");
    error(&["trace", "--", &text]).must_be(&format!("hpp: {text}: no ELF program\n"));
    let mut elf = fs::read(HPP).expect("the command's own file");
    elf[18] = 40;
    let arm = write(&folder, "arm", &elf);
    assert!(error(&["trace", "--", &arm]).contains("a program for ELF machine 40; programs for"));
}

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

#[test]
fn a_folder_of_libraries_that_is_not_there_is_refused() {
    for arguments in [
        &["trace", "--sysroot", "/nowhere", "--", "true"][..],
        &["explore", "--sysroot", "/nowhere", "--", "true"],
    ] {
        let done = hpp(arguments);
        assert_eq!(done.status.code(), Some(2), "{done:?}");
        let error = String::from_utf8_lossy(&done.stderr);
        error.must_contain("there is no such folder");
    }
}
