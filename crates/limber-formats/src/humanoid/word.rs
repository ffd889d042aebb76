//! Interprets names of rigs that no table covers: words for bones in any order.

use std::collections::HashSet;

use limber_animation::{HumanBone, Side};

use super::assign::{Candidates, Draft};
use super::name::{Label, is_number};
use super::{By, Rig};

/// The meaning of a word. Some are ambiguous until the rig's other words are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Hips,
    /// With a side: the upper leg. Without: the hips.
    Hip,
    Trunk,
    Neck,
    Head,
    Eye,
    Jaw,
    Collar,
    /// The clavicle if another joint is the arm, otherwise the upper arm.
    Shoulder,
    UpperArm,
    /// The upper arm, or all three joints of an arm.
    Arm,
    LowerArm,
    Hand,
    /// The hand, if nothing else is.
    Palm,
    UpperLeg,
    /// The lower leg if another joint is the upper one, or all joints of a leg.
    Leg,
    LowerLeg,
    Ankle,
    /// The toes if another joint is the ankle.
    Foot,
    Toes,
}

const WORDS: [(Part, &[&str]); 20] = [
    (Part::Hips, &["hips", "pelvis"]),
    (Part::Hip, &["hip"]),
    (
        Part::Trunk,
        &[
            "spine",
            "abdomen",
            "torso",
            "back",
            "chest",
            "thorax",
            "belly",
            "waist",
            "upperchest",
            "uppertorso",
            "lowertorso",
            "upperbody",
            "tummy",
            "ribs",
            "ribcage",
            "stomach",
            "spinelower",
            "spineupper",
            "spinemid",
            "lowerspine",
            "upperspine",
            "上半身",
        ],
    ),
    (Part::Neck, &["neck", "首"]),
    (Part::Head, &["head", "skull", "頭"]),
    (Part::Eye, &["eye", "eyeball", "目"]),
    (Part::Jaw, &["jaw", "lowerjaw", "jawroot", "mandible"]),
    (Part::Collar, &["collar", "clavicle", "collarbone", "肩"]),
    (Part::Shoulder, &["shoulder"]),
    (
        Part::UpperArm,
        &["upperarm", "uparm", "armupper", "armup", "humerus", "shldr", "shldrbend", "bicep", "腕"],
    ),
    (Part::Arm, &["arm"]),
    (
        Part::LowerArm,
        &[
            "forearm",
            "lowerarm",
            "lowarm",
            "armlower",
            "armlow",
            "radius",
            "elbow",
            "ulna",
            "forearmbend",
            "ひじ",
            "肘",
        ],
    ),
    (Part::Hand, &["hand", "wrist", "fist", "手首"]),
    (Part::Palm, &["palm"]),
    (
        Part::UpperLeg,
        &["upleg", "upperleg", "thigh", "femur", "legupper", "legup", "thighbend", "足"],
    ),
    (Part::Leg, &["leg"]),
    (
        Part::LowerLeg,
        &[
            "lowleg", "lowerleg", "calf", "shin", "tibia", "knee", "leglower", "leglow", "ひざ",
            "膝",
        ],
    ),
    (Part::Ankle, &["ankle", "足首"]),
    (Part::Foot, &["foot"]),
    (Part::Toes, &["toe", "toebase", "ball", "toes", "つま先"]),
];

/// Words without meaning next to a bone's word.
const NOISE: [&str; 17] = [
    "joint", "joints", "jnt", "jt", "bone", "bn", "b", "bip", "skeleton", "armature", "rig",
    "base", "def", "deform", "sk", "c", "j",
];

/// Words that mark a joint as not being a main bone, whatever else its name says.
const EXTRA: [&str; 64] = [
    "twist",
    "roll",
    "helper",
    "adj",
    "corrective",
    "bend",
    "end",
    "nub",
    "tip",
    "site",
    "ik",
    "fk",
    "pole",
    "target",
    "ctrl",
    "control",
    "ctl",
    "mch",
    "org",
    "jiggle",
    "spring",
    "hair",
    "bang",
    "skirt",
    "cloth",
    "cape",
    "dress",
    "coat",
    "sleeve",
    "ribbon",
    "breast",
    "bust",
    "tail",
    "ponytail",
    "ear",
    "tongue",
    "teeth",
    "lip",
    "cheek",
    "brow",
    "eyelid",
    "nose",
    "weapon",
    "sword",
    "gun",
    "prop",
    "attach",
    "socket",
    "slot",
    "handslot",
    "camera",
    "share",
    "volume",
    "metacarpal",
    "carpal",
    "metatarsals",
    "palm",
    "dummy",
    "null",
    "locator",
    "tweak",
    "parent",
    "wing",
    "holster",
];

