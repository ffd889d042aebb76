//! Facial expressions: weights of ARKit's 52 blend shapes.
//!
//! Source: Apple, *ARFaceAnchor.BlendShapeLocation*.

mod spelling;

use std::sync::Arc;

pub use spelling::arkit_shapes;

/// All blend shape names, in Apple's order of regions.
pub const ARKIT_SHAPES: [&str; 52] = [
    "eyeBlinkLeft",
    "eyeLookDownLeft",
    "eyeLookInLeft",
    "eyeLookOutLeft",
    "eyeLookUpLeft",
    "eyeSquintLeft",
    "eyeWideLeft",
    "eyeBlinkRight",
    "eyeLookDownRight",
    "eyeLookInRight",
    "eyeLookOutRight",
    "eyeLookUpRight",
    "eyeSquintRight",
    "eyeWideRight",
    "jawForward",
    "jawLeft",
    "jawRight",
    "jawOpen",
    "mouthClose",
    "mouthFunnel",
    "mouthPucker",
    "mouthLeft",
    "mouthRight",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthDimpleLeft",
    "mouthDimpleRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "browDownLeft",
    "browDownRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "noseSneerLeft",
    "noseSneerRight",
    "tongueOut",
];

/// A facial expression at one moment: 0 to 1 for each of [`ARKIT_SHAPES`]. A pose may have none,
/// which means that nothing is known about the face; that differs from a neutral face.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Face(Option<Arc<[f32; ARKIT_SHAPES.len()]>>);

impl Face {
    /// A face about which nothing is known.
    pub const UNKNOWN: Self = Self(None);

    /// A face with these weights, each clamped to between 0 and 1; NaN becomes 0.
    #[must_use]
    pub fn new(weights: [f32; ARKIT_SHAPES.len()]) -> Self {
        // NaN fails this comparison and so becomes zero
        Self(Some(Arc::new(
            weights.map(|weight| if weight >= 0.0 { weight.min(1.0) } else { 0.0 }),
        )))
    }

    /// The weights in the order of [`ARKIT_SHAPES`], if known.
    #[must_use]
    pub fn weights(&self) -> Option<&[f32; ARKIT_SHAPES.len()]> {
        self.0.as_deref()
    }

    /// The weight of one blend shape, an index into [`ARKIT_SHAPES`]; 0 if nothing is known.
    ///
    /// # Panics
    /// If the index is out of range.
    #[must_use]
    pub fn weight(&self, shape: usize) -> f32 {
        self.weights().map_or(0.0, |weights| weights[shape])
    }

    /// The face interpolated from `self` (`amount` 0) to `other` (1). If one of them is unknown,
    /// the result is the other.
    #[must_use]
    pub fn blend(&self, other: &Self, amount: f32) -> Self {
        match (self.weights(), other.weights()) {
            (Some(from), Some(to)) if from != to => Self::new(std::array::from_fn(|shape| {
                from[shape] + (to[shape] - from[shape]) * amount
            })),
            (Some(_), _) => self.clone(),
            (None, _) => other.clone(),
        }
    }

    /// The face mirrored, with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let Some(weights) = self.weights() else { return Self::UNKNOWN };
        Self::new(std::array::from_fn(|shape| weights[mirrored(shape)]))
    }
}

/// The index of a blend shape's name in [`ARKIT_SHAPES`].
#[must_use]
pub fn arkit_shape(name: &str) -> Option<usize> {
    ARKIT_SHAPES.iter().position(|shape| *shape == name)
}

fn mirrored(shape: usize) -> usize {
    let name = ARKIT_SHAPES[shape];
    let other = name
        .strip_suffix("Left")
        .map(|stem| format!("{stem}Right"))
        .or_else(|| name.strip_suffix("Right").map(|stem| format!("{stem}Left")));
    other.and_then(|name| arkit_shape(&name)).unwrap_or(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirroring_a_wink_swaps_the_eyes() {
        let mut weights = [0.0; ARKIT_SHAPES.len()];
        let shape = |name| arkit_shape(name).expect("ARKit has this shape");
        weights[shape("eyeBlinkLeft")] = 1.0;
        weights[shape("jawOpen")] = 0.5;
        let wink = Face::new(weights);
        let other = wink.mirrored();
        assert_eq!(other.weight(shape("eyeBlinkRight")), 1.0);
        assert_eq!(other.weight(shape("eyeBlinkLeft")), 0.0);
        assert_eq!(other.weight(shape("jawOpen")), 0.5);
        assert_eq!(other.mirrored(), wink);
    }

    #[test]
    fn face_weights_are_clamped() {
        let mut weights = [0.0; ARKIT_SHAPES.len()];
        (weights[0], weights[1], weights[2]) = (f32::NAN, 7.0, -1.0);
        let face = Face::new(weights);
        assert_eq!((face.weight(0), face.weight(1), face.weight(2)), (0.0, 1.0, 0.0));
    }

    #[test]
    fn blending_with_an_unknown_face_gives_the_known_one() {
        let known = Face::new([0.25; ARKIT_SHAPES.len()]);
        assert_eq!(Face::UNKNOWN.blend(&known, 0.1), known);
        assert_eq!(known.blend(&Face::UNKNOWN, 0.9), known);
        let neutral = Face::new([0.0; ARKIT_SHAPES.len()]);
        assert_eq!(known.blend(&neutral, 0.5).weight(3), 0.125);
    }
}
