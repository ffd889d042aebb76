//! The vocabulary: all actions that Limber can perform, defined as data in `assets/lexicon/actions`
//! with one file per family. An [`Action`] is a handle into it; no other code lists actions.

mod added;
mod rows;

use std::{
    collections::HashMap,
    fmt,
    sync::{LazyLock, OnceLock},
};

pub(crate) use added::{Added, Repertoire, added_rows};
use limber_script::{Aim, BodyPart, Verb};
pub(crate) use rows::{Entry, Lateral, Sense, direction};

use crate::{ActionFault, Body, Direction, body_language, composer::Score};

mod families {
    include!(concat!(env!("OUT_DIR"), "/families.rs"));
}

/// The contents of all data files of one kind, each with its family.
pub(crate) type Texts<'a> = [(&'a str, &'a str)];

/// Files that replace the built-in ones: actions, scores.
static WRITTEN: OnceLock<[Vec<(&'static str, &'static str)>; 2]> = OnceLock::new();

/// Reads actions and scores from a folder with the layout of `assets` in the repository instead of
/// the built-in ones, so that authors can see changes without compiling. It must be called only
/// once, before anything else uses actions; what is read stays in memory.
///
/// # Errors
/// Sentences about files that cannot be read and faults in the actions.
pub fn read_actions_from(assets: &std::path::Path) -> Result<(), String> {
    let files = |folder: &str| -> std::io::Result<Vec<(&'static str, &'static str)>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(assets.join(folder))? {
            let path = entry?.path();
            let family = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            if path.extension().is_some_and(|ending| ending == "toml")
                && let Some(family) = family.filter(|family| family != "PROVENANCE")
            {
                let text = std::fs::read_to_string(&path)?;
                found.push((&*family.leak(), &*text.leak()));
            }
        }
        found.sort_unstable();
        Ok(found)
    };
    let read = |folder| files(folder).map_err(|error| format!("{folder} cannot be read: {error}"));
    let texts = [read("lexicon/actions")?, read("scores")?];
    let written = WRITTEN.get_or_init(|| texts);
    Vocabulary::read(&written[0]).map(|_| ()).map_err(|faults| sentences(&faults))
}

/// The faults, one per line.
fn sentences(faults: &[ActionFault]) -> String {
    faults.iter().map(ActionFault::to_string).collect::<Vec<_>>().join("\n")
}

/// Files of actions that are understood but cannot be performed yet.
pub(crate) fn senses() -> &'static Texts<'static> {
    families::SENSES
}

fn actions() -> &'static Texts<'static> {
    WRITTEN.get().map_or(families::ACTIONS, |[actions, _]| actions)
}

/// The files of scores.
pub(crate) fn scores() -> &'static Texts<'static> {
    WRITTEN.get().map_or(families::SCORES, |[_, scores]| scores)
}

/// An action that the engine can perform: a handle to an entry of the vocabulary, a body-part
/// movement or a custom action; cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action(Handle);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Handle {
    /// Index into the vocabulary.
    Ours(u16),
    /// Index into [`body_language::pairs`].
    Movement(u16),
    Added(&'static Added),
}

/// The part of the composer that performs an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum ActionKind {
    Idle,
    Gait(Pace),
    Sidestep,
    Turn,
    Jump,
    Hop,
    Wave,
    Point,
    Clap,
    Punch,
    Kick,
    SitDown,
    StandUp,
    Crouch,
    Bow,
    Nod,
    ShakeHead,
    RaiseArms,
    Dance,
    Roll,
    Flip(FlipDirection),
    Cartwheel,
    Pirouette,
    /// Key poses defined in `assets/scores`.
    Score,
    /// Goes into a posture defined in `assets/scores`, and stays in it.
    Posture,
    /// A body-part movement, with key poses made from `assets/body`.
    #[serde(skip)]
    Body,
}

/// Gaits and other kinds of locomotion on foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Pace {
    Walk,
    Run,
    Jog,
    Sneak,
    March,
    Limp,
    Tiptoe,
    Strut,
    Stagger,
    Shuffle,
    CrouchWalk,
    Moonwalk,
    Upstairs,
    Downstairs,
}

/// The direction in which a body turns in the air.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum FlipDirection {
    Forward,
    Backward,
}

/// Arguments that an action may accept, besides tempo and manner, which all actions accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// Number of repetitions.
    Count,
    /// Side of the body.
    Side,
    /// Distance in metres or steps.
    Distance,
    /// Angle of a turn.
    Angle,
    /// Path: in a circle, back and forth.
    Path,
}

impl Action {
    /// Standing still.
    pub(crate) fn idle() -> Self {
        Self::done(ActionKind::Idle)
    }

