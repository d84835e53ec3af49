use crate::error::{Error, Result};
use crate::header::Direction;
use crate::library::{Design, FAILED, Instance, Loaded, Place};
use std::ffi::{CString, c_char, c_int};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The variable that names a folder for coverage.
pub(crate) const COVERAGE: &str = "HPP_COVERAGE";

/// Handle of an input port: looked up by name once, used in a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input(pub(crate) usize);

/// Handle of an output port: looked up by name once, used in a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output(pub(crate) usize);

/// One instance of a [`Design`](crate::Design), with its own time and its own failures.
///
/// A model may move between threads; several models, of one design or of many, run side by side.
/// After a failed assertion every further evaluation returns the same error.
pub struct Model {
    pub(crate) design: Arc<Loaded>,
    pub(crate) instance: NonNull<Instance>,
    pub(crate) places: Vec<Place>,
    row: Row,
}

// SAFETY: the instance holds no thread-bound state: the shim sets the runtime's thread-local context
// on every entry. `Model` is not `Sync`, so there is one entry at a time.
unsafe impl Send for Model {}

/// What a model's ports are given in a cycle and what they show in it, by the number of the port. Ports of more than 64 bits
/// have no part in it.
struct Row {
    inputs: Box<[u64]>,
    outputs: Box<[u64]>,
    masks: Box<[u64]>,
}

impl Row {
    fn new(ports: &[crate::Port]) -> Self {
        let zeros: Box<[u64]> = vec![0; ports.len()].into();
        let mask = |port: &crate::Port| match port.width {
            1..=64 => u64::MAX >> (64 - port.width),
            _ => 0,
        };
        Self {
            inputs: zeros.clone(),
            outputs: zeros,
            masks: ports.iter().map(mask).collect(),
        }
    }
}

impl Model {
    fn new(design: Arc<Loaded>, instance: *mut Instance) -> Result<Self> {
        let Some(instance) = NonNull::new(instance) else {
            let message = "the model's constructor failed".to_string();
            return Err(Error::Simulation {
                top: design.top.clone(),
                time: 0,
                message,
            });
        };
        let mut addresses = vec![std::ptr::null_mut(); design.ports.len()];
        // SAFETY: there is room for as many addresses as the shim lists ports.
        unsafe { (design.functions.addresses)(instance.as_ptr(), addresses.as_mut_ptr()) };
        let bytes = design.ports.iter().map(|port| bytes_of(port.width));
        let places = addresses
            .into_iter()
            .zip(bytes)
            .map(|(address, bytes)| Place { address, bytes });
        Ok(Self {
            places: places.collect(),
            row: Row::new(&design.ports),
            design,
            instance,
        })
    }

    /// The handle of the input port `name`.
    pub fn input(&self, name: &str) -> Result<Input> {
        self.find(name, Direction::Input).map(Input)
    }

    /// The handle of the output port `name`.
    pub fn output(&self, name: &str) -> Result<Output> {
        self.find(name, Direction::Output).map(Output)
    }

