//! The tops: one for each combination of ingress and bus, all named `hpp` in Verilog.

mod native_stream;
mod native_wishbone;
mod rvfi_stream;
mod rvfi_wishbone;

pub use native_stream::NativeStream;
pub use native_wishbone::NativeWishbone;
pub use rvfi_stream::RvfiStream;
pub use rvfi_wishbone::RvfiWishbone;
