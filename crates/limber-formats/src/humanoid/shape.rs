//! Recognises a body by its shape alone: two mirrored chains to the floor, one upwards, and two
//! mirrored ones sideways from it.
//!
//! Nothing here depends on the order or the names of joints, only on the hierarchy and on
//! positions.

mod arms;
mod body;
mod legs;

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use super::assign::{Draft, Kin};
use super::sides::flat;
use super::trunk::spread;
use super::{By, Rig};
use arms::Arms;
use body::Body;
use legs::Legs;

/// A recognised body. Left and right follow from the direction of its feet.
struct Figure {
    bones: Vec<(HumanBone, usize)>,
    complete: bool,
}

/// Maps what names left open. If names identified very few bones, they are discarded.
pub(super) fn fill(rig: &Rig<'_>, draft: &mut Draft) {
    let Some(figure) = find(rig) else { return };
    if figure.complete && draft.required_by_name() < 6 {
        for bone in HumanBone::ALL {
            if draft.by(bone) == Some(By::Synonym) {
                draft.forget(bone);
            }
        }
    }
    let is_crossed = figure.is_crossed(draft);
    for (bone, joint) in figure.bones {
        let bone = if is_crossed { bone.mirrored() } else { bone };
        if draft.kin(rig, bone, joint) != Kin::Wrong {
            draft.put(bone, joint, By::Structure, 0.6);
        }
    }
}

impl Figure {
    /// Whether the known bones have the sides opposite to the figure's.
    fn is_crossed(&self, draft: &Draft) -> bool {
        let votes = self.bones.iter().filter_map(|(bone, joint)| {
            let known = draft.bone_of(*joint)?.side()?;
            Some(if known == bone.side()? { 1 } else { -1 })
        });
        votes.sum::<i32>() < 0
    }
}

fn find(rig: &Rig<'_>) -> Option<Figure> {
    let body = Body::new(rig)?;
    let legs = Legs::find(&body)?;
    let arms = Arms::find(&body, &legs);
    let mut bones = Vec::new();
    let left = left(&body, &legs, arms.as_ref());
    let start = arms.as_ref().map_or(legs.fork, |arms| arms.fork);
    let hips = rig
        .tree
        .fork(legs.fork, start)
        .filter(|fork| body.at(*fork).y > body.floor + 0.5 * legs.height(&body))
        .unwrap_or(legs.fork);
    bones.push((HumanBone::Hips, hips));
    for leg in &legs.both {
        let side = side_of(body.at(leg.upper) - body.at(hips), left);
        let [upper, lower, foot, toes] = HumanBone::leg(side);
        bones.extend([(upper, leg.upper), (lower, leg.lower), (foot, leg.foot)]);
        bones.extend(leg.toes.map(|joint| (toes, joint)));
    }
    if let Some(arms) = &arms {
        for arm in &arms.both {
            let side = side_of(body.at(arm.hand) - body.at(hips), left);
            let [shoulder, upper, lower, hand] = HumanBone::arm(side);
            bones.extend(arm.shoulder.map(|joint| (shoulder, joint)));
            bones.extend([(upper, arm.upper), (lower, arm.lower), (hand, arm.hand)]);
        }
        bones.extend(middle(&body, hips, arms));
    }
    bones.sort_by_key(|(bone, _)| *bone);
    bones.dedup_by_key(|(bone, _)| *bone);
    let complete =
        HumanBone::REQUIRED.iter().all(|needed| bones.iter().any(|(bone, _)| bone == needed));
    Some(Figure { bones, complete })
}

fn side_of(from_centre: Vec3, left: Vec3) -> Side {
    if from_centre.dot(left) > 0.0 { Side::Left } else { Side::Right }
}

/// Returns the direction to the left: across the legs, with the feet pointing forwards.
fn left(body: &Body<'_>, legs: &Legs, arms: Option<&Arms>) -> Vec3 {
    let ahead: Vec3 = legs.both.iter().map(|leg| leg.ahead(body)).sum();
    let ahead = ahead + arms.map_or(Vec3::ZERO, |arms| arms.ahead(body));
    let ahead = flat(ahead).reject_from(legs.across);
    let ahead = ahead.try_normalize().unwrap_or(Vec3::Z);
    let left = Vec3::Y.cross(ahead).dot(legs.across);
    if left < 0.0 { -legs.across } else { legs.across }
}

/// Returns spine, neck and head.
fn middle(body: &Body<'_>, hips: usize, arms: &Arms) -> Vec<(HumanBone, usize)> {
    use HumanBone as B;
    let mut spine = body.way_down(hips, arms.fork);
    let mut upwards = arms.neck_and_head(body, hips);
    // some rigs attach the arms to the neck
    let starts = arms.both.iter().map(|arm| body.at(arm.first).y).fold(f32::MIN, f32::max);
    if upwards.len() == 1
        && spine.len() > 2
        && body.at(arms.fork).y >= starts
        && let Some(neck) = spine.pop()
    {
        upwards.insert(0, neck);
    }
    let mut bones: Vec<(HumanBone, usize)> =
        [B::Spine, B::Chest, B::UpperChest].into_iter().zip(spread(&spine)).collect();
    match &upwards[..] {
        [] => {}
        [head] => bones.push((B::Head, *head)),
        [neck, .., head] => bones.extend([(B::Neck, *neck), (B::Head, *head)]),
    }
    bones
}
