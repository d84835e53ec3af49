//! What the generated testbench shows a profiler and expects of it: the same program whatever the interfaces.

use hpp_gen::{Bus, Config, Ingress, RvfiNext, generate};
use hpp_golden::profiler::{Metric, Profiler};
use hpp_golden::registers::{Counter, PPCR_MODE, ppcr_mode};

fn bench(config: &Config) -> String {
    let output = generate(config).unwrap_or_else(|error| panic!("{error}"));
    output.files["hpp_tb.sv"].clone()
}

fn of_ingress(ingress: Ingress) -> Config {
    Config {
        ingress,
        ..Config::default()
    }
}

/// The value of a literal, `32'h2c`.
fn value(literal: &str) -> u64 {
    let (_, digits) = literal.split_once("'h").expect("a sized literal");
    u64::from_str_radix(digits, 16).expect("hexadecimal digits")
}

/// The literals of each element of a memory of the bench.
fn elements(text: &str, memory: &str) -> Vec<Vec<u64>> {
    let begins = format!("    {memory}[");
    let lines = text.lines().filter(|line| line.starts_with(&begins));
    lines
        .map(|line| {
            let (_, list) = line.split_once("{ ").expect("a concatenation");
            let list = list.trim_end_matches([' ', '}', ';']);
            list.split(", ").map(value).collect()
        })
        .collect()
}

/// The names in front of the stimulus.
fn ports(text: &str) -> Vec<&str> {
    let (names, _) = text.split_once("}, for ").expect("a comment");
    let (_, names) = names.rsplit_once("// {").expect("a comment");
    names.split(", ").collect()
}

/// Start, length, outcomes and count of each path that is expected.
fn paths(config: &Config) -> Vec<Vec<u64>> {
    elements(&bench(config), "expected_path")
}

#[test]
fn every_core_shows_the_same_program() {
    let native = paths(&of_ingress(Ingress::Native));
    assert!(native.len() > 50);
    let starts: Vec<u64> = native.iter().map(|path| path[0]).collect();
    for start in [0x100, 0x108, 0x200, 0x300, 0x400] {
        assert!(starts.contains(&start), "no path begins at {start:#x}");
    }
    assert_eq!(paths(&of_ingress(Ingress::Retire)), native);
    for channels in 1..=4 {
        let mut config = of_ingress(Ingress::Rvfi);
        config.ports.retire_channels = channels;
        assert_eq!(paths(&config), native, "{channels} channels");
        config.ports.rvfi_next = RvfiNext::Retirement;
        assert_eq!(paths(&config), native, "{channels} channels, followed");
    }
    // A trap that a trace shows begins a path where it was taken; the others are the same.
    let trace = paths(&of_ingress(Ingress::Trace));
    for start in [0x100, 0x108, 0x200, 0x300, 0x400] {
        let count = |paths: &[Vec<u64>]| paths.iter().filter(|path| path[0] == start).count();
        assert_eq!(count(&trace), count(&native), "{start:#x}");
    }
}

/// Twelve rounds of three calls; every fourth round is interrupted.
#[test]
fn the_program_has_its_rounds_and_its_traps() {
    let native = bench(&of_ingress(Ingress::Native));
    let records = elements(&native, "stimulus");
    let of_kind = |kind| records.iter().filter(|record| record[0] == kind).count();
    // Forward branches, backward ones, and calls; an indirect call a round, its return among the others; traps.
    let rounds = 12;
    assert_eq!(
        [0, 1, 3, 5].map(of_kind),
        [3 * rounds, 3 * rounds, 3 * rounds, rounds]
    );
    assert_eq!([2, 4].map(of_kind), [rounds, 4 * rounds]);
    assert_eq!([6, 7].map(of_kind), [3, 3]);
    let taken = |kind: u64| {
        records
            .iter()
            .filter(move |record| record[0] == kind && record[1] == 1)
    };
    assert_eq!([taken(0).count(), taken(1).count()], [rounds, 2 * rounds]);
}

