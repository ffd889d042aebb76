//! Bone mapping on generated bodies whose true bones are known.

mod body;
mod conventions;
mod oddities;
mod properties;
mod schemes;
mod shapes;

use limber_animation::HumanBone;
use limber_formats::humanoid::{Mapping, Overrides, map};

use body::Rig;

/// Maps a rig without overrides.
fn mapped(rig: &Rig) -> Mapping {
    map(&rig.joints(), &Overrides::default())
}

/// Describes every bone that differs from the truth; empty if all are right.
fn differences(rig: &Rig, mapping: &Mapping) -> Vec<String> {
    let name = |joint: Option<usize>| joint.map_or("nothing", |joint| rig.name(joint));
    HumanBone::ALL
        .into_iter()
        .filter(|bone| rig.truth(*bone) != mapping.joint(*bone))
        .map(|bone| {
            let (truth, found) = (name(rig.truth(bone)), name(mapping.joint(bone)));
            format!("{}: {truth}, not {found}", bone.name())
        })
        .collect()
}

/// Returns how many of the rig's bones were found, and how many it has.
fn counted(rig: &Rig, mapping: &Mapping) -> (usize, usize) {
    let bones: Vec<HumanBone> =
        HumanBone::ALL.into_iter().filter(|bone| rig.truth(*bone).is_some()).collect();
    let right = bones.iter().filter(|bone| rig.truth(**bone) == mapping.joint(**bone)).count();
    (right, bones.len())
}
