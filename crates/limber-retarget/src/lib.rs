//! Retargets clips: makes one character perform the motion of another.
//!
//! Skeletons differ in their rest pose: arms level or lowered, joint axes along the bones or along
//! the world axes, one spine joint or five. So a common T-pose is computed for both ([`t_pose`];
//! the bind pose itself is never changed), and what is transferred is each bone's rotation relative
//! to it, in world space. Bone lengths stay those of the target; only the hips translate, scaled by
//! their height.
//!
//! The corrections that follow are separate functions:
//!
//! - [`keep_touches`] puts hands that touch the body where they touch it in the source.
//! - [`lean_on_floor`] puts hands that support the body onto the floor.
//! - [`ground`] puts the soles of the *mesh* on the floor: soles touch the floor, joints do not.
//! - [`plant`] prevents planted feet from sliding.
//! - [`spread_twists`] distributes the twist of each limb over the joints along it.
//!
//! **Input:** a clip, and a skeleton or character with mapped human bones. **Output:** a clip on
//! that skeleton. **Out of scope:** files, and where clips come from or go to.
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
