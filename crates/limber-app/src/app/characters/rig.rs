//! Converts the service's rig report into the view model of a character's skeleton.

use std::collections::BTreeMap;

use limber_client::motion::{Message, StoredModel};
use limber_pipeline::HumanBone;
use serde::Deserialize;

use crate::{
    AppError, ErrorCode, MessageView, Notice,
    views::{BodyPart, BoneView, FoundBy, JointView, RigView},
};

/// The fields of the service's rig report that are shown. Older services omit some of them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    convention: String,
    confidence: f32,
    map: BTreeMap<String, Mapped>,
    #[serde(default)]
    declined: Vec<String>,
    rest: Rest,
    height_m: f32,
    face: Face,
    hands: Hands,
    #[serde(default)]
    warnings: Vec<String>,
    #[serde(default, deserialize_with = "limber_client::motion::message::told::deserialize")]
    messages: Vec<Message>,
    #[serde(default)]
    joints: Vec<Joint>,
}

#[derive(Debug, Deserialize)]
struct Mapped {
    name: String,
    by: String,
    confidence: f32,
}

#[derive(Debug, Deserialize)]
struct Rest {
    pose: String,
}

#[derive(Debug, Deserialize)]
struct Face {
    shapes: u32,
}

#[derive(Debug, Deserialize)]
struct Hands {
    l: u32,
    r: u32,
}

#[derive(Debug, Deserialize)]
struct Joint {
    name: String,
    parent: Option<usize>,
}

/// Converts the report of a stored character.
pub(super) fn view(stored: StoredModel) -> Result<RigView, AppError> {
    let unavailable = || AppError::new(ErrorCode::ServiceRefused, Notice::SkeletonsUnavailable);
    let report: Report = serde_json::from_value(stored.rig_report.ok_or_else(unavailable)?)
        .map_err(|error| unavailable().with_detail(error.to_string()))?;
    Ok(RigView {
        bones: HumanBone::ALL.into_iter().map(|bone| bone_shown(bone, &report)).collect(),
        joints: joints_shown(&report.joints),
        convention: report.convention,
        confidence: report.confidence,
        rest_pose: report.rest.pose,
        height_m: report.height_m,
        face_shapes: report.face.shapes,
        fingers_left: report.hands.l,
        fingers_right: report.hands.r,
        warnings: if report.messages.is_empty() {
            report.warnings.iter().map(|words| MessageView::words(words)).collect()
        } else {
            report.messages.iter().map(MessageView::from).collect()
        },
    })
}

fn bone_shown(bone: HumanBone, report: &Report) -> BoneView {
    let mapped = report.map.get(bone.name());
    let declined = report.declined.iter().any(|declined| declined == bone.name());
    BoneView {
        bone: bone.name().to_owned(),
        words: words_of(bone.name()),
        group: part_of(bone.name()),
        required: HumanBone::indispensable().any(|needed| needed == bone),
        joint: mapped.map(|mapped| mapped.name.clone()),
        by: mapped
            .map(|mapped| found_by(&mapped.by))
            .or_else(|| declined.then_some(FoundBy::Person)),
        confidence: mapped.map_or(0.0, |mapped| mapped.confidence),
    }
}

fn found_by(word: &str) -> FoundBy {
    match word {
        "vrm" => FoundBy::Declared,
        "user" => FoundBy::Person,
        "structure" => FoundBy::Shape,
        _ => FoundBy::Name,
    }
}

/// Returns the display name of a bone: `leftUpperArm` becomes “Left upper arm”.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn part_of(name: &str) -> BodyPart {
    let (is_left, rest) = match (name.strip_prefix("left"), name.strip_prefix("right")) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ if matches!(name, "head" | "jaw") => return BodyPart::Head,
        _ => return BodyPart::Body,
    };
    let of_side = |left, right| if is_left { left } else { right };
    match rest {
        "Eye" => BodyPart::Head,
        "Shoulder" | "UpperArm" | "LowerArm" | "Hand" => {
            of_side(BodyPart::LeftArm, BodyPart::RightArm)
        }
        "UpperLeg" | "LowerLeg" | "Foot" | "Toes" => of_side(BodyPart::LeftLeg, BodyPart::RightLeg),
        _ => of_side(BodyPart::LeftFingers, BodyPart::RightFingers),
    }
}

