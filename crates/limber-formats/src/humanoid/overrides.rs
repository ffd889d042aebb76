//! The user's decisions, which nothing overrules.

use std::collections::BTreeMap;

use limber_animation::HumanBone;
use serde::{Deserialize, Serialize};

use super::assign::{Draft, human_ancestors};
use super::{By, Rig, spoken};

/// For some human bones, the name of the joint that the user chose, or that there is none.
/// Serialised as a JSON object of names, `{"leftHand": "Hand_L", "leftToes": null}`; stored with
/// the character.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, Option<String>>", into = "BTreeMap<String, Option<String>>")]
pub struct Overrides(BTreeMap<HumanBone, Option<String>>);

/// The overrides name a bone that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the name of a human bone; bones are named as in VRM 1.0, for example \
     `leftUpperArm`"
)]
pub struct UnknownBone(String);

impl Overrides {
    /// Maps the bone to this joint, whatever its name and position.
    pub fn set(&mut self, bone: HumanBone, joint: impl Into<String>) {
        self.0.insert(bone, Some(joint.into()));
    }

    /// Decides that no joint is the bone, whatever the names say.
    pub fn decline(&mut self, bone: HumanBone) {
        self.0.insert(bone, None);
    }

    /// Returns the decisions by bone; `None` means no joint.
    pub fn iter(&self) -> impl Iterator<Item = (HumanBone, Option<&str>)> {
        self.0.iter().map(|(bone, joint)| (*bone, joint.as_deref()))
    }

    /// Whether there are no decisions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Applies valid decisions to the draft, and adds a warning for each of the others.
    pub(super) fn apply(&self, rig: &Rig<'_>, draft: &mut Draft, warnings: &mut Vec<String>) {
        for (bone, name) in self.iter() {
            let Some(name) = name else {
                draft.decline(bone);
                continue;
            };
            if let Err(why) = choose(rig, draft, bone, name) {
                warnings.push(format!("The choice of `{name}` as the {} {why}", spoken(bone)));
            }
        }
    }
}

fn choose(rig: &Rig<'_>, draft: &mut Draft, bone: HumanBone, name: &str) -> Result<(), String> {
    let named = rig.tree.all().filter(|joint| rig.tree.joint(*joint).name == name);
    let joint = named.min_by_key(|joint| (!rig.tree.moves(*joint), *joint)).ok_or(
        "was ignored: the character has no joint with that name. Choose one of its joints.",
    )?;
    if let Some(other) = draft.bone_of(joint) {
        return Err(format!(
            "was ignored: the same joint is already the {}. Choose a different joint for each \
             bone.",
            spoken(other)
        ));
    }
    let upside_down = draft.iter().find(|(other, found)| {
        (rig.tree.is_above(joint, found.joint) && human_ancestors(bone).any(|b| b == *other))
            || (rig.tree.is_above(found.joint, joint) && human_ancestors(*other).any(|b| b == bone))
    });
    if let Some((other, _)) = upside_down {
        return Err(format!(
            "was ignored: the joint is above the {} in the hierarchy, which was chosen too. \
             Correct one of the two.",
            spoken(other)
        ));
    }
    draft.put(bone, joint, By::User, 1.0);
    Ok(())
}

impl TryFrom<BTreeMap<String, Option<String>>> for Overrides {
    type Error = UnknownBone;

    fn try_from(names: BTreeMap<String, Option<String>>) -> Result<Self, UnknownBone> {
        let bones = names.into_iter().map(|(bone, joint)| match HumanBone::from_name(&bone) {
            Some(bone) => Ok((bone, joint)),
            None => Err(UnknownBone(bone)),
        });
        Ok(Self(bones.collect::<Result<_, _>>()?))
    }
}

impl From<Overrides> for BTreeMap<String, Option<String>> {
    fn from(overrides: Overrides) -> Self {
        overrides.0.into_iter().map(|(bone, joint)| (bone.name().to_owned(), joint)).collect()
    }
}
