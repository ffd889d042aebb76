//! Computes skinning weights.
//!
//! Initially the hips own the whole body. Each bone then takes a share of what its parent owns,
//! from 0 on the parent's side of the joint to 1 beyond it. So weights sum to 1 by construction,
//! only bones around a common joint mix, and an arm can never move the trunk beyond its shoulder.
//! All shares are defined on the left half in canonical metres.

use glam::Vec3;
use limber_animation::{Finger, HumanBone as B, Phalanx, Side, Skeleton, smooth::smoothstep};

use crate::build::Frame;
use crate::fit::{Fit, Region};

/// Up to four joint indices and their weights.
pub type Influences = ([u16; 4], [f32; 4]);

/// Width of the transitions on robots relative to flesh: shells are rigid, only the joints between
/// them bend.
const SHELL_SOFTNESS: f32 = 0.62;

/// Rises smoothly from 0 to 1 while `distance` goes from −`half_width` to +`half_width`.
fn rise(distance: f32, half_width: f32) -> f32 {
    smoothstep(0.5 + 0.5 * distance / half_width)
}

/// Returns the weights of a point that moves with one bone only.
#[must_use]
pub fn rigid(skeleton: &Skeleton, bone: B) -> Influences {
    let joint = skeleton.find(bone).expect("stock skeletons have all canonical bones");
    ([joint.get() as u16, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])
}

/// Returns the weights of a point on the skin at rest, in descending order; they sum to 1. `hair_m`
/// is the height of the hair above the skin at this point; hair moves with the head.
#[must_use]
pub fn influences(fit: &Fit, skeleton: &Skeleton, point: Vec3, hair_m: f32) -> Influences {
    let on_left = Vec3::new(point.x.abs(), point.y, point.z);
    let side = if point.x < 0.0 { Side::Right } else { Side::Left };
    let places = Places { hair: rise(hair_m - 0.004, 0.004), ..Places::new(fit, on_left) };
    let mut held: Vec<f32> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let bone = joint.bone.expect("stock skeletons have only human bones");
        let other_half = bone.side().is_some_and(|half| half != side);
        let taken = match joint.parent {
            None => 1.0,
            Some(_) if other_half => 0.0,
            Some(parent) if held[parent.get()] <= 0.0 => 0.0,
            Some(parent) => {
                let left = if bone.side() == Some(Side::Right) { bone.mirrored() } else { bone };
                let share = places.share(left).min(held[parent.get()]);
                // A share includes the whole subtree; a bone keeps what its children do not take.
                held[parent.get()] -= share;
                share
            }
        };
        held.push(taken);
    }
    heaviest(&held)
}

fn heaviest(held: &[f32]) -> Influences {
    let mut order: Vec<usize> = (0..held.len()).filter(|joint| held[*joint] > 1e-3).collect();
    order.sort_by(|a, b| held[*b].total_cmp(&held[*a]));
    order.truncate(4);
    let sum: f32 = order.iter().map(|joint| held[*joint]).sum();
    let mut influences = ([0; 4], [0.0; 4]);
    for (slot, joint) in order.into_iter().enumerate() {
        influences.0[slot] = joint as u16;
        influences.1[slot] = held[joint] / sum;
    }
    influences
}

/// A point of the left half in the canonical metres of each region.
struct Places<'a> {
    fit: &'a Fit,
    torso: Vec3,
    arm: Vec3,
    hand: Vec3,
    leg: Vec3,
    foot: Vec3,
    /// 1 in hair, 0 on skin.
    hair: f32,
    /// Width of the transitions relative to flesh.
    softness: f32,
}

impl<'a> Places<'a> {
    fn new(fit: &'a Fit, point: Vec3) -> Self {
        let seen = |region| fit.canonical(region, point);
        Self {
            fit,
            torso: seen(Region::Torso),
            arm: seen(Region::Arm),
            hand: seen(Region::Hand),
            leg: seen(Region::Leg),
            foot: seen(Region::Foot),
            hair: 0.0,
            softness: if fit.build().frame == Frame::Shells { SHELL_SOFTNESS } else { 1.0 },
        }
    }

    /// Returns the share of a bone and its descendants in this point, before the shares of its
    /// ancestors are applied.
    fn share(&self, bone: B) -> f32 {
        match bone {
            B::Spine | B::Chest | B::UpperChest | B::Neck | B::Head => self.trunk_share(bone),
            B::LeftShoulder | B::LeftUpperArm | B::LeftLowerArm | B::LeftHand => {
                self.arm_share(bone)
            }
            B::LeftUpperLeg | B::LeftLowerLeg | B::LeftFoot | B::LeftToes => self.leg_share(bone),
            _ => self.finger_share(bone),
        }
    }

