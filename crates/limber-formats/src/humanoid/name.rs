//! Normalises joint names: removes character width, namespaces, prefixes, separators and sides.

use std::collections::{HashMap, HashSet};

use limber_animation::Side;
use unicode_normalization::UnicodeNormalization;

/// Maximum length that is looked at: no bone has a longer name, but untrusted files may contain
/// names of any length.
const LONGEST: usize = 128;

/// A normalised joint name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    /// The side of the body that the name says.
    pub(super) side: Option<Side>,
    /// The remaining words in lower case, split at separators, case changes and digits.
    pub(super) words: Vec<String>,
    /// The words concatenated.
    pub(super) key: String,
    /// The whole name in lower case, for prefixes.
    pub(super) full: String,
}

impl Label {
    /// Returns the key without its digits.
    pub(super) fn letters(&self) -> String {
        self.words.iter().filter(|word| !is_number(word)).map(String::as_str).collect()
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }
}

pub(super) fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

/// Returns the label of a single name.
pub(super) fn label(name: &str) -> Label {
    finish(&widthless(name), &bare(name))
}

/// Returns the labels of a whole rig. Prefixes, suffixes and counters that most names have are
/// removed.
pub(super) fn labels<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<Label> {
    let mut bare_names: Vec<String> = names.clone().map(bare).collect();
    drop_shared_prefix(&mut bare_names);
    drop_counters(&mut bare_names);
    drop_shared_suffix(&mut bare_names);
    names.zip(bare_names).map(|(name, bare)| finish(&widthless(name), &bare)).collect()
}

fn finish(full: &str, bare: &str) -> Label {
    let (side, words) = take_side(split(bare));
    let key = words.concat();
    let full = full.to_lowercase();
    if key.is_empty() && !full.is_empty() {
        return Label { side, words: vec![full.clone()], key: full.clone(), full };
    }
    Label { side, words, key, full }
}

/// Normalises full-width letters and truncates the name.
fn widthless(name: &str) -> String {
    name.chars().take(LONGEST).nfkc().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

/// Removes namespaces and known prefixes.
fn bare(name: &str) -> String {
    let name = widthless(name);
    let mut rest =
        name.rsplit([':', '|']).find(|part| !part.trim().is_empty()).unwrap_or("").trim();
    while let Some(shorter) = without_known_prefix(rest) {
        rest = shorter;
    }
    // prefixes that carry the side
    for (prefix, side) in [("j_bip_l_", "L_"), ("j_bip_r_", "R_"), ("j_bip_c_", "")] {
        if let Some(rest) = strip(rest, prefix) {
            return format!("{side}{rest}");
        }
    }
    rest.to_owned()
}

fn without_known_prefix(name: &str) -> Option<&str> {
    for prefix in ["cc_base_", "valvebiped.", "valvebiped_", "def-", "def_", "rig_"] {
        if let Some(rest) = strip(name, prefix) {
            return Some(rest);
        }
    }
    if let Some(rest) = strip(name, "mixamorig") {
        let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        return Some(rest.strip_prefix(['_', ':']).unwrap_or(rest)).filter(|rest| !rest.is_empty());
    }
    let rest = strip(name, "bip")?.trim_start_matches('0').strip_prefix('1')?;
    let rest = rest.strip_prefix([' ', '_']).unwrap_or(rest);
    (rest.len() < name.len() && !rest.is_empty()).then_some(rest)
}

/// Removes a prefix, ignoring case; `None` if nothing remains.
fn strip<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    let head = name.get(..prefix.len())?;
    let rest = &name[prefix.len()..];
    (head.eq_ignore_ascii_case(prefix) && !rest.is_empty()).then_some(rest)
}

/// Whether this is more than 60 % of the names.
fn is_most(count: usize, of: usize) -> bool {
    of >= 5 && count * 10 > of * 6
}

/// Removes the prefix that most names share, up to a separator or a case change: `Character1_Hips`,
/// `Character1_Spine` and so on.
fn drop_shared_prefix(names: &mut [String]) {
    let Some(prefix) = most_shared(names, |name| prefix_ends(name).map(|end| &name[..end])) else {
        return;
    };
    for name in names.iter_mut() {
        if name.len() > prefix.len() && name.starts_with(&prefix) {
            name.drain(..prefix.len());
        }
    }
}

