//! The records of an FBX: requirements of importers that tests cannot run.

use glam::{DVec3, Vec3};
use limber_animation::{Clip, Fps, HumanBone, Side, Skeleton, canonical_skeleton};
use limber_formats::fbx::{self, FbxOptions};

use crate::{
    fbx_records::{Record, Value},
    mannequin::{body, foreign_skeleton, root_below_hips, swinging},
};

const TICKS_PER_SECOND: i64 = 46_186_158_000;

fn options() -> FbxOptions {
    FbxOptions { name: "swinging".to_owned(), ..FbxOptions::default() }
}

fn written(clip: &Clip, options: &FbxOptions) -> Record {
    let character = body(clip.skeleton().clone());
    Record::file(&fbx::write_clip(&character, clip, options).expect("the file can be written"))
}

fn models<'a>(file: &'a Record, variety: &'a str) -> impl Iterator<Item = &'a Record> {
    file.one("Objects").all("Model").filter(move |model| model.text(2) == variety)
}

/// Returns the object connections as (child, parent).
fn links(file: &Record) -> Vec<(i64, i64)> {
    let links = file.one("Connections").all("C");
    links.filter(|link| link.text(0) == "OO").map(|link| (link.whole(1), link.whole(2))).collect()
}

/// Unity, "Preparing humanoid assets for export" (docs.unity3d.com/Manual/UsingHumanoidChars.html)
/// and "Model tab" (docs.unity3d.com/Manual/FBXImporter-Model.html): Unity converts axes and unit
/// as declared in the file; centimetres are its file scale of 0.01. Unreal Engine, "FBX Best
/// Practices"
/// (dev.epicgames.com/documentation/en-us/unreal-engine/fbx-best-practices-in-unreal-engine): one
/// unit is one centimetre, so users need not choose a scale.
#[test]
fn axes_and_unit_are_declared() {
    let file = written(&swinging(&canonical_skeleton(), 3), &options());
    let settings = file.one("GlobalSettings");
    for (name, value) in [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
    ] {
        assert_eq!(settings.whole_property(name), value, "{name}");
    }
    assert_eq!(settings.number_property("UnitScaleFactor"), 1.0);
    let hips =
        models(&file, "LimbNode").find(|model| model.title() == "hips").expect("the file has hips");
    let Some([_, Value::Number(y), _]) = hips.property("Lcl Translation") else {
        panic!("the hips have no position");
    };
    assert!((80.0..120.0).contains(y), "{y} cm is not the height of hips");
}

/// Unreal Engine, "FBX Animation Pipeline"
/// (dev.epicgames.com/documentation/en-us/unreal-engine/fbx-animation-pipeline-in-unreal-engine):
/// keys are sampled at the file's rate unless another one is chosen. Unity also samples at the
/// file's rate.
#[test]
fn the_frame_rate_is_declared_and_keys_are_on_whole_frames() {
    for fps in [24, 25, 30, 48, 50, 60, 120] {
        let clip = swinging(&canonical_skeleton(), 60)
            .resampled(Fps::new(fps).expect("the frame rate is valid"));
        let file = written(&clip, &options());
        let settings = file.one("GlobalSettings");
        // 14 is FbxTime::eCustom: the rate is a separate property
        assert_eq!(settings.whole_property("TimeMode"), 14);
        assert_eq!(settings.number_property("CustomFrameRate"), f64::from(fps));
        let step = TICKS_PER_SECOND / i64::from(fps);
        assert_eq!(step * i64::from(fps), TICKS_PER_SECOND);
        let last = (clip.len() as i64 - 1) * step;
        assert_eq!(settings.whole_property("TimeSpanStop"), last);
        for curve in file.one("Objects").all("AnimationCurve") {
            let times = curve.one("KeyTime").wholes();
            assert_eq!(times.last(), Some(&last));
            assert!(times.iter().all(|time| time % step == 0));
            assert!(times.len() == clip.len() || times.len() == 2);
        }
    }
}

/// Unreal Engine, "FBX Skeletal Mesh Pipeline"
/// (dev.epicgames.com/documentation/en-us/unreal-engine/fbx-skeletal-mesh-pipeline-in-unreal-engine):
/// a single animation for each skeletal mesh can be imported from a file. Unity, "Extracting
/// animation clips" (docs.unity3d.com/Manual/Splittinganimations.html): clips are named after the
/// file's takes.
#[test]
fn there_is_one_named_animation() {
    let clip = swinging(&canonical_skeleton(), 3);
    let file = written(&clip, &options());
    let objects = file.one("Objects");
    assert_eq!(objects.one("AnimationStack").title(), "swinging");
    objects.one("AnimationLayer");
    assert_eq!(file.one("Takes").one("Take").text(0), "swinging");
    let document = file.one("Documents").one("Document");
    assert_eq!(
        document.property("ActiveAnimStackName"),
        Some(&[Value::Text("swinging".to_owned())][..])
    );
    let nameless = written(&clip, &FbxOptions::default());
    assert!(!nameless.one("Objects").one("AnimationStack").title().is_empty());
}

