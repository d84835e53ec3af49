//! The modules of some profilers, as digests: a change of the writer that is to change no text, changes none.

use crate::tools;
use hpp_gen::{Config, Extras, generate_with};
use sha2::{Digest, Sha256};

/// Configurations that have all circuits between them, with their names.
const PROFILERS: [(&str, &str); 8] = [
    ("default", ""),
    (
        "sequential",
        "ingress = 'trace'\nbus = 'axi4-lite'\n\
         geometry = { align = 2, lookup = 'sequential', ways = 3, drain-depth = 64 }",
    ),
    (
        "rrip",
        "ingress = 'rvfi'\nbus = 'apb'\nports.retire-channels = 2\n\
         geometry = { align = 1, replacement = 'rrip', context-bits = 3, drain-depth = 128 }",
    ),
    (
        "shadow",
        "ingress = 'retire'\ngeometry = { align = 2, replacement = 'shadow', pc-bits = 39 }",
    ),
    (
        "guarded",
        "bus = 'axi4-lite'\n\
         geometry = { lookup = 'parallel', stack-check = true, ways = 5, counter-bits = 40 }",
    ),
    (
        "parallel-drain",
        "ingress = 'trace'\nbus = 'apb'\nports = { iretire-bits = 1, itype-bits = 3 }\n\
         geometry = { align = 2, lookup = 'parallel', drain-depth = 64 }",
    ),
    (
        "bare",
        "ingress = 'rvfi'\nbus = 'none'\nreset = { metric = 'events', extension = 'loop' }\n\
         geometry = { align = 2, max-branches = 1, stack-depth = 2 }",
    ),
    (
        "follower",
        "ingress = 'rvfi'\nbus = 'none'\nports.rvfi-next = 'retirement'\ngeometry.align = 1",
    ),
];

/// The text of a module without comments and empty lines.
fn without_comments(text: &str) -> String {
    let code = text
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.map(str::trim_end)
        .filter(|line| !line.is_empty())
        .map(|line| format!("{line}\n"))
        .collect()
}

/// A line for each module: configuration, module, the beginning of the SHA-256 of its text without comments.
fn digests() -> String {
    let of_profiler = |(name, text): &(&str, &str)| {
        let config = Config::from_toml(text, name.as_ref());
        let config = config.unwrap_or_else(|error| panic!("{error}"));
        let extras = Extras {
            split: true,
            ..Extras::default()
        };
        let output = generate_with(&config, &extras).unwrap_or_else(|error| panic!("{error}"));
        let digest = |file: &String| {
            let text = &output.files[file];
            let digest = Sha256::digest(without_comments(text).as_bytes());
            let digest: String = digest[..8]
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            format!("{name} {file} {digest}\n")
        };
        let drain = format!("{}_drain_writer.v", config.prefix);
        let files = output.manifest.verilog.iter();
        let drain = config.geometry.has_drain().then_some(&drain);
        files.chain(drain).map(digest).collect::<String>()
    };
    PROFILERS.iter().map(of_profiler).collect()
}

/// After a change of a circuit, `HPP_BLESS=1` writes the list anew.
#[test]
fn the_modules_of_profilers_are_written_as_before() {
    tools::is_current("gen/tests/golden/profilers.txt", &digests());
}