/// All channels, then the first alone, then the last alone; the order of the program.
#[test]
fn retirements_are_shown_on_all_channels_then_on_the_first_and_on_the_last() {
    let program = |channels: usize| {
        let mut config = of_ingress(Ingress::Rvfi);
        config.ports.retire_channels = channels as u32;
        let cycles = elements(&bench(&config), "stimulus");
        let (last, all) = cycles.split_last().expect("cycles");
        let mut shown = Vec::new();
        for (number, cycle) in all.iter().enumerate() {
            // The last channel comes first.
            let part = |port: usize| cycle[port * channels..][..channels].iter().rev();
            let valid: Vec<bool> = part(0).map(|valid| *valid == 1).collect();
            let expected = |channel: usize| match number % 3 {
                0 => true,
                1 => channel == 0,
                _ => channel + 1 == channels,
            };
            assert_eq!(valid, (0..channels).map(expected).collect::<Vec<_>>());
            let retired = part(3).zip(part(4)).zip(part(5)).zip(&valid);
            shown.extend(
                retired
                    .filter(|(_, valid)| **valid)
                    .map(|(retired, _)| retired)
                    .map(|((insn, pc), next)| (*insn, *pc, *next)),
            );
        }
        // The program may end within a cycle, but not before one.
        assert!(
            last[..channels].contains(&1),
            "{channels} channels: nothing is shown"
        );
        shown
    };
    let one = program(1);
    for channels in 2..=4 {
        let more = program(channels);
        let both = one.len().min(more.len());
        assert!(both + 4 >= one.len());
        assert_eq!(more[..both], one[..both], "{channels} channels");
    }
    let next = one.windows(2).filter(|pair| pair[0].2 == pair[1].1).count();
    assert_eq!(
        next,
        one.len() - 1 - 3,
        "all but the traps follow what was before"
    );
}

#[test]
fn a_trace_is_shown_in_the_form_of_its_ports() {
    let blocks = |itype_bits, iretire_bits, align| {
        let mut config = of_ingress(Ingress::Trace);
        config.ports.itype_bits = itype_bits;
        config.ports.iretire_bits = iretire_bits;
        config.geometry.align = align;
        elements(&bench(&config), "stimulus")
    };
    let types = |blocks: &[Vec<u64>]| -> Vec<u64> {
        let mut types: Vec<u64> = blocks.iter().map(|block| block[0]).collect();
        types.sort_unstable();
        types.dedup();
        types
    };
    let short = blocks(3, 3, 2);
    assert_eq!(types(&short).last(), Some(&6));
    assert!(types(&blocks(4, 3, 2)).iter().any(|kind| *kind > 7));
    // Instructions of four bytes: one instruction, or two halfwords. A trap retires nothing.
    let retired = |blocks: Vec<Vec<u64>>| {
        let mut retired: Vec<u64> = blocks.iter().map(|block| block[2]).collect();
        retired.sort_unstable();
        retired.dedup();
        retired
    };
    assert_eq!(retired(short), [0, 2]);
    assert_eq!(retired(blocks(4, 1, 2)), [0, 1]);
    assert_eq!(retired(blocks(4, 3, 1)), [0, 1, 2]);
    let traps = blocks(4, 3, 2);
    let traps = traps.iter().filter(|block| block[0] == 1);
    assert!(traps.clone().all(|block| block[1] == 0x114));
    assert_eq!(traps.count(), 3);
}

#[test]
fn the_last_stage_shows_a_trap_by_itself_where_it_returns_to() {
    let cycles = elements(&bench(&of_ingress(Ingress::Retire)), "stimulus");
    let traps: Vec<&Vec<u64>> = cycles.iter().filter(|cycle| cycle[0] == 1).collect();
    assert_eq!(traps.len(), 3);
    assert!(traps.iter().all(|trap| (trap[1], trap[3]) == (0, 0x114)));
}

#[test]
fn there_are_contexts_where_the_profiler_has_them() {
    for ingress in Ingress::ALL {
        for bits in [0, 2] {
            let mut config = of_ingress(ingress);
            config.geometry.context_bits = bits;
            let text = bench(&config);
            let ports = ports(&text);
            let is_context = |port: &&str| port.ends_with("_context");
            let count = ports.iter().filter(|port| is_context(port)).count();
            assert_eq!(count, usize::from(bits > 0), "{ports:?}");
            let cycles = elements(&text, "stimulus");
            assert!(cycles.iter().all(|cycle| cycle.len() == ports.len()));
            // The handler has the context 3, above the address of its path.
            let handler = paths(&config).iter().any(|path| path[0] == 0x3_0000_0400);
            assert_eq!(handler, bits > 0);
        }
    }
}

/// Offset, and what is read or written: of a line of the bench.
fn accesses<'a>(text: &'a str, task: &str) -> Vec<(&'a str, u64, u64)> {
    let begins = format!("    {task}(");
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(begins.as_str()));
    let calls = lines.filter_map(|line| line.strip_suffix(");"));
    calls
        .map(|call| {
            let mut words = call.rsplitn(3, ", ");
            let data = value(words.next().expect("data"));
            let offset = value(words.next().expect("an offset"));
            (
                words.next().unwrap_or_default().trim_matches('"'),
                offset,
                data,
            )
        })
        .collect()
}

