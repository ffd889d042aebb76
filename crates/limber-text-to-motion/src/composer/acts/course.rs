//! Courses: position and heading as a function of distance travelled.

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use limber_animation::{
    Side,
    maths::{cos, sin},
};

use crate::{Shape, composer::motion_plan::rotated};

/// Distance between samples of a drawn course, metres.
const SAMPLE_M: f32 = 0.05;
/// Length over which corners are rounded, metres, because nobody turns at a point.
const CORNER_M: f32 = 0.45;
/// Length of one leg of a zigzag or slalom, metres.
const TACK_M: f32 = 1.8;
/// Angle of a zigzag to the main direction, radians.
const TACK_RAD: f32 = 0.7;
/// Maximum angle of an S-curve to the main direction, radians.
const WINDING_RAD: f32 = 1.0;
/// Number of turns of a spiral.
const SPIRAL_TURNS: f32 = 2.5;

/// The path of locomotion, relative to its start.
#[derive(Debug, Clone, Copy)]
pub(super) enum Course<'a> {
    /// A straight line; `way` is the direction of travel relative to the body's heading.
    Line {
        /// 0 is ahead, π is backwards.
        way: f32,
        /// Amplitude of lateral swaying, metres, and its initial phase.
        wander: (f32, f32),
    },
    /// An arc.
    Arc {
        /// Radius in metres.
        radius: f32,
        /// The side to which it bends.
        side: Side,
        /// As for `Line`.
        way: f32,
    },
    /// A drawn path; the body faces the direction of travel.
    Drawn(&'a Drawing),
    /// A line with bends, in order; the body faces the direction of travel.
    Bent(&'a [Bend]),
}

/// A change of direction on the way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bend {
    /// Distance travelled where it begins.
    pub(super) from_m: f32,
    /// Distance travelled where it ends.
    pub(super) to_m: f32,
    /// Positive to the left.
    pub(super) angle_rad: f32,
}

impl Bend {
    /// Position relative to its beginning, and heading, after this distance.
    fn at(self, metres: f32) -> (Vec2, f32) {
        let length_m = self.to_m - self.from_m;
        let radius = length_m / self.angle_rad;
        let angle = self.angle_rad * ((metres - self.from_m) / length_m).clamp(0.0, 1.0);
        (radius * Vec2::new(1.0 - cos(angle), sin(angle)), angle)
    }
}

impl Course<'_> {
    /// Position (left, ahead) and change of heading after this distance.
    pub(super) fn at(self, metres: f32) -> (Vec2, f32) {
        match self {
            Self::Line { way, wander: (wide, phase) } => {
                let swing = |metres: f32| sin(1.7 * metres + phase);
                let aside = wide * (metres / 0.8).min(1.0) * (swing(metres) - swing(0.0));
                (rotated(Vec2::new(aside, metres), way), 0.0)
            }
            Self::Arc { radius, side, way } => {
                let angle = metres / radius;
                let sideways = side.sign() * radius * (1.0 - cos(angle));
                let place = rotated(Vec2::new(sideways, radius * sin(angle)), way);
                (place, side.sign() * angle)
            }
            Self::Drawn(drawing) => drawing.at(metres),
            Self::Bent(bends) => {
                let (mut at, mut heading, mut walked_m) = (Vec2::ZERO, 0.0, 0.0);
                for bend in bends.iter().filter(|bend| bend.from_m < metres) {
                    at += rotated(Vec2::Y * (bend.from_m - walked_m), heading);
                    let (place, turned) = bend.at(metres);
                    at += rotated(place, heading);
                    heading += turned;
                    walked_m = bend.to_m.min(metres);
                }
                (at + rotated(Vec2::Y * (metres - walked_m), heading), heading)
            }
        }
    }
}

/// A sampled path: position (left, ahead) and heading, [`SAMPLE_M`] apart.
#[derive(Debug)]
pub(super) struct Drawing(Vec<(Vec2, f32)>);

impl Drawing {
    /// A shape of this length that bends to `side` first.
    pub(super) fn new(shape: Shape, side: Side, length_m: f32) -> Self {
        let count = (length_m / SAMPLE_M).ceil().max(1.0) as usize + 1;
        let headings: Vec<f32> = (0..count)
            .map(|place| side.sign() * heading(shape, place as f32 * SAMPLE_M, length_m))
            .collect();
        let headings = rounded_corners(&headings);
        let mut at = Vec2::ZERO;
        let mut places = Vec::with_capacity(count);
        for heading in headings {
            places.push((at, heading));
            at += rotated(Vec2::Y * SAMPLE_M, heading);
        }
        Self(places)
    }

