//! Hand shapes: poses of the fingers, and blending between them.

use glam::Quat;
use limber_animation::{Finger, Phalanx, Side};

/// A pose of the fingers: the curl of each (0 straight, 1 fist; thumb first), and how far they are
/// spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HandShape {
    curl: [f32; 5],
    spread: f32,
}

impl HandShape {
    /// The resting pose of a hand.
    pub(super) const RELAXED: Self = Self { curl: [0.34, 0.24, 0.31, 0.37, 0.41], spread: -0.3 };
    /// Flat, with the fingers slightly apart.
    pub(super) const OPEN: Self = Self { curl: [0.08, 0.06, 0.07, 0.09, 0.12], spread: 0.45 };
    /// Flat, with the fingers together.
    pub(super) const FLAT: Self = Self { curl: [0.15, 0.04, 0.05, 0.06, 0.08], spread: 0.1 };
    /// A fist.
    pub(super) const FIST: Self = Self { curl: [1.0, 0.98, 1.0, 1.0, 1.0], spread: 0.0 };
    /// The index finger extended, the others closed.
    pub(super) const POINT: Self = Self { curl: [0.8, 0.03, 0.85, 0.95, 0.98], spread: 0.0 };

    /// Around a handle.
    pub(super) const GRIP: Self = Self { curl: [0.62, 0.72, 0.76, 0.78, 0.80], spread: 0.0 };
    /// Half closed, as around a glass or a ball.
    pub(super) const HOLD: Self = Self { curl: [0.42, 0.42, 0.46, 0.48, 0.50], spread: 0.1 };
    /// A fist with the thumb extended.
    pub(super) const THUMB: Self = Self { curl: [-0.25, 0.98, 1.0, 1.0, 1.0], spread: 0.0 };
    /// Thumb and index fingertips touching, the other fingers curled along.
    pub(super) const PINCH: Self = Self { curl: [0.60, 0.52, 0.60, 0.66, 0.70], spread: 0.0 };
    /// Thumb and index fingertips touching, the other fingers extended.
    pub(super) const OK: Self = Self { curl: [0.60, 0.55, 0.22, 0.12, 0.06], spread: 0.6 };
    /// Index and middle finger extended and apart.
    pub(super) const TWO: Self = Self { curl: [0.95, 0.02, 0.03, 1.0, 1.0], spread: 0.9 };
    /// Index, middle and ring finger extended.
    pub(super) const THREE: Self = Self { curl: [0.95, 0.03, 0.02, 0.04, 1.0], spread: 0.7 };
    /// All fingers extended except the thumb.
    pub(super) const FOUR: Self = Self { curl: [0.95, 0.03, 0.02, 0.03, 0.05], spread: 0.7 };
    /// Thumb and little finger extended.
    pub(super) const PHONE: Self = Self { curl: [-0.2, 1.0, 1.0, 1.0, 0.05], spread: 0.8 };
    /// Fingers spread and bent.
    pub(super) const CLAW: Self = Self { curl: [0.35, 0.45, 0.45, 0.45, 0.45], spread: 0.9 };

    /// The shape with this name in the data.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "relaxed" => Self::RELAXED,
            "open" => Self::OPEN,
            "flat" => Self::FLAT,
            "fist" => Self::FIST,
            "point" => Self::POINT,
            "grip" => Self::GRIP,
            "hold" => Self::HOLD,
            "thumb" => Self::THUMB,
            "pinch" => Self::PINCH,
            "ok" => Self::OK,
            "two" => Self::TWO,
            "three" => Self::THREE,
            "four" => Self::FOUR,
            "phone" => Self::PHONE,
            "claw" => Self::CLAW,
            _ => return None,
        })
    }

    /// Interpolates between two shapes.
    pub(super) fn blend(self, other: Self, amount: f32) -> Self {
        Self {
            curl: std::array::from_fn(|finger| {
                self.curl[finger] + (other.curl[finger] - self.curl[finger]) * amount
            }),
            spread: self.spread + (other.spread - self.spread) * amount,
        }
    }

    /// Local rotation of one finger bone. At rest, fingers point along ±X with palms down.
    pub(super) fn turn(self, side: Side, finger: Finger, phalanx: Phalanx) -> Quat {
        let s = side.sign();
        let curl = self.curl[finger as usize];
        if finger == Finger::Thumb {
            return thumb(s, curl, phalanx);
        }
        let most = match phalanx {
            Phalanx::First => 78.0_f32,
            Phalanx::Second => 103.0,
            Phalanx::Third => 66.0,
        };
        let bend = Quat::from_rotation_z(-s * (most * curl).to_radians());
        if phalanx != Phalanx::First {
            return bend;
        }
        let fan = match finger {
            Finger::Index => -7.0_f32,
            Finger::Ring => 6.0,
            Finger::Little => 13.0,
            Finger::Thumb | Finger::Middle => 0.0,
        };
        Quat::from_rotation_y(s * (fan * self.spread).to_radians()) * bend
    }
}

/// The thumb closes across the palm rather than along it.
fn thumb(s: f32, curl: f32, phalanx: Phalanx) -> Quat {
    let (across, down) = match phalanx {
        Phalanx::First => (38.0_f32, 34.0_f32),
        Phalanx::Second => (34.0, 8.0),
        Phalanx::Third => (48.0, 0.0),
    };
    Quat::from_rotation_x((down * curl).to_radians())
        * Quat::from_rotation_y(s * (across * curl).to_radians())
}
