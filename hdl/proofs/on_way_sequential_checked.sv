// As `on_way_sequential`, with a checked stack and contexts: a return waits in the decoder for its frame to be looked into.
//: include on_way_checked.svh
//: include on_way_sequential.svh
