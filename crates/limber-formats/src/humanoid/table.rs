//! Tables of the names in known conventions, and the detection of the convention of a rig.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use limber_animation::{Finger, HumanBone, Phalanx, Side};

use super::assign::{Candidates, Draft};
use super::name::{Label, label};
use super::{By, Rig};

/// A name for comparison: side and key.
type Spelling = (Option<Side>, String);

/// A name in a table, as written and as compared.
struct Name {
    text: String,
    squeezed: String,
    spelling: Spelling,
}

/// The table of one convention.
pub(super) struct Table {
    pub(super) name: &'static str,
    prefix: Option<String>,
    /// The names of each bone, the preferred one first.
    bones: Vec<(HumanBone, Vec<Name>)>,
    fingers: BTreeMap<Spelling, (Finger, Phalanx)>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let mut tables = bodies(include_str!("table/bodies.md"));
    add_fingers(&mut tables, include_str!("table/fingers.md"));
    tables
});

/// Returns the names of the conventions in the tables.
pub fn conventions() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|table| table.name)
}

/// Returns the finger that a name means in one convention.
pub(super) fn finger(convention: Option<&str>, spelling: &Spelling) -> Option<(Finger, Phalanx)> {
    let table = TABLES.iter().find(|table| Some(table.name) == convention)?;
    table.fingers.get(spelling).copied()
}

/// A table that explains a rig.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) name: &'static str,
    /// Whether it names all required bones.
    pub(super) complete: bool,
    /// Whether most names are written exactly as in the table, not just equivalent after
    /// normalisation.
    pub(super) written_so: bool,
}

/// How well a table explains a rig; greater is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    required: usize,
    bones: usize,
    prefix: i32,
    explained: usize,
    exact: usize,
    cased: usize,
    length: usize,
}

/// Fills the draft with the table that explains the rig best; `None` if no table identifies six of
/// the fifteen required bones.
pub(super) fn assign(rig: &Rig<'_>, draft: &mut Draft) -> Option<Known> {
    let joints = by_spelling(rig);
    let tried = TABLES.iter().map(|table| {
        let mut tried = draft.clone();
        let score = table.try_on(rig, &joints, &mut tried);
        (score, table.name, tried)
    });
    let (score, name, best) = tried.max_by(|one, other| one.0.cmp(&other.0))?;
    if score.required < 2 * 6 {
        return None;
    }
    *draft = best;
    let found = draft.iter().filter(|(_, found)| found.by == By::Table).count();
    Some(Known { name, complete: draft.has_required(), written_so: score.exact * 10 > found * 7 })
}

fn by_spelling(rig: &Rig<'_>) -> BTreeMap<Spelling, Vec<usize>> {
    let mut joints: BTreeMap<Spelling, Vec<usize>> = BTreeMap::new();
    for joint in rig.tree.all() {
        let label = &rig.labels[joint];
        joints.entry((label.side, label.key.clone())).or_default().push(joint);
    }
    for same in joints.values_mut() {
        same.sort_by_key(|joint| (!rig.tree.moves(*joint), rig.tree.depth(*joint)));
    }
    joints
}

impl Table {
    fn try_on(
        &self,
        rig: &Rig<'_>,
        joints: &BTreeMap<Spelling, Vec<usize>>,
        draft: &mut Draft,
    ) -> Score {
        let mut candidates = Candidates::default();
        for (bone, names) in &self.bones {
            let found = names.iter().filter_map(|name| joints.get(&name.spelling));
            let mut found: Vec<usize> = found.flatten().copied().collect();
            if *bone == HumanBone::UpperChest {
                found.sort_by_key(|joint| std::cmp::Reverse(rig.tree.depth(*joint)));
            }
            candidates.add(*bone, found);
        }
        candidates.prefer_moving(rig);
        draft.assign(rig, &candidates, By::Table, 0.95);
        let fit = |required: bool| {
            let own = draft
                .iter()
                .filter(|(bone, found)| found.by == By::Table && (!required || bone.is_required()));
            own.map(|(_, found)| if found.confidence > 0.9 { 2 } else { 1 }).sum()
        };
        Score {
            required: fit(true),
            bones: fit(false),
            prefix: self.prefix_fits(rig),
            explained: rig.labels.iter().filter(|label| self.knows(label)).count(),
            exact: self.exact(rig, draft),
            cased: self.cased(rig, draft),
            length: self.bones.len(),
        }
    }

