//! `hpp report`, `hpp completions` and `hpp man`.

use crate::folder::{Folder, dump};
use crate::said::Must;

#[test]
fn files_have_every_path() {
    let folder = Folder::new(dump());
    let report = folder.json("report serial.txt --elf f.elf --format json --top 1");
    assert_eq!(report["paths"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["paths"][0]["place"]["function"], "f");
    assert_eq!(report["paths"][0]["blocks"][1]["start"], 0x10008);
    assert_eq!(report["health"]["trusted"], true);
    assert_eq!(report["counters"]["lost_records"], 0);
}

#[test]
fn completions_and_manual_pages_name_every_option() {
    let folder = Folder::new("");
    for shell in ["bash", "zsh", "fish"] {
        let out = folder.succeeds(format!("completions {shell}")).out;
        out.must_contain("function");
        assert!(!out.contains("followed"), "{out}");
    }
    let page = folder.run("man report").out;
    for part in [".TH hpp-report 1", "\"hpp 0.", "\\-\\-by"] {
        page.must_contain(part);
    }
}
