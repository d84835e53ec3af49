//! Mistakes in the emitted Verilog that were written down: the scenario that must notice each does.

use hpp_netlist::mutants::list::{self, Directed};
use hpp_netlist::mutants::{Pair, SUBJECTS, Scenario, Schema, Subject};
use std::collections::BTreeSet;
use std::time::Duration;

fn scenario(name: &str) -> Scenario {
    Scenario::find(name).unwrap_or_else(|| panic!("no scenario `{name}`"))
}

/// Each mutant of a subject is noticed, and nothing is without one.
fn check(subject: &str, mistakes: &[Directed]) {
    let subject = Subject::find(subject).unwrap_or_else(|error| panic!("{error:#}"));
    let texts = mistakes.iter().map(|mistake| {
        let Directed {
            module, from, to, ..
        } = mistake;
        (module.as_str(), from.as_str(), to.as_str())
    });
    let schema = Schema::directed(&subject.verilog, texts);
    let schema = schema.unwrap_or_else(|error| panic!("{error:#}"));
    let built = subject
        .build(schema)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let killers: BTreeSet<_> = mistakes.iter().map(|mistake| &mistake.killer).collect();
    for killer in killers {
        let found = scenario(killer).notices(&built, 0).expect("a bench");
        assert_eq!(found, None, "{killer}, without a mistake");
    }
    let lives = |(mistake, number): (&Directed, u32)| {
        let found = scenario(&mistake.killer).notices(&built, number);
        let what = || format!("{} does not notice: {}", mistake.killer, mistake.what);
        found.expect("a bench").is_none().then(what)
    };
    let alive: Vec<_> = mistakes.iter().zip(1..).filter_map(lives).collect();
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}

#[test]
fn each_mistake_that_is_written_down_is_noticed() {
    let all = list::directed().unwrap_or_else(|error| panic!("{error:#}"));
    for subject in SUBJECTS {
        let of_subject = |mistake: &&Directed| mistake.subject == subject;
        let mistakes: Vec<_> = all.iter().filter(of_subject).cloned().collect();
        assert!(!mistakes.is_empty(), "none of `{subject}`");
        check(subject, &mistakes);
    }
    let known = |mistake: &Directed| SUBJECTS.contains(&mistake.subject.as_str());
    assert!(all.iter().all(known), "a subject that there is not");
}

#[test]
fn every_excuse_is_for_a_mistake_that_is_made() {
    let mut made = BTreeSet::new();
    for name in SUBJECTS {
        let subject = Subject::find(name).unwrap_or_else(|error| panic!("{error:#}"));
        let schema = Schema::of(&subject.verilog).unwrap_or_else(|error| panic!("{error:#}"));
        let own = subject.own(&schema).expect("subjects before it");
        let keys = list::keys(name, &schema.mutants);
        made.extend(own.iter().map(|&number| keys[number as usize - 1].clone()));
    }
    let excuses = list::excused().unwrap_or_else(|error| panic!("{error:#}"));
    let excused = excuses.iter().flat_map(|excuse| &excuse.mutants);
    let stale: Vec<_> = excused.filter(|key| !made.contains(*key)).collect();
    assert!(stale.is_empty(), "no such mutants: {stale:#?}");
    let mut seen = BTreeSet::new();
    let twice = excuses.iter().flat_map(|excuse| &excuse.mutants);
    let twice: Vec<_> = twice.filter(|key| !seen.insert(*key)).collect();
    assert!(twice.is_empty(), "excused twice: {twice:#?}");
}

/// A memory that proofs leave out, because it is written and has more than 8 words.
const WRITTEN: &str = "module top (
  input  wire       clk,
  input  wire       rst,
  input  wire       write,
  input  wire [3:0] address,
  input  wire [7:0] data,
  output wire [7:0] word
);
  memory memory (.clk(clk), .write(write & !rst), .address(address), .data(data), .word(word));
endmodule

module memory (
  input  wire       clk,
  input  wire       write,
  input  wire [3:0] address,
  input  wire [7:0] data,
  output wire [7:0] word
);
  reg [7:0] cells [0:15];
  reg [7:0] word_q;
  always @(posedge clk) begin
    if (write) cells[address] <= data;
    else word_q <= cells[address];
  end
  assign word = word_q;
endmodule
";

/// Which mutants of a module are proved equal, in the whole and then in the module by itself: what they change, by its text.
fn proved(schema: &Schema, module: &str) -> Vec<String> {
    let limit = Duration::from_secs(10);
    let pairs = [Pair::new(schema), Pair::of_module(schema, module)];
    let mut proved = Vec::new();
    for pair in pairs {
        let pair = pair.unwrap_or_else(|error| panic!("{error:#}"));
        let proves = |number| pair.proves(number, limit).expect("a proof or none");
        assert!(proves(0), "what has no mistake is itself");
        let of_module = schema.mutants.iter().filter(|m| m.module == module);
        let equal = of_module.filter(|mutant| proves(mutant.number));
        proved.extend(equal.map(|mutant| format!("{} => {}", mutant.from, mutant.to)));
    }
    proved
}

/// Both copies lack the memory, so each mistake in it was once taken for none.
#[test]
fn a_mutant_inside_a_memory_that_proofs_leave_out_is_not_proved_equal() {
    let schema = Schema::of(WRITTEN).expect("the generator's language");
    let inside = schema.mutants.iter().filter(|m| m.module == "memory");
    assert!(inside.count() >= 4, "{:?}", schema.mutants);
    assert_eq!(proved(&schema, "memory"), [""; 0]);
}

/// Without a memory that is left out, both copies once had the mutant, or neither.
#[test]
fn a_memory_that_nothing_writes_is_part_of_proofs() {
    let cells: String = (0..16)
        .map(|at| format!("    cells[{at}] = 8'h55;\n"))
        .collect();
    let text = WRITTEN
        .replace("    if (write) cells[address] <= data;\n    else", "   ")
        .replace(
            "  always",
            &format!("  initial begin\n{cells}  end\n  always"),
        )
        .replace(".address(address)", ".address({address[3:1], 1'b0})");
    let schema = Schema::of(&text).expect("the generator's language");
    let words = |proved: Vec<String>| -> BTreeSet<String> {
        let words = proved
            .iter()
            .filter_map(|change| change.split(" = ").next());
        words.map(str::to_owned).collect()
    };
    let odd = (1..16).step_by(2).map(|at| format!("cells[{at}]"));
    assert_eq!(words(proved(&schema, "memory")), odd.collect());
}
