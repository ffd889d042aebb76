//! Paths of a body's joints over a clip, drawn as motion trails.

use glam::Vec3;
use limber_animation::{Clip, HumanBone, JointIndex, Seconds, Side, Skeleton, WorldPose};
use limber_render::Trail;

use crate::lineup::under_hips;

/// Bones that leave a trail.
const TRACED: [HumanBone; 6] = [
    HumanBone::Hips,
    HumanBone::Head,
    HumanBone::LeftHand,
    HumanBone::RightHand,
    HumanBone::LeftFoot,
    HumanBone::RightFoot,
];
/// If the bones are unknown, the maximum number of chain ends that leave a trail besides the hips.
const MAX_ENDS: usize = 8;
/// Maximum number of samples; longer clips are sampled at larger steps.
const MAX_POINTS: usize = 6_000;
/// Extent of a trail before and after the current time.
const REACH_S: Seconds = 2.5;

/// Paths of the traced joints over a whole clip.
#[derive(Debug)]
pub(crate) struct Path {
    joints: Vec<(JointIndex, Option<Side>)>,
    /// Positions, `[joint][sample]`.
    places: Vec<Vec<Vec3>>,
    /// Floor point below the hips, by sample.
    under: Vec<Vec3>,
    /// Time between two samples.
    step_s: Seconds,
}

impl Path {
    /// Samples the joints over a clip; `at` evaluates the pose at a time.
    pub(crate) fn of(clip: &Clip, at: impl Fn(Seconds) -> WorldPose) -> Self {
        let joints = traced(clip.skeleton());
        let stride = clip.len().div_ceil(MAX_POINTS);
        let step_s = stride as f32 / clip.fps().per_second();
        let mut path =
            Self { places: vec![Vec::new(); joints.len()], joints, under: Vec::new(), step_s };
        for moment in 0..clip.len().div_ceil(stride) {
            let pose = at(moment as f32 * step_s);
            for (places, (joint, _)) in path.places.iter_mut().zip(&path.joints) {
                places.push(pose.position(*joint));
            }
            path.under.push(under_hips(clip, &pose));
        }
        path
    }

    /// Returns the trails around a time. The body stands at `base`; `in_place` removes horizontal
    /// root motion.
    pub(crate) fn trails(
        &self,
        (time_s, pose): (Seconds, &WorldPose),
        (base, in_place): (Vec3, bool),
        now_offset: Vec3,
    ) -> Vec<Trail> {
        let last = self.under.len() - 1;
        let here = ((time_s / self.step_s + 1e-3).floor().max(0.0) as usize).min(last);
        let reach = (REACH_S / self.step_s).round() as usize;
        let window = here.saturating_sub(reach)..=(here + reach).min(last);
        let travel = |moment: usize| if in_place { self.under[moment] } else { Vec3::ZERO };
        let trail = |(places, (joint, side)): (&Vec<Vec3>, &(JointIndex, Option<Side>))| {
            let mut points: Vec<Vec3> =
                window.clone().map(|moment| places[moment] - travel(moment) + base).collect();
            let now = here - window.start();
            // between two frames the joint lies between two samples
            points[now] = pose.position(*joint) + now_offset;
            Trail { points, now, side: *side }
        };
        self.places.iter().zip(&self.joints).map(trail).collect()
    }
}

/// Returns hips, head, hands and feet; if they are unknown, hips and chain ends.
fn traced(skeleton: &Skeleton) -> Vec<(JointIndex, Option<Side>)> {
    let known: Vec<_> =
        TRACED.into_iter().filter_map(|bone| Some((skeleton.find(bone)?, bone.side()))).collect();
    if known.len() > 1 {
        return known;
    }
    let is_end = |joint: &JointIndex| {
        skeleton.joints().iter().all(|other| other.parent != Some(*joint))
            && *joint != skeleton.hips()
    };
    let ends = skeleton.indices().filter(is_end).take(MAX_ENDS).map(|joint| (joint, None));
    known.into_iter().chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use limber_animation::{Fps, canonical_skeleton};

    use super::*;

    fn path() -> (Clip, Path) {
        let skeleton = canonical_skeleton();
        let frames = (0..300).map(|frame| {
            let mut pose = skeleton.rest_pose();
            pose.hips_translation.z += frame as f32 * 0.01;
            pose
        });
        let clip = Clip::new(skeleton.clone(), Fps::DEFAULT, frames.collect());
        let clip = clip.expect("the poses match the skeleton");
        let path = Path::of(&clip, |time_s| clip.skeleton().world(&clip.sample(time_s)));
        (clip, path)
    }

    #[test]
    fn a_trail_passes_through_the_joint_in_both_directions() {
        let (clip, path) = path();
        let pose = clip.skeleton().world(&clip.frames()[150]);
        let trails = path.trails((5.0, &pose), (Vec3::ZERO, false), Vec3::ZERO);
        assert_eq!(trails.len(), TRACED.len());
        let hips = &trails[0];
        assert_eq!((hips.now, hips.points.len()), (75, 151));
        assert!(hips.points[75].abs_diff_eq(pose.position(clip.skeleton().hips()), 1e-5));
        assert!((hips.points[76].z - hips.points[74].z - 0.02).abs() < 1e-4);
        let first = path.trails((0.0, &pose), (Vec3::ZERO, false), Vec3::ZERO);
        assert_eq!((first[0].now, first[0].points.len()), (0, 76));
    }

    #[test]
    fn in_place_the_hips_stay_where_they_are() {
        let (clip, path) = path();
        let pose = clip.skeleton().world(&clip.frames()[150]);
        let base = Vec3::X;
        let offset = base - under_hips(&clip, &pose);
        let trails = path.trails((5.0, &pose), (base, true), offset);
        let spread = trails[0].points.iter().map(|point| (point.z.abs(), point.x - 1.0));
        assert!(spread.clone().all(|(z, x)| z < 1e-4 && x.abs() < 1e-4));
    }
}