    fn prefix_fits(&self, rig: &Rig<'_>) -> i32 {
        let Some(prefix) = &self.prefix else { return 0 };
        let is_there = rig.labels.iter().any(|label| label.full.contains(prefix));
        if is_there { 1 } else { -1 }
    }

    fn knows(&self, label: &Label) -> bool {
        let spelling = (label.side, label.key.clone());
        self.fingers.contains_key(&spelling)
            || self.bones.iter().any(|(_, names)| names.iter().any(|n| n.spelling == spelling))
    }

    /// Returns the number of bones that are written letter for letter as in the table.
    fn cased(&self, rig: &Rig<'_>, draft: &Draft) -> usize {
        let is_same = |bone: HumanBone, names: &[Name]| {
            let joint = draft.get(bone).map(|joint| rig.tree.joint(joint).name.as_str());
            joint.is_some_and(|joint| names.iter().any(|name| joint.ends_with(&name.text)))
        };
        self.bones.iter().filter(|(bone, names)| is_same(*bone, names)).count()
    }

    /// Returns the number of bones that are written as in the table except for case and separators.
    fn exact(&self, rig: &Rig<'_>, draft: &Draft) -> usize {
        let is_exact = |bone: HumanBone, names: &[Name]| {
            let joint = draft.get(bone).map(|joint| squeezed(&rig.labels[joint].full));
            joint.is_some_and(|joint| names.iter().any(|name| joint.contains(&name.squeezed)))
        };
        self.bones.iter().filter(|(bone, names)| is_exact(*bone, names)).count()
    }
}

