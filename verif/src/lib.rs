//! RTL against model.
