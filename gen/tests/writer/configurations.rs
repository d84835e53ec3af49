use hpp_gen::{Bus, Config, Ingress, IngressOptions, RvfiNext, Vendor};
use hpp_golden::config::{Geometry, IndexScheme, Replacement};
use hpp_golden::profiler::{Extension, Metric, ResetValues};
use proptest::prelude::*;

#[path = "../../../golden-model/behaviour/tests/streams/strategies.rs"]
#[allow(dead_code, reason = "records are drawn by other tests")]
mod strategies;

/// Every legal geometry of a circuit, apart from tables too large to compile in a test.
fn geometry() -> impl Strategy<Value = Geometry> {
    let replacement = prop::sample::select(Replacement::ALL.to_vec());
    let drain = prop_oneof![2 => Just(0u32), 1 => prop::sample::select(vec![64, 512, 4096])];
    let all = (strategies::geometry(), replacement, drain, any::<bool>());
    all.prop_map(|(any, replacement, drain_depth, triggers)| Geometry {
        sets: any.sets.min(1024),
        index_scheme: IndexScheme::Full,
        align: any.align.max(1),
        replacement,
        drain_depth: match replacement {
            Replacement::Shadow => 0,
            _ => drain_depth,
        },
        triggers,
        ..any
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
    let switches = any::<[bool; 4]>();
    let metric = prop::sample::select(vec![Metric::Events, Metric::Executions]);
    let extension =
        prop::sample::select(vec![Extension::None, Extension::Loop, Extension::Procedure]);
    let all = (switches, metric, extension, 0..2u8);
    all.prop_map(|(switches, metric, extension, event_select)| ResetValues {
        enable: switches[0],
        freeze: switches[1],
        lossy: switches[2],
        metric,
        extension,
        max_extension: switches[3].into(),
        event_select,
        ..ResetValues::default()
    })
}
