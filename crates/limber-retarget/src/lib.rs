//! Carries a clip to another skeleton, so that the same person is seen to do the same.
//!
//! Every skeleton rests in its own way: arms level or lowered, axes along the bones or along the
//! world, five spine joints or one. So both are first brought into the same T-pose on paper
//! ([`t_pose`]; the bind pose itself is never touched), and what is carried over is how far each
//! bone has turned from there, seen in world space. Lengths belong to the target; only the hips
//! travel, scaled by how high they stand. Hands that touch something are set where they touch
//! ([`keep_touches`]), or lean on the floor ([`lean_on_floor`]). Then the soles of the *mesh* are put on the floor
//! ([`ground`]) and held where they stand ([`plant`]), because joints do not touch the floor, soles do,
//! and each limb's twist is shared by
//! the joints along it ([`spread_twists`]).
//!
//! **Goes in:** a clip and a skeleton or character with mapped human bones. **Comes out:** a clip on
//! that skeleton. **Never knows:** files, where the clip comes from, what will be done with it.
#![warn(missing_docs)]

mod carry;
mod girth;
mod ground;
mod lean;
mod plant;
mod sole;
mod t_pose;
mod touch;
mod twist;

pub use carry::{RetargetError, hips_scale, retarget};
pub use ground::ground;
pub use lean::lean_on_floor;
pub use plant::plant;
pub use sole::{SoleOffset, Soles, sole_offset};
pub use t_pose::t_pose;
pub use touch::keep_touches;
pub use twist::spread_twists;
