//! Finds twist joints.

use std::collections::BTreeMap;

use limber_animation::{HumanBone, Side};

use super::assign::Draft;
use super::name::is_number;
use super::word::{meaning, part};
use super::{Mapping, Rig};

/// A joint along a limb that takes a share of its twist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Index of the joint.
    pub joint: usize,
    /// The bone on whose segment it lies: an upper or lower arm or leg.
    pub follows: HumanBone,
    /// Position along the segment, from 0 (the bone's own joint) to 1 (the next bone's).
    pub share: f32,
}

/// Returns the twist joints of all limbs in joint order.
pub(super) fn find(rig: &Rig<'_>, draft: &Draft) -> Vec<Twist> {
    let mut found: Vec<Twist> = rig
        .tree
        .all()
        .filter(|joint| draft.bone_of(*joint).is_none())
        .filter_map(|joint| {
            let follows = followed(rig, draft, joint)?;
            Some(Twist { joint, follows, share: share(rig, draft, follows, joint)? })
        })
        .collect();
    part_evenly(rig, &mut found);
    found
}

/// Distributes the shares evenly, in the order of their numbers, if all joints are at the position
/// of their bone.
fn part_evenly(rig: &Rig<'_>, twists: &mut [Twist]) {
    let mut limbs: BTreeMap<HumanBone, Vec<usize>> = BTreeMap::new();
    for (place, twist) in twists.iter().enumerate() {
        limbs.entry(twist.follows).or_default().push(place);
    }
    for mut places in limbs.into_values().filter(|places| places.len() > 1) {
        let shares = places.iter().map(|place| twists[*place].share);
        if shares.clone().fold(f32::MIN, f32::max) - shares.fold(f32::MAX, f32::min) > 0.02 {
            continue;
        }
        places.sort_by_key(|place| rig.labels[twists[*place].joint].key.clone());
        let count = places.len();
        for (order, place) in places.into_iter().enumerate() {
            twists[place].share = (order + 1) as f32 / (count + 1) as f32;
        }
    }
}

fn is_limb(bone: HumanBone) -> bool {
    Side::BOTH.into_iter().any(|side| {
        let ([_, upper_arm, lower_arm, _], [upper_leg, lower_leg, ..]) =
            (HumanBone::arm(side), HumanBone::leg(side));
        [upper_arm, lower_arm, upper_leg, lower_leg].contains(&bone)
    })
}

fn next_of(bone: HumanBone) -> Option<HumanBone> {
    HumanBone::ALL
        .into_iter()
        .find(|next| next.parent() == Some(bone) && next.side() == bone.side())
}

/// Returns the limb whose twist the joint shares: by its name, otherwise because it lies on the
/// segment.
fn followed(rig: &Rig<'_>, draft: &Draft, joint: usize) -> Option<HumanBone> {
    let label = &rig.labels[joint];
    let above = draft.bone_above(rig, joint)?;
    let is_named = ["twist", "roll", "捩", "捻"]
        .iter()
        .any(|sign| label.words.iter().any(|word| word.contains(sign)));
    if is_named {
        let stem: String = label
            .words
            .iter()
            .filter(|word| !is_number(word) && *word != "leaf")
            .map(|word| word.replace("twist", "").replace("roll", ""))
            .collect();
        let same = |bone: HumanBone| {
            let own = draft.get(bone).map(|joint| &rig.labels[joint]);
            own.is_some_and(|own| {
                let is_same = own.letters().replace("bend", "") == stem
                    || meaning(&stem).is_some_and(|part| meaning(&own.letters()) == Some(part));
                own.side == label.side && !stem.is_empty() && is_same
            })
        };
        let by_name = HumanBone::ALL.into_iter().find(|bone| is_limb(*bone) && same(*bone));
        return by_name.or(Some(above).filter(|bone| is_limb(*bone)));
    }
    // a wrist between arm and hand is a separate joint
    let own = part(label);
    let is_other_part =
        own.is_some() && draft.get(above).is_some_and(|joint| part(&rig.labels[joint]) != own);
    let is_on_it = || {
        let (from, to) = segment(rig, draft, above)?;
        let along = share(rig, draft, above, joint)?;
        let off = rig.tree.at(joint).distance(from.lerp(to, along));
        ((0.02..0.98).contains(&along) && off < 0.05 * from.distance(to)).then_some(above)
    };
    (is_limb(above) && !is_other_part).then(is_on_it).flatten()
}

fn segment(rig: &Rig<'_>, draft: &Draft, bone: HumanBone) -> Option<(glam::Vec3, glam::Vec3)> {
    let (from, to) = (draft.get(bone)?, draft.get(next_of(bone)?)?);
    Some((rig.tree.at(from), rig.tree.at(to)))
}

fn share(rig: &Rig<'_>, draft: &Draft, bone: HumanBone, joint: usize) -> Option<f32> {
    let (from, to) = segment(rig, draft, bone)?;
    let along = to - from;
    let square = along.length_squared();
    let share = (rig.tree.at(joint) - from).dot(along) / square;
    (square > 0.0 && share.is_finite()).then(|| share.clamp(0.0, 1.0))
}

impl Mapping {
    /// Returns the twist joints of one limb.
    pub fn twists_of(&self, bone: HumanBone) -> impl Iterator<Item = &Twist> {
        self.twists.iter().filter(move |twist| twist.follows == bone)
    }
}