/// Removes the suffix that most names share: `hips_jnt`, `spine_jnt` and so on.
fn drop_shared_suffix(names: &mut [String]) {
    let Some(suffix) = most_shared(names, |name| suffix_starts(name).map(|start| &name[start..]))
    else {
        return;
    };
    for name in names.iter_mut() {
        if name.len() > suffix.len() && name.ends_with(&suffix) {
            name.truncate(name.len() - suffix.len());
        }
    }
}

/// Returns the longest part that most names share; never one that says a side.
fn most_shared<'n, I>(names: &'n [String], parts: impl Fn(&'n str) -> I) -> Option<String>
where
    I: Iterator<Item = &'n str>,
{
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names {
        for part in parts(name) {
            *counts.entry(part).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter(|(part, count)| is_most(*count, names.len()) && take_side(split(part)).0.is_none())
        .map(|(part, _)| part)
        .max_by_key(|part| (part.len(), *part))
        .map(str::to_owned)
}

/// Returns where a shared prefix may end: after a separator, or between a lower- and an upper-case
/// letter.
fn prefix_ends(name: &str) -> impl Iterator<Item = usize> + '_ {
    let pairs = name.char_indices().zip(name.char_indices().skip(1));
    pairs
        .filter(|((_, one), (_, next))| {
            (is_separator(*one) && !is_separator(*next))
                || (one.is_lowercase() && next.is_uppercase())
        })
        .map(|(_, (at, _))| at)
}

/// Returns where a shared suffix may start: at a separator.
fn suffix_starts(name: &str) -> impl Iterator<Item = usize> + '_ {
    name.char_indices().skip(1).filter(|(_, letter)| is_separator(*letter)).map(|(at, _)| at)
}

/// Removes node counters such as `Hips_02`, `Spine_03`, `LeftArm_017`, which exporters append, if
/// all numbers differ.
fn drop_counters(names: &mut [String]) {
    let mut numbers = HashSet::new();
    let mut rests = HashSet::new();
    let mut numbered = 0;
    for (rest, number) in names.iter().filter_map(|name| counted(name)) {
        numbered += 1;
        numbers.insert(number);
        rests.insert(rest);
    }
    if !is_most(numbered, names.len())
        || numbers.len() < numbered
        || rests.len() * 10 < numbered * 7
    {
        return;
    }
    let ends: Vec<Option<usize>> =
        names.iter().map(|name| counted(name).map(|(rest, _)| rest.len())).collect();
    for (name, end) in names.iter_mut().zip(ends) {
        name.truncate(end.unwrap_or(name.len()));
    }
}

fn counted(name: &str) -> Option<(&str, &str)> {
    let (rest, number) = name.rsplit_once('_')?;
    (!rest.is_empty() && !number.is_empty() && number.chars().all(|d| d.is_ascii_digit()))
        .then_some((rest, number))
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || letter.is_ascii_punctuation()
}

/// Character classes for splitting names into words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    /// Letters without case.
    Other,
    Digit,
    Separator,
    /// 左 and 右, which are words wherever they occur.
    Side,
}

fn kind(letter: char) -> Kind {
    match letter {
        '左' | '右' => Kind::Side,
        _ if letter.is_numeric() => Kind::Digit,
        _ if letter.is_uppercase() => Kind::Upper,
        _ if letter.is_lowercase() => Kind::Lower,
        _ if letter.is_alphabetic() => Kind::Other,
        _ => Kind::Separator,
    }
}

