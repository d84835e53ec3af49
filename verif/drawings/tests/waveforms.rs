//! The pictures of the manual: timing diagrams show what the port promises, and are those of the circuits as they are.

use hpp_drawings::overview;
use hpp_drawings::waveform::{Drawing, scenes};
use hpp_tools::project_root;

fn drawing(name: &str) -> Drawing {
    let scene = scenes::all().into_iter().find(|scene| scene.name == name);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scene = scene.expect("a scene of this name");
    scene.record(folder.path()).expect("a simulation")
}

fn row(drawing: &Drawing, name: &str) -> Vec<u64> {
    let row = drawing.rows.iter().find(|row| row.name == name);
    let row = row.expect("a row of this name");
    let known = |value: &Option<u64>| value.expect("a known value");
    row.samples.iter().map(known).collect()
}

/// The values of `name` in the cycles in which `valid` is 1.
fn valid(drawing: &Drawing, valid: &str, name: &str) -> Vec<u64> {
    let pairs = row(drawing, valid).into_iter().zip(row(drawing, name));
    pairs
        .filter(|pair| pair.0 == 1)
        .map(|pair| pair.1)
        .collect()
}

#[test]
fn records_of_the_native_ingress_are_taken_and_make_paths() {
    let drawing = drawing("record-native");
    assert_eq!(drawing.marks.len(), 4);
    assert_eq!(valid(&drawing, "br_valid", "br_kind"), [1, 3, 4, 1]);
    assert_eq!(valid(&drawing, "path_valid", "path_start"), [0x200, 0x100]);
    assert_eq!(valid(&drawing, "path_valid", "path_outcomes"), [0, 1]);
}

#[test]
fn a_record_waits_until_it_is_taken() {
    let drawing = drawing("record-waits");
    let (valid, ready) = (row(&drawing, "br_valid"), row(&drawing, "br_ready"));
    let kept = row(&drawing, "br_target");
    let waits = (0..drawing.cycles).filter(|&cycle| valid[cycle] == 1 && ready[cycle] == 0);
    let waits: Vec<usize> = waits.collect();
    assert!(!waits.is_empty());
    for cycle in waits {
        assert_eq!(kept[cycle + 1], kept[cycle]);
    }
    assert_eq!(drawing.marks.len(), 4);
}

#[test]
fn a_trap_and_a_jump_at_once_do_not_hold_the_core() {
    let drawing = drawing("record-rvfi");
    assert_eq!(row(&drawing, "rvfi_stall").iter().sum::<u64>(), 0);
    // Backward, trap, the handler's jump, trap return, backward.
    assert_eq!(
        valid(&drawing, "records_valid", "records_kind"),
        [1, 6, 0, 7, 1]
    );
    assert_eq!(valid(&drawing, "path_valid", "path_start"), [0x400, 0x100]);
}

#[test]
fn the_pictures_are_those_of_the_circuits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for scene in scenes::all() {
        let path = project_root().join(format!("docs/images/{}.svg", scene.name));
        let kept = std::fs::read_to_string(&path).expect("a picture");
        let drawn = scenes::svg(&scene, folder.path()).expect("a simulation");
        assert!(
            kept == drawn,
            "docs/images/{}.svg is out of date: `make waveforms` draws it anew",
            scene.name
        );
    }
}

#[test]
fn the_picture_of_the_architecture_shows_what_is_there() {
    for part in &overview::PARTS {
        assert!(project_root().join(part.folder).exists(), "{}", part.folder);
    }
    let kept = project_root().join("docs/images/architecture.svg");
    let kept = std::fs::read_to_string(kept).expect("a picture");
    assert!(
        kept == overview::svg(),
        "docs/images/architecture.svg is out of date: `make waveforms` draws it anew"
    );
}
