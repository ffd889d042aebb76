//! Where the mesh meets the floor.

use glam::Vec3;
use limber_animation::{Character, Pose, Side, Skeleton, SkinPatch, bearing_points};

/// Vertices up to this height above the lowest one of the foot belong to the sole, in metres.
const SOLE_THICKNESS_M: f32 = 0.02;

/// The height of each sole above the floor at rest, in metres. Negative if the mesh is below the
/// floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoleOffset {
    /// Height of the character's left sole.
    pub left_m: f32,
    /// Height of the character's right sole.
    pub right_m: f32,
}

/// Returns the height of the lowest vertex of each foot in the rest pose; `None` if a foot has no
/// vertices.
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
    /// Collects the sole of each foot: of the vertices weighted at least half to foot and toes,
    /// those that are lowest at rest or when the foot rolls during a step. `None` if a foot has no
    /// vertices.
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

    /// Returns the positions of all vertices of one sole in a pose, in world space.
    pub(crate) fn places(&self, skeleton: &Skeleton, pose: &Pose, side: Side) -> Vec<Vec3> {
        self.patch(side).positions(skeleton, pose)
    }

    /// Returns the height of the lowest point of one sole in a pose, in metres.
    ///
    /// # Panics
    /// If the pose belongs to a skeleton other than the character's.
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
