use std::sync::Arc;

use limber_animation::{Fps, HumanBone, Side, Skeleton};
use limber_domain::limits::FILE_FRAME_RATES;
use limber_formats::{bvh, fbx, glb};
use limber_pipeline::{FileKind, Options, OutputFile, stock};

use crate::{WALK_AND_WAVE, mannequin, request, walked};

fn file(files: &[OutputFile], kind: FileKind) -> &OutputFile {
    files.iter().find(|file| file.kind == kind).expect("the file is created")
}

#[test]
fn all_files_of_a_stock_character_agree() {
    for stock in stock::list() {
        let character = stock.character().expect("the stock character reads");
        let output =
            walked(&request(WALK_AND_WAVE, Options::default()), character).expect("it works");
        let names: Vec<_> = output.files.iter().map(|file| file.name.as_str()).collect();
        let base = "walks_forward_then_waves_v1";
        let endings = ["bvh", "fbx", "glb", "json"];
        assert_eq!(names, endings.map(|ending| format!("{base}.{ending}")));

        let glb = glb::read(&file(&output.files, FileKind::Glb).bytes).expect("it reads");
        let text = file(&output.files, FileKind::Bvh).bytes.clone();
        let bvh = bvh::read(&String::from_utf8(text).expect("it is text")).expect("it reads");
        let clip = &glb.clips[0].clip;
        assert_eq!(glb.clips[0].name, "walks_forward_then_waves");
        assert_eq!(clip.len(), 120);
        assert_eq!(bvh.frames.len(), 121, "one more is at the end of the four seconds");
        let in_glb = clip.world_positions();
        let in_fbx = fbx::movement(&file(&output.files, FileKind::Fbx).bytes, clip.fps());
        let in_fbx = in_fbx.expect("it plays");
        assert_eq!(in_fbx.frames.len(), 121);
        for (frame, meant) in output.clip.world_positions().iter().enumerate() {
            for (name, (place, _)) in in_fbx.names.iter().zip(&in_fbx.frames[frame]) {
                let joint = output.clip.skeleton().find_name(name).expect("the same joints");
                let apart = place.distance(meant[joint.get()].as_dvec3());
                assert!(apart < 1e-4, "{name} in frame {frame}: {apart} m");
            }
        }
        for (frame, meant) in output.clip.world_positions().iter().enumerate() {
            for (joint, place) in bvh.joints.iter().zip(bvh.world_positions(frame)) {
                let source = clip.skeleton().find_name(&joint.name).expect("the same joints");
                let glb_place = in_glb[frame][source.get()];
                assert!(glb_place.distance(meant[source.get()]) < 1e-4, "{}", joint.name);
                let apart = (place / 100.0).as_vec3().distance(glb_place);
                assert!(apart < 1e-4, "{} in frame {frame}: {apart} m", joint.name);
            }
        }
    }
}

#[test]
fn the_person_walks_forward_and_stands_on_the_floor() {
    let output = walked(&request("a person walks forward", Options::default()), mannequin())
        .expect("it works");
    let positions = output.clip.world_positions();
    let hips = output.clip.skeleton().hips().get();
    let (first, last) = (positions[0][hips], positions[positions.len() - 1][hips]);
    assert!(first.x.abs() < 0.05 && first.z.abs() < 0.05, "{first}");
    assert!(last.z - first.z > 1.5, "{} m", last.z - first.z);
    assert!((last.x - first.x).abs() < 0.5);
    let metrics = &output.metrics;
    assert!(metrics.foot_skate_cm_s < 1.0, "{} cm/s", metrics.foot_skate_cm_s);
    assert!(metrics.float_mm < 2.0, "{} mm", metrics.float_mm);
}