    fn trunk_share(&self, bone: B) -> f32 {
        let offset = self.torso - self.fit.canonical_joint(bone);
        match bone {
            B::Neck => {
                // Collar: lower in front than behind, and only around the neck itself.
                let beside = (offset.x * offset.x + offset.z * offset.z * 0.5).sqrt();
                let near = rise(0.078 - beside, 0.022).max(rise(offset.y - 0.052, 0.020));
                (rise(offset.y * 0.92 + offset.z * 0.30 - 0.014, 0.032 * self.softness) * near)
                    .max(self.hair)
            }
            B::Head => rise(offset.y * 0.80 + offset.z * 0.60 - 0.004, 0.030 * self.softness)
                .max(self.hair),
            // Large hands on a short trunk reach below the joints of the chest but still belong to
            // the arms.
            B::Spine => rise(offset.y + 0.010, 0.060).max(self.beyond_trunk()),
            _ => rise(offset.y, 0.065).max(self.beyond_trunk()),
        }
    }

    /// Returns 1 where there can only be an arm.
    fn beyond_trunk(&self) -> f32 {
        rise(self.torso.x - 0.245, 0.030)
    }

    fn arm_share(&self, bone: B) -> f32 {
        let offset = self.arm - self.fit.canonical_joint(bone);
        // The elbow folds towards +z; a narrower transition on that side preserves volume in the
        // fold.
        let inner = (0.5 + offset.z / 0.07).clamp(0.0, 1.0);
        match bone {
            B::LeftShoulder => {
                // Excludes the flanks below and the head above, but includes the whole arm.
                let height = rise(self.torso.y - 1.345, 0.060) * rise(1.500 - self.torso.y, 0.03);
                let beyond = rise(self.torso.x - 0.215, 0.035);
                (rise(self.torso.x - 0.075, 0.060) * height).max(beyond)
            }
            B::LeftUpperArm => {
                rise((offset.x + 0.004) * 0.95 + offset.y * 0.32, 0.058 * self.softness)
            }
            B::LeftLowerArm => rise(offset.x, (0.050 - 0.018 * inner) * self.softness),
            _ => rise(offset.x + 0.008, 0.034 * self.softness),
        }
    }

    fn leg_share(&self, bone: B) -> f32 {
        let offset = self.leg - self.fit.canonical_joint(bone);
        match bone {
            B::LeftUpperLeg => {
                let behind = (0.5 - offset.z / 0.16).clamp(0.0, 1.0);
                let down = -(offset.y - 0.012 + 0.030 * behind) * 0.88 + offset.x * 0.42;
                let off_centre = rise(self.torso.x - 0.025, 0.026);
                rise(down, 0.062 * self.softness) * off_centre
            }
            B::LeftLowerLeg => {
                // The knee folds towards −z.
                let inner = (0.5 - offset.z / 0.10).clamp(0.0, 1.0);
                rise(-offset.y, (0.068 - 0.022 * inner) * self.softness)
            }
            B::LeftFoot => {
                let offset = self.foot - self.fit.canonical_joint(bone);
                rise(-offset.y * 0.93 + offset.z * 0.36, 0.034 * self.softness)
            }
            _ => {
                let offset = self.foot - self.fit.canonical_joint(bone);
                rise(offset.z + 0.2 * offset.y, 0.028)
            }
        }
    }

    fn finger_share(&self, bone: B) -> f32 {
        let offset = self.hand - self.fit.canonical_joint(bone);
        let of = |finger, phalanx| B::finger(Side::Left, finger, phalanx);
        if bone == of(Finger::Thumb, Phalanx::First) {
            // Along the thumb, and only on the thumb's side of the palm.
            let along = offset.dot(Vec3::new(0.70, -0.08, 0.70));
            let beside = (offset.z - offset.x) * 0.71;
            return rise(along - 0.004, 0.024) * rise(beside + 0.019, 0.011);
        }
        if bone == of(Finger::Thumb, Phalanx::Second) || bone == of(Finger::Thumb, Phalanx::Third) {
            return rise(offset.dot(Vec3::new(0.70, -0.08, 0.70)), 0.011);
        }
        let knuckle =
            Finger::ALL.into_iter().skip(1).find(|finger| of(*finger, Phalanx::First) == bone);
        match knuckle {
            Some(finger) => rise(offset.x + 0.002, 0.013) * self.belongs_to(finger),
            None => rise(offset.x, 0.008),
        }
    }

    /// Returns how much a point beyond the palm belongs to one of the four fingers: entirely,
    /// except in the narrow web between two of them.
    fn belongs_to(&self, finger: Finger) -> f32 {
        let z = |finger| self.fit.canonical_joint(B::finger(Side::Left, finger, Phalanx::First)).z;
        let after =
            |front: Finger, back: Finger| rise(self.hand.z - 0.5 * (z(front) + z(back)), 0.0022);
        let front_of = |place: usize| match place {
            1 => 1.0 - after(Finger::Index, Finger::Middle),
            2 => 1.0 - after(Finger::Middle, Finger::Ring),
            3 => 1.0 - after(Finger::Ring, Finger::Little),
            _ => 1.0,
        };
        match finger {
            Finger::Thumb => 0.0,
            Finger::Index => 1.0 - front_of(1),
            Finger::Middle => front_of(1) * (1.0 - front_of(2)),
            Finger::Ring => front_of(2) * (1.0 - front_of(3)),
            Finger::Little => front_of(3),
        }
    }
}
