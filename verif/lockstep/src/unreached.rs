//! Why parts of the emitted Verilog are not reached by simulation.
//!
//! A point that is not reached has one of three reasons: it cannot change, because the circuit's wiring holds it; it
//! cannot change in this geometry, but another test reaches it; or it takes more events than a simulation has time
//! for. The rules below name circuits and signals; a point that none of them covers is a hole in the tests.

use std::ops::RangeInclusive;
use verilated::Point;

/// What is known about a point that was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreached {
    /// It cannot be reached, or not in the time there is.
    Because(&'static str),
    /// Nobody knows: a hole in the tests.
    Unexplained,
}

/// Circuits (without the prefix of the configuration, by the beginnings of their names; the top has none), the beginnings of their
/// signals' names, the bits the rule covers, and the reason. A line is covered by the kind of its branch.
struct Rule {
    circuits: &'static [&'static str],
    signals: &'static [&'static str],
    bits: RangeInclusive<u32>,
    reason: &'static str,
}

const NEVER_FULL: &str = "a profiler that takes a record every cycle never fills its queue; \
                          the geometry `serial` and the test queue_lockstep do";
const NO_LOSS: &str =
    "the native ingress loses no record; the RVFI ingress does, in the test rvfi_lockstep";
const MAGNITUDE: &str = "a count of 65536 or more takes longer than this run; \
                         the geometries `saturating` and `odd` reach the end of narrower accumulators";
const WIRED: &str = "held by the wiring: a bit outside its field, a sum's empty end, or another way's place in a one-hot vector";
const SELDOM: &str =
    "a path is split after as many branches as it records, so less than once in sixteen cycles";
const UNUSED: &str = "takes the bits nobody reads, so that they give no warning";
const POWER_OF_TWO: &str = "multiplies a set by the ways, which are a power of two here; \
                            the geometries `odd` and `five-way` have other ways";
const FULL: &str = "a path of the maximum length is split, so the top is always shorter";
const FILLED: &str = "the bit that says that a tag is one is 1 in every path's tag";
const SCAN: &str = "the scan writes a word in every cycle";

/// Every bit.
const ALL: RangeInclusive<u32> = 0..=u32::MAX;

const fn rule(
    circuits: &'static [&'static str],
    signals: &'static [&'static str],
    bits: RangeInclusive<u32>,
    reason: &'static str,
) -> Rule {
    Rule {
        circuits,
        signals,
        bits,
        reason,
    }
}

