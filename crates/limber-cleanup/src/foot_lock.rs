//! Foot lock: keeps feet in place while they are in contact with the floor.

mod footprints;
mod overreach;
mod stance;

use glam::{Quat, Vec3};
use limber_animation::{Clip, ContactTrack, JointIndex, Pose, Side, Skeleton, ik, maths::atan2};
use stance::{FootLock, FootTargets};

pub(crate) use footprints::{Footprint, Footprints, lock_feet_between};
pub(crate) use stance::{Touch, horizontal};

use crate::{
    ContactSettings, Soles, curve, detect_contacts,
    feet::{Foot, FootPath, leg_scale, move_hips},
};

/// When feet are locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum FootLockingMode {
    /// Feet in contact are locked; feet that clearly glide (skating, shuffling) are only kept at
    /// floor height.
    #[default]
    Auto,
    /// Every foot that is low enough is locked, as far as its leg reaches; a foot that moves
    /// further is locked in one place after another.
    Always,
    /// Nothing is changed, as for flying and swimming.
    Never,
    /// Feet are kept at floor height but not locked in place.
    Grounding,
}

/// Time over which corrections fade in before and fade out after a contact, seconds.
const FADE_S: f32 = 5.0 / 30.0;
/// Contacts with a higher mean speed are gliding feet, m/s, for an adult.
const GLIDE_M_S: f32 = 0.40;
/// The pelvis is lowered until no standing leg is longer than this share of its full length …
const LONGEST_LEG: f32 = ik::SOFT_FROM;
/// … but by no more than this share of it.
const MOST_LOWERING: f32 = 0.08;
/// Smaller corrections are ignored, metres or radians.
const NOTHING: f32 = 1e-6;

/// [`lock_feet_on`] with the soles estimated from the skeleton.
#[must_use]
pub fn lock_feet(clip: &Clip, contacts: &ContactTrack, mode: FootLockingMode) -> Clip {
    lock_feet_on(clip, contacts, mode, &Soles::of_skeleton(clip.skeleton()))
}

/// Locks feet in contact in place on the floor, with leg IK and by lowering the pelvis a little
/// where a leg is too short. A foot with a lifted heel pivots about its ball, one with lifted toes
/// about its heel. Poses without a correction stay as they are, bit for bit.
///
/// `contacts` has one entry per frame; missing entries count as no contact. The result has the
/// contacts that were locked.
#[must_use]
pub fn lock_feet_on(
    clip: &Clip,
    contacts: &ContactTrack,
    mode: FootLockingMode,
    soles: &Soles,
) -> Clip {
    if mode == FootLockingMode::Never {
        return clip.clone();
    }
    let track = match mode {
        FootLockingMode::Always => {
            let low = detect_contacts(clip, &ContactSettings::by_height_only());
            overreach::release_overreaching_contacts(clip, merged(contacts, &low))
        }
        _ => contacts.clone(),
    };
    let glide_m_s = match mode {
        FootLockingMode::Auto => GLIDE_M_S * leg_scale(clip.skeleton()),
        FootLockingMode::Grounding => -1.0,
        FootLockingMode::Always | FootLockingMode::Never => f32::INFINITY,
    };
    lock(clip, track, glide_m_s, soles)
}

/// Like [`lock_feet_on`], but locks every given contact, however fast it slides: for a clip that
/// was retargeted from another skeleton, which can make standing feet slide. [`standing_contacts`]
/// of the original clip returns the contacts to pass.
#[must_use]
pub fn hold_feet_on(clip: &Clip, contacts: &ContactTrack, soles: &Soles) -> Clip {
    lock(clip, contacts.clone(), f32::INFINITY, soles)
}

/// The contacts that are meant to stand: those that do not clearly glide.
#[must_use]
pub fn standing_contacts(clip: &Clip, contacts: &ContactTrack) -> ContactTrack {
    let soles = Soles::of_skeleton(clip.skeleton());
    let glide_m_s = GLIDE_M_S * leg_scale(clip.skeleton());
    let foot_lock = FootLock::new(clip, glide_m_s, &soles);
    let mut standing = contacts.clone();
    for foot in Foot::all(clip.skeleton()) {
        let path = FootPath::of(clip, &foot, &soles);
        for frame in foot_lock.gliding(clip, &foot, &path, contacts).into_iter().flatten() {
            for point in foot_points(foot.side) {
                standing[frame].set(point, false);
            }
        }
    }
    standing
}

