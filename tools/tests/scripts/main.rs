//! The scripts of the project, in folders of their own, with stand-ins for what they call.

mod accuracy;
mod folder;
mod make;
mod paths;
mod run_tests;
mod setup;
mod study;
mod targets;
mod unpack;
