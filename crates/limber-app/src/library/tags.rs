//! Tags that users give to clips.

use serde::{Deserialize, Serialize};

use super::{Clip, ClipId, Library};
use crate::{AppError, Doing, ErrorCode, Notice};

/// Maximum length of a tag in characters.
const LONGEST_TAG: usize = 40;
/// Maximum number of tags of a clip.
const MOST_TAGS: usize = 20;

/// A tag: one line without invisible characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tag(String);

impl Tag {
    /// Parses a typed tag.
    pub(crate) fn parse(text: &str) -> Result<Self, AppError> {
        let seen: String = text.chars().filter(|letter| !is_unseen(*letter)).collect();
        let words = seen.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.trim_start_matches('#').trim_start();
        if words.is_empty() || words.chars().count() > LONGEST_TAG {
            return Err(AppError::new(
                ErrorCode::BadInput,
                Notice::TagLength { most: LONGEST_TAG },
            ));
        }
        Ok(Self(words.to_owned()))
    }

    pub(crate) fn words(&self) -> &str {
        &self.0
    }

    /// Compares case-insensitively: “Client” and “client” are the same tag.
    fn is_same(&self, other: &Self) -> bool {
        self.0.to_lowercase() == other.0.to_lowercase()
    }
}

/// Returns whether a character is a control, zero-width or bidirectional formatting character.
pub(super) fn is_unseen(letter: char) -> bool {
    let turns = matches!(letter, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}');
    turns || (letter.is_control() && !letter.is_ascii_whitespace())
}

impl Library {
    /// Adds a tag to a clip or removes it; on disk when this returns. Does nothing if there is
    /// nothing to change.
    pub(crate) fn tag(&self, id: &ClipId, tag: &Tag, wanted: bool) -> Result<(), AppError> {
        let mut clip = self.find(id)?;
        let has = clip.tags.iter().any(|each| each.is_same(tag));
        if has == wanted {
            return Ok(());
        }
        if wanted {
            if clip.tags.len() >= MOST_TAGS {
                return Err(AppError::new(
                    ErrorCode::BadInput,
                    Notice::MostTags { most: MOST_TAGS },
                ));
            }
            clip.tags.push(tag.clone());
        } else {
            clip.tags.retain(|each| !each.is_same(tag));
        }
        self.add(clip).map_err(|error| AppError::disk(Doing::KeepTag, &error))
    }
}

impl Clip {
    pub(super) fn tag_words(&self) -> Vec<String> {
        self.tags.iter().map(|tag| tag.words().to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folders, library::tests::library_with};

    fn tag(words: &str) -> Tag {
        Tag::parse(words).expect("a tag")
    }

    #[test]
    fn a_tag_is_one_visible_line() {
        assert_eq!(tag("  #client \n A\u{202E}\u{7} ").words(), "client A");
        assert_eq!(tag("مشهد").words(), "مشهد");
        for wrong in ["", " # ", "\u{200F}", &"x".repeat(41)] {
            assert!(Tag::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn tags_are_kept_with_the_clip_even_in_the_trash() {
        let (folder, library, clip) = library_with(b"glTF");
        for words in ["Client", "client", "take 2"] {
            library.tag(&clip.id, &tag(words), true).expect("saved");
        }
        let again = Library::open(&Folders::new(folder.path()));
        assert_eq!(again.views()[0].tags, ["Client", "take 2"]);
        again.delete(&clip.id).expect("deleted");
        again.restore(&clip.id).expect("restored");
        again.tag(&clip.id, &tag("CLIENT"), false).expect("removed");
        again.tag(&clip.id, &tag("never there"), false).expect("nothing to do");
        assert_eq!(again.views()[0].tags, ["take 2"]);
        assert_eq!(again.read(&clip, "glb").expect("intact"), b"glTF");
    }

    #[test]
    fn the_number_of_tags_is_limited() {
        let (_folder, library, clip) = library_with(b"glTF");
        for number in 0..MOST_TAGS {
            library.tag(&clip.id, &tag(&format!("tag {number}")), true).expect("saved");
        }
        let error = library.tag(&clip.id, &tag("one more"), true).expect_err("too many");
        assert_eq!(error.code, ErrorCode::BadInput);
    }
}
