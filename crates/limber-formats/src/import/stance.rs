//! How a body stands at rest.

use std::collections::BTreeMap;

use glam::Vec3;
use limber_animation::{HumanBone as B, Side};

use crate::humanoid::Mapped;

/// Angles of a resting body, degrees.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stance {
    /// Of each upper arm under the horizontal, left first.
    pub(super) arms: [f32; 2],
    /// Of each leg off the vertical, left first.
    pub(super) legs: [f32; 2],
    /// Whether head, hips and feet stand above each other in this order.
    is_upright: bool,
    /// Where it looked in the file.
    pub(super) facing: Vec3,
}

/// Upper arms from here to 75 degrees under the horizontal are T-pose or A-pose.
const ARM_RANGE: std::ops::RangeInclusive<f32> = -20.0..=75.0;
/// What is still worked with, with a warning.
const ARM_LIMIT: std::ops::RangeInclusive<f32> = -60.0..=90.0;
const LEG_RANGE: f32 = 25.0;
const LEG_LIMIT: f32 = 50.0;
/// Arms less than this under the horizontal are a T-pose.
const T_POSE: f32 = 20.0;

impl Stance {
    pub(super) fn of(places: &[Vec3], bones: &BTreeMap<B, Mapped>, facing: Vec3) -> Self {
        let at = |bone: B| bones.get(&bone).map_or(Vec3::ZERO, |mapped| places[mapped.joint]);
        let down = |from: B, to: B| (at(to) - at(from)).normalize_or_zero();
        let arms = Side::BOTH.map(|side| {
            let [_, upper, lower, _] = B::arm(side);
            (-down(upper, lower).y).clamp(-1.0, 1.0).asin().to_degrees()
        });
        let legs = Side::BOTH.map(|side| {
            let [upper, _, foot, _] = B::leg(side);
            (-down(upper, foot).y).clamp(-1.0, 1.0).acos().to_degrees()
        });
        let foot = at(B::LeftFoot).y.max(at(B::RightFoot).y);
        let is_upright = at(B::Head).y > at(B::Hips).y && at(B::Hips).y > foot;
        Self { arms, legs, is_upright, facing }
    }

    /// What makes it unusable, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.is_upright {
            return Err("at rest the character does not stand upright".to_owned());
        }
        if let Some(leg) = self.legs.into_iter().find(|leg| *leg > LEG_LIMIT) {
            return Err(format!("at rest a leg is {leg:.0} degrees off the vertical"));
        }
        if let Some(arm) = self.arms.into_iter().find(|arm| !ARM_LIMIT.contains(arm)) {
            return Err(format!("at rest an upper arm points {:.0} degrees upwards", -arm));
        }
        Ok(())
    }

    /// What a person should know.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.arms.iter().any(|arm| !ARM_RANGE.contains(arm)) {
            warnings.push(
                "at rest the arms stand in neither T-pose nor A-pose; motion may look turned"
                    .to_owned(),
            );
        }
        if self.legs.iter().any(|leg| *leg > LEG_RANGE) {
            warnings.push("at rest the legs are spread or bent; motion may look so too".to_owned());
        }
        warnings
    }

    /// The mean angle of the upper arms under the horizontal.
    pub(super) fn arm_angle(&self) -> f32 {
        (self.arms[0] + self.arms[1]) / 2.0
    }

    /// `T`, `A` or `other`.
    pub(super) fn name(&self) -> &'static str {
        match self.arm_angle() {
            angle if angle.abs() <= T_POSE => "T",
            angle if (T_POSE..=*ARM_RANGE.end()).contains(&angle) => "A",
            _ => "other",
        }
    }
}
