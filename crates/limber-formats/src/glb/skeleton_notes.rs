//! Limber's `extras` on joint nodes, for what glTF cannot express: which human bone a joint is, if
//! its name does not tell, and which bone's twist it shares. Other programs ignore them.

use gltf::json::Extras;
use limber_animation::{HumanBone, Twist};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Note {
    #[serde(skip_serializing_if = "Option::is_none")]
    human_bone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    twist_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    twist_share: Option<f32>,
}

/// Returns the `extras` of a node; `None` if there is nothing to note.
pub(super) fn write(bone: Option<HumanBone>, twist: Option<Twist>) -> Extras {
    if bone.is_none() && twist.is_none() {
        return None;
    }
    let note = Note {
        human_bone: bone.map(|bone| bone.name().to_owned()),
        twist_of: twist.map(|twist| twist.of.name().to_owned()),
        twist_share: twist.map(|twist| twist.share),
    };
    serde_json::value::to_raw_value(&note).ok()
}

/// Reads the `extras` of a node; anything else in them is ignored.
pub(super) fn read(extras: &Extras) -> (Option<HumanBone>, Option<Twist>) {
    let note: Option<Note> = extras.as_ref().and_then(|text| serde_json::from_str(text.get()).ok());
    let Some(note) = note else { return (None, None) };
    let named = |name: &Option<String>| name.as_deref().and_then(HumanBone::from_name);
    let share = note.twist_share.filter(|share| (0.0..=1.0).contains(share));
    let twist = named(&note.twist_of).zip(share).map(|(of, share)| Twist { of, share });
    (named(&note.human_bone), twist)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_back() {
        let twist = Some(Twist { of: HumanBone::LeftLowerArm, share: 0.5 });
        let bone = Some(HumanBone::LeftHand);
        for (bone, twist) in [(bone, twist), (bone, None), (None, twist), (None, None)] {
            assert_eq!(read(&write(bone, twist)), (bone, twist));
        }
    }

    #[test]
    fn foreign_notes_are_ignored() {
        for text in ["{\"mass\": 3}", "[1, 2]", "{\"humanBone\": 7}", "{\"humanBone\": \"wing\"}"] {
            let extras: Extras = serde_json::value::RawValue::from_string(text.to_owned()).ok();
            assert_eq!(read(&extras), (None, None), "{text}");
        }
    }
}
