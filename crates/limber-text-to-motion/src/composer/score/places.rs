//! Named places on the body and around it, where hands go.

use glam::{Quat, Vec3};

use crate::composer::arms::Reach;

/// The frame of reference of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Head,
    Chest,
    /// At the shoulder joint, with the chest's rotation.
    Shoulder,
    Pelvis,
    /// Along the front of the thigh, as a share from hip to knee.
    Thigh,
    Knee,
    Ankle,
    /// At the pelvis, upright, with the body's heading.
    Body,
    /// On the floor below the body, upright.
    Floor,
    /// On a table in front of the pelvis, upright.
    Table,
}

/// A point in a frame of reference. `out` is away from the midline, to the hand's own side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    frame: Frame,
    /// Out, up, ahead, metres.
    at: Vec3,
    /// Whether it is on the other side of the body.
    other: bool,
}

/// World position of a place, and the rotation of offsets from it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) at: Vec3,
    pub(super) turn: Quat,
}

/// All places by name: frame of reference, and centimetres out, up, ahead. Those on the body are on
/// its skin.
const PLACES: [(&str, Frame, [f32; 3]); 43] = [
    ("crown", Frame::Head, [0.0, 21.5, 1.5]),
    ("forehead", Frame::Head, [0.0, 15.5, 11.0]),
    ("brow", Frame::Head, [4.5, 13.0, 10.5]),
    ("temple", Frame::Head, [7.5, 11.5, 6.0]),
    ("eyes", Frame::Head, [0.0, 10.0, 11.5]),
    ("eye", Frame::Head, [3.5, 10.0, 11.0]),
    ("nose", Frame::Head, [0.0, 6.5, 13.5]),
    ("cheek", Frame::Head, [5.0, 4.0, 9.5]),
    ("mouth", Frame::Head, [0.0, 2.5, 12.0]),
    ("chin", Frame::Head, [0.0, -2.5, 10.5]),
    ("jaw", Frame::Head, [5.5, 0.0, 6.0]),
    ("ear", Frame::Head, [8.5, 8.0, 1.0]),
    ("nape", Frame::Head, [0.0, 2.0, -8.0]),
    ("back-of-head", Frame::Head, [0.0, 13.0, -8.5]),
    ("face", Frame::Head, [0.0, 7.0, 12.5]),
    ("head", Frame::Head, [0.0, 10.0, 2.0]),
    ("throat", Frame::Chest, [0.0, 17.5, 6.5]),
    ("chest", Frame::Chest, [0.0, 5.0, 12.5]),
    ("breast", Frame::Chest, [8.0, 4.0, 12.0]),
    ("collar", Frame::Chest, [9.0, 13.0, 6.5]),
    ("on-shoulder", Frame::Chest, [16.0, 15.0, 0.0]),
    ("armpit", Frame::Chest, [14.5, -2.0, 1.0]),
    ("upper-arm", Frame::Chest, [22.5, -5.0, 2.5]),
    ("elbow", Frame::Chest, [22.0, -17.0, 6.0]),
    ("ribs", Frame::Chest, [13.0, -10.0, 7.0]),
    ("shoulder", Frame::Shoulder, [0.0, 0.0, 0.0]),
    ("belly", Frame::Pelvis, [0.0, 13.0, 12.5]),
    ("stomach", Frame::Pelvis, [0.0, 20.0, 12.5]),
    ("waist", Frame::Pelvis, [14.5, 14.0, 1.0]),
    ("hip", Frame::Pelvis, [16.5, 3.0, 1.5]),
    ("pocket", Frame::Pelvis, [14.5, -4.0, 8.0]),
    ("lap", Frame::Pelvis, [0.0, 0.0, 12.0]),
    ("small-of-back", Frame::Pelvis, [0.0, 12.0, -11.5]),
    ("seat", Frame::Pelvis, [8.0, -2.0, -12.5]),
    ("thigh", Frame::Thigh, [0.0, 55.0, 7.5]),
    ("lower-thigh", Frame::Thigh, [0.0, 80.0, 7.0]),
    ("knee", Frame::Knee, [0.0, 0.0, 6.0]),
    ("shin", Frame::Ankle, [0.0, 16.0, 7.0]),
    ("ankle", Frame::Ankle, [4.0, 2.0, 0.0]),
    ("toes", Frame::Ankle, [0.0, -3.0, 18.0]),
    ("body", Frame::Body, [0.0, 0.0, 0.0]),
    ("floor", Frame::Floor, [0.0, 0.0, 0.0]),
    // its edge is a hand's width in front of the belly
    ("table", Frame::Table, [0.0, 0.0, 32.0]),
];