/// Unity, "Preparing humanoid assets for export" (docs.unity3d.com/Manual/UsingHumanoidChars.html):
/// at least fifteen bones in a human hierarchy, in a T-pose, facing along the Z axis.
#[test]
fn the_bind_pose_is_a_t_pose_of_fifteen_bones() {
    let skeleton = canonical_skeleton();
    let file = written(&swinging(&skeleton, 3), &options());
    let at = |bone: HumanBone| {
        let joint = skeleton.find(bone).expect("the canonical skeleton has this bone");
        bind_place(&file, &skeleton.joint(joint).name)
    };
    assert!(HumanBone::REQUIRED.into_iter().all(|bone| at(bone).is_finite()));
    for side in Side::BOTH {
        let [_, upper, _, hand] = HumanBone::arm(side);
        let arm = (at(hand) - at(upper)).normalize();
        assert!(arm.dot(DVec3::X * f64::from(side.sign())) > 0.99, "{arm}");
        let [thigh, _, foot, toes] = HumanBone::leg(side);
        assert!((at(foot) - at(thigh)).normalize().dot(DVec3::NEG_Y) > 0.95);
        let toes = at(toes) - at(foot);
        assert!(toes.z > 0.0 && toes.z > toes.x.abs(), "feet face +Z: {toes}");
    }
}

fn bind_place(file: &Record, name: &str) -> DVec3 {
    let model = models(file, "LimbNode").find(|model| model.title() == name).expect("a joint");
    let pose = file.one("Objects").one("Pose");
    let row = pose.all("PoseNode").find(|row| row.one("Node").whole(0) == model.whole(0));
    let matrix = row.expect("the node is in the bind pose").one("Matrix").numbers();
    DVec3::new(matrix[12], matrix[13], matrix[14])
}

/// Autodesk, FBX SDK, `FbxPose::IsValidBindPose`: every deformer's link is in the pose with the
/// matrix of its cluster, and so are all its ancestors. Unreal rejects meshes otherwise.
#[test]
fn the_bind_pose_matches_the_clusters_of_every_joint_and_mesh() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let file = written(&swinging(&skeleton, 3), &options());
        let objects = file.one("Objects");
        let pose = objects.one("Pose");
        assert_eq!(pose.text(2), "BindPose");
        let posed: Vec<i64> = pose.all("PoseNode").map(|row| row.one("Node").whole(0)).collect();
        let all: Vec<i64> = objects.all("Model").map(|model| model.whole(0)).collect();
        assert!(all.iter().all(|id| posed.contains(id)));
        assert_eq!(pose.one("NbPoseNodes").whole(0) as usize, posed.len());
        let links = links(&file);
        let clusters = objects.all("Deformer").filter(|object| object.text(2) == "Cluster");
        let mut seen = 0;
        for cluster in clusters {
            let (bone, _) = links
                .iter()
                .find(|(_, above)| *above == cluster.whole(0))
                .expect("the cluster is linked to a bone");
            let row = pose.all("PoseNode").find(|row| row.one("Node").whole(0) == *bone);
            let (a, b) = (
                row.expect("the joint is in the bind pose").one("Matrix"),
                cluster.one("TransformLink"),
            );
            for (a, b) in a.numbers().iter().zip(b.numbers()) {
                assert!((a - b).abs() < 1e-4, "IsValidBindPose allows 0.0001");
            }
            seen += 1;
        }
        assert_eq!(seen, skeleton.len(), "every joint of the skin has a cluster");
    }
}

/// Unreal Engine, "Root Motion"
/// (dev.epicgames.com/documentation/en-us/unreal-engine/root-motion-in-unreal-engine): the root
/// bone starts at the origin and carries the travel; and "FBX Skeletal Mesh Pipeline": one bone
/// above all others.
#[test]
fn the_root_is_at_the_origin_above_all_joints() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 10);
        let file = written(&clip, &FbxOptions { root: Some(root_below_hips(&clip)), ..options() });
        let tops = tops(&file);
        assert_eq!(tops.len(), 1);
        assert_eq!(tops[0].title(), "root");
        assert_eq!(tops[0].property("Lcl Translation"), Some(&[0.0; 3].map(Value::Number)[..]));
        assert_eq!(tops[0].property("Lcl Rotation"), Some(&[0.0; 3].map(Value::Number)[..]));
    }
}

fn tops(file: &Record) -> Vec<&Record> {
    let links = links(file);
    models(file, "LimbNode").filter(|model| links.contains(&(model.whole(0), 0))).collect()
}

