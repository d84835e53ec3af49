//! The flow without its tools: what is run, what is kept, what is said, and what becomes of documents.

mod command;
mod demo;
mod measuring;
mod tools;
