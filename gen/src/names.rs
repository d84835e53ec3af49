//! Names that the languages of the output take.

/// Words that Verilog-2005 or SystemVerilog-2017 reserve and that a circuit might use as a name.
const OF_VERILOG: &str = "accept_on alias always and assert assign assume automatic before begin bind bit break buf \
    bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const \
    constraint context continue cover covergroup coverpoint cross deassign default defparam \
    design disable dist do edge else end endcase endfunction endgenerate endmodule enum event \
    eventually expect export extends extern final first_match for force foreach forever fork \
    forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins \
    implements implies import incdir include initial inout input inside instance int integer \
    interconnect interface intersect join large let liblist library local localparam logic \
    longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor \
    noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge \
    primitive priority program property protected pull0 pull1 pulldown pullup pure rand randc \
    randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict return \
    rnmos rpmos rtran scalared sequence shortint shortreal showcancelled signed small soft solve \
    specify specparam static string strong strong0 strong1 struct super supply0 supply1 table \
    tagged task this throughout time timeprecision timeunit tran tri tri0 tri1 triand trior \
    trireg type typedef union unique unique0 unsigned until untyped use uwire var vectored \
    virtual void wait wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

/// Whether a Verilog or SystemVerilog tool refuses `name` as an identifier.
pub(crate) fn is_reserved(name: &str) -> bool {
    is_among(OF_VERILOG, name)
}

/// Whether `name` is a plain identifier: a letter, then letters, digits and underscores.
pub(crate) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `way$0$q` as an identifier: `way_0_q`; reserved words get a trailing underscore.
pub(crate) fn plain(name: &str) -> String {
    let mut text = name.replace('$', "_");
    if is_reserved(&text) {
        text.push('_');
    }
    text
}

/// `base`, `base_2`, `base_3` and so on.
pub(crate) fn numbered(base: &str) -> impl Iterator<Item = String> {
    let others = (2..).map(move |number| format!("{base}_{number}"));
    std::iter::once(base.to_string()).chain(others)
}

/// A reference of the syntax tree, `way$2$q$next`, as the name that the tree of circuits uses, `way$2$q`.
pub(crate) fn canonical(reference: &str) -> String {
    let name = reference.strip_suffix("$next").unwrap_or(reference);
    // A signal called `next` is read by its raw name.
    name.replace("r#", "")
}

/// Words that C or C++ reserves or predefines and Verilog does not, and names that the driver uses for itself: a function
/// `put_drain` and a structure `text`.
const OF_C: &str = "alignas alignof and_eq asm auto bitand bitor bool catch char char16_t char32_t char8_t \
    co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype \
    delete double dynamic_cast explicit false float friend goto inline int16_t int32_t int64_t \
    int8_t intmax_t intptr_t linux long mutable namespace noexcept not_eq nullptr operator or_eq \
    private public put register reinterpret_cast requires short sizeof static_assert static_cast \
    switch template text thread_local throw true try typeid typename typeof typeof_unqual \
    uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t unix using volatile wchar_t xor_eq";

/// Whether a C or C++ compiler would refuse the header or the driver of a profiler of this name.
pub(crate) fn is_taken(name: &str) -> bool {
    is_among(OF_C, name)
}

/// The reserved words of VHDL-2008 (IEEE 1076, 15.10).
const OF_VHDL: &str = "abs access after alias all and architecture array assert assume assume_guarantee attribute \
    begin block body buffer bus case component configuration constant context cover default \
    disconnect downto else elsif end entity exit fairness file for force function generate generic \
    group guarded if impure in inertial inout is label library linkage literal loop map mod nand \
    new next nor not null of on open or others out package parameter port postponed procedure \
    process property protected pure range record register reject release rem report restrict \
    restrict_guarantee return rol ror select sequence severity shared signal sla sll sra srl strong \
    subtype then to transport type unaffected units until use variable vmode vprop vunit wait when \
    while with xnor xor";

/// Whether VHDL can call a Verilog module or port so without an extended identifier. VHDL does not tell capitals from
/// small letters, so simulators look a component's module up in small ones.
pub(crate) fn can_say(name: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(small)
        && !name.contains("__")
        && !name.ends_with('_')
        && !is_among(OF_VHDL, name)
}

fn is_among(words: &str, name: &str) -> bool {
    words.split(' ').any(|word| word == name)
}
