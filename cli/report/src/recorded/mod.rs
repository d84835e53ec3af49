//! Retirements of a recorded simulation, the log that holds them, and whether their signals are right.

mod entries;
mod signals;
mod step;

pub use signals::SignalCheck;

use hpp_riscv::Retirement;
use thiserror::Error;

/// Retirements in their order, and which of the ports that may be missing there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Those from one reset to the next; none is empty.
    pub runs: Vec<Vec<Retirement>>,
    /// There is `rvfi_intr`.
    pub has_intr: bool,
    /// There is `rvfi_pc_wdata`.
    pub has_pc_wdata: bool,
    /// The log of a simulator or tracer, which shows no ports.
    pub is_execution: bool,
}

/// Why a text is no log of retirements, with the line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct LogError(String);

const COLUMNS: [&str; 6] = ["pc_rdata", "insn", "trap", "pc_wdata", "intr", "reset"];

const EMPTY: &str =
    "it is empty; remedy: record again, with a line of names and a line for each retirement";

/// Columns that every log has: the first of them.
const NEEDED: usize = 3;

impl Recorded {
    /// Reads a log: a line of names, and one of hexadecimal numbers for each retirement. Linear.
    ///
    /// ```
    /// let log = "pc_rdata,insn,trap,reset\n80000000,13,0,0\n0x80000000,13,0,1\n";
    /// let recorded = hpp_report::Recorded::from_log(log)?;
    /// assert_eq!(recorded.runs.len(), 2);
    /// assert!(!recorded.has_intr && !recorded.has_pc_wdata);
    /// # Ok::<(), hpp_report::recorded::LogError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first line that is not as it should be.
    pub fn from_log(text: &str) -> Result<Self, LogError> {
        let mut lines = (1..).zip(text.lines());
        let (_, head) = lines.next().ok_or_else(|| LogError(EMPTY.into()))?;
        let names: Vec<&str> = head.split(',').map(str::trim).collect();
        let places = places(&names)?;
        let mut runs: Vec<Vec<Retirement>> = Vec::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let fields: Vec<&str> = text.split(',').map(str::trim).collect();
            if fields.len() != names.len() {
                let (found, named) = (fields.len(), names.len());
                let what = "fields, where line 1 names";
                return Err(LogError(format!(
                    "line {line}: {found} {what} {named} columns"
                )));
            }
            let (retirement, resets) = retirement(line, &fields, &places)?;
            match runs.last_mut() {
                Some(run) if !resets => run.push(retirement),
                _ => runs.push(vec![retirement]),
            }
        }
        let [.., next, intr, _] = places;
        Ok(Self {
            runs,
            has_pc_wdata: next.is_some(),
            has_intr: intr.is_some(),
            is_execution: false,
        })
    }
}

type Places = [Option<usize>; COLUMNS.len()];

fn places(names: &[&str]) -> Result<Places, LogError> {
    if let Some(unknown) = names.iter().find(|name| !COLUMNS.contains(name)) {
        let all = COLUMNS.join(", ");
        return Err(LogError(format!(
            "line 1: no column `{unknown}`; there are {all}"
        )));
    }
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        let twice = names[twice];
        return Err(LogError(format!(
            "line 1: the column `{twice}` is there twice"
        )));
    }
    let places = COLUMNS.map(|column| names.iter().position(|name| *name == column));
    match (0..NEEDED).find(|&column| places[column].is_none()) {
        Some(column) => {
            let name = COLUMNS[column];
            Err(LogError(format!("line 1: the column `{name}` is missing")))
        }
        None => Ok(places),
    }
}

/// A line's retirement, and whether it is the first after a reset.
fn retirement(
    line: usize,
    fields: &[&str],
    places: &Places,
) -> Result<(Retirement, bool), LogError> {
    let mut values = [0; COLUMNS.len()];
    for (value, place) in values.iter_mut().zip(places) {
        let Some(field) = place.map(|place| fields[place]) else {
            continue;
        };
        let digits = field.trim_start_matches("0x");
        *value = u64::from_str_radix(digits, 16)
            .map_err(|_| LogError(format!("line {line}: `{field}` is no hexadecimal number")))?;
    }
    let [pc, insn, trap, next_pc, intr, reset] = values;
    let retirement = Retirement {
        pc,
        insn: u32::try_from(insn)
            .map_err(|_| LogError(format!("line {line}: insn has 32 bits")))?,
        next_pc,
        trap: trap != 0,
        intr: intr != 0,
        loop_end: false,
        context: 0,
    };
    Ok((retirement, reset != 0))
}
