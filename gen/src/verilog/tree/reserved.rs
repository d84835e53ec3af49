//! Reserved words.

/// Words that Verilog-2005 or SystemVerilog-2017 reserve and that a circuit might use as a name.
const RESERVED: &str = "accept_on alias always and assert assign assume automatic before begin bind bit break buf \
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
pub fn is_reserved(name: &str) -> bool {
    RESERVED.split(' ').any(|word| word == name)
}