fn lock(clip: &Clip, track: ContactTrack, glide_m_s: f32, soles: &Soles) -> Clip {
    let foot_lock = FootLock::new(clip, glide_m_s, soles);
    let plans: Vec<(Foot, FootTargets)> = Foot::all(clip.skeleton())
        .into_iter()
        .map(|foot| {
            let path = FootPath::of(clip, &foot, soles);
            let targets = foot_lock.targets(clip, &foot, &path, &track);
            (foot, targets)
        })
        .collect();
    let reach = |skeleton: &Skeleton, pose: &mut Pose, leg, place, rotation| {
        ik::reach(skeleton, pose, leg, place, None, Some(rotation));
    };
    let locked = bend_legs(clip, &plans, &pelvis_lowering(clip, &plans), reach);
    if track.len() == locked.len() {
        return locked.with_contacts(track).expect("the lengths were just compared");
    }
    locked
}

fn merged(one: &ContactTrack, other: &ContactTrack) -> ContactTrack {
    one.iter()
        .zip(other)
        .map(|(a, b)| limber_animation::Contacts::from_bits(a.bits() | b.bits()))
        .collect()
}

fn bend_legs(
    clip: &Clip,
    plans: &[(Foot, FootTargets)],
    lowering: &[f32],
    reach: impl Fn(&Skeleton, &mut Pose, [JointIndex; 3], Vec3, Quat),
) -> Clip {
    let skeleton = clip.skeleton();
    let mut locked = clip.clone();
    for (frame, pose) in locked.frames_mut().iter_mut().enumerate() {
        if lowering[frame] > NOTHING {
            move_hips(skeleton, pose, Vec3::NEG_Y * lowering[frame]);
        }
        for (foot, targets) in plans {
            let target = &targets.frames[frame];
            if target.correction > NOTHING || lowering[frame] > NOTHING {
                let place = target.ankle;
                reach(skeleton, pose, foot.leg, place, target.rotation);
                // toes move along with the foot unless they are locked
                if let (Some(toes), Some(rotation)) = (foot.toes(), target.toes) {
                    ik::set_world_rotation(skeleton, pose, toes, rotation);
                }
            }
        }
    }
    locked
}

/// How far the pelvis is lowered in each frame, metres.
fn pelvis_lowering(clip: &Clip, plans: &[(Foot, FootTargets)]) -> Vec<f32> {
    let skeleton = clip.skeleton();
    let needed: Vec<f32> = clip
        .frames()
        .iter()
        .enumerate()
        .map(|(frame, pose)| {
            plans
                .iter()
                .filter(|(_, targets)| targets.frames[frame].stands)
                .map(|(foot, targets)| {
                    let limb = ik::limb(skeleton, pose, foot.leg);
                    too_high(limb.root, targets.frames[frame].ankle, limb.full_length())
                })
                .fold(0.0, f32::max)
        })
        .collect();
    let half = ((2.0 * clip.fps().per_second() / 30.0).round() as usize).max(1);
    curve::smooth_cover(&needed, half)
}

/// How far a hip has to be lowered for its leg to reach the target, metres.
fn too_high(hip: Vec3, target: Vec3, leg: f32) -> f32 {
    let longest = leg * LONGEST_LEG;
    let away = hip - target;
    let beside = away.x * away.x + away.z * away.z;
    let height = (longest * longest - beside).max(0.0).sqrt();
    (away.y - height).clamp(0.0, leg * MOST_LOWERING)
}

/// Direction that the foot points in when rotated like this, projected onto the floor.
fn heading(rotation: Quat, rest: Quat) -> Vec3 {
    let forward = rotation * rest.inverse() * Vec3::Z;
    Vec3::new(forward.x, 0.0, forward.z)
}

/// The rotation of a flat foot that points in this direction.
fn flat(heading: Vec3, rest: Quat) -> Quat {
    Quat::from_rotation_y(atan2(heading.x, heading.z)) * rest
}

const fn foot_points(side: Side) -> [limber_animation::ContactPoint; 2] {
    [limber_animation::ContactPoint::Heel(side), limber_animation::ContactPoint::Toe(side)]
}