fn joints_shown(joints: &[Joint]) -> Vec<JointView> {
    let mut depths: Vec<u32> = Vec::with_capacity(joints.len());
    for joint in joints {
        // parents precede children, so an unknown parent makes a root
        let above = joint.parent.and_then(|parent| depths.get(parent));
        depths.push(above.map_or(0, |depth| depth.saturating_add(1)));
    }
    let with_depth = joints.iter().zip(depths);
    with_depth.map(|(joint, depth)| JointView { name: joint.name.clone(), depth }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Argument;

    #[test]
    fn bones_have_common_names_and_order() {
        assert_eq!(words_of("leftUpperArm"), "Left upper arm");
        assert_eq!(words_of("hips"), "Hips");
        assert_eq!(part_of("leftUpperArm"), BodyPart::LeftArm);
        assert_eq!(part_of("rightLittleDistal"), BodyPart::RightFingers);
        assert_eq!(part_of("rightEye"), BodyPart::Head);
        assert_eq!(part_of("upperChest"), BodyPart::Body);
        for bone in HumanBone::ALL {
            let is_finger =
                matches!(part_of(bone.name()), BodyPart::LeftFingers | BodyPart::RightFingers);
            let last = ["Metacarpal", "Proximal", "Intermediate", "Distal"];
            assert_eq!(is_finger, last.iter().any(|word| bone.name().ends_with(word)), "{bone:?}");
        }
    }

    #[test]
    fn a_report_shows_every_bone_and_the_tree_of_joints() {
        let report = json!({
            "version": 1, "convention": "Mixamo", "confidence": 0.97,
            "map": { "hips": { "node": 1, "name": "Hips", "by": "table", "confidence": 1.0 } },
            "missing": ["jaw", "neck"], "declined": ["neck"], "rest": { "pose": "T" }, "heightM": 1.8,
            "face": { "shapes": 0, "map": {} }, "hands": { "l": 5, "r": 4 },
            "warnings": ["the toes were guessed"],
            "joints": [
                { "name": "Armature", "parent": null }, { "name": "Hips", "parent": 0 },
                { "name": "Spine", "parent": 1 },
            ],
        });
        let rig = view(stored(&report)).expect("a rig");
        assert_eq!(rig.bones.len(), HumanBone::ALL.len());
        let hips = &rig.bones[0];
        assert_eq!((hips.joint.as_deref(), hips.by), (Some("Hips"), Some(FoundBy::Name)));
        assert!(hips.required && rig.bones.iter().any(|bone| bone.joint.is_none()));
        let person: Vec<_> =
            rig.bones.iter().filter(|bone| bone.by == Some(FoundBy::Person)).collect();
        assert_eq!((person.len(), person[0].bone.as_str(), &person[0].joint), (1, "neck", &None));
        let depths: Vec<u32> = rig.joints.iter().map(|joint| joint.depth).collect();
        assert_eq!(depths, [0, 1, 2]);
        assert_eq!(rig.warnings, [MessageView::words("the toes were guessed")]);
        assert_eq!(rig.warnings[0].text, "The toes were guessed.");
    }

    #[test]
    fn warnings_keep_their_codes() {
        let text = "No finger joints were found for the left hand: its fingers do not move.";
        let report = json!({
            "convention": "Mixamo", "confidence": 0.97, "map": {}, "rest": { "pose": "T" },
            "heightM": 1.8, "face": { "shapes": 0 }, "hands": { "l": 0, "r": 5 },
            "warnings": [text],
            "messages": [{ "code": "fingers-missing", "side": "left", "text": text }],
        });
        let rig = view(stored(&report)).expect("a rig");
        let [warning] = &rig.warnings[..] else { panic!("{:?}", rig.warnings) };
        assert_eq!((warning.code.as_str(), warning.text.as_str()), ("fingers-missing", text));
        assert_eq!(warning.arguments["side"], Argument::Word("left".to_owned()));
    }

    fn stored(report: &Value) -> StoredModel {
        let stored = json!({
            "modelId": "abcdefghijklmnopqrstuv", "faceDataType": 0, "handDataType": 1,
            "rigReport": report,
        });
        serde_json::from_value(stored).expect("a stored character")
    }
}
