//! Circuits, memories and bundles of ports, declared once.
//!
//! A rust-hdl circuit names each register in its struct, its constructor and its kernel. Here one field with its
//! attributes declares a signal. [`macro@circuit`] generates the constructor, the clock and reset wiring, the default
//! of each register, the comments of the ports, access by name and the width checks. [`macro@kernel`] says what it does.
//!
//! `hpp_hdl::circuit` re-exports the attributes; CONTRIBUTING has an example.
//!
//! The type of a field selects its role:
//!
//! | field | meaning |
//! | --- | --- |
//! | `pub x: Signal<In, T>`, `Signal<Out, T, c>` | port; if `c` is false it is absent |
//! | `x: Signal<Local, T>` | wire |
//! | `x: Register<T, v>`, `Delay<T>` | keeps its value if `x.d` is not assigned; reset makes it `v`, or 0 without `v` |
//! | `pub x: B<a, ...>` | ports declared by [`macro@bundle`], from `B::new(a, ...)` |
//! | `x: W<a, ...>` | wires declared by [`macro@bundle`], if the name `W` ends in `Wires` |
//! | `x: P<a, ...>` | part (circuit or memory), from `P::new(a, ...)`; of `Ram` and `WayRam` behind their width |
//! | `x: Vec<..., n>` | `n` of the above; what is said of one may use its index `i` |
//! | `x: Option<..., c>` | part or register; if `c` is false it is absent and reads 0 |
//!
//! # Connections
//!
//! `#[connect(p = s, ...)]` at a part connects its port `p` to signal `s` of the circuit, as a Verilog instance does.
//! An input of the part is driven by the signal, an output drives it, and a bundle is connected port by port. `s` is a
//! port, a wire, or a port of another part (`tag_1.q`, `tags.read_data[i]`). `p` is short for `p = p`, and `a.{p, q}`
//! for `p = a.p, q = a.q`. In a vector every element is connected, and `i` is its index. An
//! assignment in the kernel overrides a connection.
//!
//! The doc comment of a port is its comment in the Verilog. An absent port reads 0. Port `y` of a bundle `x` is called
//! `x_y`, or `y` if the bundle has the attribute `#[flat]`.
//!
//! `T` is `Bit` or `Bits<N, w>`: `w` bits in this instance, and at most `N` in any. Without `w` it has `N`. Widths are `u32`. A
//! value that is not just a name or a number stands in braces. Registers and memories truncate to their width.
//! Any other signal must hold a value that fits; the simulation checks this at every rising edge.

mod bundle;
mod circuit;
mod connect;
mod field;
mod header;
mod kernel;
mod memory;
mod simulate;
mod syntax;
mod translate;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// The function that expands an attribute, from its arguments and its struct.
type Expansion =
    fn(proc_macro2::TokenStream, syn::ItemStruct) -> syn::Result<proc_macro2::TokenStream>;

fn expand(expansion: Expansion, header: TokenStream, item: TokenStream) -> TokenStream {
    syn::parse(item)
        .and_then(|item| expansion(header.into(), item))
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Generates a circuit from a struct. The kernel is written beside it, under [`macro@kernel`].
///
/// The arguments, in this order:
/// - `combinational` (no clock, no reset) or `resetless` (no reset), if it applies;
/// - the constructor's arguments, `name: Type`;
/// - `let name = value`, for values that several attributes use;
/// - `const name: T = value`, a constant of the hardware that depends on the constructor's arguments;
/// - `const _name: T = value`, a Rust value, such as the bound of a loop.
///
/// The expansion has the struct with `clk` and `rst` in front, `new`, and rust-hdl's `Block`. Before the kernel runs,
/// each part gets the clock and reset of the circuit, and each register its own value. The module has the name of the
/// struct. Its comment is the first paragraph of the documentation.
#[proc_macro_attribute]
pub fn circuit(header: TokenStream, item: TokenStream) -> TokenStream {
    expand(circuit::expand, header, item)
}

/// Generates a memory from a struct whose fields are those of a cell. It has one write port and one synchronous read
/// port.
///
/// Arguments: the constructor's, then `depth = ...` (a power of two), `same_edge = ...` (a `SameEdge`), and
/// `read_enable` if the output must keep its value between reads. A field `x: Bits<N, w>` becomes the ports `write_x` and
/// `x`. The other ports are `clk`, `write_enable`, `write_address` and `read_address`. The fields of a
/// cell are concatenated, the first lowest; `x: Option<Bits<N, w>, c>` is absent if `c` is false. Addresses and data are truncated to their width.
#[proc_macro_attribute]
pub fn memory(header: TokenStream, item: TokenStream) -> TokenStream {
    expand(memory::expand, header, item)
}

/// Generates a bundle of ports from a struct: rust-hdl's `LogicInterface` with a constructor, widths and comments.
///
/// Arguments: the constructor's, then `mirror = Other` for a bundle with the opposite directions, and `wires = Between`
/// for wires that connect such bundles inside a circuit. With `present = c` all ports are absent if `c` is false. A field
/// may be a bundle that has the same mirror and wires.
///
/// Port `x` of a circuit's bundle `b` is called `b_x`. `#[connect]` passes a bundle on to a part, or connects two parts,
/// one of which has the mirror.
#[proc_macro_attribute]
pub fn bundle(header: TokenStream, item: TokenStream) -> TokenStream {
    expand(bundle::expand, header, item)
}

/// Makes the kernel of a circuit, rust-hdl's `Logic`, from the functions of an `impl` block.
///
/// `fn name(&mut self)` is a part of the kernel. The parts are executed in their order, and a later one reads what an
/// earlier one has assigned or bound with `let`. `fn name(&self) -> T` is a value: bind it with `let`. Each has a doc comment.
///
/// In the simulation a kernel is Rust; in the Verilog it means the same:
///
/// | in a kernel | in the Verilog |
/// | --- | --- |
/// | `self.x`, `self.part.y`, a register `self.r` | its value: `x`, `part_y`, `r` |
/// | `self.x.next = e;`, `self.r.d.next = e;` | an assignment; a register keeps its value if nothing is assigned |
/// | `let x = e;`, `let (a, b) = (e, f);` | a wire as wide as its value; none for a number, an input or a register |
/// | `let mut x: T = e;` | a wire as wide as the bits that are read |
/// | `if`, `match`, also as a value; `for i in a..b` | `if`, `case`, `? :`; the loop is unrolled |
/// | a constant in capitals: `NAME`, `registers::CONTROL`, `errors::RECORDS_LOST.mask()` | `localparam NAME`, `CONTROL`, `RECORDS_LOST_MASK` |
/// | a constant as a pattern, or as the index of `get_bit` and `get_bits` | `NAME:`, `x[NAME]` |
/// | `self._x`, a value of the circuit; `self._x[i]`, one of several | `localparam X`; a number |
/// | `if self._x { }`, `if let Some(part) = &mut self.part { }` | one of the arms, decided when the Verilog is made |
/// | `self.part?.y`, `self.part?.x.next = e;` | a port of a part that may be absent: then 0, or nothing |
///
/// A register of the map is its word address, and a field its lowest bit. A constant whose value depends on the
/// instance stays a `Constant`, so that the instances share a module.
#[proc_macro_attribute]
pub fn kernel(_: TokenStream, item: TokenStream) -> TokenStream {
    syn::parse(item)
        .and_then(kernel::expand)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
