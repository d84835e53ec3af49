//! `vexriscv_ports.py`: every core it can serve is served, and what it cannot is refused by name.

use super::run::add_ports;
use std::fs;
use verilated::tools::tool_path;

/// Passes `edit`ed text of the smallest core; the message, or nothing if it was accepted.
fn refusal(edit: impl FnOnce(String) -> String) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (core, out) = (folder.path().join("core.v"), folder.path().join("out.v"));
    let path = tool_path("vexriscv").expect("the core's package");
    let text = fs::read_to_string(path.join("VexRiscv_Min.v")).expect("the core's text");
    fs::write(&core, edit(text)).expect("the folder is writable");
    let message = add_ports(&core, &out).err().map(|error| error.to_string());
    assert_eq!(out.exists(), message.is_none(), "{message:?}");
    message
}

#[test]
fn every_core_gets_the_ports() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.v");
    let cores = fs::read_dir(tool_path("vexriscv").expect("the core's package"));
    let mut served = 0;
    for entry in cores.expect("a folder") {
        let core = entry.expect("an entry of it").path();
        let name = core.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(".v") {
            continue;
        }
        add_ports(&core, &out).expect("a core that is served");
        let text = fs::read_to_string(&out).expect("it was written");
        let compressed = !text.contains("retire_expanded = 1'b0");
        assert_eq!(compressed, name.contains("IMAC"), "{name}");
        let firing = "retire_fires = lastStageIsFiring && !DebugPlugin_godmode;";
        assert_eq!(text.contains(firing), name.contains("Debug"), "{name}");
        let spaces = text.contains("assign retire_asid = MmuPlugin_satp_asid;");
        assert_eq!(spaces, name.contains("Linux"), "{name}");
        served += 1;
    }
    assert!(served >= 19, "{served} cores");
}

#[test]
fn a_text_without_the_wires_is_refused_by_the_wires_name() {
    for name in [
        "lastStagePc",
        "lastStageInstruction",
        "lastStageIsFiring",
        "CsrPlugin_hadException",
        "CsrPlugin_interruptJump",
    ] {
        let message = refusal(|text| text.replace(name, "other")).expect("a refusal");
        assert!(message.contains(name), "{message}");
    }
    let message = refusal(|text| text.replace("CsrPlugin_mepc <= writeBack_PC", ""));
    assert!(message.expect("a refusal").contains("a trap returns to"));
}
