use hpp_gen::{Bus, Config, Ingress, Layout, generate_as};
use hpp_golden::config::{IndexScheme, LookupScheme, Protection, Replacement};
use hpp_golden::profiler::{Extension, Metric};
/// Configurations that have all circuits between them, with their names.
fn profilers() -> [(&'static str, Config); 7] {
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
            "serial",
            of(Ingress::Trace, Bus::Axi4Lite, |config| {
                config.geometry.lookup = LookupScheme::Serial;
                config.geometry.ways = 3;
                config.geometry.index_scheme = IndexScheme::Start;
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
                config.geometry.protect = Protection::Memories;
                config.geometry.pc_bits = 39;
            }),
        ),
        (
            "guarded",
            of(Ingress::Native, Bus::Axi4Lite, |config| {
                config.geometry.stack_check = true;
                config.geometry.protect = Protection::All;
                config.geometry.ways = 5;
                config.geometry.counter_bits = 40;
            }),
        ),
        (
            "protected-drain",
            of(Ingress::Trace, Bus::Apb, |config| {
                config.geometry.protect = Protection::All;
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
    ]
}

fn main() {
    let root = std::env::args().nth(1).unwrap();
    for (name, config) in profilers() {
        let dir = std::path::Path::new(&root).join(name);
        std::fs::create_dir_all(&dir).unwrap();
        let output = generate_as(&config, Layout::Split).unwrap();
        for (file, text) in &output.files {
            if file.ends_with(".v") {
                std::fs::write(dir.join(file), text).unwrap();
            }
        }
    }
}
