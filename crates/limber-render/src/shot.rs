//! Camera moves over a clip.

use glam::Vec3;
use limber_animation::{Character, Clip, FrameIndex, HumanBone, Seconds, Skeleton, WorldPose};

use crate::{BodyBounds, Camera, Follow, View};

/// Time the camera takes to catch up with the hips.
const SETTLE_S: Seconds = 0.5;

/// The kinds of camera moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShotKind {
    /// Follows the hips and keeps the whole body in view.
    Follow,
    /// Stands still and shows the whole clip.
    Fixed,
    /// A close-up of face and chest.
    Face,
}

/// A camera for every frame of a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    cameras: Vec<Camera>,
}

impl Shot {
    /// Plans a shot. `angle` is measured from the character's front in the first frame, positive
    /// towards its left; `pitch` is positive looking down; both in radians. The clip must be on the
    /// character's skeleton.
    #[must_use]
    pub fn new(
        kind: ShotKind,
        character: &Character,
        clip: &Clip,
        (angle, pitch): (f32, f32),
        aspect: f32,
    ) -> Self {
        let bounds = BodyBounds::of(character);
        let poses: Vec<_> = clip.frames().iter().map(|pose| clip.skeleton().world(pose)).collect();
        let mut camera = Camera { pitch, ..Camera::default() };
        camera.orbit(angle + facing(clip.skeleton(), &poses[0]) - camera.yaw, 0.0);
        let step_s = clip.fps().frame_duration_s();
        let cameras = match kind {
            ShotKind::Fixed => {
                camera.frame(&bounds.over(clip), aspect);
                vec![camera; poses.len()]
            }
            ShotKind::Follow => follow(camera, clip.skeleton(), &bounds, &poses, aspect, step_s),
            ShotKind::Face => face(camera, clip.skeleton(), &bounds, &poses, step_s),
        };
        Self { cameras }
    }

    /// Plans the shot for library cards and thumbnails: follows the body, from the front and a
    /// little to the left.
    #[must_use]
    pub fn card(character: &Character, clip: &Clip, aspect: f32) -> Self {
        Self::new(ShotKind::Follow, character, clip, View::ThreeQuarter.angles(), aspect)
    }

    /// Returns the camera of a frame; beyond the end, that of the last frame.
    #[must_use]
    pub fn camera_at(&self, frame: FrameIndex) -> Camera {
        self.cameras[frame.min(self.cameras.len() - 1)]
    }

    /// Returns the camera at a time, interpolated between frames.
    #[must_use]
    pub fn camera_at_time(&self, time_s: Seconds, clip: &Clip) -> Camera {
        let place = (time_s * clip.fps().per_second()).max(0.0);
        let (before, after) = (self.camera_at(place as usize), self.camera_at(place as usize + 1));
        Camera { target: before.target.lerp(after.target, place.fract()), ..before }
    }
}

/// Returns the yaw of the hips in the floor plane, in radians, from the line between the upper
/// legs; 0 for skeletons without them.
fn facing(skeleton: &Skeleton, world: &WorldPose) -> f32 {
    let place = |bone| skeleton.find(bone).map(|joint| world.position(joint));
    match (place(HumanBone::LeftUpperLeg), place(HumanBone::RightUpperLeg)) {
        (Some(left), Some(right)) => {
            let forward = (left - right).cross(Vec3::Y);
            if forward.length_squared() > 1e-8 { forward.x.atan2(forward.z) } else { 0.0 }
        }
        _ => 0.0,
    }
}

/// Plans a following camera. The distance fits the extent of the body over all frames, measured
/// from the point on the floor under the hips; a spring smooths the position. The extent includes
/// the lag of the spring.
fn follow(
    mut camera: Camera,
    skeleton: &Skeleton,
    bounds: &BodyBounds,
    poses: &[WorldPose],
    aspect: f32,
    step_s: Seconds,
) -> Vec<Camera> {
    let under = |world: &WorldPose| world.position(skeleton.hips()).with_y(0.0);
    let mut spring = Follow::new(under(&poses[0]), SETTLE_S);
    let places: Vec<_> = poses
        .iter()
        .enumerate()
        .map(|(frame, world)| spring.step(under(world), if frame == 0 { 0.0 } else { step_s }))
        .collect();
    let room: Vec<_> = poses
        .iter()
        .zip(&places)
        .flat_map(|(world, place)| bounds.at(world).moved(-*place).corners())
        .collect();
    camera.frame_points(&room, aspect);
    places.iter().map(|place| Camera { target: camera.target + *place, ..camera }).collect()
}

