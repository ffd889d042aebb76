//! Converts the recordings of every format to a common form: world transforms of all joints at 30
//! fps.

use glam::{DQuat, DVec3, Mat4, Quat, Vec3};
use limber_animation::{HumanBone, Seconds};

use super::{FPS, MAX_ANIMATIONS, MAX_MOTION_S, MAX_PLACES, MotionError, MotionHints};
use crate::{
    acclaim,
    bvh::{self, Bvh},
    fbx, glb,
    model::turn_of,
};

/// World position in file units, and rotation of a joint.
pub(super) type Placed = (Vec3, Quat);

/// A joint of a recording.
pub(super) struct RecordedJoint {
    pub(super) name: String,
    /// Index of the parent, always smaller than the joint's own.
    pub(super) parent: Option<usize>,
    /// The bone that the file declares for it.
    pub(super) declared: Option<HumanBone>,
}

/// A recording from any format.
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) joints: Vec<RecordedJoint>,
    /// Rest transform of each joint.
    pub(super) rest: Vec<Placed>,
    /// Transforms as `[frame][joint]`.
    pub(super) frames: Vec<Vec<Placed>>,
}

/// Default frame rate of an AMC: that of all but a few files of the CMU database.
const AMC_FPS: f64 = 120.0;

pub(super) fn read(bytes: &[u8], hints: &MotionHints<'_>) -> Result<Vec<Recording>, MotionError> {
    let start = bytes.trim_ascii_start();
    if bytes.starts_with(b"glTF") || start.starts_with(b"{") {
        return of_glb(bytes);
    }
    if fbx::looks_like_fbx(bytes) {
        return of_fbx(bytes);
    }
    let text = || std::str::from_utf8(bytes).map_err(|_| MotionError::NotText);
    if start.get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY")) {
        return Ok(vec![of_bvh(&bvh::read(text()?)?)?]);
    }
    if looks_like_amc(start) {
        let skeleton = hints.skeleton.ok_or(MotionError::NoSkeleton)?;
        let skeleton = std::str::from_utf8(skeleton).map_err(|_| MotionError::NotText)?;
        let per_second = hints.frames_per_second.filter(|fps| (1.0..=1_000.0).contains(fps));
        return Ok(vec![of_amc(skeleton, text()?, per_second.unwrap_or(AMC_FPS))?]);
    }
    Err(MotionError::NotMotion)
}

/// Whether a file looks like an AMC, which begins with a comment, a setting or the number of its
/// first frame.
fn looks_like_amc(start: &[u8]) -> bool {
    let begin = &start[..start.len().min(4_096)];
    let lines = begin.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut said = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    said.next().is_some_and(|line| line.starts_with(b":") || line.iter().all(u8::is_ascii_digit))
}

/// Returns the sample times of a recording of `count` frames, each as the frame before it and the
/// fraction of the way to the next.
fn moments(count: usize, per_second: f64, joints: usize) -> Result<Vec<(usize, f32)>, MotionError> {
    let last = count.saturating_sub(1);
    let duration_s = last as f64 / per_second;
    if duration_s > MAX_MOTION_S {
        return Err(MotionError::TooLong(duration_s));
    }
    let number = (duration_s * FPS + 1e-6).floor() as usize + 1;
    if number.saturating_mul(joints) > MAX_PLACES {
        return Err(MotionError::TooLarge("joints for its length"));
    }
    let moment = |index: usize| {
        let place = (index as f64 / FPS * per_second).min(last as f64);
        let before = (place.floor() as usize).min(last);
        (before, (place - before as f64) as f32)
    };
    Ok((0..number).map(moment).collect())
}

/// Interpolates between two frames; rotations take the shorter arc.
fn between(before: &[Placed], after: &[Placed], share: f32) -> Vec<Placed> {
    if share < 1e-4 {
        return before.to_vec();
    }
    let pairs = before.iter().zip(after);
    pairs
        .map(|((at, turn), (next, to))| {
            let to = if turn.dot(*to) < 0.0 { -*to } else { *to };
            (at.lerp(*next, share), turn.slerp(to, share).normalize())
        })
        .collect()
}

/// Resamples to 30 fps. Source frames are computed on demand.
fn resampled(
    count: usize,
    per_second: f64,
    joints: usize,
    frame: impl Fn(usize) -> Vec<Placed>,
) -> Result<Vec<Vec<Placed>>, MotionError> {
    let at = |(before, share): (usize, f32)| match share < 1e-4 {
        true => frame(before),
        false => between(&frame(before), &frame(before + 1), share),
    };
    Ok(moments(count, per_second, joints)?.into_iter().map(at).collect())
}

fn single((place, turn): (DVec3, DQuat)) -> Placed {
    (place.as_vec3(), turn.as_quat())
}

fn of_bvh(bvh: &Bvh) -> Result<Recording, MotionError> {
    let joints: Vec<RecordedJoint> = bvh
        .joints
        .iter()
        .map(|joint| RecordedJoint {
            name: joint.name.clone(),
            parent: joint.parent,
            declared: None,
        })
        .collect();
    let world = |frame: usize| bvh.world(frame).into_iter().map(single).collect::<Vec<Placed>>();
    let mut rest: Vec<Placed> = Vec::with_capacity(bvh.joints.len());
    for joint in &bvh.joints {
        let above = joint.parent.map_or(Vec3::ZERO, |parent| rest[parent].0);
        rest.push((above + joint.offset.as_vec3(), Quat::IDENTITY));
    }
    let frames = resampled(bvh.frames.len(), 1.0 / bvh.frame_time_s, joints.len(), world)?;
    if frames.len() < 2 {
        return Err(MotionError::NoMovement);
    }
    Ok(Recording { name: String::new(), joints, rest, frames })
}