const RULES: &[Rule] = &[
    // Records that never wait, and are never lost.
    rule(
        &["", "profiler"],
        &["br_ready", "profiler_br_ready", "detector_lost"],
        ALL,
        NEVER_FULL,
    ),
    rule(
        &["native_ingress"],
        &["br_ready", "records_ready"],
        ALL,
        NEVER_FULL,
    ),
    rule(
        &["detector", "branch_queue"],
        &["br_ready", "full", "hold", "lost"],
        ALL,
        NEVER_FULL,
    ),
    rule(&["counters"], &["events", "pending"], 7..=7, NEVER_FULL),
    rule(&["counters"], &["narrow_7"], ALL, NEVER_FULL),
    rule(
        &["register_file", "control_registers"],
        &["record_lost"],
        ALL,
        NEVER_FULL,
    ),
    rule(&["control_registers"], &["raised"], 3..=3, NEVER_FULL),
    rule(
        &["", "native_ingress"],
        &["ingress_records_", "records_after_loss", "records_lost"],
        ALL,
        NO_LOSS,
    ),
    rule(
        &["profiler", "detector", "branch_queue"],
        &["br_after_loss", "br_lost", "drops"],
        ALL,
        NO_LOSS,
    ),
    rule(&["counters"], &["narrow_4"], ALL, SELDOM),
    // Fields narrower than their signals.
    rule(
        &["", "profiler", "detector", "path_stack"],
        &["path_start"],
        0..=1,
        WIRED,
    ),
    rule(&["", "wishbone"], &["wb_err_o"], ALL, WIRED),
    rule(&["clear_walk"], &["ready", "else"], ALL, WIRED),
    rule(&["control_registers"], &["cleared", "raised"], 4..=7, WIRED),
    rule(
        &["control_registers", "register_file"],
        &["commands", "word", "control_word"],
        3..=31,
        WIRED,
    ),
    rule(
        &["register_file"],
        &["plain"],
        ALL,
        "held by the wiring: 0 or 1 in every register that is read at once",
    ),
    rule(&["readout"], &["words"], 0..=1, WIRED),
    rule(&["readout"], &["word_stage_2"], 6..=31, WIRED),
    rule(
        &["mirror", "entry_number"],
        &["first", "number", "way"],
        ALL,
        POWER_OF_TWO,
    ),
    rule(
        &["hot_path_table"],
        &[
            "rows_",
            "ways_0_above",
            "ways_1_above",
            "ways_2_above",
            "ways_3_above",
        ],
        0..=3,
        WIRED,
    ),
    rule(
        &["hot_path_table"],
        &["ways_0_hit", "ways_1_hit", "ways_2_hit", "ways_3_hit"],
        0..=3,
        WIRED,
    ),
    rule(
        &["table_way"],
        &["hit", "above", "after", "cond"],
        0..=3,
        WIRED,
    ),
    rule(
        &["order_row"],
        &["row", "repaired", "least", "rest", "stored", "followed"],
        0..=3,
        WIRED,
    ),
    rule(&["tag_match"], &["pairs"], ALL, WIRED),
    rule(&["path_stack"], &["appended"], 31..=31, FULL),
    rule(
        &[
            "tag_of_path",
            "tag_match",
            "encounter",
            "stages",
            "hot_path_table",
        ],
        &["tag", "tag_0", "a", "layout_tag"],
        61..=61,
        FILLED,
    ),
    rule(&["ram_16x32"], &["write_enable", "else"], ALL, SCAN),
    // High bits of what is counted.
    rule(
        &["accumulator"],
        &["ahead", "forwarded", "left", "right", "stored", "sum"],
        16..=32,
        MAGNITUDE,
    ),
    rule(&["comparator"], &["left", "right"], 0..=0, WIRED),
    rule(
        &["counters", "ram_16x32"],
        &["stored", "sum", "value", "words", "read_data", "write_data"],
        16..=32,
        MAGNITUDE,
    ),
    rule(
        &["hot_path_table", "table_way"],
        &[
            "hit_count",
            "entry_count",
            "ways_0_hit_count",
            "ways_1_hit_count",
            "ways_2_hit_count",
            "ways_3_hit_count",
        ],
        16..=31,
        MAGNITUDE,
    ),
    rule(
        &["mirror", "readout", "profiler", "register_file"],
        &[
            "count",
            "entry_count",
            "tables_0_entry_count",
            "word_stage_3",
        ],
        16..=31,
        MAGNITUDE,
    ),
    rule(
        &["control_registers"],
        &["errors", "raised", "if"],
        0..=1,
        MAGNITUDE,
    ),
];

/// The reason why a point is not reached; `prefix` is that of the configuration.
pub fn reason(point: &Point, prefix: &str) -> Unreached {
    let circuit = point.module.strip_prefix(prefix).unwrap_or(&point.module);
    let circuit = circuit.trim_start_matches('_');
    let name = signal(&point.what);
    if name.starts_with("unused") {
        return Unreached::Because(UNUSED);
    }
    let covers = |rule: &&Rule| {
        let same_circuit = |rule: &&str| match rule.is_empty() {
            true => circuit.is_empty(),
            false => circuit.starts_with(*rule),
        };
        rule.circuits.iter().any(same_circuit)
            && rule.signals.iter().any(|signal| name.starts_with(signal))
            && rule.bits.contains(&bit(&point.what).unwrap_or(0))
    };
    let found = RULES.iter().find(covers);
    found.map_or(Unreached::Unexplained, |rule| {
        Unreached::Because(rule.reason)
    })
}

/// `count_q` of `count_q[17]:0->1`.
pub fn signal(what: &str) -> &str {
    what.split(['[', ':']).next().unwrap_or(what)
}

/// 17 of `count_q[17]:0->1`; nothing of a single bit.
pub fn bit(what: &str) -> Option<u32> {
    let (_, rest) = what.split_once('[')?;
    let (bit, _) = rest.split_once(']')?;
    bit.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use verilated::Kind;

    fn point(module: &str, what: &str) -> Point {
        let (module, what) = (module.to_string(), what.to_string());
        Point {
            kind: Kind::Toggle,
            file: module.clone(),
            line: 1,
            column: 1,
            module,
            what,
        }
    }

    #[test]
    fn a_rule_covers_its_circuits_signals_from_a_bit_on() {
        let lost = |bit| {
            reason(
                &point("hpp_counters", &format!("events[{bit}]:0->1")),
                "hpp",
            )
        };
        assert_eq!(lost(7), Unreached::Because(NEVER_FULL));
        assert_eq!(lost(6), Unreached::Unexplained);
        let port = |module| reason(&point(module, "br_ready:1->0"), "hpp");
        assert_eq!(port("hpp"), Unreached::Because(NEVER_FULL));
        assert_eq!(port("hpp_wishbone"), Unreached::Unexplained);
        assert_eq!(
            reason(&point("hpp_wishbone", "unused[3]:0->1"), "hpp"),
            Unreached::Because(UNUSED)
        );
    }
}
