//! Values of signals in each clock cycle, from a recorded simulation: VCD (IEEE 1364-2005, section 18), FST or GHW.

use std::io::Cursor;
use std::panic::{self, AssertUnwindSafe};

use anyhow::{Context, Result, anyhow, ensure};
use wellen::{
    FileFormat, Hierarchy, Scope, Signal, SignalRef, SignalValueRef, VarRef, WellenError,
};
use wellen::{simple, viewers};

/// A signal's value in each cycle; `None` where a bit of it is neither 0 nor 1.
pub type Samples = Vec<Option<u64>>;

/// What to do about a signal that has the bits of several channels.
pub const SEVERAL: &str =
    "of a core with several channels, a log of the retirements in their order";

/// A recorded simulation.
pub struct Waveform(simple::Waveform);

impl Waveform {
    /// Whether the bytes begin as a waveform does.
    pub fn is_in(bytes: &[u8]) -> bool {
        match viewers::detect_file_format(&mut Cursor::new(bytes)) {
            // Packets may follow zeros, which wellen takes for the type of an FST's first block. That block has a length.
            FileFormat::Fst => !bytes.starts_with(&[0; 9]),
            format => format != FileFormat::Unknown,
        }
    }

    /// Reads a recording of any of the formats; its first bytes tell which. Linear.
    ///
    /// # Errors
    ///
    /// If the file is damaged or no waveform.
    pub fn read(bytes: Vec<u8>) -> Result<Self> {
        let read = caught(|| simple::read_from_reader(Cursor::new(bytes)))?;
        let text = |error: WellenError| error.to_string().replace('\n', " ");
        read.map(Self)
            .map_err(|error| anyhow!("cannot be read as a waveform: {}", text(error)))
    }

    /// Samples a signal just before each rising edge of `clock`: what a register behind it takes in. `None` if there is no such signal. Linear.
    ///
    /// A name is looked for from the outermost scope inwards.
    ///
    /// # Errors
    ///
    /// If there is no such clock, or one of the two has more than 64 bits.
    pub fn samples(&mut self, clock: &str, name: &str) -> Result<Option<Samples>> {
        let found = self.find(clock)?.with_context(|| {
            format!(
                "no signal `{clock}`; remedy: --clock and --prefix say which signals are the core's"
            )
        })?;
        let Some(named) = self.find(name)? else {
            return Ok(None);
        };
        caught(|| self.0.load_signals(&[found, named]))?;
        let signal = |id| self.0.get_signal(id).expect("a signal that was loaded");
        Ok(Some(sampled(signal(named), &rising_edges(signal(found)))))
    }

    /// A signal of bits by its name.
    fn find(&self, name: &str) -> Result<Option<SignalRef>> {
        let hierarchy = self.0.hierarchy();
        let Some(var) = find(hierarchy, None, name).map(|var| &hierarchy[var]) else {
            return Ok(None);
        };
        let width = var.length(hierarchy).unwrap_or_default();
        ensure!(
            width <= 64,
            "{name}: a signal of {width} bits; a sample has at most 64; remedy: {SEVERAL}"
        );
        Ok(Some(var.signal_ref()))
    }
}

/// What the library gives. It panics on some damaged files, which is an error of the file here.
fn caught<T>(read: impl FnOnce() -> T) -> Result<T> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    panic::set_hook(hook);
    result.map_err(|_| anyhow!("cannot be read as a waveform: it is damaged"))
}

fn find(hierarchy: &Hierarchy, scope: Option<&Scope>, name: &str) -> Option<VarRef> {
    let (vars, scopes): (Vec<_>, Vec<_>) = match scope {
        Some(scope) => (
            scope.vars(hierarchy).collect(),
            scope.scopes(hierarchy).collect(),
        ),
        None => (hierarchy.vars().collect(), hierarchy.scopes().collect()),
    };
    let is_it = |var: &VarRef| {
        let var = &hierarchy[*var];
        var.name(hierarchy) == name && var.is_bit_vector(hierarchy)
    };
    let here = vars.into_iter().find(is_it);
    here.or_else(|| {
        (scopes.into_iter()).find_map(|inner| find(hierarchy, Some(&hierarchy[inner]), name))
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
