use std::{cell::Cell, sync::Arc};

use limber_animation::{Clip, Fps, HumanBone, Side, Skeleton, canonical_skeleton};
use limber_pipeline::{
    ErrorCode, Options, PipelineError, Progress, Stage, canonical_from_bytes, canonical_to_bytes,
    derive, make, run, stock,
};
use limber_text_to_motion::{
    Cancel, Composer, EngineError, EngineInfo, GeneratedMotion, MotionEngine, MotionRequest,
    MotionScript, Prompt, Seed, Understood,
};

use crate::{WALK_AND_WAVE, mannequin, request, walked};

fn code(result: Result<impl Sized, PipelineError>) -> (Stage, ErrorCode, bool) {
    match result {
        Err(PipelineError::Failed(failure)) => {
            assert!(failure.to_string().len() > 20, "{failure}");
            (failure.stage, failure.code, failure.retryable)
        }
        Err(PipelineError::Cancelled) => panic!("it was not cancelled"),
        Ok(_) => panic!("it should fail"),
    }
}

#[test]
fn progress_passes_every_stage_and_never_decreases() {
    let mut seen: Vec<Progress> = Vec::new();
    let request = request("a person waves", Options::default());
    run(&request, &Composer, mannequin(), &Cancel::default(), &mut |progress| seen.push(progress))
        .expect("it works");
    for stage in Stage::ALL {
        assert!(seen.iter().any(|progress| progress.stage == stage), "{stage:?}");
    }
    let percents: Vec<f32> = seen.iter().map(|progress| progress.percent()).collect();
    assert!(percents.windows(2).all(|pair| pair[0] <= pair[1]), "{percents:?}");
    assert!((percents[percents.len() - 1] - 100.0).abs() < 1e-3);
}

#[test]
fn every_file_is_made_from_the_stored_canonical_clip() {
    let request = request(WALK_AND_WAVE, Options::default());
    let cancel = Cancel::default();
    let made = make(&request, &Composer, &cancel, &mut |_| {}).expect("it works");
    let kept = canonical_from_bytes(&canonical_to_bytes(&made).expect("it can be stored"))
        .expect("it reads");
    assert_eq!(kept, made);
    let derived = derive(&kept, mannequin(), 1, &request.options, &cancel, &mut |_| {});
    let whole = walked(&request, mannequin()).expect("it works");
    assert_eq!(derived.expect("it works").files, whole.files);
}

#[test]
fn a_damaged_canonical_clip_is_604_and_retryable() {
    let request = request("a person waves", Options::default());
    let made = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
    let mut bytes = canonical_to_bytes(&made).expect("it can be stored");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let expected = (Stage::Tracking, ErrorCode::TRACKING_LOAD, true);
    assert_eq!(code(canonical_from_bytes(&bytes)), expected);
}

#[test]
fn a_cancelled_run_stops_at_the_next_stage() {
    for stop_at in Stage::ALL.into_iter().skip(1) {
        let cancel = Cancel::default();
        let last = Cell::new(Stage::Intake);
        let result = run(
            &request(WALK_AND_WAVE, Options::default()),
            &Composer,
            mannequin(),
            &cancel,
            &mut |progress| {
                last.set(progress.stage);
                if progress.stage == stop_at {
                    cancel.cancel();
                }
            },
        );
        if stop_at != Stage::Finish {
            assert_eq!(result, Err(PipelineError::Cancelled), "{stop_at:?}");
            assert_eq!(last.get(), stop_at);
        }
    }
}

#[test]
fn an_unknown_action_is_502_and_suggests_known_ones() {
    let result = walked(&request("a person photosynthesises", Options::default()), mannequin());
    assert_eq!(code(result), (Stage::Generate, ErrorCode::GENERATE_PARAMETERS, false));
}

#[test]
fn options_out_of_range_have_their_own_codes() {
    let odd = Options { fps: Fps::new(31).expect("a rate"), ..Options::default() };
    assert_eq!(code(walked(&request("walk", odd), mannequin())).1, ErrorCode::BVH_PARAMETERS);
    let strong = Options { pose_filtering_strength: 1.5, ..Options::default() };
    let result = walked(&request("walk", strong), mannequin());
    assert_eq!(code(result).1, ErrorCode::CORRECTION_PARAMETERS);
    let mut long = request("walk", Options::default());
    long.duration_s = Some(1000.0);
    assert_eq!(code(walked(&long, mannequin())).1, ErrorCode::GENERATE_PARAMETERS);
}

