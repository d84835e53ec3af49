//! The tops: one for each combination of ingress and bus, all named `hpp` in Verilog.

mod native_stream;
mod native_wishbone;

pub use native_stream::NativeStream;
pub use native_wishbone::NativeWishbone;
