//! How a model may be evaluated, from the text that Verilator writes for it.
//!
//! Verilator's own evaluation looks for events in loops, before and after what happens at each. Most designs know a single event, the
//! rising edge of one clock. Of such a design the shim calls the two parts by themselves: what combinational logic makes of inputs, and
//! what registers do at the edge. Any text that is not exactly as it is known here gets an evaluation that needs to know less.

use crate::error::{AtPath, Result};
use std::fs;
use std::path::Path;

/// What every name of the root module's functions begins with.
const ROOT: &str = "Vmodel___024root___";

/// What stops a simulation or writes, and so must not happen less often.
const EFFECTS: [&str; 5] = [
    "VL_WRITEF",
    "VL_FWRITEF",
    "VL_FINISH",
    "VL_STOP",
    "VL_FATAL",
];

/// What the shim may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// The model's `eval`.
    Whole,
    /// The one function that is called by it, as Verilator 5 writes it for one thread.
    Plain,
    /// Its two parts, since all that happens, happens at the rising edge of this clock.
    OneClock(String),
}

impl Evaluation {
    /// That of the model in a folder; one whose variables are changed from outside is not taken apart.
    pub(crate) fn read(generated: &Path, state: bool) -> Result<Self> {
        let path = generated.join("Vmodel.cpp");
        let model = fs::read_to_string(&path).at(&path)?;
        if !model.contains(&format!("    {ROOT}eval(&(vlSymsp->TOP));")) {
            return Ok(Self::Whole);
        }
        let mut text = String::new();
        for path in crate::unit::files_of(generated)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with(".cpp") && !name.ends_with("Slow.cpp") {
                text.push_str(&fs::read_to_string(&path).at(&path)?);
            }
        }
        Ok(match one_clock(&text) {
            Some(clock) if !state => Self::OneClock(clock),
            _ => Self::Plain,
        })
    }

    /// What tells the shim.
    pub(crate) fn flags(&self) -> Vec<String> {
        let flag = |name: &str, on: bool| format!("-D{name}={}", u8::from(on));
        let mut flags = vec![
            flag("VERILATED_PLAIN_EVAL", *self != Self::Whole),
            flag("VERILATED_ONE_CLOCK", matches!(self, Self::OneClock(_))),
        ];
        if let Self::OneClock(clock) = self {
            flags.push(format!("-DVERILATED_CLOCK={clock}"));
            flags.push(format!("-DVERILATED_CLOCK_BEFORE={}", before(clock)));
        }
        flags
    }
}

/// The variable with a clock's last value.
fn before(clock: &str) -> String {
    format!("__Vtrigprevexpr___TOP__{clock}__0")
}

/// The clock, if its rising edge is the only event of the design and nothing else depends on it.
fn one_clock(text: &str) -> Option<String> {
    let trigger = body(text, "eval_triggers_vec__act")?;
    let clock = trigger.split_once("(IData)(vlSelfRef.")?.1;
    let clock = clock.split_once(')')?.0;
    let before = before(clock);
    let edge = format!(
        "vlSelfRef.__VactTriggered[0U]=(QData)((IData)(((IData)(vlSelfRef.{clock})&(~(IData)(vlSelfRef.{before})))));\
         vlSelfRef.{before}=vlSelfRef.{clock};"
    );
    let inputs = "vlSelfRef.__VicoTriggered[0U]=((0xfffffffffffffffeULL&vlSelfRef.__VicoTriggered[0U])\
                  |(IData)((IData)(vlSelfRef.__VicoFirstIteration)));";
    let known = trigger == edge
        && body(text, "eval_triggers_vec__ico")? == inputs
        && calls(text, "eval")? == ["eval_phase__ico", "eval_phase__act", "eval_phase__nba"]
        && calls(text, "eval_phase__ico")?
            == ["eval_triggers_vec__ico", "trigger_anySet__ico", "eval_ico"]
        && calls(text, "eval_phase__act")?
            == ["eval_triggers_vec__act", "trigger_orInto__act_vec_vec"]
        && calls(text, "eval_phase__nba")?
            == ["trigger_anySet__act", "eval_nba", "trigger_clear__act"];
    let quiet = functions(text).all(|(name, body)| {
        let asks = name.contains("eval_triggers_vec__act") || name.contains("debug_assertions");
        let answers = name.contains("___ico_");
        (asks || !mentions(body, clock))
            && !(answers && EFFECTS.iter().any(|effect| body.contains(effect)))
    });
    (known && quiet).then(|| clock.to_string())
}

/// The functions of a text: the line with the name, and what is after it.
fn functions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n}\n").filter_map(|function| {
        let begins = |line: &&str| line.ends_with(") {") && !line.starts_with(char::is_whitespace);
        let line = function.lines().find(begins)?;
        Some((line, function.split_once(line)?.1))
    })
}

