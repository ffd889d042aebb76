//! The vocabulary: every action Limber can act out, as data in `assets/lexicon/actions`, one file a
//! family. An [`Action`] is a handle into it; nothing else in the program lists actions.

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

/// The texts of all data files of one kind, with the families they are for.
pub(crate) type Texts<'a> = [(&'a str, &'a str)];

/// Files read instead of those inside the program: actions, scores.
static WRITTEN: OnceLock<[Vec<(&'static str, &'static str)>; 2]> = OnceLock::new();

/// Reads actions and scores from a folder like `assets` of the repository instead of those built in,
/// so that their authors see a change without compiling. To be called before anything else, once;
/// what is read stays in memory.
///
/// # Errors
/// Sentences about what cannot be read and what is wrong with the actions.
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

/// One a line.
fn sentences(faults: &[ActionFault]) -> String {
    faults.iter().map(ActionFault::to_string).collect::<Vec<_>>().join("\n")
}

/// Files of actions that are understood and cannot be performed yet.
pub(crate) fn senses() -> &'static Texts<'static> {
    families::SENSES
}

fn actions() -> &'static Texts<'static> {
    WRITTEN.get().map_or(families::ACTIONS, |[actions, _]| actions)
}

/// The scores' files.
pub(crate) fn scores() -> &'static Texts<'static> {
    WRITTEN.get().map_or(families::SCORES, |[_, scores]| scores)
}

/// Something the engine can act out: a handle into the vocabulary, a movement told by a part of the body,
/// or an action that somebody added; cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action(Handle);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Handle {
    /// By its place in the vocabulary.
    Ours(u16),
    /// By its place in [`body_language::pairs`].
    Movement(u16),
    Added(&'static Added),
}

/// Who performs an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of ways say it all")]
pub enum Way {
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
    Cartwheel,
    Pirouette,
    /// Key poses told in `assets/scores`.
    Score,
    /// Goes into a posture told in `assets/scores`, and stays.
    Posture,
    /// A movement told by a part of the body: key poses made from `assets/body`.
    #[serde(skip)]
    Body,
}

/// How somebody gets about on foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of paces say it all")]
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

/// Something that can be said about an action, beside tempo and manner, which suit all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// How often.
    Count,
    /// With which side.
    Side,
    /// How far, in metres or steps.
    Distance,
    /// By how much to turn.
    Angle,
    /// In a circle, back and forth.
    Path,
}

impl Action {
    /// Standing still.
    pub(crate) fn idle() -> Self {
        Self::done(Way::Idle)
    }

    /// The first action that is done this way; every way but a score's has one.
    pub(crate) fn done(way: Way) -> Self {
        Self::all()
            .find(|action| action.way() == way && action.synonym_of().is_none())
            .expect("every performer has an action; a test looks")
    }