/// Returns letters and digits in lower case.
fn squeezed(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines()
        .filter(|line| line.starts_with('|') && !line.starts_with("|-"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

fn bodies(text: &'static str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut first = 0;
    for row in rows(text) {
        let [head, cells @ ..] = &row[..] else { continue };
        if *head == "bone" {
            first = tables.len();
            tables.extend(cells.iter().map(|name| Table {
                name,
                prefix: None,
                bones: Vec::new(),
                fingers: BTreeMap::new(),
            }));
            continue;
        }
        for (table, cell) in tables[first..].iter_mut().zip(cells) {
            let Some(bone) = HumanBone::from_name(head) else {
                table.prefix = (*cell != "—").then(|| cell.to_lowercase());
                continue;
            };
            table.add(bone, cell);
        }
    }
    for table in &mut tables {
        table.bones.sort_by_key(|(bone, _)| *bone);
    }
    tables
}

impl Table {
    fn add(&mut self, bone: HumanBone, cell: &str) {
        if cell == "—" {
            return;
        }
        let pairs = cell.split(" / ").map(|name| match name.split_once(" ~ ") {
            Some((left, right)) => (Name::new(left), Name::new(right)),
            None => (Name::new(name), Name::new(&other_side(name))),
        });
        let (left, right) = pairs.unzip();
        self.bones.push((bone, left));
        if bone.side().is_some() {
            self.bones.push((bone.mirrored(), right));
        }
    }
}

impl Name {
    fn new(text: &str) -> Self {
        let label = label(text);
        Self {
            text: text.to_owned(),
            squeezed: squeezed(&label.full),
            spelling: (label.side, label.key),
        }
    }
}

/// Converts a left side's name to the right side's.
fn other_side(name: &str) -> String {
    for (left, right) in [("Left", "Right"), ("left", "right"), ("左", "右")] {
        if name.contains(left) {
            return name.replacen(left, right, 1);
        }
    }
    let letters: Vec<char> = name.chars().collect();
    let is_letter = |place: Option<usize>| {
        place.and_then(|place| letters.get(place)).is_some_and(|letter| letter.is_alphabetic())
    };
    let alone = (0..letters.len()).find(|place| {
        matches!(letters[*place], 'L' | 'l')
            && !is_letter(place.checked_sub(1))
            && !is_letter(Some(place + 1))
    });
    let place = alone.unwrap_or(0);
    let swap = |letter: char| match letter {
        'L' => 'R',
        'l' => 'r',
        other => other,
    };
    letters.iter().enumerate().map(|(at, c)| if at == place { swap(*c) } else { *c }).collect()
}

fn add_fingers(tables: &mut [Table], text: &'static str) {
    for row in rows(text).filter(|row| row[0] != "conventions") {
        let [conventions, cells @ ..] = &row[..] else { continue };
        let mut fingers = BTreeMap::new();
        for (finger, cell) in Finger::ALL.into_iter().zip(cells) {
            for (phalanx, name) in cell.split(" / ").flat_map(spelled_out) {
                for name in [name.clone(), other_side(&name)] {
                    let label = label(&name);
                    fingers.entry((label.side, label.key)).or_insert((finger, phalanx));
                }
            }
        }
        for table in tables.iter_mut() {
            if conventions.split(", ").any(|name| name == table.name) {
                table.fingers.clone_from(&fingers);
            }
        }
    }
}

/// Expands `LeftHandThumb{1,2,3}` to three names.
fn spelled_out(pattern: &str) -> Vec<(Phalanx, String)> {
    let Some((head, rest)) = pattern.split_once('{') else { return Vec::new() };
    let Some((endings, tail)) = rest.split_once('}') else { return Vec::new() };
    let endings = endings.split(',');
    Phalanx::ALL
        .into_iter()
        .zip(endings)
        .map(|(phalanx, ending)| (phalanx, format!("{head}{ending}{tail}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_convention_names_the_required_bones() {
        for table in TABLES.iter() {
            for bone in HumanBone::REQUIRED {
                let is_named = table.bones.iter().any(|(own, _)| *own == bone);
                assert!(is_named, "{} lacks {}", table.name, bone.name());
            }
        }
        assert_eq!(TABLES.len(), 25);
    }

    #[test]
    fn each_convention_spells_its_bones_differently() {
        for table in TABLES.iter() {
            let mut firsts: Vec<&Spelling> =
                table.bones.iter().map(|(_, names)| &names[0].spelling).collect();
            firsts.sort();
            let count = firsts.len();
            firsts.dedup();
            assert_eq!(firsts.len(), count, "{}", table.name);
        }
    }

    #[test]
    fn sides_are_mirrored_in_every_spelling() {
        for (left, right) in [
            ("LeftUpLeg", "RightUpLeg"),
            ("calf_l", "calf_r"),
            ("L Clavicle", "R Clavicle"),
            ("lShldrBend", "rShldrBend"),
            ("lhumerus", "rhumerus"),
            ("upperleg01.L", "upperleg01.R"),
            ("J_Adj_L_FaceEye", "J_Adj_R_FaceEye"),
            ("CC_Base_L_Calf", "CC_Base_R_Calf"),
            ("l_shoulder", "r_shoulder"),
            ("左ひじ", "右ひじ"),
            ("finger1-2.L", "finger1-2.R"),
        ] {
            assert_eq!(other_side(left), right);
        }
    }

    #[test]
    fn each_finger_scheme_has_fifteen_bones_per_hand() {
        let named = TABLES.iter().filter(|table| !table.fingers.is_empty());
        for table in named {
            for side in Side::BOTH {
                let mut bones: Vec<(Finger, Phalanx)> = table
                    .fingers
                    .iter()
                    .filter(|((own, _), _)| *own == Some(side))
                    .map(|(_, finger)| *finger)
                    .collect();
                bones.sort();
                bones.dedup();
                assert_eq!(bones.len(), 15, "{}", table.name);
            }
        }
    }

    #[test]
    fn vrm_0_thumb_bones_are_metacarpal_proximal_distal() {
        let left = |key: &str| (Some(Side::Left), key.to_owned());
        for (key, phalanx) in [
            ("thumbproximal", Phalanx::First),
            ("thumbintermediate", Phalanx::Second),
            ("thumbdistal", Phalanx::Third),
            ("thumbmetacarpal", Phalanx::First),
        ] {
            assert_eq!(finger(Some("VRM"), &left(key)), Some((Finger::Thumb, phalanx)));
        }
    }
}