fn split(name: &str) -> Vec<String> {
    let letters: Vec<(char, Kind)> = name.chars().map(|letter| (letter, kind(letter))).collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (place, (letter, kind)) in letters.iter().copied().enumerate() {
        let before = place.checked_sub(1).map_or(Kind::Separator, |before| letters[before].1);
        let after = letters.get(place + 1).map_or(Kind::Separator, |after| after.1);
        let continues = match (before, kind) {
            (_, Kind::Side | Kind::Separator) | (Kind::Side | Kind::Separator, _) => false,
            (Kind::Upper, Kind::Upper) => after != Kind::Lower,
            (Kind::Upper, Kind::Lower) => true,
            (before, kind) => before == kind,
        };
        if !continues && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if kind != Kind::Separator {
            word.extend(letter.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn side_of(word: &str) -> Option<Side> {
    match word {
        "l" | "left" | "lft" | "左" => Some(Side::Left),
        "r" | "right" | "rgt" | "右" => Some(Side::Right),
        _ => None,
    }
}

/// Extracts the side from the words. A name with both sides has none.
fn take_side(mut words: Vec<String>) -> (Option<Side>, Vec<String>) {
    let said: HashSet<Side> = words.iter().filter_map(|word| side_of(word)).collect();
    if let [side] = said.iter().copied().collect::<Vec<_>>()[..] {
        words.retain(|word| side_of(word).is_none());
        return (Some(side), words);
    }
    if said.is_empty() {
        for (text, side) in [("left", Side::Left), ("right", Side::Right)] {
            // `leftarm`, `armleft`: without a case change
            if let Some(first) = words.first_mut()
                && let Some(rest) = first.strip_prefix(text)
            {
                *first = rest.to_owned();
                return (Some(side), words);
            }
            if let Some(last) = words.last_mut()
                && let Some(rest) = last.strip_suffix(text)
            {
                *last = rest.to_owned();
                return (Some(side), words);
            }
        }
    }
    (None, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str) -> (Option<Side>, String) {
        let label = label(name);
        (label.side, label.words.join(" "))
    }

    const L: Option<Side> = Some(Side::Left);
    const R: Option<Side> = Some(Side::Right);

    #[test]
    fn sides_are_recognised_in_every_spelling() {
        for (name, side, words) in [
            ("lShin", L, "shin"),
            ("rShldrBend", R, "shldr bend"),
            ("calf_l", L, "calf"),
            ("L Calf", L, "calf"),
            ("thigh.L", L, "thigh"),
            ("LThumb", L, "thumb"),
            ("LeftUpLeg", L, "up leg"),
            ("Right_Hand", R, "hand"),
            ("leftarm", L, "arm"),
            ("HandRight", R, "hand"),
            ("左ひじ", L, "ひじ"),
            ("右足ＩＫ", R, "足 ik"),
            ("upperarm_twist_01_l", L, "upperarm twist 01"),
            ("RGT_Knee", R, "knee"),
        ] {
            assert_eq!(said(name), (side, words.to_owned()), "{name}");
        }
    }

    #[test]
    fn letters_inside_words_are_not_sides() {
        for name in ["lowerleg", "leg", "clavicle", "root", "ring", "radius", "Ring1", "Root"] {
            assert_eq!(label(name).side, None, "{name}");
        }
    }

    #[test]
    fn namespaces_and_known_prefixes_are_removed() {
        for (name, words) in [
            ("mixamorig:Hips", "hips"),
            ("mixamorig12:Spine1", "spine 1"),
            ("mixamorigHips", "hips"),
            ("mixamorig_Hips", "hips"),
            ("Armature|Bip001 Pelvis", "pelvis"),
            ("bip01_pelvis", "pelvis"),
            ("ValveBiped.Bip01_Spine2", "spine 2"),
            ("CC_Base_Waist", "waist"),
            ("DEF-spine.001", "spine 001"),
            ("J_Bip_C_Hips", "hips"),
            ("a:b:Chest", "chest"),
            ("Bip001", "bip 001"),
        ] {
            assert_eq!(said(name).1, words, "{name}");
        }
        assert_eq!(said("J_Bip_L_UpperArm"), (L, "upper arm".to_owned()));
    }

    #[test]
    fn common_prefixes_are_removed() {
        let keys = |names: &[&str]| -> Vec<String> {
            labels(names.iter().copied()).into_iter().map(|label| label.key).collect()
        };
        let shared = ["Guy_Hips", "Guy_Spine", "Guy_Head", "Guy_L_Arm", "Root"];
        assert_eq!(keys(&shared), ["hips", "spine", "head", "arm", "root"]);
        let suffixed = ["hips_jnt", "spine_jnt", "head_jnt", "arm_l_jnt", "root"];
        assert_eq!(keys(&suffixed), ["hips", "spine", "head", "arm", "root"]);
        let counted = ["Hips_02", "Spine_03", "Head_04", "LeftArm_05", "LeftHand_016"];
        assert_eq!(keys(&counted), ["hips", "spine", "head", "arm", "hand"]);
        let own = ["spine_01", "spine_02", "spine_03", "neck_01", "head"];
        assert_eq!(keys(&own), ["spine01", "spine02", "spine03", "neck01", "head"]);
    }

    #[test]
    fn hostile_names_are_truncated() {
        let long = "x".repeat(20_000);
        assert!(label(&long).key.len() <= 4 * LONGEST);
        for name in ["", ":::", "|", "\0\n", "..", "\u{202e}gpj", "左", "l"] {
            let _ = label(name);
        }
    }
}
