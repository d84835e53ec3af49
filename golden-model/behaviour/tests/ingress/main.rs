//! Retirements as branch records.

mod addresses;
mod decode;
mod llvm;
mod rvfi_next;
mod table;
mod trace;
