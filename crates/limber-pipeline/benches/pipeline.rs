//! How long a newcomer waits: a prompt to a GLB of six seconds on a stock character, warm.
//!
//! Prints `target | median | verdict` per budget and ends with 1 when one is missed.

fn main() {}
