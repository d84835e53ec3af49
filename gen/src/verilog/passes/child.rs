//! The module of a sub-circuit, as its parent sees it.

/// The module of a sub-circuit, as its parent sees it.
#[derive(Clone, Debug, Default)]
pub struct Child {
    /// The module's name; empty if it is written in place: a register, or a circuit without one (see [`super::inline`]).
    pub module: String,
    /// Paths of the constants that are its parameters.
    pub parameters: Vec<String>,
}

impl Child {
    /// Whether it has no module of its own.
    pub fn is_in_place(&self) -> bool {
        self.module.is_empty()
    }
}
