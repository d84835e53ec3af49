//! Circuits, memories and bundles of ports, declared once.
//!
//! A rust-hdl circuit names a register in its struct, its constructor and its kernel (clock, reset, hold). Here a field with its
//! attributes is all there is to a signal; [`macro@circuit`] makes the constructor, the wiring of clock and reset, the holding of
//! registers, the comments of ports, the access by name and the check of widths of it. The kernel is plain rust-hdl.
//!
//! `hpp_hdl::circuit` passes them on, with an example.
//!
//! What a field is, its type says:
//!
//! | field | attributes | meaning |
//! | --- | --- | --- |
//! | `pub x: Signal<In, T>`, `Signal<Out, T>` | `#[bits(w)]`, `#[present(c)]` | port; its doc comment goes into the Verilog. Not there unless `c`: then it reads 0 |
//! | `x: Signal<Local, T>` | `#[bits(w)]`, `#[present(c)]` | wire |
//! | `x: Register<T>`, `Delay<T>` | `#[bits(w)]`, `#[reset(v)]` | holds unless the kernel assigns `x.d`; takes the low `w` bits |
//! | `x: Constant<T>` | `#[number(v)]` | number that the constructor's arguments fix |
//! | `_x: T` | `#[value(v)]` | Rust value, such as the bound of a loop |
//! | `pub x: B` | `#[bundle(a, ...)]` | ports declared by [`macro@bundle`], made by `B::new(a, ...)`; with `#[flat]`, port `y` is called `y` and not `x_y` |
//! | `x: W` | `#[bundle(a, ...)]` | wires declared by [`macro@bundle`] |
//! | `x: P` | `#[new(a, ...)]` | part (circuit or memory), made by `P::new(a, ...)` |
//! | a part or register | `#[connect(...)]` | what its ports are connected to, see below |
//! | `x: Vec<...>` | `#[each(i in n)]` and the above | `n` of them; the attributes may use `i` |
//!
//! # Connections
//!
//! Wiring is declared with the part: `#[connect(p = s, ...)]` connects port `p` to signal `s` of the circuit, as an instance of a
//! Verilog module does. An input takes what it is connected to, an output drives it, and a bundle does so port by port. `s` is a port, a wire, or
//! a port of another part (`tag_1.q`, `tags.read_data[i]`). Instead of `p = p` stands `p`, instead of `p = a.p, q = a.q` stands
//! `a.{p, q}`. Each element of a vector is connected; `i` of its `#[each(i in n)]` is its number. A kernel that assigns the same
//! signal overrides the connection.
//!
//! Widths are `u32`. Without `#[bits]` a signal is as wide as its type. Registers and memories truncate to their width; any
//! other signal must hold a value that fits, which the simulation checks at every rising edge.

mod bundle;
mod circuit;
mod connect;
mod field;
mod header;
mod memory;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// What an attribute makes of its arguments and its struct.
type Expansion =
    fn(proc_macro2::TokenStream, syn::ItemStruct) -> syn::Result<proc_macro2::TokenStream>;

fn expand(expansion: Expansion, header: TokenStream, item: TokenStream) -> TokenStream {
    syn::parse(item)
        .and_then(|item| expansion(header.into(), item))
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Makes a circuit of a struct; `impl Logic` with the kernel is written beside it.
///
/// The attribute's arguments, in this order:
/// - `combinational` (no clock, no reset) or `resetless` (no reset), if so;
/// - the constructor's arguments, `name: Type`;
/// - `let name = value`, for what several fields' attributes share.
///
/// Made of it: the struct with `clk` and `rst` in front, `new`, and rust-hdl's `Block`. Before the kernel runs, each part gets
/// the circuit's clock and reset, and each register its own value. The module is named after the struct, and commented with the
/// first paragraph of its documentation.
#[proc_macro_attribute]
pub fn circuit(header: TokenStream, item: TokenStream) -> TokenStream {
    expand(circuit::expand, header, item)
}

/// Makes a memory of a struct whose fields are those of a cell: one write port, one synchronous read port.
///
/// Arguments: the constructor's, then `depth = ...` (a power of two), `same_edge = ...` (a `SameEdge`) and, for a memory that is
/// to keep what it has read, `read_enable`. A field `x: T` with
/// `#[bits(w)]` becomes the ports `write_x` and `x`; the others are `clk`, `write_enable`, `write_address` and `read_address`.
/// The cell's fields lie side by side in one memory, the first lowest. Addresses and data are truncated to their width.
#[proc_macro_attribute]
pub fn memory(header: TokenStream, item: TokenStream) -> TokenStream {
    expand(memory::expand, header, item)
}

/// Makes a bundle of ports of a struct: rust-hdl's `LogicInterface` with a constructor, widths and comments.
///
/// Arguments: the constructor's, then `mirror = Other` for the bundle at the other end, with every direction turned round, and
/// `wires = Between` for wires inside a circuit that connect such ports, if there are to be any. A field may be a bundle itself, if that has
/// the same ends.
/// A port `x` of a circuit's bundle `b` is called `b_x`. In a kernel, `Bundle::link(&mut self.b, &mut self.part.b)` passes a bundle on
/// to a part, and `Bundle::join(&mut self.p.b, &mut self.q.c)` connects two parts, one of which has the mirror.
#[proc_macro_attribute]
pub fn bundle(header: TokenStream, item: TokenStream) -> TokenStream {
    expand(bundle::expand, header, item)
}
