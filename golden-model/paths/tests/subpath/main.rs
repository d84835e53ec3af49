//! Online subpath profiling: exact where it must be, unbiased where it samples, within its limits always.

mod counts;
mod estimates;
mod limits;
