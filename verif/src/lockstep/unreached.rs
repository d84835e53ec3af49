//! Why parts of the emitted Verilog are not reached by simulation.
//!
//! A point that is not reached has one of three reasons: it cannot change, because the circuit's wiring holds it; it
//! cannot change in this geometry, but another test reaches it; or it takes more events than a simulation has time
//! for. The rules below name circuits and signals; a point that none of them covers is a hole in the tests.

use verilated::Point;

/// What is known about a point that was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreached {
    /// It cannot be reached, or not in the time there is.
    Because(&'static str),
    /// Nobody knows: a hole in the tests.
    Unexplained,
}

/// A circuit (without the prefix of the configuration), the beginnings of its signals' names, the least bit the rule
/// covers, and the reason. Lines are covered by the signal they set, which is the name of the rule's circuit alone.
struct Rule {
    circuit: &'static str,
    signals: &'static [&'static str],
    least_bit: u32,
    reason: &'static str,
}

const NEVER_FULL: &str = "a profiler that takes a record every cycle never fills its queue; \
                          the geometry `serial` and the test queue_lockstep do";
const PLACES: &str = "the last place of the buffer is for a longer pipeline before it";
const MAGNITUDE: &str = "a count of 65536 or more takes longer than this run; \
                         the geometries `saturating` and `odd` reach the end of narrower accumulators";
const WIRED: &str = "held by the wiring: a bit outside its field, a sum's empty end, or another way's place in a one-hot vector";
const EMPTIED: &str = "the scan empties a narrow counter every sixteen cycles; \
                       it is wider for the round in which a clear command zeroes the words";
const SELDOM: &str =
    "a path is split after as many branches as it records, so less than once in sixteen cycles";
const UNUSED: &str = "takes the bits nobody reads, so that they give no warning";
const POWER_OF_TWO: &str = "divides an entry's number by the ways, which are a power of two here; \
                            the geometries `odd` and `five-way` divide";

const fn rule(
    circuit: &'static str,
    signals: &'static [&'static str],
    least_bit: u32,
    reason: &'static str,
) -> Rule {
    Rule {
        circuit,
        signals,
        least_bit,
        reason,
    }
}

