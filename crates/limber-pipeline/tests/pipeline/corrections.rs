//! Manual corrections in files, checked with readers that know nothing about them.

use glam::Vec3;
use limber_animation::{Clip, HumanBone};
use limber_formats::{bvh, fbx, glb};
use limber_pipeline::{
    CanonicalClip, FileKind, HandCorrections, Message, Options, Output, Preset, canonical_to_bytes,
    corrections::{CarriedPart, Corrections, Facings, Join, carried},
    derive,
    edits::{InpaintRequest, Intervals, MergeRequest, Trim, inpaint, merge},
    export::{Export, Rederive, TargetCharacter},
    make, stock,
};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};
use serde_json::{Value, json};

use crate::{mannequin, request};

const FORMATS: [FileKind; 3] = [FileKind::Bvh, FileKind::Fbx, FileKind::Glb];

fn kept(text: &str) -> CanonicalClip {
    make(&request(text, Options::default()), &Composer, &Cancel::default(), &mut |_| {})
        .expect("it works")
}

fn corrections(keys: &[Value]) -> Corrections {
    Corrections::from_value(&json!({ "layers": [{ "keys": keys }] })).expect("they are valid")
}

/// Returns a key that pulls the left hand up and forwards.
fn higher(frame: u32) -> Value {
    let what = json!({ "pull": { "limb": "leftHand", "offset": [0.05, 0.2, 0.15] } });
    json!({ "frame": frame, "what": what, "before": 10, "after": 10 })
}

fn turned(frame: u32, joint: &str, rotation: [f32; 4]) -> Value {
    let what = json!({ "rotate": { "joint": joint, "rotation": rotation } });
    json!({ "frame": frame, "what": what, "before": 8, "after": 8 })
}

fn with(corrections: &Corrections, formats: &[FileKind]) -> Options {
    let corrections = HandCorrections::new(corrections, 30);
    Options { corrections, formats: formats.to_vec(), ..Options::default() }
}

fn files(clip: &CanonicalClip, options: &Options) -> Output {
    derive(clip, mannequin(), 1, options, &Cancel::default(), &mut |_| {}).expect("it works")
}

fn bytes(output: &Output, kind: FileKind) -> &[u8] {
    &output.files.iter().find(|file| file.kind == kind).expect("the file is created").bytes
}

/// Returns the position of the left hand in every frame of each of the files.
fn hands(output: &Output) -> [Vec<Vec3>; 3] {
    let hand = output.clip.skeleton().find(HumanBone::LeftHand).expect("it has hands");
    let name = &output.clip.skeleton().joint(hand).name;
    let text = String::from_utf8(bytes(output, FileKind::Bvh).to_vec()).expect("it is text");
    let in_bvh = bvh::read(&text).expect("it reads");
    let place = in_bvh.joints.iter().position(|joint| joint.name == *name).expect("the same names");
    let by_bvh = (0..in_bvh.frames.len())
        .map(|frame| (in_bvh.world_positions(frame)[place] / 100.0).as_vec3());
    let in_fbx = fbx::movement(bytes(output, FileKind::Fbx), output.clip.fps()).expect("it plays");
    let place = in_fbx.names.iter().position(|known| known == name).expect("the same names");
    let by_fbx = in_fbx.frames.iter().map(|frame| frame[place].0.as_vec3());
    let in_glb = glb::read(bytes(output, FileKind::Glb)).expect("it reads").clips.swap_remove(0);
    let joint = in_glb.clip.skeleton().find_name(name).expect("the same names");
    let by_glb = in_glb.clip.world_positions().into_iter().map(|frame| frame[joint.get()]);
    [by_bvh.collect(), by_fbx.collect(), by_glb.collect()]
}

fn assert_same(a: &Clip, b: &Clip, frames: impl Iterator<Item = (usize, usize)>) {
    let (a, b) = (a.world_positions(), b.world_positions());
    for (here, there) in frames {
        for (one, other) in a[here].iter().zip(&b[there]) {
            let apart = one.distance(*other);
            assert!(apart < 2e-4, "{apart} m between frames {here} and {there}");
        }
    }
}

#[test]
fn every_file_has_the_correction_only_around_its_frame() {
    let clip = kept("a person walks forward");
    let plain = hands(&files(&clip, &with(&Corrections::default(), &FORMATS)));
    let corrected = hands(&files(&clip, &with(&corrections(&[higher(60)]), &FORMATS)));
    for (plain, corrected) in plain.iter().zip(&corrected) {
        let way = corrected[60] - plain[60];
        let meant = Vec3::new(0.05, 0.2, 0.15);
        // the character's size differs slightly from the body that offsets refer to
        assert!(way.distance(meant) < 0.04, "{way}");
        for frame in (0..120).filter(|frame| !(50..=70).contains(frame)) {
            let apart = plain[frame].distance(corrected[frame]);
            assert!(apart < 2e-4, "{apart} m in frame {frame}");
        }
    }
}

