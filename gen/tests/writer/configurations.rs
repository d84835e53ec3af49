use hpp_gen::{Bus, Config, Ingress, IngressOptions, RvfiNext, Vendor};
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_golden::profiler::{Extension, Metric, ResetValues};
use proptest::prelude::*;

fn power_of_two(low: u32, high: u32) -> impl Strategy<Value = u32> {
    (low..=high).prop_map(|log2| 1 << log2)
}

/// Every legal geometry, apart from tables too large to compile in a test.
fn geometry() -> impl Strategy<Value = Geometry> {
    let table = (
        power_of_two(1, 10),
        1..=16u32,
        any::<bool>(),
        prop::sample::select(Replacement::ALL.to_vec()),
    );
    let path = (
        1..=64u32,
        power_of_two(1, 8),
        power_of_two(1, 6),
        32..=64u32,
        1..=2u32,
    );
    let counts = (
        1..=32u32,
        8..=32u32,
        1..=8u32,
        32..=64u32,
        any::<prop::sample::Index>(),
    );
    let drain = prop_oneof![2 => Just(0u32), 1 => prop::sample::select(vec![64, 512, 4096])];
    let guards = (0..=8u32, any::<bool>(), drain, any::<bool>());
    (table, path, counts, guards).prop_map(|(table, path, counts, guards)| Geometry {
        sets: table.0,
        ways: table.1,
        lookup: if table.2 {
            LookupScheme::Sequential
        } else {
            LookupScheme::Parallel
        },
        replacement: table.3,
        max_branches: path.0,
        stack_depth: path.1,
        queue_depth: path.2,
        pc_bits: path.3,
        align: path.4,
        event_bits: counts.0,
        accumulator_bits: counts.1,
        extension_bits: counts.2,
        counter_bits: counts.3,
        event_counter_bits: counts.4.index(counts.1 as usize) as u32 + 1,
        context_bits: guards.0.min(64 - path.3),
        stack_check: guards.1,
        drain_depth: if table.3 == Replacement::Shadow {
            0
        } else {
            guards.2
        },
        triggers: guards.3,
        ..Geometry::default()
    })
}

/// Whose instructions of their own cores may have.
const VENDORS: [Vendor; 4] = [Vendor::None, Vendor::CoreV, Vendor::Andes, Vendor::Qualcomm];

/// Every legal geometry with every combination of interfaces.
pub fn config() -> impl Strategy<Value = Config> {
    let bus = proptest::sample::select(&Bus::ALL[..]);
    let ingress = proptest::sample::select(&Ingress::ALL[..]);
    let next = proptest::sample::select(&[RvfiNext::PcWdata, RvfiNext::Retirement][..]);
    let extensions = (any::<bool>(), proptest::sample::select(&VENDORS[..]));
    let ports = (1u32..5, next, extensions, 3u32..5, 1u32..9, 1u32..9);
    let ports = ports.prop_map(
        |(retire_channels, rvfi_next, (zcmp, vendor), itype_bits, iretire_bits, event_inputs)| {
            IngressOptions {
                retire_channels,
                rvfi_next,
                zcmp,
                vendor,
                itype_bits,
                iretire_bits,
                event_inputs,
            }
        },
    );
    (geometry(), ingress, ports, bus).prop_map(|(geometry, ingress, ports, bus)| Config {
        geometry: Geometry {
            drain_depth: match bus {
                Bus::None => 0,
                _ => geometry.drain_depth,
            },
            triggers: geometry.triggers && bus != Bus::None,
            ..geometry
        },
        ingress,
        ports: taken(ingress, ports, geometry.event_bits),
        bus,
        ..Config::default()
    })
}

/// The options, as far as the ingress takes them and their events fit.
fn taken(ingress: Ingress, ports: IngressOptions, event_bits: u32) -> IngressOptions {
    let plain = IngressOptions::default();
    let fits = IngressOptions {
        event_inputs: ports.event_inputs.min(64 / event_bits),
        ..plain
    };
    match ingress {
        Ingress::Native => plain,
        Ingress::Rvfi => IngressOptions {
            retire_channels: ports.retire_channels,
            rvfi_next: ports.rvfi_next,
            zcmp: ports.zcmp,
            vendor: ports.vendor,
            ..fits
        },
        Ingress::Retire => IngressOptions {
            zcmp: ports.zcmp,
            vendor: ports.vendor,
            ..fits
        },
        Ingress::Trace => IngressOptions {
            itype_bits: ports.itype_bits,
            iretire_bits: ports.iretire_bits,
            ..fits
        },
    }
}

/// Values after reset that every configuration takes.
#[allow(
    dead_code,
    reason = "not every test that has configurations asks for them"
)]
pub fn reset() -> impl Strategy<Value = ResetValues> {
    let switches = any::<[bool; 6]>();
    let extension = prop_oneof![
        Just(Extension::None),
        Just(Extension::Loop),
        Just(Extension::Procedure)
    ];
    (switches, extension, 0..2u8).prop_map(|(switches, extension, event_select)| ResetValues {
        enable: switches[0],
        freeze: switches[1],
        lossy: switches[2],
        metric: if switches[3] {
            Metric::Events
        } else {
            Metric::Executions
        },
        extension,
        max_extension: switches[4].into(),
        event_select,
        ..ResetValues::default()
    })
}
