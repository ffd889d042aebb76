//! Names that users give to clips, shown instead of prompts.

use serde::{Deserialize, Serialize};

use super::{Clip, ClipId, Library, tags::is_unseen};
use crate::{AppError, Doing, ErrorCode, Notice};

/// Maximum length of a name; longer ones do not fit on a card.
const LONGEST_NAME: usize = 120;

/// A clip name: one line without invisible characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClipName(String);

impl ClipName {
    /// Parses a typed name; `None` if nothing in it is visible.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, AppError> {
        let kept: String =
            text.chars().filter(|letter| joins(*letter) || !is_unseen(*letter)).collect();
        let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.chars().all(|letter| joins(letter) || letter.is_whitespace()) {
            return Ok(None);
        }
        if name.chars().count() > LONGEST_NAME {
            let notice = Notice::NameLength { most: LONGEST_NAME };
            return Err(AppError::new(ErrorCode::BadInput, notice));
        }
        Ok(Some(Self(name)))
    }

    pub(crate) fn words(&self) -> &str {
        &self.0
    }
}

/// Returns whether a character is a joiner: invisible, but required by Persian script and emoji
/// sequences.
const fn joins(letter: char) -> bool {
    matches!(letter, '\u{200C}' | '\u{200D}')
}

impl Library {
    /// Renames a clip, or removes its name; on disk when this returns.
    pub(crate) fn rename(&self, id: &ClipId, name: Option<ClipName>) -> Result<(), AppError> {
        let mut clip = self.find(id)?;
        if clip.name == name {
            return Ok(());
        }
        clip.name = name;
        self.add(clip).map_err(|error| AppError::disk(Doing::KeepName, &error))
    }
}

impl Clip {
    /// Returns the clip's name, or else its prompt.
    pub(crate) fn title(&self) -> &str {
        self.name.as_ref().map_or(&self.prompt, ClipName::words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folders, library::tests::library_with, views::SaveFormat};

    fn name(words: &str) -> Option<ClipName> {
        ClipName::parse(words).expect("a name or none")
    }

    #[test]
    fn a_name_is_one_visible_line() {
        let words = |text: &str| name(text).map(|name| name.words().to_owned());
        assert_eq!(words("  Hero\n walk \u{202E}A\u{7}\t2 ").as_deref(), Some("Hero walk A 2"));
        assert_eq!(words("مشهد ١").as_deref(), Some("مشهد ١"));
        assert_eq!(words("می\u{200C}رود").as_deref(), Some("می\u{200C}رود"));
        for nothing in ["", " \n ", "\u{0}\u{1B}", "\u{200F}", "\u{200D} \u{200C}"] {
            assert_eq!(words(nothing), None, "{nothing:?}");
        }
        assert!(name(&"ا".repeat(LONGEST_NAME)).is_some());
        let long = ClipName::parse(&"x".repeat(LONGEST_NAME + 1)).expect_err("too long");
        assert_eq!(long.code, ErrorCode::BadInput);
    }

    #[test]
    fn removing_a_name_restores_the_prompt() {
        let (folder, library, clip) = library_with(b"glTF");
        library.rename(&clip.id, name("Hero walk")).expect("saved");
        let again = Library::open(&Folders::new(folder.path()));
        let shown = &again.views()[0];
        assert_eq!((shown.name.as_deref(), &shown.prompt), (Some("Hero walk"), &clip.prompt));
        let named = again.find(&clip.id).expect("it exists");
        assert_eq!(named.file_name(SaveFormat::Glb), "hero walk 1.glb");
        again.rename(&clip.id, name(" ")).expect("removed");
        assert_eq!(again.views()[0].name, None);
        assert_eq!(again.find(&clip.id).expect("it exists").title(), clip.prompt);
    }

    #[test]
    fn older_records_have_no_names_or_warnings() {
        let (_folder, _library, clip) = library_with(b"glTF");
        let mut record = serde_json::to_value(&clip).expect("text");
        let fields = record.as_object_mut().expect("an object");
        assert!(fields.remove("name").is_some() && fields.remove("told").is_some());
        assert_eq!(serde_json::from_value::<Clip>(record).expect("a clip"), clip);
    }
}
