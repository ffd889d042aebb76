use glam::DVec3;
use limber_animation::{Clip, canonical_skeleton};
use limber_formats::bvh::{self, BvhOptions};

use crate::mannequin::{foreign_skeleton, root_below_hips, swinging};

fn check_positions(clip: &Clip, options: &BvhOptions) {
    let text = bvh::write(clip.skeleton(), clip, options).expect("the file can be written");
    let read = bvh::read(&text).expect("the file can be read");
    assert_eq!(read.frames.len(), clip.len());
    assert!((read.frame_time_s - 1.0 / 30.0).abs() < 1e-7);
    for (frame, meant) in clip.world_positions().iter().enumerate() {
        let got = read.world_positions(frame);
        for (joint, place) in read.joints.iter().zip(got) {
            let Some(source) = clip.skeleton().find_name(&joint.name) else { continue };
            let distance = (place / 100.0).distance(meant[source.get()].as_dvec3());
            assert!(distance < 1e-4, "{} in frame {frame}: {distance} m", joint.name);
        }
    }
}

#[test]
fn bvh_positions_match_the_clip_within_a_tenth_of_a_millimetre() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 40);
        check_positions(&clip, &BvhOptions::default());
        let root = Some(root_below_hips(&clip));
        check_positions(&clip, &BvhOptions { root, ..BvhOptions::default() });
    }
}

#[test]
fn offsets_form_the_rest_pose_for_any_joint_axes() {
    let skeleton = foreign_skeleton();
    let clip = swinging(&skeleton, 2);
    let text =
        bvh::write(&skeleton, &clip, &BvhOptions::default()).expect("the file can be written");
    let mut read = bvh::read(&text).expect("the file can be read");
    read.frames[0].fill(0.0);
    let standing = read.world_positions(0);
    let rest = skeleton.rest_world();
    let hips = rest.position(skeleton.hips()).as_dvec3();
    for (joint, place) in read.joints.iter().zip(standing) {
        let source = skeleton.find_name(&joint.name).expect("only the skeleton's joints");
        let meant = (rest.position(source).as_dvec3() - hips) * 100.0;
        assert!(place.distance(meant) < 1e-3, "{}", joint.name);
    }
}

#[test]
fn angles_never_jump_by_a_full_turn() {
    let skeleton = canonical_skeleton();
    let mut clip = swinging(&skeleton, 90);
    for (frame, pose) in clip.frames_mut().iter_mut().enumerate() {
        pose.rotations[0] = glam::Quat::from_rotation_y(frame as f32 * 0.2);
    }
    let text =
        bvh::write(&skeleton, &clip, &BvhOptions::default()).expect("the file can be written");
    let read = bvh::read(&text).expect("the file can be read");
    for pair in read.frames.windows(2) {
        for (before, after) in pair[0].iter().zip(&pair[1]).skip(3) {
            assert!((before - after).abs() < 120.0, "{before} to {after}");
        }
    }
}

#[test]
fn names_have_no_spaces_and_leaves_have_end_sites() {
    let skeleton = canonical_skeleton();
    let text = bvh::write(&skeleton, &swinging(&skeleton, 1), &BvhOptions::default())
        .expect("the file can be written");
    assert_eq!(text.matches("End Site").count(), 13);
    assert!(
        text.contains("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")
    );
    assert!(text.contains("Frame Time: 0.03333333"));
    let read = bvh::read(&text).expect("the file can be read");
    assert_eq!(read.joints.len(), 52);
    assert_eq!(read.joints[0].offset, DVec3::ZERO);
}