    /// The first action of this kind; every kind except `Score` has one.
    pub(crate) fn done(kind: ActionKind) -> Self {
        Self::all()
            .find(|action| action.kind() == kind && action.synonym_of().is_none())
            .expect("every performer has an action; a test checks this")
    }

    /// The action with this name in the data and in the text form of scripts, for example
    /// `sit-down` or `raise.elbow`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name.split_once('.') {
            Some((verb, part)) => Self::moving(verb.parse().ok()?, part.parse().ok()?),
            None => vocabulary().by_name.get(name).copied(),
        }
    }

    /// The movement of a body part; `None` if there is none.
    #[must_use]
    pub fn moving(verb: Verb, part: BodyPart) -> Option<Self> {
        let place = body_language::pairs().iter().position(|pair| *pair == (verb, part))?;
        Some(Self(Handle::Movement(place as u16)))
    }

    /// Verb and body part, if it is a body-part movement.
    #[must_use]
    pub fn movement(self) -> Option<(Verb, BodyPart)> {
        let Handle::Movement(place) = self.0 else { return None };
        body_language::pairs().get(usize::from(place)).copied()
    }

    /// All actions of the vocabulary, family by family, without body-part movements.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..vocabulary().entries.len() as u16).map(|place| Self(Handle::Ours(place)))
    }

    /// Registers a custom action, which stays in memory until the program ends.
    pub(crate) fn added(action: Added) -> Self {
        Self(Handle::Added(Box::leak(Box::new(action))))
    }

    /// Whether it is a custom action.
    pub(crate) const fn is_added(self) -> bool {
        matches!(self.0, Handle::Added(_))
    }

    /// The key poses of a custom action.
    pub(crate) fn added_score(self) -> Option<&'static Score> {
        match self.0 {
            Handle::Added(added) => added.score(),
            Handle::Ours(_) | Handle::Movement(_) => None,
        }
    }

    fn entry(self) -> &'static Entry {
        match self.0 {
            Handle::Ours(place) => &vocabulary().entries[usize::from(place)],
            Handle::Movement(place) => &movements()[usize::from(place)],
            Handle::Added(added) => added.entry(),
        }
    }

    /// Its name in the data and in the text form of scripts.
    #[must_use]
    pub fn name(self) -> &'static str {
        &self.entry().name
    }

    /// Its name as people would type it, for example `sit down`.
    #[must_use]
    pub fn phrase(self) -> String {
        self.entry().said.clone().unwrap_or_else(|| self.name().replace('-', " "))
    }

    /// Its family, for example `gestures`.
    #[must_use]
    pub fn family(self) -> &'static str {
        &self.entry().family
    }

    /// The body region that it needs.
    #[must_use]
    pub fn body(self) -> Body {
        self.entry().body
    }

    /// The part of the composer that performs it.
    #[must_use]
    pub fn kind(self) -> ActionKind {
        self.entry().way
    }

    /// Whether it accepts this argument.
    #[must_use]
    pub fn takes(self, argument: Argument) -> bool {
        self.entry().takes.contains(&argument)
    }

    /// Whether it can be done in this direction.
    #[must_use]
    pub fn goes(self, direction: Direction) -> bool {
        self.entry().directions.contains(&direction)
    }

    /// Its variant in this direction, if that looks different: falling backward, for example.
    #[must_use]
    pub fn toward(self, direction: Direction) -> Option<Self> {
        let entry = self.entry();
        entry.toward.iter().find(|(told, _)| *told == direction).map(|(_, action)| *action)
    }

    /// Its variant for this target, if that looks different: putting something down on a table,
    /// being hit in the stomach.
    #[must_use]
    pub fn at(self, aim: Aim) -> Option<Self> {
        let place = match aim {
            Aim::Thing { thing, .. } => rows::Place::Thing(thing),
            Aim::Part { part, .. } => rows::Place::Part(part),
        };
        self.entry().at.iter().find(|(told, _)| *told == place).map(|(_, action)| *action)
    }

    /// Its variant straight out of a run, if that looks different: jumping over something off one
    /// foot instead of both.
    #[must_use]
    pub fn running(self) -> Option<Self> {
        self.entry().running
    }

    /// Suggestions for people who ask for a similar unknown action, nearest first.
    #[must_use]
    pub fn nearest(self) -> &'static [Self] {
        &self.entry().nearest
    }

    /// Actions that are part of it: pitching a ball includes raising a knee and throwing.
    #[must_use]
    pub fn stages(self) -> &'static [Self] {
        &self.entry().stages
    }

    /// Whether it is a stance: a clip that ends with it stays in it.
    #[must_use]
    pub fn is_stance(self) -> bool {
        self.entry().stance
    }

    /// The action that it is a synonym of, if it is.
    #[must_use]
    pub fn synonym_of(self) -> Option<Self> {
        self.entry().synonym_of
    }

    /// The posture in which a clip starts that starts with it: a name in `assets/scores`.
    #[must_use]
    pub fn begins(self) -> Option<&'static str> {
        self.entry().begins.as_deref()
    }

    /// The posture that it leads to or is performed in: a name in `assets/scores`; `None` is
    /// standing.
    #[must_use]
    pub fn posture(self) -> Option<&'static str> {
        self.entry().posture.as_deref()
    }

    /// Whether the action on its own implies walking: "carries a box".
    pub(crate) fn is_done_afoot(self) -> bool {
        self.entry().afoot
    }

    pub(crate) fn lateral(self) -> Lateral {
        self.entry().lateral
    }

    pub(crate) fn phrases(self) -> &'static [String] {
        &self.entry().phrases
    }

    pub(crate) fn senses(self) -> &'static [Sense] {
        &self.entry().senses
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[derive(Debug)]
struct Vocabulary {
    entries: Vec<Entry>,
    by_name: HashMap<String, Action>,
}

