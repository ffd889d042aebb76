//! The stages of the pipeline: each is a function from values to values, with its own error codes.

pub(crate) mod bake;
pub(crate) mod bvh;
pub(crate) mod closing;
pub(crate) mod face;
pub(crate) mod fbx;
pub(crate) mod generate;
pub(crate) mod intake;
pub(crate) mod origins;
pub(crate) mod rename;
pub(crate) mod retarget;
pub(crate) mod root_track;
pub(crate) mod single_root;
pub(crate) mod smooth_and_lock;
pub(crate) mod track;
pub(crate) mod vrma;

use limber_animation::{JointIndex, Skeleton};

/// Returns the hips and all their descendants: the joints that a clip moves.
fn body(skeleton: &Skeleton) -> impl Iterator<Item = JointIndex> + '_ {
    let mut below = vec![false; skeleton.len()];
    for joint in skeleton.indices() {
        let parent = skeleton.joint(joint).parent;
        below[joint.get()] =
            joint == skeleton.hips() || parent.is_some_and(|parent| below[parent.get()]);
    }
    skeleton.indices().filter(move |joint| below[joint.get()])
}
