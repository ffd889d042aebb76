//! Recognises ARKit's 52 blend shapes among the morph targets of a mesh.
//!
//! Source: Apple, *ARFaceAnchor.BlendShapeLocation*. Programs spell the names in many ways: with
//! other separators, `_L` for `Left`, the side in the middle, or different words.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{ARKIT_SHAPES, arkit_shape};
use crate::Mesh;

/// Synonyms: the words on the left are replaced by those on the right.
const OTHER_WORDS: [(&[&str], &[&str]); 5] = [
    (&["brow", "raise", "inner"], &["brow", "inner", "up"]),
    (&["brow", "raise", "outer"], &["brow", "outer", "up"]),
    (&["brow", "drop"], &["brow", "down"]),
    (&["cheek", "raise"], &["cheek", "squint"]),
    (&["mouth", "roll", "in"], &["mouth", "roll"]),
];

/// Prefixes and suffixes without meaning.
const IGNORED: [&str; 10] = ["facs", "bs", "jnt", "ctrl", "div", "m", "f", "ref", "fcl", "bl"];

/// Maps each ARKit name to the first shape that matches it in some spelling.
#[must_use]
pub fn arkit_shapes<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<&'static str, String> {
    /// The ARKit names, split into sorted words.
    static KNOWN: LazyLock<Vec<(&'static str, Vec<String>)>> = LazyLock::new(|| {
        ARKIT_SHAPES.into_iter().map(|name| (name, sorted(words(name)))).collect()
    });
    let mut found = BTreeMap::new();
    for name in names {
        let spelled = sorted(translated(words(name)));
        // both halves of a shape that ARKit has only as a whole
        let whole: Vec<String> = spelled
            .iter()
            .filter(|word| !["left", "right"].contains(&word.as_str()))
            .cloned()
            .collect();
        let like = |words: &[String]| KNOWN.iter().find(|(_, own)| own == words);
        if let Some((arkit, _)) = like(&spelled).or_else(|| like(&whole)) {
            found.entry(*arkit).or_insert_with(|| name.to_owned());
        }
    }
    found
}

impl Mesh {
    /// For each morph target, its index in [`ARKIT_SHAPES`]. Two targets that match the same name
    /// both get it.
    #[must_use]
    pub fn arkit_shapes(&self) -> Vec<Option<usize>> {
        let of = |name: &str| arkit_shapes([name]).into_keys().next().and_then(arkit_shape);
        self.morphs.iter().map(|morph| of(&morph.name)).collect()
    }
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort_unstable();
    words
}

fn words(name: &str) -> Vec<String> {
    let own = name.rsplit(['.', ':', '|']).next().unwrap_or(name);
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for letter in own.chars() {
        let starts = letter.is_uppercase() && before.is_lowercase();
        if !letter.is_alphabetic() || starts {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            let last = words.last_mut().expect("there is always a word");
            last.extend(letter.to_lowercase());
        }
        before = letter;
    }
    let said = |word: &String| !word.is_empty() && !IGNORED.contains(&word.as_str());
    words
        .into_iter()
        .filter(said)
        .map(|word| match word.as_str() {
            "l" => "left".to_owned(),
            "r" => "right".to_owned(),
            _ => word,
        })
        .collect()
}

fn translated(mut words: Vec<String>) -> Vec<String> {
    for (from, to) in OTHER_WORDS {
        if from.iter().all(|word| words.iter().any(|own| own == word)) {
            words.retain(|word| !from.contains(&word.as_str()));
            words.extend(to.iter().map(|word| (*word).to_owned()));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str) -> Option<&'static str> {
        arkit_shapes([name]).into_keys().next()
    }

    #[test]
    fn arkit_names_are_recognised_in_every_side_spelling() {
        for name in ARKIT_SHAPES {
            assert_eq!(one(name), Some(name));
            let short = name.replace("Left", "_L").replace("Right", "_R");
            assert_eq!(one(&format!("head.{short}")), Some(name));
        }
        assert_eq!(arkit_shapes(ARKIT_SHAPES).len(), 52);
    }

    #[test]
    fn other_spellings_are_recognised() {
        for (spelled, arkit) in [
            ("Eye_Blink_L", "eyeBlinkLeft"),
            ("Eye_L_Look_Up", "eyeLookUpLeft"),
            ("Brow_Raise_Inner_R", "browInnerUp"),
            ("Brow_Drop_L", "browDownLeft"),
            ("Mouth_Down_Lower_R", "mouthLowerDownRight"),
            ("Mouth_Roll_In_Upper", "mouthRollUpper"),
            ("Cheek_Puff_L", "cheekPuff"),
            ("Mouth_L", "mouthLeft"),
            ("facs_bs_MouthSmileLeft_div2", "mouthSmileLeft"),
            ("blendShape1.tongueOut", "tongueOut"),
        ] {
            assert_eq!(one(spelled), Some(arkit), "{spelled}");
        }
    }

    #[test]
    fn other_shapes_are_not_recognised() {
        for name in ["Fcl_MTH_A", "vrc.v_aa", "Fat", "Smile", "left", ""] {
            assert_eq!(one(name), None, "{name}");
        }
    }
}