fn vocabulary() -> &'static Vocabulary {
    static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
        Vocabulary::read(actions()).expect("the action files are valid; tests check them")
    });
    &VOCABULARY
}

/// The entries of all body-part movements.
fn movements() -> &'static [Entry] {
    static MOVEMENTS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let pairs = body_language::pairs().iter();
        pairs.map(|(verb, part)| Entry::of_movement(*verb, *part)).collect()
    });
    &MOVEMENTS
}

impl Vocabulary {
    /// Reads all families. All faults are reported at once.
    fn read(files: &Texts<'_>) -> Result<Self, Vec<ActionFault>> {
        let mut faults = Vec::new();
        let told = rows::read(files, &mut faults);
        let mut by_name = HashMap::new();
        for (place, told) in told.iter().enumerate() {
            let action = Action(Handle::Ours(place as u16));
            if by_name.insert(told.row.action.clone(), action).is_some() {
                faults.push(told.place.fault("is defined twice", "Keep one of the rows."));
            }
        }
        faults.extend(rows::claimed_twice(&told, []));
        let entries: Vec<Entry> =
            told.into_iter().map(|told| Entry::from_row(told, &by_name, &mut faults)).collect();
        if faults.is_empty() { Ok(Self { entries, by_name }) } else { Err(faults) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_file_is_valid() {
        let faults = Vocabulary::read(families::ACTIONS).err().unwrap_or_default();
        assert!(faults.is_empty(), "{}", sentences(&faults));
    }

    #[test]
    fn every_action_has_phrases_and_relatives_and_every_kind_an_action() {
        for action in Action::all() {
            let phrases = action.phrases().len()
                + action.senses().iter().map(|sense| sense.phrases.len()).sum::<usize>();
            assert!(phrases >= 2, "{action:?} has {phrases} phrases");
            assert!(!action.nearest().is_empty(), "{action:?} has no relatives");
        }
        for kind in [
            ActionKind::Idle,
            ActionKind::Sidestep,
            ActionKind::StandUp,
            ActionKind::Gait(Pace::Walk),
        ] {
            assert_eq!(Action::done(kind).kind(), kind);
        }
    }

    #[test]
    fn movements_are_named_by_verb_and_part() {
        let raise = Action::named("raise.elbow").expect("an elbow can be raised");
        assert_eq!(
            (raise.name(), raise.kind(), raise.body()),
            ("raise.elbow", ActionKind::Body, Body::Upper)
        );
        assert_eq!(raise.movement(), Some((Verb::Raise, BodyPart::Elbow)));
        assert_eq!(raise.phrase(), "raise the elbow");
        for name in ["close.knee", "clench.head", "fly.elbow", "raise.wing", "raise.", "."] {
            assert_eq!(Action::named(name), None, "{name}");
        }
        assert!(Action::all().all(|action| action.movement().is_none()));
    }

    #[test]
    fn errors_are_reported_in_plain_words() {
        let text = r#"
            [[action]]
            action = "glue"
            body = "upper"
            nearest = ["glue", "paste"]
            phrases = ["glue", "stick", "Fix"]
            [[action]]
            action = "tape"
            body = "upper"
            nearest = ["glue"]
            phrases = ["stick", "tape", "~ down"]
        "#;
        let faults = Vocabulary::read(&[("craft", text)]).expect_err("much is wrong");
        let faults = sentences(&faults);
        for told in [
            "actions/craft.toml:2: glue: names itself in `nearest`. Name another action.",
            "glue: \"paste\" in `nearest` is not an action",
            "\"stick\" is claimed by glue and by tape",
            "glue: \"Fix\" is not in lower case",
            "tape: \"~ down\" begins with a gap",
        ] {
            assert!(faults.contains(told), "{told} is missing in:\n{faults}");
        }
    }
}