    fn find(&self, name: &str, direction: Direction) -> Result<usize> {
        let ports = &self.design.ports;
        let matching = |port: &&crate::Port| port.direction == direction;
        ports
            .iter()
            .position(|p| p.direction == direction && p.name == name)
            .ok_or_else(|| Error::NoSuchPort {
                top: self.design.top.clone(),
                port: name.into(),
                direction: direction.keyword(),
                known: ports
                    .iter()
                    .filter(matching)
                    .map(|p| &*p.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }

    pub fn input_width(&self, port: Input) -> u32 {
        self.design.ports[port.0].width
    }

    pub fn output_width(&self, port: Output) -> u32 {
        self.design.ports[port.0].width
    }

    /// Sets an input of up to 64 bits. It is seen at the next evaluation.
    ///
    /// # Panics
    /// If the port is wider, or `value` has bits beyond its width.
    #[inline]
    pub fn set(&mut self, port: Input, value: u64) {
        let width = self.design.ports[port.0].width;
        assert!(
            width <= 64,
            "`{}` is {width} bits wide: use set_parts",
            self.name(port.0)
        );
        assert!(
            width == 64 || value >> width == 0,
            "{value:#x} does not fit the {width} bits of `{}`",
            self.name(port.0)
        );
        self.set_low(port, value);
    }

    /// Sets an input of up to 64 bits to the low bits of a value. It is seen at the next evaluation.
    #[inline]
    pub fn set_low(&mut self, port: Input, value: u64) {
        let value = value & self.row.masks[port.0];
        self.row.inputs[port.0] = value;
        let Place { address, bytes } = self.places[port.0];
        assert!(bytes <= 8, "`{}` is wider than 64 bits", self.name(port.0));
        // SAFETY: the address is that of a live member of exactly `bytes` bytes.
        unsafe {
            match bytes {
                1 => *address.cast::<u8>() = value as u8,
                2 => *address.cast::<u16>() = value as u16,
                4 => *address.cast::<u32>() = value as u32,
                _ => *address.cast::<u64>() = value,
            }
        }
    }

    /// The value of an output of up to 64 bits, as of the last evaluation.
    #[inline]
    pub fn get(&self, port: Output) -> u64 {
        let Place { address, bytes } = self.places[port.0];
        // SAFETY: the address is that of a live member of exactly `bytes` bytes.
        unsafe {
            match bytes {
                1 => u64::from(*address.cast::<u8>()),
                2 => u64::from(*address.cast::<u16>()),
                4 => u64::from(*address.cast::<u32>()),
                8 => *address.cast::<u64>(),
                _ => panic!("`{}` is wider than 64 bits", self.name(port.0)),
            }
        }
    }

    pub fn eval(&mut self) -> Result<()> {
        // SAFETY: the instance is live.
        let status = unsafe { (self.design.functions.eval)(self.instance.as_ptr()) };
        self.check(status)
    }

    /// Takes `clock` to 0 and evaluates: combinational outputs now answer the inputs just set. Half a
    /// cycle of time passes.
    #[inline]
    pub fn fall(&mut self, clock: Input) -> Result<()> {
        self.step(clock, 0)
    }

    /// Takes `clock` to 1 and evaluates: registers take their next values. Half a cycle passes.
    #[inline]
    pub fn rise(&mut self, clock: Input) -> Result<()> {
        self.step(clock, 1)
    }

    /// [`fall`](Self::fall), then [`rise`](Self::rise).
    #[inline]
    pub fn cycle(&mut self, clock: Input) -> Result<()> {
        self.fall(clock)?;
        self.rise(clock)
    }

    /// Gives an input the low bits of a value, from the next [`cycle_staged`](Self::cycle_staged) on.
    #[inline]
    pub fn stage(&mut self, port: Input, value: u64) {
        self.row.inputs[port.0] = value & self.row.masks[port.0];
    }

    /// What an output of up to 64 bits showed in the last [`cycle_staged`](Self::cycle_staged), before the clock rose.
    #[inline]
    pub fn shown(&self, port: Output) -> u64 {
        self.row.outputs[port.0]
    }

    /// One cycle in a single call: gives every input of up to 64 bits what was staged or set last, takes the clock low, keeps
    /// what every output shows, and takes the clock high.
    #[inline]
    pub fn cycle_staged(&mut self, clock: Input) -> Result<()> {
        let Place { address, bytes } = self.places[clock.0];
        assert_eq!(bytes, 1, "`{}` is no clock", self.name(clock.0));
        let (inputs, outputs) = (self.row.inputs.as_ptr(), self.row.outputs.as_mut_ptr());
        // SAFETY: the instance is live, the address is that of its own one-byte port, and there is a word for each port.
        let status = unsafe {
            (self.design.functions.cycle)(self.instance.as_ptr(), address, inputs, outputs)
        };
        self.check(status)
    }

    #[inline]
    fn step(&mut self, clock: Input, level: c_int) -> Result<()> {
        let Place { address, bytes } = self.places[clock.0];
        assert_eq!(bytes, 1, "`{}` is no clock", self.name(clock.0));
        // SAFETY: the instance is live and the address is that of its own one-byte port.
        let status =
            unsafe { (self.design.functions.step)(self.instance.as_ptr(), address, level) };
        self.check(status)
    }

    /// Simulation time: two for each clock cycle.
    fn time(&self) -> u64 {
        // SAFETY: the instance is live.
        unsafe { (self.design.functions.time)(self.instance.as_ptr()) }
    }

    fn output_so_far(&self) -> String {
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the shim returns the length of the text it points to, valid until the next call.
        let bytes = unsafe {
            let length = (self.design.functions.output)(self.instance.as_ptr(), &mut text);
            std::slice::from_raw_parts(text.cast::<u8>(), length)
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    #[inline]
    pub(crate) fn check(&self, status: c_int) -> Result<()> {
        if status == FAILED {
            Err(self.failure())
        } else {
            Ok(())
        }
    }

    #[cold]
    fn failure(&self) -> Error {
        let message = self.output_so_far().trim_end().to_string();
        Error::Simulation {
            top: self.design.top.clone(),
            time: self.time(),
            message,
        }
    }

    /// Writes what of the source has been reached, for `verilator_coverage`, to the folder of the environment. Nobody waits for an answer: an error is
    /// printed.
    fn leave_coverage(&self) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Some(folder) = std::env::var_os(COVERAGE).filter(|_| self.design.coverage) else {
            return;
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = Path::new(&folder).join(format!("{}-{number}.dat", std::process::id()));
        let name = CString::new(file.as_os_str().as_encoded_bytes());
        // SAFETY: the instance is live and the path is a C string.
        let write = |name: CString| unsafe {
            (self.design.functions.coverage)(self.instance.as_ptr(), name.as_ptr())
        };
        if !name.is_ok_and(|name| write(name) != 0) {
            eprintln!("{COVERAGE}: cannot write {}", file.display());
        }
    }

    #[cold]
    pub(crate) fn name(&self, index: usize) -> &str {
        &self.design.ports[index].name
    }
}

impl Design {
    /// A fresh model, before its first evaluation; all inputs are 0.
    pub fn model(&self) -> Result<Model> {
        self.model_with_arguments(&[])
    }

    /// A fresh model with command-line arguments: plusargs for `$value$plusargs`, or
    /// `+verilator+rand+reset+2` and the like.
    pub fn model_with_arguments(&self, arguments: &[&str]) -> Result<Model> {
        let owned: Vec<CString> = std::iter::once(&"model")
            .chain(arguments)
            .map(|text| CString::new(text.replace('\0', "")).expect("zeros were removed"))
            .collect();
        let pointers: Vec<*const c_char> = owned.iter().map(|text| text.as_ptr()).collect();
        // SAFETY: the pointers live over the call; the shim copies what it keeps.
        let instance =
            unsafe { (self.0.functions.new)(pointers.len() as c_int, pointers.as_ptr()) };
        Model::new(Arc::clone(&self.0), instance)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.leave_coverage();
        // SAFETY: the instance is live and not used again.
        unsafe { (self.design.functions.delete)(self.instance.as_ptr()) };
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("top", &self.design.top)
            .field("time", &self.time())
            .finish()
    }
}

/// Size of the C++ type Verilator gives a port of that width.
fn bytes_of(width: u32) -> u32 {
    match width {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        wide => wide.div_ceil(32) * 4,
    }
}

/// A struct of pins, each an `input` or an `output` of a name, and how to find them.
#[macro_export]
macro_rules! pins {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $field:ident: $kind:ident $port:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        struct $name {
            $($(#[$what])* $field: $crate::pins!($kind),)*
        }

        impl $name {
            fn find(model: &$crate::Model) -> $crate::Result<Self> {
                Ok(Self { $($field: model.$kind($port)?,)* })
            }
        }
    };
    (input) => { $crate::Input };
    (output) => { $crate::Output };
}
