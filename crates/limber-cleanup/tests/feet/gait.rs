//! A simple walk with faults to repair: flat stances that may slide, penetrate the floor or jitter;
//! the heel lifts before the swing.

use std::{f32::consts::TAU, sync::Arc};

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, ContactPoint, Contacts, Fps, HumanBone, Joint, Pose, Side, Skeleton, canonical_skeleton,
    ik, smooth::smoothstep,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

/// Parameters of the walk and its faults.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub(crate) speed_m_s: f32,
    /// Speed at which standing feet slide forwards.
    pub(crate) slide_m_s: f32,
    /// Curvature of the path, radians per second.
    pub(crate) bend: f32,
    /// Random rotation added to every joint, radians.
    pub(crate) shiver: f32,
    /// Depth of standing feet below the floor.
    pub(crate) sink_m: f32,
    pub(crate) seed: u64,
    /// Whether the clip has a contact track.
    pub(crate) contacts: bool,
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            speed_m_s: 1.0,
            slide_m_s: 0.0,
            bend: 0.0,
            shiver: 0.0,
            sink_m: 0.0,
            seed: 1,
            contacts: false,
        }
    }
}

const CYCLE_S: f32 = 1.1;
const STANCE: f32 = 0.62;
const HEEL_OFF: f32 = 0.45;

/// Four seconds of the walk at 30 fps.
pub(crate) fn walk(of: &Walk) -> Clip {
    let skeleton = canonical_skeleton();
    let mut chance = Pcg32::seed_from_u64(of.seed);
    let mut contacts = Vec::new();
    let frames: Vec<Pose> = (0..120)
        .map(|frame| {
            let time_s = frame as f32 / 30.0;
            let mut pose = skeleton.rest_pose();
            let (at, turn) = body(of, time_s);
            pose.hips_translation += at + Vec3::NEG_Y * 0.05;
            pose.set_rotation(skeleton.hips(), turn);
            let mut touching = Contacts::NONE;
            for side in Side::BOTH {
                step(of, &skeleton, &mut pose, side, time_s, &mut touching);
            }
            for turn in &mut pose.rotations {
                let mut any = || chance.random_range(-1.0f32..=1.0) * of.shiver;
                *turn =
                    (*turn * Quat::from_scaled_axis(Vec3::new(any(), any(), any()))).normalize();
            }
            contacts.push(touching);
            pose
        })
        .collect();
    let clip = Clip::new(skeleton, Fps::DEFAULT, frames).expect("the walk is well-formed");
    if of.contacts { clip.with_contacts(contacts).expect("one per frame") } else { clip }
}

fn body(of: &Walk, time_s: f32) -> (Vec3, Quat) {
    let angle = of.bend * time_s;
    let turn = Quat::from_rotation_y(angle);
    let at = if of.bend.abs() < 1e-3 {
        Vec3::Z * of.speed_m_s * time_s
    } else {
        let radius = of.speed_m_s / of.bend;
        Vec3::new(radius * (1.0 - angle.cos()), 0.0, radius * angle.sin())
    };
    (at, turn)
}

fn step(
    of: &Walk,
    skeleton: &Skeleton,
    pose: &mut Pose,
    side: Side,
    time_s: f32,
    touching: &mut Contacts,
) {
    let offset = if side == Side::Left { 0.0 } else { 0.5 };
    let cycles = time_s / CYCLE_S + offset;
    let (start, phase) = (cycles.floor(), cycles.fract());
    // mid-stance is below the body
    let place = |cycle: f32| body(of, (cycle + STANCE / 2.0 - offset) * CYCLE_S);
    let ((here, turn), (there, next_turn)) = (place(start), place(start + 1.0));
    let in_stance = phase < STANCE;
    let swing = smoothstep((phase - STANCE) / (1.0 - STANCE));
    let forward = turn * Vec3::Z;
    let since = phase.min(STANCE) * CYCLE_S;
    let mut ball = here.lerp(there, swing) + forward * of.slide_m_s * (since - 0.3) * (1.0 - swing);
    let turn = turn.slerp(next_turn, swing);
    ball += turn * Vec3::new(side.sign() * 0.092, 0.02 - of.sink_m * (1.0 - swing), 0.06);
    ball.y += 0.09 * (TAU / 2.0 * swing).sin().max(0.0);
    let lift = smoothstep((phase - HEEL_OFF) / (STANCE - HEEL_OFF)) * (1.0 - swing);
    let foot = turn * Quat::from_rotation_x(0.6 * lift);
    touching.set(ContactPoint::Toe(side), in_stance);
    touching.set(ContactPoint::Heel(side), phase < HEEL_OFF);

    let leg = HumanBone::leg(side).map(|bone| skeleton.find(bone).expect("it has legs"));
    let ankle = ball - foot * skeleton.joint(leg[3]).rest_translation;
    let knee = turn * Vec3::Z;
    ik::reach(skeleton, pose, [leg[0], leg[1], leg[2]], ankle, Some(knee), Some(foot));
    ik::set_world_rotation(skeleton, pose, leg[3], turn);
}

/// The same clip on a skeleton with a root above the hips and other rest rotations.
pub(crate) fn character_like(clip: &Clip) -> Clip {
    let tilt = |place: usize| Quat::from_rotation_z(0.4 + 0.3 * place as f32);
    let old = clip.skeleton();
    let world = old.rest_world();
    let root_turn = Quat::from_rotation_x(-TAU / 4.0);
    let mut joints = vec![Joint {
        name: "armature".to_owned(),
        parent: None,
        rest_translation: Vec3::ZERO,
        rest_rotation: root_turn,
        bone: None,
        twist: None,
    }];
    for index in old.indices() {
        let joint = old.joint(index);
        let (above, turned) = joint
            .parent
            .map_or((Vec3::ZERO, root_turn), |parent| (world.position(parent), tilt(parent.get())));
        joints.push(Joint {
            name: joint.name.clone(),
            parent: Some(limber_animation::JointIndex::new(
                joint.parent.map_or(0, |parent| parent.get() + 1),
            )),
            rest_translation: turned.inverse() * (world.position(index) - above),
            rest_rotation: (turned.inverse() * tilt(index.get())).normalize(),
            bone: joint.bone,
            twist: None,
        });
    }
    let skeleton = Arc::new(Skeleton::new(joints).expect("a valid skeleton"));
    let frames = clip
        .frames()
        .iter()
        .map(|pose| {
            let world = old.world(pose);
            let mut rotations = vec![root_turn];
            for index in old.indices() {
                let above = old
                    .joint(index)
                    .parent
                    .map_or(root_turn, |parent| world.rotation(parent) * tilt(parent.get()));
                let turned = world.rotation(index) * tilt(index.get());
                rotations.push((above.inverse() * turned).normalize());
            }
            let hips_translation = root_turn.inverse() * pose.hips_translation;
            Pose { hips_translation, rotations, face: pose.face.clone() }
        })
        .collect();
    let same = Clip::new(skeleton, clip.fps(), frames).expect("a valid clip");
    match clip.contacts() {
        Some(contacts) => same.with_contacts(contacts.clone()).expect("as long as before"),
        None => same,
    }
}
