//! Logs with several dumps, and what is none.

use crate::folder::{Folder, dump};

/// As `>` of PowerShell writes a log.
#[test]
fn a_log_in_utf_16_is_read() {
    let text = dump().to_string();
    let folder = Folder::new(&text);
    let expected = folder.run("report serial.txt").out;
    let words = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
    let low: Vec<u8> = words().flat_map(u16::to_le_bytes).collect();
    let high: Vec<u8> = words().flat_map(u16::to_be_bytes).collect();
    for bytes in [low, high] {
        // Also one that a byte is missing of.
        for log in [&bytes[..], &[&bytes, &b"\n"[..]].concat()] {
            folder.write("serial.txt", log);
            let done = folder.run("report serial.txt");
            assert_eq!((done.status, &done.out), (0, &expected), "{}", done.error);
        }
    }
}