#[test]
fn several_roots_get_a_common_parent() {
    let canonical = canonical_skeleton();
    let mut joints = canonical.joints().to_vec();
    joints.push(limber_animation::Joint {
        name: "prop".to_owned(),
        parent: None,
        rest_translation: Vec3::X,
        rest_rotation: glam::Quat::IDENTITY,
        bone: None,
        twist: None,
    });
    let skeleton =
        std::sync::Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"));
    let file = written(&swinging(&skeleton, 3), &options());
    let tops = tops(&file);
    assert_eq!(tops.iter().map(|top| top.title()).collect::<Vec<_>>(), ["armature"]);
    let skeleton = foreign_skeleton();
    let file = written(&swinging(&skeleton, 3), &options());
    assert_eq!(self::tops(&file)[0].title(), skeleton.joints()[0].name);
}

#[test]
fn joints_are_limb_nodes_under_their_own_names_without_pre_rotation() {
    let skeleton = foreign_skeleton();
    let file = written(&swinging(&skeleton, 3), &options());
    let names: Vec<&str> = models(&file, "LimbNode").map(Record::title).collect();
    let meant: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, meant);
    let links = links(&file);
    for model in models(&file, "LimbNode") {
        assert_eq!(model.property("PreRotation"), Some(&[0.0; 3].map(Value::Number)[..]));
        assert_eq!(model.whole_property("RotationOrder"), 0, "X, Y, Z");
        let attributes = file.one("Objects").all("NodeAttribute");
        let own = attributes.filter(|row| links.contains(&(row.whole(0), model.whole(0))));
        let flags: Vec<&str> = own.map(|row| row.one("TypeFlags").text(0)).collect();
        assert_eq!(flags, ["Skeleton"]);
    }
}

#[test]
fn meshes_are_renamed_if_a_joint_has_the_same_name() {
    let skeleton = canonical_skeleton();
    let mut character = body(skeleton.clone());
    for mesh in &mut character.meshes {
        mesh.name = "hips".to_owned();
    }
    let clip = swinging(&skeleton, 3);
    let bytes = fbx::write_clip(&character, &clip, &options()).expect("the file can be written");
    let file = Record::file(&bytes);
    assert_eq!(models(&file, "Mesh").map(Record::title).collect::<Vec<_>>(), ["hips_2", "hips_3"]);
    assert_eq!(models(&file, "LimbNode").filter(|model| model.title() == "hips").count(), 1);
}

#[test]
fn definitions_contain_the_object_counts() {
    let file = written(&swinging(&canonical_skeleton(), 3), &options());
    let definitions = file.one("Definitions");
    let objects = file.one("Objects");
    let mut total = 0;
    for kind in definitions.all("ObjectType") {
        let count = kind.one("Count").whole(0);
        total += count;
        if kind.text(0) != "GlobalSettings" {
            assert_eq!(count as usize, objects.all(kind.text(0)).count(), "{}", kind.text(0));
        }
    }
    assert_eq!(definitions.one("Count").whole(0), total);
    assert_eq!(total as usize, objects.nested.len() + 1);
}

#[test]
fn joints_that_never_move_have_no_curves_but_the_hips_always_do() {
    let skeleton = canonical_skeleton();
    let still = Clip::new(skeleton.clone(), Fps::DEFAULT, vec![skeleton.rest_pose(); 5])
        .expect("the poses form a valid clip");
    let file = written(&still, &options());
    let objects = file.one("Objects");
    assert_eq!(objects.all("AnimationCurveNode").count(), 2);
    assert!(objects.all("AnimationCurve").all(|curve| curve.one("KeyTime").wholes().len() == 2));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let character = body(canonical_skeleton());
    let clip = swinging(&character.skeleton, 10);
    let write = || fbx::write_clip(&character, &clip, &options()).expect("the file can be written");
    assert_eq!(write(), write());
}

#[test]
fn clips_of_another_skeleton_are_rejected() {
    let character = body(canonical_skeleton());
    let foreign = swinging(&foreign_skeleton(), 3);
    let error = fbx::write_clip(&character, &foreign, &options())
        .expect_err("the clip has another skeleton");
    assert!(error.to_string().contains("retarget it first"), "{error}");
    let clip = swinging(&character.skeleton, 3);
    let short = FbxOptions { root: Some(limber_formats::RootTrack::default()), ..options() };
    assert!(fbx::write_clip(&character, &clip, &short).is_err());
    let mut broken = character.clone();
    broken.meshes[0].positions[0].x = f32::NAN;
    assert!(fbx::write_clip(&broken, &clip, &options()).is_err());
    let mut flat = character;
    flat.skins[0].inverse_bind[3] = glam::Mat4::ZERO;
    assert!(fbx::write_clip(&flat, &clip, &options()).is_err());
}