/// What a function of the root module does, without white space.
fn body(text: &str, name: &str) -> Option<String> {
    let begin = format!(" {ROOT}{name}(");
    let (_, function) = functions(text).find(|(line, _)| line.contains(&begin))?;
    let (_, body) = function.split_once("// Body")?;
    Some(body.split_whitespace().collect())
}

/// The functions of the root module that such a function calls, but those that write what was triggered.
fn calls(text: &str, name: &str) -> Option<Vec<String>> {
    let body = body(text, name)?;
    let called = body.split(ROOT).skip(1);
    let called = called.filter_map(|rest| rest.split_once('(').map(|(name, _)| name.to_string()));
    Some(called.filter(|name| !name.starts_with("dump_")).collect())
}

/// Whether a variable of that name is read or written.
fn mentions(body: &str, name: &str) -> bool {
    let place = format!(".{name}");
    body.match_indices(&place).any(|(at, _)| {
        let after = body[at + place.len()..].chars().next();
        !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Verilator writes it, without what is for debugging.
    const TEXT: &str = "
void Vmodel___024root___eval_triggers_vec__ico(Vmodel___024root* vlSelf) {
    // Body
    vlSelfRef.__VicoTriggered[0U] = ((0xfffffffffffffffeULL 
                                      & vlSelfRef.__VicoTriggered[0U]) 
                                     | (IData)((IData)(vlSelfRef.__VicoFirstIteration)));
}

void Vmodel___024root___ico_sequent__TOP__0(Vmodel___024root* vlSelf) {
    // Body
    vlSelfRef.odd = vlSelfRef.clk_enable & vlSelfRef.count;
}

bool Vmodel___024root___eval_phase__ico(Vmodel___024root* vlSelf) {
    // Body
    Vmodel___024root___eval_triggers_vec__ico(vlSelf);
    if (Vmodel___024root___trigger_anySet__ico(vlSelfRef.__VicoTriggered)) {
        Vmodel___024root___eval_ico(vlSelf);
    }
}

void Vmodel___024root___eval_triggers_vec__act(Vmodel___024root* vlSelf) {
    // Body
    vlSelfRef.__VactTriggered[0U] = (QData)((IData)(
                                                    ((IData)(vlSelfRef.clk) 
                                                     & (~ (IData)(vlSelfRef.__Vtrigprevexpr___TOP__clk__0)))));
    vlSelfRef.__Vtrigprevexpr___TOP__clk__0 = vlSelfRef.clk;
}

bool Vmodel___024root___eval_phase__act(Vmodel___024root* vlSelf) {
    // Body
    Vmodel___024root___eval_triggers_vec__act(vlSelf);
    Vmodel___024root___trigger_orInto__act_vec_vec(vlSelfRef.__VnbaTriggered, vlSelfRef.__VactTriggered);
    return (0U);
}

bool Vmodel___024root___eval_phase__nba(Vmodel___024root* vlSelf) {
    // Body
    if (Vmodel___024root___trigger_anySet__act(vlSelfRef.__VnbaTriggered)) {
        Vmodel___024root___eval_nba(vlSelf);
        Vmodel___024root___trigger_clear__act(vlSelfRef.__VnbaTriggered);
    }
}

void Vmodel___024root___eval(Vmodel___024root* vlSelf) {
    // Body
    do {
        vlSelfRef.__VicoPhaseResult = Vmodel___024root___eval_phase__ico(vlSelf);
    } while (vlSelfRef.__VicoPhaseResult);
    do {
        do {
            vlSelfRef.__VactPhaseResult = Vmodel___024root___eval_phase__act(vlSelf);
        } while (vlSelfRef.__VactPhaseResult);
        vlSelfRef.__VnbaPhaseResult = Vmodel___024root___eval_phase__nba(vlSelf);
    } while (vlSelfRef.__VnbaPhaseResult);
}
";

    #[test]
    fn a_design_of_one_clock_is_known() {
        assert_eq!(one_clock(TEXT).as_deref(), Some("clk"));
    }

    #[test]
    fn whatever_else_may_happen_is_no_design_of_one_clock() {
        for (known, other, what) in [
            (
                "vlSelfRef.clk_enable",
                "vlSelfRef.clk",
                "logic follows the clock",
            ),
            (
                "(~ (IData)",
                "((IData)",
                "another event than the rising edge",
            ),
            (
                "    return (0U);",
                "    Vmodel___024root___eval_act(vlSelf);",
                "clocks are made",
            ),
            ("vlSelfRef.odd =", "VL_WRITEF_NX(\"odd\");", "logic writes"),
            (
                "(IData)((IData)(vlSelfRef.__VicoFirst",
                "(IData)((vlSelfRef.again << 1U) | (IData)(vlSelfRef.__VicoFirst",
                "a loop of logic",
            ),
            (
                "    do {\n        do",
                "    Vmodel___024root___sample(vlSelf);\n    do {\n        do",
                "values are sampled",
            ),
        ] {
            assert!(TEXT.contains(known), "{what}");
            assert_eq!(one_clock(&TEXT.replace(known, other)), None, "{what}");
        }
    }
}
