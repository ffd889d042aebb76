//! What Limber notes on an animation: that its last key closes the clip. Other programs pass it over.

use gltf::json::Extras;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Note {
    closing_key: bool,
}

/// The animation's `extras`; nothing when there is nothing to note.
pub(super) fn write(closed: bool) -> Extras {
    if closed { serde_json::value::to_raw_value(&Note { closing_key: true }).ok() } else { None }
}

/// Whether an animation's `extras` say so; whatever else stands there is passed over.
pub(super) fn closed(extras: &Extras) -> bool {
    let note: Option<Note> = extras.as_ref().and_then(|text| serde_json::from_str(text.get()).ok());
    note.is_some_and(|note| note.closing_key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_again_and_foreign_notes_are_passed_over() {
        assert!(closed(&write(true)) && !closed(&write(false)));
        for text in ["{\"mass\": 3}", "[1, 2]", "{\"closingKey\": 7}"] {
            let extras: Extras = serde_json::value::RawValue::from_string(text.to_owned()).ok();
            assert!(!closed(&extras), "{text}");
        }
    }
}
