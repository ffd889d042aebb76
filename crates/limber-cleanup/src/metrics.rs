//! Quality metrics of clips: foot skate, floor penetration, jerk.

use glam::Vec3;
use limber_animation::{
    Character, Clip, ContactPoint, ContactTrack, Side, SkinPatch, bearing_points, maths::hypot,
};

use crate::{
    contacts_of,
    feet::{Foot, FootPath, Soles, leg_scale, levels, side_place},
};

/// Height below which a foot point is near the floor, metres.
const NEAR_FLOOR_M: f32 = 0.05;
/// Speed above which a point near the floor skates, m/s.
const SKATING_M_S: f32 = 0.20;
/// Height below which sole vertices carry weight, metres.
const BEARING_M: f32 = 0.008;

/// Quality metrics of one clip. The definitions follow the foot-skate metrics of motion-generation
/// papers: speeds are horizontal, contacts are the clip's own, or detected if it has none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipMetrics {
    /// Mean speed of points in contact, cm/s.
    pub foot_skate_cm_s: f32,
    /// Maximum speed of points in contact, cm/s.
    pub foot_skate_max_cm_s: f32,
    /// Of the frames with a ball of the foot near the floor, the share in which it moves faster
    /// than 20 cm/s.
    pub skate_ratio: f32,
    /// Maximum depth of a sole below the floor, mm.
    pub penetration_mm: f32,
    /// Mean height of the lower foot in contact above the floor, mm.
    pub float_mm: f32,
    /// Mean jerk (third derivative) of joint positions, m/s³.
    pub jerk_m_s3: f32,
}

/// Measures heels and balls of the feet at the skeleton's contact points.
#[must_use]
pub fn measure(clip: &Clip) -> ClipMetrics {
    let soles = Soles::of_skeleton(clip.skeleton());
    let contacts = contacts_of(clip);
    let fps = clip.fps().per_second();
    let mut tally = Tally::default();
    let mut lowest_standing = vec![f32::INFINITY; clip.len()];
    let levels = levels(clip, &contacts, &soles);
    for foot in Foot::all(clip.skeleton()) {
        let path = FootPath::of(clip, &foot, &soles);
        let place = side_place(foot.side);
        let above = |points: &[Vec3], height: f32| -> Vec<Vec3> {
            let floors = &levels[place];
            points.iter().zip(floors).map(|(at, floor)| *at - Vec3::Y * (floor + height)).collect()
        };
        let (heel, ball) = (above(&path.heel, 0.0), above(&path.ball, soles.ball_m[place]));
        let points =
            [(ContactPoint::Heel(foot.side), &heel), (ContactPoint::Toe(foot.side), &ball)];
        for (point, positions) in points {
            tally.contact(point, positions, &contacts, fps, &mut lowest_standing);
        }
    }
    tally.skating = skate_ratio(clip, &soles);
    tally.finish(&lowest_standing, jerk(clip))
}

/// Measures on the character's mesh: the speed of the sole vertices that carry weight while their
/// foot is in contact, the depth of the deepest sole vertex, and the height of the lower sole.
///
/// The clip must be on the character's skeleton; otherwise this falls back to [`measure`].
#[must_use]
pub fn measure_on_mesh(clip: &Clip, character: &Character) -> ClipMetrics {
    let skeleton = &character.skeleton;
    let (facing_floor, sides) = facing_the_floor(character);
    if clip.skeleton().len() != skeleton.len() || sides.is_empty() {
        return measure(clip);
    }
    let contacts = contacts_of(clip);
    let fps = clip.fps().per_second();
    let soles: Vec<Vec<Vec3>> =
        clip.frames().iter().map(|pose| facing_floor.positions(skeleton, pose)).collect();
    let mut tally = Tally::default();
    let mut lowest_standing = vec![f32::INFINITY; clip.len()];
    let levels = levels(clip, &contacts, &Soles::of_character(character));
    for frame in 0..clip.len() {
        for (position, side) in soles[frame].iter().zip(&sides) {
            let height = position.y - levels[side_place(*side)][frame];
            tally.depth(height);
            if contacts[frame].foot(*side) {
                lowest_standing[frame] = lowest_standing[frame].min(height);
            }
        }
        for side in Side::BOTH {
            let stood = frame > 0 && contacts[frame].foot(side) && contacts[frame - 1].foot(side);
            if stood {
                tally.mesh_speed(&sides, side, &soles[frame - 1], &soles[frame], fps);
            }
        }
    }
    tally.skating = skate_ratio(clip, &Soles::of_character(character));
    tally.finish(&lowest_standing, jerk(clip))
}

