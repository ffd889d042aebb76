//! Each stage of the road: one function from values to values, with its own codes.

pub(crate) mod bake;
pub(crate) mod bvh;
pub(crate) mod carry;
pub(crate) mod correct;
pub(crate) mod generate;
pub(crate) mod intake;
pub(crate) mod root_track;
pub(crate) mod track;