#[test]
fn no_sole_of_any_stock_character_sinks_into_the_floor() {
    for stock in stock::list() {
        let character = stock.character().expect("the stock character reads");
        for prompt in ["a person walks forward", "a person sneaks forward", "a person bows"] {
            let output = walked(&request(prompt, Options::default()), character).expect("it works");
            let depth = output.metrics.penetration_mm;
            assert!(depth < 2.0, "{prompt} on {}: {depth} mm", stock.name);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let once = walked(&request(WALK_AND_WAVE, Options::default()), mannequin()).expect("it works");
    let again = walked(&request(WALK_AND_WAVE, Options::default()), mannequin()).expect("it works");
    assert_eq!(once.files, again.files);
    let mut second = request(WALK_AND_WAVE, Options::default());
    second.variant = 2;
    let other = walked(&second, mannequin()).expect("it works");
    assert_ne!(once.clip, other.clip);
    assert!(other.files[0].name.contains("_v2."), "{}", other.files[0].name);
}

#[test]
fn every_frame_rate_keeps_the_duration() {
    for rate in FILE_FRAME_RATES {
        let options = Options { fps: Fps::new(rate).expect("it is a rate"), ..Options::default() };
        let output = walked(&request("a person waves", options), mannequin()).expect("it works");
        assert_eq!(output.metrics.frames, 4 * usize::from(rate));
        let glb = glb::read(&file(&output.files, FileKind::Glb).bytes).expect("it reads");
        assert_eq!(
            (glb.clips[0].clip.len(), glb.clips[0].clip.fps().get()),
            (4 * usize::from(rate), rate)
        );
        let bytes = &file(&output.files, FileKind::Fbx).bytes;
        let played = fbx::movement(bytes, output.clip.fps()).expect("it plays");
        assert_eq!(played.frames.len(), 4 * usize::from(rate) + 1, "ends at four seconds");
        let text = file(&output.files, FileKind::Bvh).bytes.clone();
        let bvh = bvh::read(&String::from_utf8(text).expect("it is text")).expect("it reads");
        assert_eq!(bvh.frames.len(), 4 * usize::from(rate) + 1);
    }
}

#[test]
fn a_root_at_the_origin_carries_the_travel_and_changes_no_pose() {
    let plain = walked(&request(WALK_AND_WAVE, Options::default()), mannequin()).expect("it works");
    let options = Options { root_at_origin: true, ..Options::default() };
    let rooted = walked(&request(WALK_AND_WAVE, options), mannequin()).expect("it works");
    assert_eq!(plain.clip, rooted.clip);
    let text = file(&rooted.files, FileKind::Bvh).bytes.clone();
    let bvh = bvh::read(&String::from_utf8(text).expect("it is text")).expect("it reads");
    assert_eq!(bvh.joints[0].name, "root");
    let last = bvh.world_positions(plain.clip.len() - 1);
    assert!(last[0].y.abs() < 1e-6 && last[0].z > 40.0, "{}", last[0]);
    let hips =
        plain.clip.world_positions()[plain.clip.len() - 1][plain.clip.skeleton().hips().get()];
    assert!((last[1] / 100.0).as_vec3().distance(hips) < 1e-4);
    let glb = glb::read(&file(&rooted.files, FileKind::Glb).bytes).expect("it reads");
    assert_eq!(glb.character.skeleton.joints()[0].name, "root");
}

#[test]
fn a_root_beside_a_joint_called_root_has_another_name() {
    for bone in [HumanBone::Hips, HumanBone::LeftToes] {
        let mut character = mannequin().clone();
        let mut joints = character.skeleton.joints().to_vec();
        let joint = character.skeleton.find(bone).expect("a stock character has it");
        joints[joint.get()].name = "root".to_owned();
        character.skeleton = Arc::new(Skeleton::new(joints).expect("it is a skeleton"));
        let options = Options { root_at_origin: true, ..Options::default() };
        let rooted = walked(&request(WALK_AND_WAVE, options), &character).expect("it works");
        let text = file(&rooted.files, FileKind::Bvh).bytes.clone();
        let bvh = bvh::read(&String::from_utf8(text).expect("it is text")).expect("it reads");
        assert_eq!(bvh.joints[0].name, "root_motion");
        assert_eq!(bvh.joints.iter().filter(|joint| joint.name == "root").count(), 1, "{bone:?}");
    }
}

#[test]
fn in_place_takes_the_travel_out_and_says_how_fast_it_was() {
    let options = Options { in_place: true, ..Options::default() };
    let output =
        walked(&request("a person walks forward", options), mannequin()).expect("it works");
    let hips = output.clip.skeleton().hips().get();
    for row in output.clip.world_positions() {
        assert!(row[hips].x.abs() < 0.3 && row[hips].z.abs() < 0.3, "{}", row[hips]);
    }
    assert!(output.metrics.removed_speed_m_s.expect("it was taken out") > 0.4);
}

#[test]
fn the_right_hand_waves_above_the_shoulder() {
    let output =
        walked(&request("a person waves with the right hand", Options::default()), mannequin())
            .expect("it works");
    let skeleton = output.clip.skeleton();
    let find = |bone| skeleton.find(bone).expect("a stock character has it").get();
    let highest = |bone: HumanBone| {
        output.clip.world_positions().iter().map(|row| row[find(bone)].y).fold(0.0, f32::max)
    };
    let [_, shoulder, _, right] = HumanBone::arm(Side::Right);
    let [_, _, _, left] = HumanBone::arm(Side::Left);
    assert!(highest(right) > highest(shoulder), "{} m", highest(right));
    assert!(highest(left) < highest(shoulder), "{} m", highest(left));
}

/// The ZIP contains the bare file and lists it in its directory.
#[test]
fn an_fbx_comes_alone_or_in_a_zip() {
    let formats = vec![FileKind::Fbx, FileKind::FbxZip];
    let options = Options { formats, root_at_origin: true, ..Options::default() };
    let output = walked(&request("a person waves", options), mannequin()).expect("it works");
    let bare = &file(&output.files, FileKind::Fbx).bytes;
    let zip = file(&output.files, FileKind::FbxZip);
    assert_eq!(zip.name, "waves_v1.zip");
    assert_eq!(&zip.bytes[..4], b"PK\x03\x04");
    assert_eq!(&zip.bytes[30..42], b"waves_v1.fbx");
    assert_eq!(&zip.bytes[42..42 + bare.len()], &bare[..]);
    let movement = fbx::movement(bare, output.clip.fps()).expect("it plays");
    assert_eq!(movement.names[0], "root");
}
