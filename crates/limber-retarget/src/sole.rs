//! Where the mesh meets the floor.

use glam::Vec3;
use limber_animation::{Character, Pose, Side, Skeleton, SkinPatch, bearing_points};

/// How far below the lowest vertex of a foot another still belongs to the sole, metres.
const SOLE_THICKNESS_M: f32 = 0.02;

/// The height of each sole over the floor at rest, metres: below zero the mesh stands in the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoleOffset {
    /// The character's own left.
    pub left_m: f32,
    /// The character's own right.
    pub right_m: f32,
}

/// The lowest vertex of each foot in rest pose. `None` when no vertex belongs to a foot.
#[must_use]
pub fn sole_offset(character: &Character) -> Option<SoleOffset> {
    let soles = Soles::of(character)?;
    let rest = character.skeleton.rest_pose();
    let height = |side| soles.lowest(&character.skeleton, &rest, side);
    Some(SoleOffset { left_m: height(Side::Left), right_m: height(Side::Right) })
}

/// The vertices that a character stands on.
#[derive(Debug, Clone)]
pub struct Soles {
    sides: [SkinPatch; 2],
}

impl Soles {
    /// Collects the vertices weighted at least half to foot and toes that are lowest, at rest or when
    /// the foot tilts in a step. `None` when a foot has none.
    #[must_use]
    pub fn of(character: &Character) -> Option<Self> {
        let sides = Side::BOTH.map(|side| sole(character, side));
        sides.iter().all(|patch| !patch.is_empty()).then_some(Self { sides })
    }

    const fn patch(&self, side: Side) -> &SkinPatch {
        match side {
            Side::Left => &self.sides[0],
            Side::Right => &self.sides[1],
        }
    }

    /// Where all points of one sole are in a pose.
    pub(crate) fn places(&self, skeleton: &Skeleton, pose: &Pose, side: Side) -> Vec<Vec3> {
        self.patch(side).positions(skeleton, pose)
    }

    /// How high the lowest point of one sole is in a pose, metres.
    ///
    /// # Panics
    /// When the pose belongs to another skeleton than the character's.
    #[must_use]
    pub fn lowest(&self, skeleton: &Skeleton, pose: &Pose, side: Side) -> f32 {
        self.patch(side).lowest(skeleton, pose)
    }
}

fn sole(character: &Character, side: Side) -> SkinPatch {
    let foot = character.foot_vertices(side);
    let rest = character.skeleton.rest_pose();
    let places = SkinPatch::new(character, &foot).positions(&character.skeleton, &rest);
    let lowest = places.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
    let bearing = bearing_points(&places, lowest + SOLE_THICKNESS_M);
    let sole: Vec<(usize, usize)> =
        foot.into_iter().zip(bearing).filter(|(_, bears)| *bears).map(|(at, _)| at).collect();
    SkinPatch::new(character, &sole)
}