/// Plans a close-up: aims at the point three fifths of the way from the head to the neck, at a
/// distance that shows head and chest.
fn face(
    camera: Camera,
    skeleton: &Skeleton,
    bounds: &BodyBounds,
    poses: &[WorldPose],
    step_s: Seconds,
) -> Vec<Camera> {
    let aim = |world: &WorldPose| {
        let place = |bone| skeleton.find(bone).map(|joint| world.position(joint));
        match (place(HumanBone::Neck), place(HumanBone::Head)) {
            (Some(neck), Some(head)) => neck * 0.6 + head * 0.4,
            (None, Some(head)) => head,
            _ => bounds.at(world).center(),
        }
    };
    let height = bounds.at(&skeleton.rest_world()).size().y;
    let distance = height * 0.30 / (camera.field_of_view * 0.5).tan();
    let mut spring = Follow::new(aim(&poses[0]), SETTLE_S);
    let steps = poses.iter().enumerate();
    steps
        .map(|(frame, world)| {
            let target = spring.step(aim(world), if frame == 0 { 0.0 } else { step_s });
            Camera { target, distance, ..camera }
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use limber_animation::{Fps, canonical_skeleton};

    use super::*;

    pub(crate) fn walker() -> (Character, Clip) {
        let skeleton = canonical_skeleton();
        let frames = (0..60).map(|frame| {
            let mut pose = skeleton.rest_pose();
            pose.hips_translation.z += frame as f32 * 0.04;
            pose
        });
        let clip = Clip::new(skeleton.clone(), Fps::DEFAULT, frames.collect())
            .expect("the poses match the skeleton");
        let character = Character {
            name: String::new(),
            skeleton,
            skins: vec![],
            meshes: vec![],
            materials: vec![],
            images: vec![],
            avatar: Vec::new(),
        };
        (character, clip)
    }

    fn farthest(shot: &Shot, clip: &Clip, aspect: f32) -> f32 {
        let frames = clip.frames().iter().enumerate();
        frames
            .flat_map(|(frame, pose)| {
                let camera = shot.camera_at(frame);
                let matrix = camera.projection_matrix(aspect) * camera.view_matrix();
                let points = clip.skeleton().world(pose).positions;
                points.into_iter().map(move |point| matrix.project_point3(point).truncate())
            })
            .map(|place| place.abs().max_element())
            .fold(0.0, f32::max)
    }

    #[test]
    fn following_and_fixed_shots_keep_the_whole_body_in_every_frame() {
        let (character, clip) = walker();
        for kind in [ShotKind::Follow, ShotKind::Fixed] {
            for aspect in [0.8, 1.78] {
                let shot = Shot::new(kind, &character, &clip, (0.4, 0.1), aspect);
                let reach = farthest(&shot, &clip, aspect);
                assert!(reach < 0.95 && reach > 0.5, "{kind:?} {aspect}: {reach}");
            }
        }
    }

    #[test]
    fn a_following_camera_goes_along_and_a_fixed_one_does_not() {
        let (character, clip) = walker();
        let way = |kind| {
            let shot = Shot::new(kind, &character, &clip, (0.0, 0.1), 1.0);
            shot.camera_at(59).target.z - shot.camera_at(0).target.z
        };
        assert!(way(ShotKind::Follow) > 1.5);
        assert!(way(ShotKind::Fixed).abs() < 1e-6);
    }

    #[test]
    fn the_angle_is_measured_from_the_characters_front() {
        let (character, clip) = walker();
        let mut turned = clip.clone();
        let hips = turned.skeleton().hips();
        for pose in turned.frames_mut() {
            pose.set_rotation(hips, glam::Quat::from_rotation_y(1.0));
        }
        let yaw =
            |clip| Shot::new(ShotKind::Fixed, &character, clip, (0.25, 0.0), 1.0).camera_at(0).yaw;
        assert!((yaw(&clip) - 0.25).abs() < 1e-4);
        assert!((yaw(&turned) - 1.25).abs() < 1e-4);
    }

    #[test]
    fn the_face_shot_aims_between_neck_and_head() {
        let (character, clip) = walker();
        let camera = Shot::new(ShotKind::Face, &character, &clip, (0.0, 0.0), 1.0).camera_at(0);
        assert!((1.4..1.75).contains(&camera.target.y), "{camera:?}");
    }
}
