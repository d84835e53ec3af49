//! Values of signals in each clock cycle, from a recorded simulation: VCD (IEEE 1364-2005, section 18), FST or GHW.

use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};

use wellen::{FileFormat, Hierarchy, Scope, Signal, SignalRef, SignalValueRef, VarRef};
use wellen::{simple, viewers};

/// A signal's value in each cycle; `None` where a bit of it is neither 0 nor 1.
pub type Samples = Vec<Option<u64>>;

/// Why a recording cannot be sampled.
#[derive(Debug, thiserror::Error)]
pub enum WaveformError {
    /// It is damaged, or none.
    #[error("cannot be read as a waveform: {0}")]
    Unreadable(String),
    /// A signal is not in it.
    #[error("no signal `{0}`")]
    NoSignal(String),
    /// A signal is wider than a sample.
    #[error("a signal of {0} bits; a sample has at most 64")]
    Wide(u32),
}

/// A recorded simulation.
pub struct Waveform(simple::Waveform);

impl Waveform {
    /// Whether the bytes begin as a waveform does.
    pub fn is_in(bytes: &[u8]) -> bool {
        viewers::detect_file_format(&mut Cursor::new(bytes)) != FileFormat::Unknown
    }

    /// Reads a recording of any of the formats; its first bytes tell which. Linear.
    ///
    /// # Errors
    ///
    /// If the file is damaged or no waveform.
    pub fn read(bytes: Vec<u8>) -> Result<Self, WaveformError> {
        let read = caught(|| simple::read_from_reader(Cursor::new(bytes)))?;
        read.map(Self)
            .map_err(|error| WaveformError::Unreadable(error.to_string().replace('\n', " ")))
    }

    /// Samples the named signals just before each rising edge of `clock`: what a register behind them takes in. Linear.
    ///
    /// A name is looked for from the outermost scope inwards. Signals have at most 64 bits.
    ///
    /// # Errors
    ///
    /// If a signal is not there, or wider.
    pub fn samples(&mut self, clock: &str, names: &[&str]) -> Result<Vec<Samples>, WaveformError> {
        let clock = self.find(clock)?;
        let named = names
            .iter()
            .map(|name| self.find(name))
            .collect::<Result<Vec<_>, _>>()?;
        let loaded = [&[clock][..], &named].concat();
        caught(|| self.0.load_signals(&loaded))?;
        let signal = |id| self.0.get_signal(id).expect("a signal that was loaded");
        let edges = rising_edges(signal(clock));
        Ok(named
            .iter()
            .map(|&id| sampled(signal(id), &edges))
            .collect())
    }

    /// A signal of bits by its name.
    fn find(&self, name: &str) -> Result<SignalRef, WaveformError> {
        let hierarchy = self.0.hierarchy();
        let found = find(hierarchy, None, name).map(|var| &hierarchy[var]);
        let var = found.ok_or_else(|| WaveformError::NoSignal(name.into()))?;
        match var.length(hierarchy) {
            Some(width) if width > 64 => Err(WaveformError::Wide(width)),
            _ => Ok(var.signal_ref()),
        }
    }
}

/// What the library gives. It panics on some damaged files, which is an error of the file here.
fn caught<T>(read: impl FnOnce() -> T) -> Result<T, WaveformError> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    panic::set_hook(hook);
    result.map_err(|_| WaveformError::Unreadable("it is damaged".into()))
}

fn find(hierarchy: &Hierarchy, scope: Option<&Scope>, name: &str) -> Option<VarRef> {
    let (vars, scopes): (Vec<_>, Vec<_>) = match scope {
        Some(scope) => (
            scope.vars(hierarchy).collect(),
            scope.scopes(hierarchy).collect(),
        ),
        None => (hierarchy.vars().collect(), hierarchy.scopes().collect()),
    };
    let here = vars
        .into_iter()
        .map(|var| (var, &hierarchy[var]))
        .find(|(_, found)| found.name(hierarchy) == name && found.is_bit_vector(hierarchy))
        .map(|(var, _)| var);
    here.or_else(|| {
        scopes
            .into_iter()
            .find_map(|inner| find(hierarchy, Some(&hierarchy[inner]), name))
    })
}

/// The places in the table of times at which a clock rises.
fn rising_edges(clock: &Signal) -> Vec<u32> {
    let mut was = None;
    let changes = clock
        .iter_changes()
        .map(|(time, value)| (time, number(value)));
    changes
        .filter(|&(_, value)| std::mem::replace(&mut was, value) == Some(0) && value == Some(1))
        .map(|(time, _)| time)
        .collect()
}

/// A signal's value just before each edge.
fn sampled(signal: &Signal, edges: &[u32]) -> Samples {
    let mut changes = signal.iter_changes().peekable();
    let mut now = None;
    let before = |&edge| {
        while let Some((_, value)) = changes.next_if(|&(time, _)| time < edge) {
            now = number(value);
        }
        now
    };
    edges.iter().map(before).collect()
}

/// A value's bits; the weak levels of VHDL count as levels.
fn number(value: SignalValueRef) -> Option<u64> {
    let SignalValueRef::BitVec(bits) = value else {
        return None;
    };
    bits.iter_msb_to_lsb().try_fold(0, |word, bit| {
        let bit = match bit.as_ascii() {
            '0' | 'l' => 0,
            '1' | 'h' => 1,
            _ => return None,
        };
        Some(word << 1 | bit)
    })
}