impl Place {
    /// The place with this name; the prefix `other-` selects the other side of the body.
    pub(super) fn named(name: &str) -> Option<Self> {
        let (other, bare) = match name.strip_prefix("other-") {
            Some(bare) => (true, bare),
            None => (false, name),
        };
        let (_, frame, at) = PLACES.iter().find(|(place, ..)| *place == bare)?;
        Some(Self { frame: *frame, at: Vec3::from_array(*at) / 100.0, other })
    }

    /// The same place on the other side of the body.
    pub(super) const fn opposite(self) -> Self {
        Self { other: !self.other, ..self }
    }

    /// Whether directions relative to it are upright rather than those of the chest.
    pub(super) const fn is_upright(self) -> bool {
        matches!(self.frame, Frame::Body | Frame::Floor | Frame::Table)
    }

    /// Whether it is in the air, so that nothing is touched there.
    pub(super) const fn is_free(self) -> bool {
        matches!(self.frame, Frame::Body | Frame::Shoulder)
    }

    /// The place for a hand.
    pub(super) fn spot(self, hand: &Reach) -> Spot {
        let body = if self.other { hand.opposite() } else { *hand };
        let upright = Quat::from_rotation_y(body.heading);
        let out = Vec3::new(body.side.sign(), 1.0, 1.0);
        let level = |at: Vec3, height: f32| Vec3::new(at.x, height, at.z);
        let root = Vec3::new(body.root.x, 0.0, body.root.y);
        let (at, turn) = match self.frame {
            Frame::Head => (body.head_at, body.head),
            Frame::Chest => (body.chest_at, body.chest),
            Frame::Shoulder => (body.shoulder(), body.chest),
            Frame::Pelvis => (body.pelvis_at, body.pelvis),
            Frame::Thigh => {
                let along = body.knee - body.hip;
                let way = along.normalize_or(Vec3::NEG_Y);
                let front = body.pelvis * Vec3::new(0.0, 0.8, 1.0);
                let front = front.reject_from_normalized(way).normalize_or(Vec3::Y);
                let at = body.hip + along * self.at.y + front * self.at.z;
                return Spot { at, turn: upright };
            }
            Frame::Knee => {
                let thigh = (body.knee - body.hip).normalize_or_zero();
                let shin = (body.ankle - body.knee).normalize_or_zero();
                let front = (thigh - shin).try_normalize().unwrap_or(upright * Vec3::Z);
                return Spot { at: body.knee + front * self.at.z, turn: upright };
            }
            Frame::Ankle => (body.ankle, upright),
            Frame::Body => (body.pelvis_at, upright),
            Frame::Floor => (level(root, 0.0), upright),
            Frame::Table => (level(body.pelvis_at, table_m(body.pelvis_at.y)), upright),
        };
        Spot { at: at + turn * (self.at * out), turn }
    }
}

/// Height of the table for a pelvis at this height, metres: a desk of 74 cm (EN 527-1) for whoever
/// sits, a worktop of 90 cm (EN 1116) for whoever stands.
fn table_m(pelvis_m: f32) -> f32 {
    const SITTING: (f32, f32) = (0.55, 0.74);
    const STANDING: (f32, f32) = (0.90, 0.90);
    let share = (pelvis_m - SITTING.0) / (STANDING.0 - SITTING.0);
    SITTING.1 + share.clamp(0.0, 1.0) * (STANDING.1 - SITTING.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found_on_both_sides() {
        for (name, ..) in PLACES {
            assert!(Place::named(name).is_some_and(|place| !place.other));
            assert!(Place::named(&format!("other-{name}")).is_some_and(|place| place.other));
        }
        assert_eq!(Place::named("moon"), None);
    }
}
