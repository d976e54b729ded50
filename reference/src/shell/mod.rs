//! How does bash read this command?
//!
//! The one front end: bytes in, a [`Tree`] with byte spans out. Bash 5.2's syntax as `bash -c` reads it, one complete line at
//! a time (`docs/spec/regions.md` section 3). What bash refuses and what is not certain is [`Kind::NotUnderstood`] from there
//! on; nothing is guessed. Linear in time and memory.

mod class;
mod origin;
mod parse;
mod tokens;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use origin::Program;
pub use tokens::{Token, TokenKind, tokens};
pub use tree::{Children, Form, Kind, NodeId, Operator, Over, Quoted, Tree, Trouble};
pub use value::{Rest, Value};

/// Deepest nesting that is followed; bash itself gives up a little later.
pub const DEEPEST: usize = 200;

/// Most nodes of a tree (16 bytes each).
pub const MOST_NODES: usize = 1 << 23;

/// Reads a command.
pub fn parse(command: &[u8]) -> Tree {
    parse::parse(Program::whole(command))
}

/// Reads a program that stands within a command (what `sh -c` is given, say). Spans of its tree are offsets in the command.
pub fn parse_within(program: Program) -> Tree {
    parse::parse(program)
}
