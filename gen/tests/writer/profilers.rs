//! The modules of some profilers, as digests: a change of the writer that is to change no text, changes none.

use hpp_gen::{Bus, Config, Ingress, Layout, RvfiNext, generate_as};
use hpp_golden::config::{LookupScheme, Replacement};
use hpp_golden::profiler::{Extension, Metric};
use sha2::{Digest, Sha256};

/// Configurations that have all circuits between them, with their names.
fn profilers() -> [(&'static str, Config); 8] {
    let of = |ingress, bus, change: fn(&mut Config)| {
        let mut config = Config {
            ingress,
            bus,
            ..Config::default()
        };
        change(&mut config);
        config
    };
    [
        ("default", Config::default()),
        (
            "sequential",
            of(Ingress::Trace, Bus::Axi4Lite, |config| {
                config.geometry.lookup = LookupScheme::Sequential;
                config.geometry.ways = 3;
                config.geometry.drain_depth = 64;
            }),
        ),
        (
            "rrip",
            of(Ingress::Rvfi, Bus::Apb, |config| {
                config.geometry.replacement = Replacement::Rrip;
                config.geometry.align = 1;
                config.geometry.context_bits = 3;
                config.ports.retire_channels = 2;
                config.geometry.drain_depth = 128;
            }),
        ),
        (
            "shadow",
            of(Ingress::Retire, Bus::Wishbone, |config| {
                config.geometry.replacement = Replacement::Shadow;
                config.geometry.pc_bits = 39;
            }),
        ),
        (
            "guarded",
            of(Ingress::Native, Bus::Axi4Lite, |config| {
                config.geometry.lookup = LookupScheme::Parallel;
                config.geometry.stack_check = true;
                config.geometry.ways = 5;
                config.geometry.counter_bits = 40;
            }),
        ),
        (
            "parallel-drain",
            of(Ingress::Trace, Bus::Apb, |config| {
                config.geometry.lookup = LookupScheme::Parallel;
                config.geometry.drain_depth = 64;
                config.ports.iretire_bits = 1;
                config.ports.itype_bits = 3;
            }),
        ),
        (
            "bare",
            of(Ingress::Rvfi, Bus::None, |config| {
                config.geometry.max_branches = 1;
                config.geometry.stack_depth = 2;
                config.reset.metric = Metric::Events;
                config.reset.extension = Extension::Loop;
            }),
        ),
        (
            "follower",
            of(Ingress::Rvfi, Bus::None, |config| {
                config.ports.rvfi_next = RvfiNext::Retirement;
                config.geometry.align = 1;
            }),
        ),
    ]
}

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
    let of_profiler = |(name, config): &(&str, Config)| {
        let output = generate_as(config, Layout::Split).unwrap_or_else(|error| panic!("{error}"));
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
    profilers().iter().map(of_profiler).collect()
}

/// After a change of a circuit, `HPP_BLESS=1` writes the list anew.
#[test]
fn the_modules_of_profilers_are_written_as_before() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/profilers.txt");
    let text = digests();
    if std::env::var_os("HPP_BLESS").is_some() {
        std::fs::write(path, &text).expect("the list is writable");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(text == expected, "the list differs from {path}:\n{text}");
}
