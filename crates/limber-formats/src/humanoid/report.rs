//! Reports a mapping to users.

use glam::Vec3;
use limber_animation::{HumanBone, Side};
use limber_script::Message;

use super::assign::Draft;
use super::{By, MAX_JOINTS, Mapping, Rig, RigJoint, Twist, confidence, spoken, trunk};

/// Results other than the bones.
pub(super) struct Found {
    pub(super) convention: &'static str,
    pub(super) facing: Vec3,
    pub(super) mirrored: bool,
    pub(super) twists: Vec<Twist>,
    pub(super) warnings: Vec<String>,
}

pub(super) fn too_many_joints(count: usize) -> Mapping {
    Mapping {
        bones: std::collections::BTreeMap::new(),
        convention: "shape",
        confidence: 0.0,
        twists: Vec::new(),
        facing: Vec3::Z,
        mirrored: false,
        four_legged: false,
        missing: HumanBone::ALL.to_vec(),
        declined: Vec::new(),
        excused: Vec::new(),
        warnings: vec![Message::from(format!(
            "The rig has {count} joints, but the limit is {MAX_JOINTS}, so no joint was mapped. \
             Export the character alone, without its scene."
        ))],
    }
}

/// Combines all results into a mapping.
pub(super) fn finish(rig: &Rig<'_>, draft: Draft, found: Found) -> Mapping {
    let confidence = confidence::of(rig, &draft);
    let four_legged = confidence::is_four_legged(rig, &draft);
    let missing: Vec<HumanBone> =
        HumanBone::ALL.into_iter().filter(|bone| !draft.has(*bone)).collect();
    let excused: Vec<HumanBone> =
        Side::BOTH.into_iter().filter_map(|side| ends_with_forearm(&draft, side)).collect();
    let mut warnings: Vec<Message> = found.warnings.into_iter().map(Message::from).collect();
    if found.mirrored {
        warnings.push(Message::from(
            "The names of the joints have left and right exchanged; the actual sides of the body \
             are used.",
        ));
    }
    warnings.extend(Side::BOTH.into_iter().filter_map(|side| missing_at_hand(&draft, side)));
    warnings.extend(trunk::extra_levels(rig, &draft).map(Message::from));
    let declined = draft.declined().collect();
    Mapping {
        bones: draft.into_bones(),
        convention: found.convention,
        confidence,
        twists: found.twists,
        facing: found.facing,
        mirrored: found.mirrored,
        four_legged,
        missing,
        declined,
        excused,
        warnings,
    }
}

/// Returns the hand of an arm that has a forearm but no joint for the hand.
fn ends_with_forearm(draft: &Draft, side: Side) -> Option<HumanBone> {
    let [_, _, lower, hand] = HumanBone::arm(side);
    (draft.has(lower) && !draft.has(hand)).then_some(hand)
}

/// Returns what an arm can do without but usually has: the hand, or its fingers.
fn missing_at_hand(draft: &Draft, side: Side) -> Option<Message> {
    let said = match side {
        Side::Left => limber_script::Side::Left,
        Side::Right => limber_script::Side::Right,
    };
    if ends_with_forearm(draft, side).is_some() {
        return Some(Message::HandMissing { side: said });
    }
    let [_, _, _, hand] = HumanBone::arm(side);
    let mut fingers =
        HumanBone::ALL.into_iter().filter(|bone| is_finger(*bone) && bone.side() == Some(side));
    let is_known = |bone| draft.has(bone) || draft.declined().any(|declined| declined == bone);
    (draft.has(hand) && !fingers.any(is_known)).then_some(Message::FingersMissing { side: said })
}

/// Returns whether a bone belongs to a finger; these come last.
fn is_finger(bone: HumanBone) -> bool {
    bone >= HumanBone::LeftThumbMetacarpal
}

impl Mapping {
    /// Returns why clips cannot be retargeted to the rig, and what to do about it; `None` if they
    /// can.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let missing: Vec<HumanBone> = HumanBone::REQUIRED
            .into_iter()
            .filter(|bone| self.missing.contains(bone) && !self.excused.contains(bone))
            .collect();
        if missing.len() == HumanBone::REQUIRED.len() {
            return Some(
                "no human skeleton was found in the character: rig it with hips, spine, head, two \
                 arms and two legs"
                    .to_owned(),
            );
        }
        if !missing.is_empty() {
            return Some(format!(
                "no joint was found for {}: choose these joints yourself, or rig the character \
                 with them",
                list(&missing)
            ));
        }
        self.four_legged.then(|| {
            "the character stands on four legs: only characters on two legs can be animated"
                .to_owned()
        })
    }

    /// Returns the joint of a bone.
    #[must_use]
    pub fn joint(&self, bone: HumanBone) -> Option<usize> {
        self.bones.get(&bone).map(|mapped| mapped.joint)
    }

    /// Describes the mapping, what is missing and what was guessed, in one sentence each. `joints`
    /// must be those that were mapped.
    #[must_use]
    pub fn findings(&self, joints: &[RigJoint]) -> Vec<String> {
        let mut findings = vec![self.how()];
        for (bone, mapped) in &self.bones {
            let name = joints.get(mapped.joint).map_or("", |joint| joint.name.as_str());
            let how = match mapped.by {
                By::Vrm => ", declared by the file",
                By::Table | By::Synonym => "",
                By::Structure => ", guessed from its position",
                By::User => ", chosen by you",
            };
            findings.push(format!("The {} is `{}`{how}.", spoken(*bone), shown(name)));
        }
        let missing: Vec<HumanBone> =
            self.missing.iter().copied().filter(|bone| !is_finger(*bone)).collect();
        if !missing.is_empty() {
            findings.push(format!("Missing: {}.", list(&missing)));
        }
        for (side, word) in Side::BOTH.into_iter().zip(["left", "right"]) {
            let of_hand = |bone: &&HumanBone| is_finger(**bone) && bone.side() == Some(side);
            let count = self.bones.keys().filter(of_hand).count();
            if count < 15 {
                findings.push(format!("The {word} hand has {count} of 15 finger bones."));
            }
        }
        findings
    }

    fn how(&self) -> String {
        let sure = if self.confidence >= 0.9 {
            ""
        } else if self.confidence >= 0.7 {
            " Please check the result."
        } else {
            " Please confirm the result."
        };
        let how = match self.convention {
            "declared" => "The file itself declares which joints are bones of the body.".to_owned(),
            "part names" => "The joints are named after parts of the body.".to_owned(),
            "shape" => {
                "The names of the joints gave no clue; the body was recognised by its shape."
                    .to_owned()
            }
            convention => format!("The joints are named as in {convention}."),
        };
        how + sure
    }
}

/// Joins bone names: `left hand, right hand and head`.
fn list(bones: &[HumanBone]) -> String {
    let names: Vec<String> = bones.iter().map(|bone| spoken(*bone)).collect();
    match &names[..] {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Sanitises an untrusted name for display: short and without control characters.
fn shown(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(60).collect()
}