#[test]
fn characters_that_cannot_be_retargeted_have_their_own_codes() {
    let request = request("a person waves", Options::default());
    let mut no_skin = mannequin().clone();
    for mesh in &mut no_skin.meshes {
        mesh.skin = None;
    }
    assert_eq!(code(walked(&request, &no_skin)).1, ErrorCode::NO_SKIN);

    let mut torn = mannequin().clone();
    torn.meshes[0].normals.pop();
    assert_eq!(code(walked(&request, &torn)).1, ErrorCode::CHARACTER_MESH);

    let mut headless = mannequin().clone();
    let mut joints = headless.skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.bone = joint.bone.filter(|bone| *bone != HumanBone::Head);
    }
    headless.skeleton = Arc::new(Skeleton::new(joints).expect("it is a skeleton"));
    assert_eq!(code(walked(&request, &headless)).1, ErrorCode::CHARACTER_SKELETON);

    let mut limping = mannequin().clone();
    let mut joints = limping.skeleton.joints().to_vec();
    let shin = limping.skeleton.find(HumanBone::LeftLowerLeg).expect("it has legs");
    joints[shin.get()].rest_translation *= 0.5;
    limping.skeleton = Arc::new(Skeleton::new(joints).expect("it is a skeleton"));
    assert_eq!(code(walked(&request, &limping)).1, ErrorCode::PHYSICS_INCOMPATIBLE);
}

/// An engine that returns whatever clip it is given.
struct Broken(Clip);

impl MotionEngine for Broken {
    fn describe(&self) -> EngineInfo {
        EngineInfo { name: "broken", version: 1 }
    }

    fn understand(&self, _: &Prompt) -> Result<Understood, EngineError> {
        Ok(Understood::default())
    }

    fn generate(
        &self,
        _: &MotionRequest,
        _: Seed,
        _: &Cancel,
        _: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        let script = MotionScript { steps: Vec::new() };
        let steps = Vec::new();
        Ok(GeneratedMotion { clip: self.0.clone(), script, steps, warnings: Vec::new() })
    }
}

#[test]
fn invalid_engine_output_is_501() {
    let skeleton = canonical_skeleton();
    let still = Clip::new(Arc::clone(&skeleton), Fps::DEFAULT, vec![skeleton.rest_pose(); 120])
        .expect("a clip");
    let mut leaping = still.clone();
    leaping.frames_mut()[60].hips_translation.x += 5.0;
    let mut jerking = still.clone();
    jerking.frames_mut()[60].rotations[8] = glam::Quat::from_rotation_x(2.0);
    let mut unreal = still.clone();
    unreal.frames_mut()[60].hips_translation.x = f32::NAN;
    let short =
        Clip::new(skeleton.clone(), Fps::DEFAULT, vec![skeleton.rest_pose(); 60]).expect("a clip");
    for clip in [leaping, jerking, unreal, short] {
        let request = request("a person waves", Options::default());
        let result = make(&request, &Broken(clip), &Cancel::default(), &mut |_| {});
        assert_eq!(code(result), (Stage::Generate, ErrorCode::GENERATE, true));
    }
}

/// Returns a clip in which both feet stand in the same place.
fn legs_in_one() -> Clip {
    let skeleton = canonical_skeleton();
    let mut pose = skeleton.rest_pose();
    for (bone, turn) in [(HumanBone::LeftUpperLeg, -0.11), (HumanBone::RightUpperLeg, 0.11)] {
        let joint = skeleton.find(bone).expect("it has legs");
        pose.set_rotation(joint, glam::Quat::from_rotation_z(turn));
    }
    Clip::new(skeleton, Fps::DEFAULT, vec![pose; 120])
        .and_then(|clip| clip.with_contacts(vec![limber_animation::Contacts::STANDING; 120]))
        .expect("a clip")
}

