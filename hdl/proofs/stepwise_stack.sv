// The path stack for sequential lookup, from the first record that empties it. The stack holds between one entry and
// its depth. A path has the maximum number of outcomes only while it leaves. A pop returns what was pushed, whatever
// happened in between.
//: inside hpp_stepwise_stack
//: configuration [geometry]
//: configuration lookup = "sequential"
//: steps 3
//: within 8
//: probe hpp_stepwise_memory wire [4:0] proof_cell; wire [78:0] proof_word = cells[proof_cell];
//: damaged assign next_valid = moving & leaving; => assign next_valid = moving & (popping | pushing);
//: include stepwise_stack.svh