    /// The action with this name in the data and in a script's text form, for example `sit-down` or
    /// `raise.elbow`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name.split_once('.') {
            Some((verb, part)) => Self::moving(verb.parse().ok()?, part.parse().ok()?),
            None => vocabulary().by_name.get(name).copied(),
        }
    }

    /// The movement of a part of the body; `None` where nobody moves it so.
    #[must_use]
    pub fn moving(verb: Verb, part: BodyPart) -> Option<Self> {
        let place = body_language::pairs().iter().position(|pair| *pair == (verb, part))?;
        Some(Self(Handle::Movement(place as u16)))
    }

    /// What it does with which part of the body, where that is how it is told.
    #[must_use]
    pub fn movement(self) -> Option<(Verb, BodyPart)> {
        let Handle::Movement(place) = self.0 else { return None };
        body_language::pairs().get(usize::from(place)).copied()
    }

    /// All of the vocabulary, family by family; movements told by parts of the body are not listed.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..vocabulary().entries.len() as u16).map(|place| Self(Handle::Ours(place)))
    }

    /// An action that somebody added; it stays in memory for as long as the program runs, as ours do.
    pub(crate) fn added(action: Added) -> Self {
        Self(Handle::Added(Box::leak(Box::new(action))))
    }

    /// Whether somebody added it.
    pub(crate) const fn is_added(self) -> bool {
        matches!(self.0, Handle::Added(_))
    }

    /// The key poses that it was added with.
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

    /// Its name in the data and in a script's text form.
    #[must_use]
    pub fn name(self) -> &'static str {
        &self.entry().name
    }

    /// As people would type it, for example `sit down`.
    #[must_use]
    pub fn phrase(self) -> String {
        self.entry().said.clone().unwrap_or_else(|| self.name().replace('-', " "))
    }

    /// The family it belongs to, for example `gestures`.
    #[must_use]
    pub fn family(self) -> &'static str {
        &self.entry().family
    }

    /// Which part of the body it needs.
    #[must_use]
    pub fn body(self) -> Body {
        self.entry().body
    }

    /// Who performs it.
    #[must_use]
    pub fn way(self) -> Way {
        self.entry().way
    }

    /// Whether this can be said about it.
    #[must_use]
    pub fn takes(self, argument: Argument) -> bool {
        self.entry().takes.contains(&argument)
    }

    /// Whether it can be done in this direction.
    #[must_use]
    pub fn goes(self, direction: Direction) -> bool {
        self.entry().directions.contains(&direction)
    }

    /// The action that it is in this direction, where that looks different: who falls backward.
    #[must_use]
    pub fn toward(self, direction: Direction) -> Option<Self> {
        let entry = self.entry();
        entry.toward.iter().find(|(told, _)| *told == direction).map(|(_, action)| *action)
    }

    /// The action that it is where it is aimed at this, where that looks different: putting something down on a table,
    /// being hit in the stomach.
    #[must_use]
    pub fn at(self, aim: Aim) -> Option<Self> {
        let place = match aim {
            Aim::Thing { thing, .. } => rows::Place::Thing(thing),
            Aim::Part { part, .. } => rows::Place::Part(part),
        };
        self.entry().at.iter().find(|(told, _)| *told == place).map(|(_, action)| *action)
    }

    /// Offered when somebody asks for a relative that is not known, nearest first.
    #[must_use]
    pub fn nearest(self) -> &'static [Self] {
        &self.entry().nearest
    }

    /// Actions that it shows by itself, as parts of it: who pitches a ball raises a knee and throws.
    #[must_use]
    pub fn stages(self) -> &'static [Self] {
        &self.entry().stages
    }

    /// Whether it is a way to stand and wait: who comes to it behind something else stays in it.
    #[must_use]
    pub fn is_stance(self) -> bool {
        self.entry().stance
    }

    /// The action it looks like, when it is another word for the same movement.
    #[must_use]
    pub fn synonym_of(self) -> Option<Self> {
        self.entry().synonym_of
    }

    /// The posture that a clip begins in which begins with it: a name in `assets/scores`.
    #[must_use]
    pub fn begins(self) -> Option<&'static str> {
        self.entry().begins.as_deref()
    }

    /// The posture it leads to, or in which it is done: a name in `assets/scores`; `None` is standing.
    #[must_use]
    pub fn posture(self) -> Option<&'static str> {
        self.entry().posture.as_deref()
    }

    /// Whether who does only this walks meanwhile: "carries a box".
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
        Vocabulary::read(actions()).expect("the files of actions are sound; tests read them")
    });
    &VOCABULARY
}

/// What is known of each movement told by a part of the body.
fn movements() -> &'static [Entry] {
    static MOVEMENTS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let pairs = body_language::pairs().iter();
        pairs.map(|(verb, part)| Entry::of_movement(*verb, *part)).collect()
    });
    &MOVEMENTS
}

impl Vocabulary {
    /// Reads all families. What is wrong is told, all of it at once.
    fn read(files: &Texts<'_>) -> Result<Self, Vec<ActionFault>> {
        let mut faults = Vec::new();
        let told = rows::read(files, &mut faults);
        let mut by_name = HashMap::new();
        for (place, told) in told.iter().enumerate() {
            let action = Action(Handle::Ours(place as u16));
            if by_name.insert(told.row.action.clone(), action).is_some() {
                faults.push(told.place.fault("is there twice", "Keep one of the rows."));
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
    fn every_file_of_actions_is_sound() {
        let faults = Vocabulary::read(families::ACTIONS).err().unwrap_or_default();
        assert!(faults.is_empty(), "{}", sentences(&faults));
    }

    #[test]
    fn every_action_has_phrases_and_relatives_and_every_way_an_action() {
        for action in Action::all() {
            let phrases = action.phrases().len()
                + action.senses().iter().map(|sense| sense.phrases.len()).sum::<usize>();
            assert!(phrases >= 2, "{action:?} has {phrases} phrases");
            assert!(!action.nearest().is_empty(), "{action:?} has no relatives");
        }
        for way in [Way::Idle, Way::Sidestep, Way::StandUp, Way::Gait(Pace::Walk)] {
            assert_eq!(Action::done(way).way(), way);
        }
    }

    #[test]
    fn movements_are_named_by_verb_and_part() {
        let raise = Action::named("raise.elbow").expect("an elbow can be raised");
        assert_eq!(
            (raise.name(), raise.way(), raise.body()),
            ("raise.elbow", Way::Body, Body::Upper)
        );
        assert_eq!(raise.movement(), Some((Verb::Raise, BodyPart::Elbow)));
        assert_eq!(raise.phrase(), "raise the elbow");
        for name in ["close.knee", "clench.head", "fly.elbow", "raise.wing", "raise.", "."] {
            assert_eq!(Action::named(name), None, "{name}");
        }
        assert!(Action::all().all(|action| action.movement().is_none()));
    }

    #[test]
    fn faults_are_told_in_plain_words() {
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
            "glue: \"paste\" in `nearest` is no action",
            "\"stick\" is claimed by glue and by tape",
            "glue: \"Fix\" is not in lower case",
            "tape: \"~ down\" begins with a gap",
        ] {
            assert!(faults.contains(told), "{told} is missing in:\n{faults}");
        }
    }
}