#[test]
fn the_stored_clip_is_unchanged() {
    let clip = kept("a person waves");
    let before = canonical_to_bytes(&clip).expect("it can be stored");
    files(&clip, &with(&corrections(&[higher(40)]), &FORMATS));
    assert_eq!(canonical_to_bytes(&clip).expect("it can be stored"), before);
}

#[test]
fn regenerating_elsewhere_keeps_corrections_and_trimming_shifts_them() {
    let source = kept("a person walks forward");
    let by_hand = corrections(&[higher(25), turned(100, "head", [0.3, 0.0, 0.0, 1.0])]);
    let painting = |trim| InpaintRequest {
        prompt: Prompt::parse("a person waves with the right hand").expect("a prompt"),
        script: None,
        intervals: Intervals::new(std::iter::once(50..90), 120).expect("it is valid"),
        trim,
        seed: Seed(3),
        variant: 1,
    };
    let paint = |trim| {
        let request = painting(trim);
        inpaint(&source, &request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works")
    };
    let before = files(&source, &with(&by_hand, &[])).clip;
    let painted = files(&paint(Trim::default()), &with(&by_hand, &[])).clip;
    let outside = (0..120).filter(|frame| !(50..90).contains(frame));
    assert_same(&before, &painted, outside.map(|frame| (frame, frame)));

    let trim = Trim { left: 10, right: 5 };
    let facings = Facings::of(&source.clip);
    let part = CarriedPart { corrections: &by_hand, fps: 30, facings: &facings, trim };
    let moved = carried(part, Join::Alone, 105, 30).expect("within the limits");
    let cut = files(&paint(trim), &with(&moved, &[])).clip;
    let outside = (10..115).filter(|frame| !(50..90).contains(frame));
    assert_same(&before, &cut, outside.map(|frame| (frame, frame - 10)));
}

#[test]
fn regenerated_frames_under_a_key_are_corrected_too() {
    let source = kept("a person walks forward");
    let request = InpaintRequest {
        prompt: Prompt::parse("a person nods").expect("a prompt"),
        script: None,
        intervals: Intervals::new(std::iter::once(40..90), 120).expect("it is valid"),
        trim: Trim::default(),
        seed: Seed(3),
        variant: 1,
    };
    let painted = inpaint(&source, &request, &Composer, &Cancel::default(), &mut |_| {});
    let painted = painted.expect("it works");
    let plain = files(&painted, &with(&Corrections::default(), &[])).clip;
    let corrected = files(&painted, &with(&corrections(&[higher(65)]), &[])).clip;
    let hand = plain.skeleton().find(HumanBone::LeftHand).expect("it has hands").get();
    let way = corrected.world_positions()[65][hand] - plain.world_positions()[65][hand];
    assert!(way.y > 0.12, "{way}");
}

#[test]
fn a_merge_keeps_the_corrections_of_both_parts() {
    let (first, second) = (kept("a person walks forward"), kept("a person waves"));
    let request = MergeRequest {
        prompt: None,
        script: None,
        trim_first: Trim { left: 0, right: 20 },
        trim_second: Trim { left: 5, right: 0 },
        bridge_frames: 20,
        seed: Seed(3),
        variant: 1,
    };
    let merged = merge(&first, &second, &request, &Composer, &Cancel::default(), &mut |_| {});
    let merged = merged.expect("they can be joined");
    let (of_first, of_second) = (corrections(&[higher(50)]), corrections(&[higher(45)]));
    let (faces_first, faces_second) = (Facings::of(&first.clip), Facings::of(&second.clip));
    let part = |corrections, facings, trim| CarriedPart { corrections, fps: 30, facings, trim };
    let join = Join::With(part(&of_second, &faces_second, request.trim_second));
    let begin = part(&of_first, &faces_first, request.trim_first);
    let both = carried(begin, join, 235, 30).expect("within the limits");
    let merged = files(&merged, &with(&both, &[])).clip;
    let first = files(&first, &with(&of_first, &[])).clip;
    assert_same(&first, &merged, (0..100).map(|frame| (frame, frame)));
    // unaffected by moving and turning the second part: the distance of the hand from the hips
    let second = files(&second, &with(&of_second, &[])).clip;
    let reach = |clip: &Clip, frame: usize| {
        let place = |bone| {
            let joint = clip.skeleton().find(bone).expect("it has it");
            clip.world_positions()[frame][joint.get()]
        };
        place(HumanBone::LeftHand).distance(place(HumanBone::Hips))
    };
    for frame in [35, 45, 55] {
        let (there, here) = (reach(&second, frame), reach(&merged, 120 + frame - 5));
        assert!((there - here).abs() < 1e-3, "{there} and {here} m in frame {frame}");
    }
}

#[test]
fn missing_joints_are_reported_without_an_error() {
    let clip = kept("a person waves");
    let keys = [
        turned(20, "tail", [0.3, 0.0, 0.0, 1.0]),
        turned(30, "leftEye", [0.3, 0.0, 0.0, 1.0]),
        turned(30, "spine", [0.1, 0.0, 0.0, 1.0]),
    ];
    let output = files(&clip, &with(&corrections(&keys), &FORMATS));
    let told: Vec<&Message> = output
        .warnings
        .iter()
        .filter(|message| matches!(message, Message::CorrectedJointMissing { .. }))
        .collect();
    let missing = |joint: &str| Message::CorrectedJointMissing { joint: joint.to_owned() };
    assert_eq!(told, [&missing("tail"), &missing("leftEye")]);
}

#[test]
fn impossible_corrections_are_still_exported() {
    let clip = kept("a person stands");
    let keys: Vec<Value> = ["leftUpperLeg", "rightUpperLeg"]
        .into_iter()
        .zip([-0.9f32, 0.9])
        .map(|(joint, z)| {
            let what = json!({ "rotate": { "joint": joint, "rotation": [0.0, 0.0, z, 1.0] } });
            json!({ "frame": 60, "what": what, "before": 100, "after": 100, "ease": "hold" })
        })
        .chain([(0.9f32, "leftFoot"), (-0.9, "rightFoot")].map(|(x, limb)| {
            let what = json!({ "pull": { "limb": limb, "offset": [-x, 0.1, 0.0] } });
            json!({ "frame": 60, "what": what, "before": 100, "after": 100, "ease": "hold" })
        }))
        .collect();
    let output = files(&clip, &with(&corrections(&keys), &FORMATS));
    assert_eq!(output.files.len(), 4);
}

#[test]
fn exports_of_a_trimmed_clip_have_the_correction_in_place() {
    let id = stock::list()[0].id;
    let clip = kept("a person waves with the right hand");
    let canonical = canonical_to_bytes(&clip).expect("it is kept");
    let stored = files(&clip, &with(&Corrections::default(), &[FileKind::Glb]));
    let character = TargetCharacter { stock: id, glb: bytes(&stored, FileKind::Glb) };
    let hand = |by_hand: &Corrections| {
        let export = Export {
            canonical: &canonical,
            character,
            preset: Preset::Gltf,
            trim: (20, 10),
            clip_fps: 30,
            in_place: false,
            fps: None,
            corrections: &HandCorrections::new(by_hand, 30),
        };
        let files = export.run(&Cancel::default()).expect("it is exported");
        let clip = glb::read(&files[0].bytes).expect("it reads").clips.swap_remove(0).clip;
        let hand = clip.skeleton().find(HumanBone::LeftHand).expect("it has hands");
        clip.world_positions().into_iter().map(|frame| frame[hand.get()]).collect::<Vec<_>>()
    };
    let plain = hand(&Corrections::default());
    // a key in what remains, and one that is trimmed away but reaches in
    for (frame, seen) in [(50, 30), (15, 0)] {
        let corrected = hand(&corrections(&[higher(frame)]));
        let way = corrected[seen] - plain[seen];
        assert!(way.y > 0.05, "{way} of the key at {frame}");
        assert!(plain[80].distance(corrected[80]) < 2e-4);
    }
}

#[test]
fn a_re_exported_file_differs_only_by_the_correction() {
    let id = stock::list()[0].id;
    let clip = kept("a person walks forward");
    let canonical = canonical_to_bytes(&clip).expect("it is kept");
    for in_place in [false, true] {
        let options = Options { in_place, ..with(&Corrections::default(), &[FileKind::Glb]) };
        let stored = files(&clip, &options);
        let again = |by_hand: &Corrections| {
            let corrections = &HandCorrections::new(by_hand, 30);
            let character = TargetCharacter { stock: id, glb: bytes(&stored, FileKind::Glb) };
            let rederive = Rederive { canonical: &canonical, character, fps: 30, corrections };
            let bytes = rederive.run(FileKind::Glb, &Cancel::default()).expect("it is created");
            glb::read(&bytes).expect("it reads").clips.swap_remove(0).clip
        };
        let same = again(&Corrections::default());
        let stored =
            glb::read(bytes(&stored, FileKind::Glb)).expect("it reads").clips.swap_remove(0);
        assert_same(&stored.clip, &same, (0..120).map(|frame| (frame, frame)));
        let hand = same.skeleton().find(HumanBone::LeftHand).expect("it has hands").get();
        let corrected = again(&corrections(&[higher(60)]));
        let way = corrected.world_positions()[60][hand] - same.world_positions()[60][hand];
        assert!(way.y > 0.12, "{way}");
    }
}
