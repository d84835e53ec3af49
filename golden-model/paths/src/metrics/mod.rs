//! Measures of a numbering and of a profile.
pub mod compactness;
pub mod overlap;
pub mod phases;

pub use compactness::Compactness;
pub use overlap::overlap;
pub use phases::phases;
