//! Which joint is which human bone, how sure that is, and what is missing.
//!
//! **Goes in:** a list of [`RigJoint`]s: names, parents and where they stand at rest, in metres with
//! Y up; and what the person at the desk decided ([`Overrides`]). **Comes out:** a [`Mapping`].
//! [`map()`] asks in this order, and the first that knows wins:
//!
//! 1. the person: an override is never overruled;
//! 2. the file: bones it declares itself;
//! 3. tables: the names of two dozen [conventions](conventions()), compared normalised, each with the test
//!    whether its nearest mapped ancestor is the one a human has there;
//! 4. words: `forearm`, `lowerArm`, `radius` all say lower arm, whatever the rig;
//! 5. shape: two chains to the floor, one upwards, two sideways, fingers below the hands.
//!
//! Names may be wrong: feet that point backwards, seen from named sides, reveal a mirrored rig.
//!
//! **Never knows:** files and their formats, meshes, clips.

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

pub use overrides::Overrides;
pub use table::conventions;
pub use twist::Twist;

use assign::Draft;
use tree::Tree;

/// More joints than this are not looked at: no body has them.
pub const MAX_JOINTS: usize = 4_096;

/// One joint of a rig, as far as the mapping wants to know it.
#[derive(Debug, Clone, PartialEq)]
pub struct RigJoint {
    /// As it stands in the file; need not be unique.
    pub name: String,
    /// Place of the parent in the same list, before the joint itself.
    pub parent: Option<usize>,
    /// In the world at rest: metres, Y up.
    pub position: Vec3,
    /// Whether some surface hangs on it: weights of a skin above zero, or a rigid mesh.
    pub skinned: bool,
    /// What the file itself says that it is.
    pub declared: Option<HumanBone>,
}

/// Who said that a joint is a bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum By {
    /// The file declares it.
    Vrm,
    /// Its name stands in the table of a known convention.
    Table,
    /// Its name uses a known word for the bone.
    Synonym,
    /// Its place in the tree and in space.
    Structure,
    /// The person at the desk.
    User,
}

impl By {
    /// The word for it in reports.
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

/// A joint that was found to be a human bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapped {
    /// Place in the list of joints.
    pub joint: usize,
    /// Who said so.
    pub by: By,
    /// From 0 to 1.
    pub confidence: f32,
}

/// What [`map()`] found out about a rig.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// The joint of every human bone that was found; no joint appears twice.
    pub bones: BTreeMap<HumanBone, Mapped>,
    /// Whose names the rig uses: one of [`conventions()`], or `declared`, `part names`, `shape`.
    pub convention: &'static str,
    /// Of the whole: 0.9 and more needs no look, below 0.7 a person should confirm.
    pub confidence: f32,
    /// Joints that share a limb's twist.
    pub twists: Vec<Twist>,
    /// Where the body looks at rest: horizontal, of unit length.
    pub facing: Vec3,
    /// The names had left and right exchanged; `bones` says how it really is.
    pub mirrored: bool,
    /// The rig stands on its hands: an animal.
    pub four_legged: bool,
    /// Human bones that no joint was found for.
    pub missing: Vec<HumanBone>,
    /// Those of the missing bones of which a person said that there is no joint.
    pub declined: Vec<HumanBone>,
    /// Those of the missing bones that most bodies have and this one can do without: hands, where the
    /// arm ends with the forearm.
    pub excused: Vec<HumanBone>,
    /// What a person should know, in plain words.
    pub warnings: Vec<String>,
}

/// Says which joint is which human bone. Works on any tree; a body that cannot be recognised gives
/// a mapping with gaps ([`Mapping::refusal`]). Neither the order of the joints nor, for a rig whose
/// names say nothing, their names change what comes out.
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

/// What the joints' names are.
struct Names {
    /// The table that they are read by.
    table: Option<&'static str>,
    /// What people are told.
    convention: &'static str,
}

impl Names {
    const NONE: Self = Self { table: None, convention: "shape" };

    /// Reads the names into the draft: tables first, then words.
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

/// A rig with everything that is asked of it again and again.
struct Rig<'a> {
    tree: Tree<'a>,
    labels: Vec<name::Label>,
}

impl Rig<'_> {
    /// Whether the joint's name says that it is no main bone.
    fn is_extra(&self, joint: usize) -> bool {
        word::is_extra(&self.labels[joint])
    }
}

/// `left upper arm`: a bone's name as people say it.
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
