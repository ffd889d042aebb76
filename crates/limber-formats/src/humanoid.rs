//! Maps the joints of a rig to human bones, with a confidence and a list of what is missing.
//!
//! **Input:** a list of [`RigJoint`]s with names, parents and rest positions in metres, Y up; and
//! the user's decisions ([`Overrides`]). **Output:** a [`Mapping`]. [`map()`] consults these
//! sources in order; the first that gives an answer wins:
//!
//! 1. the user: an override always wins;
//! 2. the file: bones that it declares;
//! 3. tables: the names of two dozen [conventions](conventions()), compared in normalised form; the
//!    nearest mapped ancestor must be the one that it would be in a human;
//! 4. words: `forearm`, `lowerArm` and `radius` all mean lower arm, in any rig;
//! 5. shape: two chains to the floor, one upwards, two sideways, fingers below the hands.
//!
//! Names may be wrong: if the named sides contradict the direction of the feet, the rig is
//! mirrored.
//!
//! **Out of scope:** files and formats, meshes, clips.

mod assign;
mod confidence;
mod fingers;
mod name;
mod overrides;
mod report;
mod shape;
mod sides;
mod table;
mod tree;
mod trunk;
mod twist;
mod word;

use std::collections::BTreeMap;

use glam::Vec3;
use limber_animation::HumanBone;
use limber_script::Message;

pub use overrides::Overrides;
pub use table::conventions;
pub use twist::Twist;

use assign::Draft;
use tree::Tree;

/// Maximum number of joints; no body has more.
pub const MAX_JOINTS: usize = 4_096;

/// A joint of a rig, as needed for the mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct RigJoint {
    /// The name in the file; need not be unique.
    pub name: String,
    /// Index of the parent in the same list, smaller than the joint's own.
    pub parent: Option<usize>,
    /// Rest position in world space, in metres, Y up.
    pub position: Vec3,
    /// Whether the joint moves a surface: a skin with weights above zero, or a rigid mesh.
    pub skinned: bool,
    /// The bone that the file declares for it.
    pub declared: Option<HumanBone>,
}

/// The source of a mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum By {
    /// The file declares it.
    Vrm,
    /// The name is in the table of a known convention.
    Table,
    /// The name contains a known word for the bone.
    Synonym,
    /// Position in the hierarchy and in space.
    Structure,
    /// The user.
    User,
}

impl By {
    /// Returns the word for it in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vrm => "vrm",
            Self::Table => "table",
            Self::Synonym => "synonym",
            Self::Structure => "structure",
            Self::User => "user",
        }
    }
}

/// A joint mapped to a human bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapped {
    /// Index of the joint.
    pub joint: usize,
    /// The source of the mapping.
    pub by: By,
    /// Confidence from 0 to 1.
    pub confidence: f32,
}

/// The result of [`map()`].
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// The joint of every human bone that was found; no joint appears twice.
    pub bones: BTreeMap<HumanBone, Mapped>,
    /// The naming convention of the rig: one of [`conventions()`], or `declared`, `part names`,
    /// `shape`.
    pub convention: &'static str,
    /// Overall confidence: from 0.9 no review is needed, below 0.7 a user should confirm.
    pub confidence: f32,
    /// Joints that share the twist of a limb.
    pub twists: Vec<Twist>,
    /// The facing of the body at rest: a horizontal unit vector.
    pub facing: Vec3,
    /// Whether the names have left and right swapped; `bones` has the true sides.
    pub mirrored: bool,
    /// Whether the rig stands on its hands, like an animal.
    pub four_legged: bool,
    /// Human bones without a joint.
    pub missing: Vec<HumanBone>,
    /// The missing bones for which the user decided that there is no joint.
    pub declined: Vec<HumanBone>,
    /// The missing bones that most bodies have but this one can do without: hands, if the arm ends
    /// with the forearm.
    pub excused: Vec<HumanBone>,
    /// Warnings for the user.
    pub warnings: Vec<Message>,
}

/// Maps joints to human bones. Works on any hierarchy; an unrecognisable body gives an incomplete
/// mapping ([`Mapping::refusal`]). The result depends neither on the order of the joints nor, for
/// rigs with meaningless names, on the names.
#[must_use]
pub fn map(joints: &[RigJoint], overrides: &Overrides) -> Mapping {
    if joints.len() > MAX_JOINTS {
        return report::too_many_joints(joints.len());
    }
    let tree = Tree::new(joints);
    let labels = name::labels(joints.iter().map(|joint| joint.name.as_str()));
    let rig = Rig { tree, labels };
    let mut warnings = Vec::new();

    let mut draft = Draft::default();
    overrides.apply(&rig, &mut draft, &mut warnings);
    draft.take_declared(&rig, &mut warnings);
    let is_declared = draft.has_required();
    let names = if is_declared { Names::NONE } else { Names::read(&rig, &mut draft) };
    let convention = if is_declared { "declared" } else { names.convention };

    let sides = sides::look(&rig, &draft);
    let mirrored = !is_declared && sides::straighten(&rig, &mut draft, &sides);
    if !is_declared {
        if !draft.has_required() {
            shape::fill(&rig, &mut draft);
        }
        trunk::settle(&rig, &mut draft);
        fingers::find(&rig, &mut draft, names.table);
    }
    let facing = sides::look(&rig, &draft).facing();
    let twists = twist::find(&rig, &draft);
    report::finish(&rig, draft, report::Found { convention, facing, mirrored, twists, warnings })
}

/// How joint names are interpreted.
struct Names {
    /// The table that applies.
    table: Option<&'static str>,
    /// The convention as reported to users.
    convention: &'static str,
}

impl Names {
    const NONE: Self = Self { table: None, convention: "shape" };

    /// Maps joints by name: first with tables, then with words.
    fn read(rig: &Rig<'_>, draft: &mut Draft) -> Self {
        let mut by_words = draft.clone();
        word::fill(rig, &mut by_words);
        if let Some(known) = table::assign(rig, draft) {
            word::fill(rig, draft);
            if known.complete || by_words.required_count() <= draft.required_count() {
                let convention = if known.written_so { known.name } else { "part names" };
                return Self { table: Some(known.name), convention };
            }
        }
        *draft = by_words;
        let says_something = draft.required_by_name() >= 6;
        Self { table: None, convention: if says_something { "part names" } else { "shape" } }
    }
}

/// A rig with derived data that is needed repeatedly.
struct Rig<'a> {
    tree: Tree<'a>,
    labels: Vec<name::Label>,
}

impl Rig<'_> {
    /// Whether the joint's name says that it is not a main bone.
    fn is_extra(&self, joint: usize) -> bool {
        word::is_extra(&self.labels[joint])
    }
}

/// Returns the name of a bone in plain words, such as `left upper arm`.
#[must_use]
pub fn spoken(bone: HumanBone) -> String {
    let mut text = String::new();
    for letter in bone.name().chars() {
        if letter.is_ascii_uppercase() {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