const RULES: &[Rule] = &[
    rule(
        "branch_queue",
        &["hold", "full", "lost", "br_ready", "occupancy"],
        0,
        NEVER_FULL,
    ),
    rule("detector", &["hold", "lost", "br_ready"], 0, NEVER_FULL),
    rule("profiler", &["br_ready", "detector_lost"], 0, NEVER_FULL),
    rule("", &["br_ready"], 0, NEVER_FULL),
    rule(
        "event_counter_5",
        &["count", "collected", "taken", "total"],
        1,
        SELDOM,
    ),
    rule("counters", &["narrow_4"], 1, SELDOM),
    rule("event_counter", &["taken", "total"], 3, EMPTIED),
    rule("counters", &["stored"], 0, MAGNITUDE),
    rule("hot_path_table", &["stages_tag_0"], 0, WIRED),
    rule("stages", &["tag_0"], 0, WIRED),
    rule("table_way", &["stored_stage"], 0, MAGNITUDE),
    rule("register_32", &["d", "q"], 0, MAGNITUDE),
    rule(
        "readout",
        &["sources_2", "sources_3", "word_stage_3"],
        0,
        MAGNITUDE,
    ),
    rule("readout", &["sources_4", "word_stage"], 0, WIRED),
    rule("register_file", &["fixed_source", "plain"], 0, WIRED),
    rule("event_counter_8", &[""], 0, NEVER_FULL),
    rule("counters", &["narrow_7"], 0, NEVER_FULL),
    rule("event_counter", &["count", "collected", "kept"], 3, EMPTIED),
    rule(
        "counters",
        &["events", "pending_q", "narrow_7"],
        7,
        NEVER_FULL,
    ),
    rule("register_file", &["record_lost"], 0, NEVER_FULL),
    rule("register_file", &["raised", "errors"], 3, NEVER_FULL),
    rule("register_4", &["d", "q"], 3, NEVER_FULL),
    rule("register_8", &["d", "q"], 7, NEVER_FULL),
    rule(
        "counters",
        &[
            "sum", "words", "value", "new_word", "stored", "carry", "addend", "if",
        ],
        0,
        MAGNITUDE,
    ),
    rule("counters", &["narrow", "collected"], 3, EMPTIED),
    rule("counters", &["collected_7", "collected_8"], 0, WIRED),
    rule(
        "ram_16x32",
        &["write_data", "read_data", "word"],
        0,
        MAGNITUDE,
    ),
    rule(
        "register_file",
        &["counter_", "high_", "entry_word", "data_stage"],
        0,
        MAGNITUDE,
    ),
    rule(
        "profiler",
        &[
            "counters_value",
            "tables_0_read_count",
            "tables_0_saturated",
        ],
        0,
        MAGNITUDE,
    ),
    rule(
        "comparator",
        &["value", "other", "left", "right"],
        0,
        MAGNITUDE,
    ),
    rule("table_way", &["count", "hit_count"], 0, MAGNITUDE),
    rule(
        "hot_path_table",
        &[
            "two_ahead",
            "three_ahead",
            "count_",
            "read_count",
            "accumulator_",
        ],
        0,
        MAGNITUDE,
    ),
    rule(
        "accumulator",
        &[
            "two_ahead",
            "three_ahead",
            "forwarded",
            "stored",
            "left",
            "right",
        ],
        0,
        MAGNITUDE,
    ),
    rule(
        "accumulator",
        &["sum", "chosen", "accumulator_4", "saturates_4", "if"],
        0,
        MAGNITUDE,
    ),
    rule(
        "hot_path_table",
        &["hit_count", "saturated", "if"],
        0,
        MAGNITUDE,
    ),
    rule(
        "hot_path_table",
        &[
            "ways_0_hit_c",
            "ways_1_hit_c",
            "ways_2_hit_c",
            "ways_3_hit_c",
        ],
        0,
        MAGNITUDE,
    ),
    rule("path_buffer", &["occupancy"], 4, PLACES),
    rule(
        "serial_table",
        &["over", "saturated", "sum", "if"],
        0,
        MAGNITUDE,
    ),
    rule("profiler", &["serial_tables_0_saturated"], 0, MAGNITUDE),
    rule("serial_table", &["set_base", "tag", "wanted_way"], 0, WIRED),
    rule("readout", &["sources_1"], 16, WIRED),
    rule("register_file", &["accumulator_saturated"], 0, MAGNITUDE),
    rule("register_file", &["raised", "errors"], 1, MAGNITUDE),
    rule("register_6", &["d", "q"], 5, MAGNITUDE),
    rule(
        "ram_128x32",
        &["write_data", "read_data", "word"],
        0,
        MAGNITUDE,
    ),
    rule("readout", &["read_count", "count_"], 0, MAGNITUDE),
    rule("locator", &[""], 0, POWER_OF_TWO),
    rule(
        "readout",
        &["locator", "outside", "pointer", "elsif", "else", "case"],
        0,
        POWER_OF_TWO,
    ),
    rule("", &["path_start"], 0, WIRED),
    rule("", &["wb_err_o"], 0, WIRED),
    rule(
        "readout",
        &["length", "outcomes", "start", "words"],
        0,
        WIRED,
    ),
    rule(
        "register_file",
        &[
            "extension_source",
            "index_high",
            "row_words",
            "refused",
            "lane_",
        ],
        0,
        WIRED,
    ),
    rule(
        "register_file",
        &["ppcr_", "id_source", "geometry", "control_source"],
        0,
        WIRED,
    ),
    rule(
        "register_file",
        &[
            "status_source",
            "errors_source",
            "mode_source",
            "index_source",
        ],
        0,
        WIRED,
    ),
    rule("ppcr_row", &["row"], 0, WIRED),
    rule("fold", &["rest", "sum", "folded"], 0, WIRED),
    rule("tag_match", &["pairs", "b"], 0, WIRED),
    rule("set_index", &["length_fold"], 0, WIRED),
    rule(
        "hot_path_table",
        &["tag_", "order_", "hits_", "least_", "beaten_"],
        0,
        WIRED,
    ),
    rule(
        "hot_path_table",
        &["above_", "rest_", "ways_", "rows_"],
        0,
        WIRED,
    ),
    rule(
        "table_way",
        &["hit", "above", "after", "if", "else"],
        0,
        WIRED,
    ),
    rule(
        "order_row",
        &["row", "repaired", "least", "rest", "last_stage", "beaten"],
        0,
        WIRED,
    ),
    rule("path_stack", &["outcome_"], 0, WIRED),
    rule(
        "path_stack",
        &["outcomes", "length", "appended", "popped"],
        0,
        "a path of the maximum length is split, so the top is always shorter",
    ),
    rule(
        "ram_16x32",
        &["write_enable", "else"],
        0,
        "the scan writes a word in every cycle",
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
        let same_circuit = if rule.circuit.is_empty() {
            circuit.is_empty()
        } else {
            circuit.starts_with(rule.circuit)
        };
        same_circuit
            && rule.signals.iter().any(|signal| name.starts_with(signal))
            && bit(&point.what) >= rule.least_bit
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

/// 17 of `count_q[17]:0->1`; 0 of a single bit.
fn bit(what: &str) -> u32 {
    let inside = what
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    inside.and_then(|(bit, _)| bit.parse().ok()).unwrap_or(0)
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