/// The same in Japanese, where words are not separated.
const EXTRA_INSIDE: [&str; 12] = [
    "捩",
    "捻",
    "親",
    "髪",
    "スカート",
    "胸",
    "舌",
    "袖",
    "キャンセル",
    "補助",
    "ダミー",
    "ネクタイ",
];

/// Whether the name says that the joint is not a main bone.
pub(super) fn is_extra(label: &Label) -> bool {
    if part(label).is_some_and(|part| part != Part::Palm) {
        return false;
    }
    let says = |word: &String| {
        EXTRA.contains(&word.as_str())
            || (word.len() > 5 && (word.ends_with("twist") || word.ends_with("ctrl")))
            || EXTRA_INSIDE.iter().any(|part| word.replace("親指", "").contains(part))
    };
    label.words.iter().any(says)
}

/// Returns the meaning of a name that consists of one known word, apart from numbers and noise.
pub(super) fn part(label: &Label) -> Option<Part> {
    let (side, letters) = essence(label);
    let side_is_right = |part: Part| match part {
        Part::Hips | Part::Trunk | Part::Neck | Part::Head | Part::Jaw => side.is_none(),
        Part::Hip => true,
        _ => side.is_some(),
    };
    meaning(&letters).filter(|part| side_is_right(*part))
}

/// Returns the meaning of letters without side, numbers and noise.
pub(super) fn meaning(letters: &str) -> Option<Part> {
    WORDS.iter().find(|(_, words)| words.contains(&letters)).map(|(part, _)| *part)
}

/// Returns side and letters without numbers and noise; `lfoot` is split into left and foot.
fn essence(label: &Label) -> (Option<Side>, String) {
    let words = label.words.iter().filter(|word| !is_number(word));
    let letters: String =
        words.filter(|word| !NOISE.contains(&word.as_str())).map(String::as_str).collect();
    if label.side.is_some() || is_word(&letters) {
        return (label.side, letters);
    }
    for (letter, side) in [('l', Side::Left), ('r', Side::Right)] {
        if let Some(rest) = letters.strip_prefix(letter)
            && is_word(rest)
        {
            return (Some(side), rest.to_owned());
        }
    }
    (None, letters)
}

fn is_word(letters: &str) -> bool {
    meaning(letters).is_some()
}

/// Returns the side of a name, as [`part`] reads it.
fn side(label: &Label) -> Option<Side> {
    essence(label).0
}

/// Maps bones by the words in joint names.
pub(super) fn fill(rig: &Rig<'_>, draft: &mut Draft) {
    let mut candidates = Candidates::default();
    for side in Side::BOTH {
        let limbs = Limbs::new(rig, Some(side));
        limbs.arm(side, &mut candidates);
        limbs.leg(side, &mut candidates);
        limbs.eye(side, &mut candidates);
    }
    middle(rig, &mut candidates);
    candidates.prefer_moving(rig);
    draft.assign(rig, &candidates, By::Synonym, 0.85);
}

/// The joints of one side by the meaning of their names, upper ones first.
struct Limbs<'r> {
    rig: &'r Rig<'r>,
    found: Vec<(Part, usize)>,
}

impl<'r> Limbs<'r> {
    fn new(rig: &'r Rig<'r>, wanted: Option<Side>) -> Self {
        let mut found: Vec<(Part, usize)> = rig
            .tree
            .all()
            .filter(|joint| side(&rig.labels[*joint]) == wanted)
            .filter_map(|joint| Some((part(&rig.labels[joint])?, joint)))
            .collect();
        found.sort_by_key(|(_, joint)| (!rig.tree.moves(*joint), rig.tree.depth(*joint)));
        Self { rig, found }
    }

