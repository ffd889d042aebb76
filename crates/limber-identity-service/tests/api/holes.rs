//! Ways in that stood open once, each with the steps of whoever would take it.

mod ids;
mod links;
mod passwords;
mod races;
mod second_factor;
mod takeover;