fn of_amc(skeleton: &str, text: &str, per_second: f64) -> Result<Recording, MotionError> {
    let asf = acclaim::read_skeleton(skeleton)?;
    let recorded = acclaim::read_frames(&asf, text)?;
    let joints: Vec<RecordedJoint> = asf
        .bones
        .iter()
        .map(|bone| RecordedJoint { name: bone.name.clone(), parent: bone.parent, declared: None })
        .collect();
    let mut rest: Vec<Placed> = Vec::with_capacity(asf.bones.len());
    for bone in &asf.bones {
        let begins = bone
            .parent
            .map_or(Vec3::ZERO, |parent| rest[parent].0 + asf.bones[parent].extent.as_vec3());
        rest.push((begins, Quat::IDENTITY));
    }
    let world = |frame: usize| recorded[frame].iter().copied().map(single).collect();
    let frames = resampled(recorded.len(), per_second, joints.len(), world)?;
    Ok(Recording { name: String::new(), joints, rest, frames })
}

fn of_glb(bytes: &[u8]) -> Result<Vec<Recording>, MotionError> {
    let scene = glb::read_scene(bytes)?;
    let skeleton = &scene.glb.character.skeleton;
    let clips = &scene.glb.clips;
    if clips.len() > MAX_ANIMATIONS {
        return Err(MotionError::TooLarge("animations"));
    }
    let world = skeleton.rest_world();
    let rest: Vec<Placed> = world.positions.into_iter().zip(world.rotations).collect();
    let mut places = 0;
    let mut recordings = Vec::new();
    for (place, named) in clips.iter().enumerate() {
        let per_second = f64::from(named.clip.fps().get());
        let moments = moments(named.clip.len(), per_second, rest.len())?;
        places += moments.len() * rest.len();
        if places > MAX_PLACES {
            return Err(MotionError::TooLarge("joints for its length"));
        }
        let frames: Vec<Vec<Placed>> = (0..moments.len())
            .map(|index| {
                let time_s = (index as f64 / FPS) as Seconds;
                let (pose, _) = scene.movement.at(place, time_s);
                pose.positions.into_iter().zip(pose.rotations).collect()
            })
            .collect();
        let joints = skeleton.joints().iter().map(|joint| RecordedJoint {
            name: joint.name.clone(),
            parent: joint.parent.map(limber_animation::JointIndex::get),
            declared: None,
        });
        recordings.push(Recording {
            name: named.name.clone(),
            joints: joints.collect(),
            rest: rest.clone(),
            frames,
        });
    }
    Ok(recordings)
}

fn of_fbx(bytes: &[u8]) -> Result<Vec<Recording>, MotionError> {
    let scene = fbx::load_movement(bytes)?;
    if scene.anim_stacks.len() > MAX_ANIMATIONS {
        return Err(MotionError::TooLarge("animations"));
    }
    // the first node is the file's own root, which is not a joint but transforms all of them
    let nodes = scene.nodes.as_ref();
    let joints = || {
        let joint = |node: &ufbx::Node| RecordedJoint {
            name: node.element.name.to_string(),
            parent: node.parent.as_ref().map(|parent| parent.element.typed_id as usize),
            declared: None,
        };
        nodes.iter().map(|node| joint(node)).collect::<Vec<RecordedJoint>>()
    };
    let rest = placed(nodes, |node| matrix(&node.local_transform));
    let mut places = 0;
    let mut recordings = Vec::new();
    for stack in &scene.anim_stacks {
        let duration_s = stack.time_end - stack.time_begin;
        if !duration_s.is_finite() || duration_s <= 0.0 {
            continue;
        }
        let moments = moments((duration_s * FPS) as usize + 1, FPS, nodes.len())?;
        places += moments.len() * nodes.len();
        if places > MAX_PLACES {
            return Err(MotionError::TooLarge("joints for its length"));
        }
        let frames = (0..moments.len()).map(|index| {
            let time_s = stack.time_begin + index as f64 / FPS;
            placed(nodes, |node| matrix(&ufbx::evaluate_transform(&stack.anim, node, time_s)))
        });
        let name = stack.element.name.to_string();
        recordings.push(Recording {
            name,
            joints: joints(),
            rest: rest.clone(),
            frames: frames.collect(),
        });
    }
    Ok(recordings)
}

fn matrix(transform: &ufbx::Transform) -> Mat4 {
    let (at, turn, scale) = (transform.translation, transform.rotation, transform.scale);
    let turn = Quat::from_xyzw(turn.x as f32, turn.y as f32, turn.z as f32, turn.w as f32);
    Mat4::from_scale_rotation_translation(
        Vec3::new(scale.x as f32, scale.y as f32, scale.z as f32),
        if turn.length() > 1e-6 { turn.normalize() } else { Quat::IDENTITY },
        Vec3::new(at.x as f32, at.y as f32, at.z as f32),
    )
}

/// Returns the world transform of every node; parents come before children.
fn placed(nodes: &[ufbx::Ref<ufbx::Node>], local: impl Fn(&ufbx::Node) -> Mat4) -> Vec<Placed> {
    let mut world: Vec<Mat4> = Vec::new();
    for node in nodes {
        let parent = node.parent.as_ref().map(|parent| parent.element.typed_id as usize);
        let above = parent.and_then(|parent| world.get(parent).copied());
        let own = local(node);
        world.push(above.map_or(own, |above| above * own));
    }
    world.into_iter().map(|matrix| (matrix.w_axis.truncate(), turn_of(matrix))).collect()
}