/// The vertices of the feet that face the floor, at rest or when a foot pitches, and the side that
/// each belongs to.
fn facing_the_floor(character: &Character) -> (SkinPatch, Vec<Side>) {
    let rest = character.skeleton.rest_pose();
    let feet = Side::BOTH.map(|side| {
        let vertices = character.foot_vertices(side);
        let places = SkinPatch::new(character, &vertices).positions(&character.skeleton, &rest);
        (side, vertices, places)
    });
    let heights = feet.iter().flat_map(|(_, _, places)| places).map(|place| place.y);
    let limit = heights.fold(f32::INFINITY, f32::min) + 0.02 * leg_scale(&character.skeleton);
    let low = feet.into_iter().flat_map(|(side, vertices, places)| {
        let bearing = bearing_points(&places, limit);
        let low = vertices.into_iter().zip(bearing).filter(|(_, bears)| *bears);
        low.map(move |(vertex, _)| (vertex, side))
    });
    let (vertices, sides): (Vec<(usize, usize)>, Vec<Side>) = low.unzip();
    (SkinPatch::new(character, &vertices), sides)
}

#[derive(Default)]
struct Tally {
    way_m_s: f32,
    steps: f32,
    fastest_m_s: f32,
    deepest_m: f32,
    skating: f32,
}

impl Tally {
    fn speed(&mut self, speed_m_s: f32) {
        self.way_m_s += speed_m_s;
        self.steps += 1.0;
        self.fastest_m_s = self.fastest_m_s.max(speed_m_s);
    }

    fn depth(&mut self, height_m: f32) {
        self.deepest_m = self.deepest_m.max(-height_m);
    }

    fn contact(
        &mut self,
        point: ContactPoint,
        positions: &[Vec3],
        contacts: &ContactTrack,
        fps: f32,
        lowest_standing: &mut [f32],
    ) {
        for (frame, position) in positions.iter().enumerate() {
            self.depth(position.y);
            if !contacts[frame].has(point) {
                continue;
            }
            lowest_standing[frame] = lowest_standing[frame].min(position.y);
            if frame > 0 && contacts[frame - 1].has(point) {
                self.speed(over_ground(*position - positions[frame - 1]) * fps);
            }
        }
    }

    /// Measures the speed of a standing foot as that of its weight-bearing vertices: those on the
    /// floor in both frames, or the lowest one if none is close enough.
    fn mesh_speed(
        &mut self,
        sides: &[Side],
        side: Side,
        before: &[Vec3],
        after: &[Vec3],
        fps: f32,
    ) {
        let of_side = || (0..sides.len()).filter(|place| sides[*place] == side);
        let lower = |place: usize| before[place].y.max(after[place].y);
        let lowest = of_side().map(lower).fold(f32::INFINITY, f32::min);
        if !lowest.is_finite() {
            return;
        }
        let bearing = || of_side().filter(|place| lower(*place) <= lowest + BEARING_M);
        let speeds = bearing().map(|place| over_ground(after[place] - before[place]) * fps);
        self.speed(speeds.sum::<f32>() / bearing().count() as f32);
    }

    fn finish(&self, lowest_standing: &[f32], jerk_m_s3: f32) -> ClipMetrics {
        let standing: Vec<f32> =
            lowest_standing.iter().copied().filter(|height| height.is_finite()).collect();
        let float: f32 = standing.iter().map(|height| height.max(0.0)).sum();
        ClipMetrics {
            foot_skate_cm_s: 100.0 * self.way_m_s / self.steps.max(1.0),
            foot_skate_max_cm_s: 100.0 * self.fastest_m_s,
            skate_ratio: self.skating,
            penetration_mm: 1000.0 * self.deepest_m,
            float_mm: 1000.0 * float / (standing.len() as f32).max(1.0),
            jerk_m_s3,
        }
    }
}

fn over_ground(way: Vec3) -> f32 {
    hypot(way.x, way.z)
}

fn skate_ratio(clip: &Clip, soles: &Soles) -> f32 {
    let scale = leg_scale(clip.skeleton());
    let fps = clip.fps().per_second();
    let (mut near, mut skating) = (0.0, 0.0);
    for foot in Foot::all(clip.skeleton()) {
        let path = FootPath::of(clip, &foot, soles);
        let flat = soles.ball_m[side_place(foot.side)];
        for pair in path.ball.windows(2) {
            if pair.iter().all(|ball| ball.y - flat < NEAR_FLOOR_M * scale) {
                near += 1.0;
                let speed = over_ground(pair[1] - pair[0]) * fps;
                skating += f32::from(u8::from(speed > SKATING_M_S * scale));
            }
        }
    }
    skating / f32::max(near, 1.0)
}

fn jerk(clip: &Clip) -> f32 {
    let positions = clip.world_positions();
    let fps = clip.fps().per_second();
    let (mut sum, mut count) = (0.0f64, 0.0f64);
    for frames in positions.windows(4) {
        for (((a, b), c), d) in frames[0].iter().zip(&frames[1]).zip(&frames[2]).zip(&frames[3]) {
            let third = *d - *c * 3.0 + *b * 3.0 - *a;
            sum += f64::from(third.length() * fps * fps * fps);
            count += 1.0;
        }
    }
    (sum / count.max(1.0)) as f32
}
