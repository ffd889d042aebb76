//! Fits new movement between where the old movement stops and where it continues.

use glam::{Quat, Vec3};
use limber_animation::{Pose, Skeleton};

use super::ground_move::{GroundMove, hips, set_hips, wrapped, yaw_between};

/// Share of the path over which the correction speeds up, and again slows down.
const EASE: f32 = 0.25;

/// The poses outside an edge of a hole: the one next to it, and the one further out.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    pub(super) at: &'a Pose,
    pub(super) beyond: Option<&'a Pose>,
}

impl Edge<'_> {
    /// Extrapolated position of the hips one frame into the hole.
    fn next_hips(&self, skeleton: &Skeleton) -> Vec3 {
        let at = hips(skeleton, self.at).0;
        let step = self.beyond.map_or(Vec3::ZERO, |beyond| at - hips(skeleton, beyond).0);
        at + step
    }

    /// The move that places a pose next to this edge.
    pub(super) fn beside(&self, skeleton: &Skeleton, pose: &Pose) -> GroundMove {
        let yaw_rad = yaw_between(skeleton, pose, self.at);
        GroundMove::bringing(hips(skeleton, pose).0, self.next_hips(skeleton), yaw_rad)
    }
}

/// Moves material over the floor so that it starts at the left edge and ends at the right one. The
/// remaining difference in rotation and travel is spread over all of it. Nothing else changes.
pub(super) fn lead(
    skeleton: &Skeleton,
    material: &mut [Pose],
    left: Option<Edge<'_>>,
    right: Option<Edge<'_>>,
) {
    let (Some(first), Some(last)) = (material.first(), material.last()) else { return };
    let begins = left.map(|edge| edge.beside(skeleton, first));
    let ends = right.map(|edge| edge.beside(skeleton, last));
    match (begins, ends) {
        (None, None) => {}
        (Some(all), None) | (None, Some(all)) => {
            for pose in material {
                *pose = all.pose(skeleton, pose);
            }
        }
        (Some(begins), Some(ends)) => {
            let goal = ends.point(hips(skeleton, last).0);
            let turn_rad = wrapped(ends.yaw_rad - begins.yaw_rad);
            bend(skeleton, material, begins, turn_rad, goal);
        }
    }
}

/// Lays out the path from its start with a gradually growing rotation, and moves its end to the
/// goal.
fn bend(skeleton: &Skeleton, material: &mut [Pose], begins: GroundMove, turn_rad: f32, goal: Vec3) {
    let count = material.len();
    let done: Vec<f32> =
        (0..count).map(|frame| eased((frame + 1) as f32 / (count + 1) as f32)).collect();
    let old: Vec<(Vec3, Quat)> = material.iter().map(|pose| hips(skeleton, pose)).collect();
    let mut path = vec![begins.point(old[0].0)];
    for frame in 1..count {
        let step = begins.turn() * (old[frame].0 - old[frame - 1].0);
        path.push(path[frame - 1] + Quat::from_rotation_y(turn_rad * done[frame]) * step);
    }
    let missing = (goal - path[count - 1]) * Vec3::new(1.0, 0.0, 1.0);
    for (frame, pose) in material.iter_mut().enumerate() {
        let turned = Quat::from_rotation_y(turn_rad * done[frame]) * begins.turn() * old[frame].1;
        set_hips(skeleton, pose, path[frame] + missing * done[frame], turned);
    }
}

/// From 0 to 1 at constant speed, except for eased ends.
pub(super) fn eased(amount: f32) -> f32 {
    let x = amount.clamp(0.0, 1.0);
    let most = 1.0 / (1.0 - EASE);
    if x < EASE {
        most * x * x / (2.0 * EASE)
    } else if x > 1.0 - EASE {
        1.0 - most * (1.0 - x) * (1.0 - x) / (2.0 * EASE)
    } else {
        most * (x - EASE / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_easing_rises_smoothly_from_zero_to_one() {
        let curve: Vec<f32> = (0..=100).map(|x| eased(x as f32 / 100.0)).collect();
        assert_eq!((curve[0], curve[100]), (0.0, 1.0));
        assert!(curve.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] < 0.014));
    }
}
