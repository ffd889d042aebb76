//! Limber's `extras` on animations: whether the last key is a closing key. Other programs ignore
//! them.

use gltf::json::Extras;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Note {
    closing_key: bool,
}

/// Returns the `extras` of an animation; `None` if there is nothing to note.
pub(super) fn write(closed: bool) -> Extras {
    if closed { serde_json::value::to_raw_value(&Note { closing_key: true }).ok() } else { None }
}

/// Whether the `extras` of an animation mark a closing key; anything else in them is ignored.
pub(super) fn closed(extras: &Extras) -> bool {
    let note: Option<Note> = extras.as_ref().and_then(|text| serde_json::from_str(text.get()).ok());
    note.is_some_and(|note| note.closing_key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_back_and_foreign_notes_are_ignored() {
        assert!(closed(&write(true)) && !closed(&write(false)));
        for text in ["{\"mass\": 3}", "[1, 2]", "{\"closingKey\": 7}"] {
            let extras: Extras = serde_json::value::RawValue::from_string(text.to_owned()).ok();
            assert!(!closed(&extras), "{text}");
        }
    }
}