/// Everything but the event type stays as it was after reset.
#[test]
fn the_profiler_counts_instructions_and_keeps_its_other_settings() {
    for event_select in [0, 1, 6, 15] {
        let mut config = Config::default();
        config.reset.event_select = event_select;
        config.reset.metric = Metric::Events;
        config.reset.max_extension = 9;
        let text = bench(&config);
        let instructions = ppcr_mode::EVENT_SELECT.put(1);
        let others = !ppcr_mode::EVENT_SELECT.mask();
        let mode = config.reset.ppcr().mode_word() & others | instructions;
        let offset = u64::from(PPCR_MODE.offset);
        let writes = accesses(&text, "write");
        assert_eq!(writes[0], ("", offset, mode.into()));
        let reads = accesses(&text, "expect_read");
        assert!(reads.contains(&("PPCR_MODE", offset, mode.into())));
    }
}

#[test]
fn every_word_of_every_counter_and_of_every_entry_is_read() {
    let config = Config::default();
    let text = bench(&config);
    let reads = accesses(&text, "expect_read");
    let model = Profiler::new(&config.geometry, &config.reset).expect("it is legal");
    for counter in Counter::ALL {
        let name = format!("{counter:?}");
        let offsets = reads.iter().filter(|(said, ..)| *said == name);
        let low = u64::from(counter.offset());
        assert_eq!(
            offsets.map(|read| read.1).collect::<Vec<_>>(),
            [low, low + 4]
        );
    }
    let words = model.geometry().entry_words() as usize;
    let entries = reads.iter().filter(|(name, ..)| name.starts_with("entry "));
    let chosen = accesses(&text, "write").len() - 2;
    assert!(chosen > 4);
    assert_eq!(entries.count(), chosen * words);
    let without = Config {
        bus: Bus::None,
        ..Config::default()
    };
    let without = bench(&without);
    assert!(accesses(&without, "expect_read").is_empty() && accesses(&without, "write").is_empty());
}

/// Cycles cannot be foreseen, other counts are.
#[test]
fn counts_are_compared_if_they_are_known() {
    for (ingress, bus, metric, known) in [
        (Ingress::Rvfi, Bus::None, Metric::Events, false),
        (Ingress::Rvfi, Bus::None, Metric::Executions, true),
        (Ingress::Rvfi, Bus::Apb, Metric::Events, true),
        (Ingress::Native, Bus::None, Metric::Events, true),
    ] {
        let mut config = Config {
            bus,
            ..of_ingress(ingress)
        };
        config.reset.metric = metric;
        let text = bench(&config);
        assert_eq!(text.contains("path_outcomes, path_count};"), known);
    }
}

/// A signal of one bit has no range.
#[test]
fn signals_are_declared_with_their_widths() {
    for name in ["hpp_tb.sv", "hpp_instance.v"] {
        let output = generate(&Config::default()).unwrap_or_else(|error| panic!("{error}"));
        let text = &output.files[name];
        assert!(!text.contains("[0:0]") && text.contains("[31:0]"), "{name}");
    }
}

/// A profiler that looks into returns and loses what comes too fast is shown less at once.
#[test]
fn a_profiler_that_loses_records_is_given_time() {
    let text = |stack_check, lossy| {
        let mut config = Config::default();
        config.geometry.stack_check = stack_check;
        config.reset.lossy = lossy;
        bench(&config)
    };
    let plain = text(false, false).contains("repeat (32)");
    assert!(!plain);
    assert!(text(true, true).contains("repeat (32)"));
    assert!(!text(true, false).contains("repeat (32)"));
    assert!(!text(false, true).contains("repeat (32)"));
}

/// What is shown and what is expected is as wide as the ports.
#[test]
fn memories_of_the_bench_are_as_wide_as_the_ports() {
    for ingress in Ingress::ALL {
        let mut config = of_ingress(ingress);
        config.geometry.pc_bits = 39;
        config.geometry.context_bits = 5;
        let output = generate(&config).unwrap_or_else(|error| panic!("{error}"));
        let text = &output.files["hpp_tb.sv"];
        let width = |names: &[&str]| -> usize {
            let ports = output.manifest.ports.iter();
            let asked = ports.filter(|port| names.contains(&port.name.as_str()));
            asked.map(|port| port.width).sum()
        };
        let stimulus = width(&ports(text)) - 1;
        assert!(
            text.contains(&format!("  reg [{stimulus}:0] stimulus [")),
            "{ingress:?}"
        );
        let path = ["path_start", "path_length", "path_outcomes", "path_count"];
        let path = width(&path) - 1;
        assert!(
            text.contains(&format!("  reg [{path}:0] expected_path [")),
            "{ingress:?}"
        );
    }
}