#[test]
fn self_intersection_is_607_and_retried_once_unless_physics_is_off() {
    let mut request = request("a person waves", Options::default());
    let engine = Broken(legs_in_one());
    let result = run(&request, &engine, mannequin(), &Cancel::default(), &mut |_| {});
    assert_eq!(code(result), (Stage::Tracking, ErrorCode::TRACKING, true));
    request.options.physics = false;
    let off = run(&request, &engine, mannequin(), &Cancel::default(), &mut |_| {});
    assert_eq!(off.expect("nothing is looked at").metrics.physics, None);
}

#[test]
fn the_record_reports_limits_of_each_character() {
    let request = request("a person crosses the arms", Options::default());
    let found: Vec<_> = (stock::list().iter())
        .map(|stock| {
            let character = stock.character().expect("the stock character reads");
            let metrics = walked(&request, character).expect("it works").metrics;
            metrics.physics.expect("it was looked at").after
        })
        .collect();
    assert!(found.iter().all(|faults| faults.self_depth_mm < 60.0), "{found:?}");
    // without contact there is nothing to compare
    let mut depths: Vec<f32> = found.iter().map(|faults| faults.self_depth_mm).collect();
    depths.retain(|depth_mm| *depth_mm > 0.0);
    let bodies = depths.len();
    depths.sort_by(f32::total_cmp);
    depths.dedup();
    assert!(bodies > 2 && depths.len() == bodies, "two bodies with the same number: {found:?}");
}

#[test]
fn a_clip_that_cannot_be_stored_is_610_and_retryable() {
    let request = request("a person waves", Options::default());
    let mut made = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
    let skeleton = Arc::clone(&mannequin().skeleton);
    made.clip = Clip::new(Arc::clone(&skeleton), Fps::DEFAULT, vec![skeleton.rest_pose(); 3])
        .expect("a clip");
    let result = canonical_to_bytes(&made);
    assert_eq!(code(result), (Stage::Tracking, ErrorCode::TRACKING_SAVE, true));
}

#[test]
fn a_tracking_stage_that_takes_too_long_is_699() {
    assert_eq!(Stage::Tracking.timeout_code(), ErrorCode::TRACKING_TIMEOUT);
    assert!(Stage::Tracking.limit_s().is_some());
}

#[test]
fn a_character_whose_skin_belongs_to_a_finger_alone_is_605() {
    let mut bare = mannequin().clone();
    let finger = bare.skeleton.find(HumanBone::LeftIndexDistal).expect("it has fingers");
    for mesh in &mut bare.meshes {
        let Some(skin) = mesh.skin.map(|place| &bare.skins[place]) else { continue };
        let place = skin.joints.iter().position(|joint| *joint == finger).expect("it has skin");
        for joints in mesh.joints.iter_mut().chain(&mut mesh.more_joints) {
            joints.fill(u16::try_from(place).expect("few joints"));
        }
    }
    let result = walked(&request("a person waves", Options::default()), &bare);
    assert_eq!(code(result), (Stage::Tracking, ErrorCode::PHYSICS_INCOMPATIBLE, false));
}

#[test]
fn stairs_stay_stairs_on_every_character() {
    let options = || Options { formats: Vec::new(), ..Options::default() };
    let request = request("a person walks up the stairs", options());
    for character in stock::list() {
        let character = character.character().expect("the stock character reads");
        let made = walked(&request, character).expect("it works");
        let ankle = |frame: usize| {
            let skeleton = &character.skeleton;
            let [_, _, ankle, _] = HumanBone::leg(Side::Left);
            let world = skeleton.world(&made.clip.frames()[frame]);
            world.position(skeleton.find(ankle).expect("it has feet")).y
        };
        let (first, last) = (ankle(0), ankle(made.clip.len() - 1));
        let hips = character.skeleton.rest_world().position(character.skeleton.hips()).y;
        assert!(last - first > 0.5 * hips, "{}: {first} to {last}", character.name);
        let metrics = &made.metrics;
        let fine =
            metrics.foot_skate_cm_s < 1.0 && metrics.penetration_mm < 5.0 && metrics.float_mm < 5.0;
        assert!(fine, "{}: {metrics:?}", character.name);
    }
}