    fn at(&self, metres: f32) -> (Vec2, f32) {
        let place = (metres / SAMPLE_M).clamp(0.0, (self.0.len() - 1) as f32);
        let before = self.0[place as usize];
        let after = self.0[(place as usize + 1).min(self.0.len() - 1)];
        let share = place.fract();
        let beyond = metres - (self.0.len() - 1) as f32 * SAMPLE_M;
        let onward = if beyond > 0.0 { rotated(Vec2::Y * beyond, before.1) } else { Vec2::ZERO };
        (before.0.lerp(after.0, share) + onward, before.1 + (after.1 - before.1) * share)
    }
}

/// Heading of a shape after this distance, positive to the side that it bends to first.
fn heading(shape: Shape, metres: f32, length_m: f32) -> f32 {
    let share = (metres / length_m.max(SAMPLE_M)).clamp(0.0, 1.0);
    match shape {
        Shape::Arc => 0.5 * PI * share,
        Shape::SCurve => WINDING_RAD * sin(TAU * share),
        Shape::Slalom => WINDING_RAD * sin(PI * metres / TACK_M),
        Shape::Zigzag => {
            // the first leg is half as long, so that the zigzag extends to both sides
            let tack = ((metres + 0.5 * TACK_M) / TACK_M) as usize;
            if tack.is_multiple_of(2) { TACK_RAD } else { -TACK_RAD }
        }
        // one circle to each side
        Shape::FigureEight if share < 0.5 => 2.0 * TAU * share,
        Shape::FigureEight => TAU - 2.0 * TAU * (share - 0.5),
        Shape::Square => 0.5 * PI * (4.0 * share).floor().min(3.0),
        Shape::SpiralInward => SPIRAL_TURNS * TAU * share * share,
        Shape::SpiralOutward => SPIRAL_TURNS * TAU * (1.0 - (1.0 - share) * (1.0 - share)),
    }
}

fn rounded_corners(headings: &[f32]) -> Vec<f32> {
    let reach = (0.5 * CORNER_M / SAMPLE_M) as usize;
    (0..headings.len())
        .map(|place| {
            let near =
                &headings[place.saturating_sub(reach)..(place + reach + 1).min(headings.len())];
            near.iter().sum::<f32>() / near.len() as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(shape: Shape, length_m: f32) -> (Vec2, f32) {
        Drawing::new(shape, Side::Left, length_m).at(length_m)
    }

    #[test]
    fn a_bend_leads_on_in_its_new_direction() {
        let left = |from_m: f32| Bend { from_m, to_m: from_m + 1.0, angle_rad: 0.5 * PI };
        let bends = [left(2.0), left(4.0)];
        let course = Course::Bent(&bends);
        let near = |metres: f32, at: Vec2, heading: f32| {
            let (place, facing) = course.at(metres);
            assert!(place.distance(at) < 1e-4 && (facing - heading).abs() < 1e-4, "{place}");
        };
        let radius = 2.0 / PI;
        near(2.0, Vec2::new(0.0, 2.0), 0.0);
        near(3.0, Vec2::new(radius, 2.0 + radius), 0.5 * PI);
        near(6.0, Vec2::new(2.0 * radius + 1.0, 1.0), PI);
    }

    #[test]
    fn shapes_lead_where_their_names_say() {
        let (eight, _) = ends(Shape::FigureEight, 12.0);
        assert!(eight.length() < 0.4, "it comes back: {eight}");
        let (square, _) = ends(Shape::Square, 12.0);
        assert!(square.length() < 0.8, "so does a square: {square}");
        let (s_curve, heading) = ends(Shape::SCurve, 8.0);
        assert!(s_curve.y > 4.0 && heading.abs() < 0.1, "an S leads on: {s_curve} {heading}");
        let (arc, heading) = ends(Shape::Arc, 6.0);
        assert!(arc.x > 2.0 && (heading - 0.5 * PI).abs() < 0.1, "an arc to the left: {arc}");
        let spiral = Drawing::new(Shape::SpiralInward, Side::Right, 14.0);
        let apart = |from: f32, to: f32| spiral.at(from).0.distance(spiral.at(to).0);
        assert!(apart(10.0, 14.0) < 0.6 * apart(0.0, 4.0), "it tightens");
        let zigzag = Drawing::new(Shape::Zigzag, Side::Left, 10.0);
        let sides: Vec<f32> = (0..20).map(|step| zigzag.at(0.5 * step as f32).1.signum()).collect();
        assert!(sides.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 4, "{sides:?}");
    }
}