    fn all(&self, part: Part) -> impl Iterator<Item = usize> + '_ {
        self.found.iter().filter(move |(own, _)| *own == part).map(|(_, joint)| *joint)
    }

    fn has(&self, part: Part) -> bool {
        self.all(part).next().is_some()
    }

    fn arm(&self, side: Side, candidates: &mut Candidates) {
        let [collar, upper, lower, hand] = HumanBone::arm(side);
        let has_upper = self.has(Part::UpperArm) || self.has(Part::Arm);
        candidates.add(collar, self.all(Part::Collar));
        if !self.has(Part::Collar) && has_upper {
            candidates.add(collar, self.all(Part::Shoulder));
        }
        candidates.add(upper, self.all(Part::UpperArm));
        let mut arms = self.all(Part::Arm);
        if !self.has(Part::UpperArm) {
            candidates.add(upper, arms.next());
        }
        if !has_upper {
            candidates.add(upper, self.all(Part::Shoulder));
        }
        candidates.add(lower, self.all(Part::LowerArm));
        if !self.has(Part::LowerArm) {
            candidates.add(lower, arms.next());
        }
        candidates.add(hand, self.hands());
        candidates.add(hand, arms.next());
        let palms: Vec<usize> = self.all(Part::Palm).collect();
        if palms.len() == 1 {
            candidates.add(hand, palms);
        }
    }

    /// Returns the candidates for the hand, the likeliest first: of wrist and hand the lower one
    /// carries the fingers; of several with the same name the upper one, because `Fist1` is a child
    /// of `Fist`.
    fn hands(&self) -> Vec<usize> {
        let mut names = HashSet::new();
        let (mut firsts, mut others): (Vec<usize>, Vec<usize>) = self
            .all(Part::Hand)
            .partition(|joint| names.insert(essence(&self.rig.labels[*joint]).1));
        firsts.reverse();
        others.reverse();
        firsts.append(&mut others);
        firsts
    }

    fn leg(&self, side: Side, candidates: &mut Candidates) {
        let [upper, lower, foot, toes] = HumanBone::leg(side);
        let mut legs = self.all(Part::Leg);
        candidates.add(upper, self.all(Part::UpperLeg));
        if !self.has(Part::UpperLeg) {
            let has_hip = self.has(Part::Hip);
            candidates.add(upper, if has_hip { None } else { legs.next() });
            candidates.add(upper, self.all(Part::Hip));
        }
        candidates.add(lower, self.all(Part::LowerLeg));
        if !self.has(Part::LowerLeg) {
            candidates.add(lower, legs.next());
        }
        let mut feet = self.all(Part::Foot);
        candidates.add(foot, self.all(Part::Ankle));
        if !self.has(Part::Ankle) {
            let first = feet.next();
            candidates.add(foot, first.or_else(|| legs.next()));
        }
        candidates.add(toes, self.all(Part::Toes));
        if !self.has(Part::Toes) {
            candidates.add(toes, feet.next().or_else(|| legs.next()));
        }
    }

    fn eye(&self, side: Side, candidates: &mut Candidates) {
        let eye = if side == Side::Left { HumanBone::LeftEye } else { HumanBone::RightEye };
        candidates.add(eye, self.all(Part::Eye));
    }
}

/// Adds the bones on the centre line; the spine levels are distributed later, by position.
fn middle(rig: &Rig<'_>, candidates: &mut Candidates) {
    let middle = Limbs::new(rig, None);
    let mut hips: Vec<usize> = middle.all(Part::Hips).chain(middle.all(Part::Hip)).collect();
    hips.sort_by_key(|joint| (!rig.tree.moves(*joint), rig.tree.depth(*joint)));
    candidates.add(HumanBone::Hips, hips);
    if !middle.has(Part::Hips) && !middle.has(Part::Hip) {
        // a waist or torso that carries the legs
        candidates.add(HumanBone::Hips, middle.all(Part::Trunk).next());
    }
    candidates.add(HumanBone::Spine, middle.all(Part::Trunk));
    let necks: Vec<usize> = middle.all(Part::Neck).collect();
    candidates.add(HumanBone::Neck, necks.first().copied());
    candidates.add(HumanBone::Head, middle.all(Part::Head));
    if !middle.has(Part::Head) && necks.len() > 1 {
        candidates.add(HumanBone::Head, necks.last().copied());
    }
    candidates.add(HumanBone::Jaw, middle.all(Part::Jaw));
}
