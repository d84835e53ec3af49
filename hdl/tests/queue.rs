//! The branch queue alone, in rust-hdl simulation against the golden model: held, full, lossy, disabled, purged.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::{BranchQueue as Model, Offer, QueuedRecord};
use hpp_hdl::queue::BranchQueue;
use hpp_hdl::sim::Simulator;
use proptest::prelude::*;

/// What happens in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    record: Option<BranchRecord>,
    enable: bool,
    lossy: bool,
    purge: bool,
    hold: bool,
    after_loss: bool,
    lost: bool,
}

fn cycle() -> impl Strategy<Value = Cycle> {
    let record = (any::<u8>(), any::<bool>(), any::<u32>(), 0u32..256).prop_map(
        |(kind, taken, target, events)| BranchRecord {
            kind: BranchKind::from_code(kind),
            taken,
            target: u64::from(target >> 2),
            next: 0,
            events,
        },
    );
    (
        prop::option::weighted(0.7, record),
        prop::bool::weighted(0.9),
        prop::bool::weighted(0.3),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.6),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.1),
    )
        .prop_map(
            |(record, enable, lossy, purge, hold, after_loss, lost)| Cycle {
                record,
                enable,
                lossy,
                purge,
                hold,
                after_loss,
                lost,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_and_marks_are_those_of_the_model(
        depth in 1u32..4,
        cycles in prop::collection::vec(cycle(), 1..100),
    ) {
        let geometry = Geometry { queue_depth: 1 << depth, lookup: LookupScheme::Parallel, ..Geometry::default() };
        let mut model = Model::new(&geometry);
        let mut circuit = Simulator::new(BranchQueue::new(&geometry));
        circuit.reset();
        let mut left: Option<QueuedRecord> = None;
        for cycle in &cycles {
            let record = cycle.record.unwrap_or(BranchRecord {
                kind: BranchKind::Forward, taken: false, target: 0, next: 0, events: 0,
            });
            circuit.set("enable", cycle.enable.into());
            circuit.set("lossy", cycle.lossy.into());
            circuit.set("purge", cycle.purge.into());
            circuit.set("hold", cycle.hold.into());
            circuit.set("br_valid", cycle.record.is_some().into());
            circuit.set("br_kind", record.kind.code().into());
            circuit.set("br_taken", record.taken.into());
            circuit.set("br_target", record.target << geometry.align);
            circuit.set("br_events", record.events.into());
            circuit.set("br_after_loss", cycle.after_loss.into());
            circuit.set("br_lost", cycle.lost.into());
            circuit.settle();
            model.set_enabled(cycle.enable);
            model.set_lossy(cycle.lossy);
            prop_assert_eq!(circuit.get("br_ready") == 1, model.ready());
            // Offered first: whether a record finds the queue full does not depend on what is taken from it in the cycle.
            let present = !model.is_empty();
            if cycle.after_loss && cycle.record.is_some() && model.ready() {
                model.purge();
            }
            let offer = cycle.record.as_ref().map(|record| model.offer(record));
            prop_assert_eq!(circuit.get("accepted") == 1, offer == Some(Offer::Accepted));
            let lost = offer == Some(Offer::Lost) || (cycle.lost && cycle.enable);
            prop_assert_eq!(circuit.get("lost") == 1, lost);
            // What left the queue in the cycle before is shown.
            prop_assert_eq!(circuit.get("record_valid") == 1, left.is_some());
            if let Some(head) = left.take() {
                prop_assert_eq!(circuit.get("record_kind"), u64::from(head.record.kind.code()));
                prop_assert_eq!(circuit.get("record_taken") == 1, head.record.taken);
                prop_assert_eq!(circuit.get("record_target"), head.record.target);
                prop_assert_eq!(circuit.get("record_events"), u64::from(head.record.events));
                prop_assert_eq!(circuit.get("record_purge_first") == 1, head.purge);
            }
            if present && !cycle.hold {
                left = model.take();
            }
            if cycle.purge {
                model.purge();
            }
            circuit.tick();
        }
    }
}
