//! Random clips to edit: walking, standing with gestures, squatting.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, Contacts, Fps, HumanBone, Pose, Side, Skeleton, canonical_skeleton, ik,
};
use limber_cleanup::{GroundMove, Trim, trim};
use proptest::prelude::*;

use crate::gait::{Walk, walk};

/// A clip whose `Debug` output is one line, for failing cases.
#[derive(Clone)]
pub(crate) struct Made {
    clip: Clip,
    how: String,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.how)
    }
}

impl std::ops::Deref for Made {
    type Target = Clip;

    fn deref(&self) -> &Clip {
        &self.clip
    }
}

/// A random clip of one of the kinds.
pub(crate) fn any_clip() -> impl Strategy<Value = Made> {
    let what = prop_oneof![
        3 => (0.3f32..1.7, -0.5f32..0.5).prop_map(|(speed_m_s, bend)| {
            let clip = walk(&Walk { speed_m_s, bend, contacts: true, ..Walk::default() });
            (clip, format!("walk {speed_m_s} m/s, {bend} rad/s"))
        }),
        2 => (0.0f32..1.0, 0.4f32..2.0).prop_map(|(size, hertz)| {
            (gesture(100, size, hertz), format!("gesture {size}, {hertz} Hz"))
        }),
        1 => (0.05f32..0.4, 0.3f32..0.8).prop_map(|(depth_m, hertz)| {
            (squat(100, depth_m, hertz), format!("squat {depth_m} m, {hertz} Hz"))
        }),
    ];
    (what, 0usize..40, 0usize..30, -3.0f32..3.0, -2.0f32..2.0).prop_map(
        |((clip, what), left, right, yaw_rad, x)| {
            let cut = trim(&clip, Trim { left, right }).expect("enough is left");
            let clip = GroundMove { yaw_rad, offset: Vec3::new(x, 0.0, 1.0) }.clip(&cut);
            Made {
                how: format!("{what}, {} frames from {left}, turned {yaw_rad}", clip.len()),
                clip,
            }
        },
    )
}

/// Standing and swinging arms, trunk and head.
pub(crate) fn gesture(frames: usize, size: f32, hertz: f32) -> Clip {
    standing(frames, |skeleton, pose, time_s| {
        let swing = size * (TAU * hertz * time_s).sin();
        for (bone, turn) in [
            (HumanBone::Chest, Quat::from_rotation_y(0.3 * swing)),
            (HumanBone::Head, Quat::from_rotation_x(0.4 * swing)),
            (HumanBone::LeftUpperArm, Quat::from_rotation_z(-1.2 - 0.2 * swing)),
            (HumanBone::RightUpperArm, Quat::from_rotation_z(-0.6 - 0.8 * swing)),
            (HumanBone::RightLowerArm, Quat::from_rotation_y(1.0 + swing)),
        ] {
            pose.set_rotation(skeleton.find(bone).expect("a canonical bone"), turn);
        }
        0.03
    })
}

/// Squatting with the feet in place.
pub(crate) fn squat(frames: usize, depth_m: f32, hertz: f32) -> Clip {
    standing(frames, |_, _, time_s| 0.03 + depth_m * (0.5 - 0.5 * (TAU * hertz * time_s).cos()))
}

/// Standing with feet flat on the floor; `acts` changes the pose and returns how far the body is
/// lowered, metres.
fn standing(frames: usize, acts: impl Fn(&Skeleton, &mut Pose, f32) -> f32) -> Clip {
    let skeleton = canonical_skeleton();
    let rest = skeleton.rest_world();
    let poses = (0..frames)
        .map(|frame| {
            let mut pose = skeleton.rest_pose();
            pose.hips_translation.y -= acts(&skeleton, &mut pose, frame as f32 / 30.0);
            for side in Side::BOTH {
                let leg =
                    HumanBone::leg(side).map(|bone| skeleton.find(bone).expect("it has legs"));
                let place = rest.position(leg[2]);
                let chain = [leg[0], leg[1], leg[2]];
                let flat = Some(Quat::IDENTITY);
                ik::reach(&skeleton, &mut pose, chain, place, Some(Vec3::Z), flat);
            }
            pose
        })
        .collect();
    Clip::new(skeleton, Fps::DEFAULT, poses)
        .and_then(|clip| clip.with_contacts(vec![Contacts::STANDING; frames]))
        .expect("the clip is well-formed")
}
