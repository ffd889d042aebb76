//! Body-part movements: movements without a name of their own, described by a body part and what it
//! does.
//!
//! ```text
//! verb, part, measures ──plan──▶ row of assets/body ──described──▶ key poses ──▶ as any score
//! ```
//! The grammar is data: a row lists the verbs and parts that it covers, the directions, and the key
//! poses for the usual size. Anything that no row covers is rejected by the caller as impossible or
//! unknown. This module selects a row; `composer::score::described` aims, scales and times its key
//! poses.

mod parts;

use std::sync::LazyLock;

use limber_script::{BodyPart, Direction, Target, Verb};
use serde::Deserialize;

use crate::{Act, AimedAt, Body, SideChoice};
pub(crate) use parts::{Limb, is_of_two, limb};

/// The data file with all rows.
const FILE: &str = include_str!("../../../assets/body/movements.toml");
/// Fields of a row that belong to the grammar; the others are those of a score.
const GRAMMAR: [&str; 6] = ["verbs", "parts", "ways", "body", "degrees", "aims"];

/// Direction of movement, relative to the part: out is away from the midline, aside is to the
/// leading side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PartDirection {
    Up,
    Down,
    Ahead,
    Back,
    Out,
    In,
    Aside,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Grammar {
    verbs: Vec<Verb>,
    parts: Vec<BodyPart>,
    #[serde(default)]
    ways: Vec<PartDirection>,
    #[serde(default = "upper")]
    body: Body,
    degrees: Option<f32>,
    #[serde(default)]
    aims: bool,
}

const fn upper() -> Body {
    Body::Upper
}

/// A row: one kind of body-part movement.
#[derive(Debug)]
pub(crate) struct Row {
    grammar: Grammar,
    /// The fields of a score, except for its action.
    pub(crate) score: toml::Table,
    /// Whether feet leave their place.
    moves_feet: bool,
}

/// A place on the body that hands reach for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    parts: Vec<BodyPart>,
    #[serde(default)]
    ways: Vec<PartDirection>,
    /// Whether it is on the other side unless a side is given.
    #[serde(default)]
    pub(crate) crossing: bool,
    /// A key of a score.
    pub(crate) key: toml::Value,
}

/// Positions of objects that hands reach for, metres.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thing {
    targets: Vec<Target>,
    pub(crate) height: f32,
    pub(crate) ahead: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    movement: Vec<toml::Table>,
    place: Vec<Place>,
    thing: Vec<Thing>,
}

#[derive(Debug)]
struct Language {
    rows: Vec<Row>,
    places: Vec<Place>,
    things: Vec<Thing>,
    /// All pairs of verb and part that some row covers, without duplicates.
    pairs: Vec<(Verb, BodyPart)>,
}

fn language() -> &'static Language {
    static LANGUAGE: LazyLock<Language> =
        LazyLock::new(|| Language::read(FILE).expect("the file is valid; a test checks it"));
    &LANGUAGE
}

impl Language {
    fn read(text: &str) -> Result<Self, toml::de::Error> {
        let file: File = toml::from_str(text)?;
        let rows = file.movement.into_iter().map(Row::read).collect::<Result<Vec<_>, _>>()?;
        let mut pairs = Vec::new();
        for row in &rows {
            for verb in &row.grammar.verbs {
                for part in &row.grammar.parts {
                    if !pairs.contains(&(*verb, *part)) {
                        pairs.push((*verb, *part));
                    }
                }
            }
        }
        Ok(Self { rows, places: file.place, things: file.thing, pairs })
    }
}

impl Row {
    fn read(mut score: toml::Table) -> Result<Self, toml::de::Error> {
        let mut grammar = toml::Table::new();
        for field in GRAMMAR {
            if let Some(value) = score.remove(field) {
                grammar.insert(field.to_owned(), value);
            }
        }
        let grammar: Grammar = toml::Value::Table(grammar).try_into()?;
        let keys = ["begin", "again", "end"].into_iter().filter_map(|part| score.get(part));
        let moves_feet = keys
            .filter_map(toml::Value::as_array)
            .flatten()
            .any(|key| key.get("lead_foot").is_some() || key.get("other_foot").is_some());
        Ok(Self { grammar, score, moves_feet })
    }

    fn tells(&self, verb: Verb, part: BodyPart) -> bool {
        self.grammar.verbs.contains(&verb) && self.grammar.parts.contains(&part)
    }

    /// The rotation at the usual size, degrees, for rows that rotate a part.
    pub(crate) const fn degrees(&self) -> Option<f32> {
        self.grammar.degrees
    }
}

/// All valid pairs of verb and part, in the order of the file.
pub(crate) fn pairs() -> &'static [(Verb, BodyPart)] {
    &language().pairs
}

/// All rows, in the order of the file.
pub(crate) fn rows() -> &'static [Row] {
    &language().rows
}

/// All places on the body, in the order of the file.
pub(crate) fn places() -> &'static [Place] {
    &language().places
}

/// The body region that a movement needs.
pub(crate) fn body(verb: Verb, part: BodyPart) -> Body {
    let row = rows().iter().find(|row| row.tells(verb, part));
    row.map_or(Body::Upper, |row| row.grammar.body)
}

/// How a movement is performed: the row that covers it, and its parameters.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) verb: Verb,
    pub(crate) part: BodyPart,
    /// Index of the row in the file.
    pub(crate) row: usize,
    pub(crate) side: Option<SideChoice>,
    /// Whether a cycle runs in the opposite direction.
    pub(crate) reversed: bool,
    /// The place on the body that it reaches for, by its index in the file.
    pub(crate) place: Option<usize>,
    /// The object that it reaches for.
    pub(crate) thing: Option<(Target, Thing)>,
    /// Names of script fields that were given and are not performed.
    pub(crate) unsupported_fields: Vec<&'static str>,
}

impl Plan {
    /// Whether feet leave their place.
    pub(crate) fn moves_feet(&self) -> bool {
        rows()[self.row].moves_feet
    }
}

/// Plans an act; `None` if it is not a body-part movement.
pub(crate) fn plan(act: &Act) -> Option<Plan> {
    let (verb, part) = act.action.movement()?;
    let measures = &act.measures;
    let (mut way, side) = course(part, act.side, measures.direction);
    let goes_round = matches!(verb, Verb::Circle | Verb::Roll);
    let reversed = goes_round
        && matches!(measures.direction, Some(Direction::Counterclockwise | Direction::Backward));
    if let (None, Limb::Head, Some(AimedAt::Thing(thing))) = (way, limb(part), measures.aim) {
        way = seen_at(thing, verb);
    }
    // a height without a direction means ahead of the body
    let wanted = way.or_else(|| measures.height.and(Some(PartDirection::Ahead)));
    let (row, fits) = find(verb, part, wanted)?;
    let mut plan = Plan {
        verb,
        part,
        row,
        side,
        reversed,
        place: None,
        thing: None,
        unsupported_fields: Vec::new(),
    };
    plan.aim(measures.aim, way);
    let is_place = plan.place.is_some_and(|place| !places()[place].ways.is_empty());
    if measures.direction.is_some() && !fits && !goes_round && !is_place {
        plan.unsupported_fields.push("direction");
    }
    let grammar = &rows()[row].grammar;
    if act.angle_rad.is_some() && grammar.degrees.is_none() {
        plan.unsupported_fields.push("degrees");
    }
    let reaches = match limb(part) {
        Limb::Hand => grammar.aims || part == BodyPart::Elbow && verb == Verb::Raise,
        Limb::Foot => rows()[row].moves_feet && !goes_round,
        Limb::Head | Limb::Trunk => false,
    };
    if measures.height.is_some() && !reaches {
        plan.unsupported_fields.push("height");
    }
    Some(plan)
}

impl Plan {
    /// Sets the target, if the row supports targets.
    fn aim(&mut self, aim: Option<AimedAt>, way: Option<PartDirection>) {
        let aims = rows()[self.row].grammar.aims;
        match (aim, limb(self.part)) {
            (None, _) => {}
            (Some(AimedAt::Part(part, _)), Limb::Hand) if aims => {
                self.place = place_for(part, way);
                if self.place.is_none() {
                    self.unsupported_fields.push("target");
                }
            }
            (Some(AimedAt::Thing(target)), Limb::Hand) if aims => {
                let mut things = language().things.iter();
                self.thing = things
                    .find(|thing| thing.targets.contains(&target))
                    .map(|thing| (target, thing.clone()));
            }
            (Some(AimedAt::Thing(target)), Limb::Head)
                if aims && seen_at(target, self.verb).is_some() => {}
            (Some(_), _) => self.unsupported_fields.push("target"),
        }
    }
}

/// Direction of the eyes for targets whose place is known; others are to the side, and so is
/// whatever the head has to turn to.
const fn seen_at(target: Target, verb: Verb) -> Option<PartDirection> {
    match target {
        Target::Ceiling | Target::Sky => Some(PartDirection::Up),
        Target::Floor | Target::Water => Some(PartDirection::Down),
        Target::Ball
        | Target::Audience
        | Target::Camera
        | Target::Opponent
        | Target::Horizon
        | Target::Screen
            if matches!(verb, Verb::Look | Verb::Follow) =>
        {
            Some(PartDirection::Ahead)
        }
        _ => None,
    }
}

fn place_for(part: BodyPart, way: Option<PartDirection>) -> Option<usize> {
    let fitting =
        || places().iter().enumerate().filter(move |(_, place)| place.parts.contains(&part));
    let there = fitting().find(|(_, place)| way.is_some_and(|way| place.ways.contains(&way)));
    let usual = || fitting().find(|(_, place)| place.ways.is_empty()).or_else(|| fitting().next());
    there.or_else(usual).map(|(place, _)| place)
}

/// The row for a movement, and whether it supports the requested direction.
fn find(verb: Verb, part: BodyPart, way: Option<PartDirection>) -> Option<(usize, bool)> {
    let fitting = || rows().iter().enumerate().filter(move |(_, row)| row.tells(verb, part));
    let there = fitting().find(|(_, row)| way.is_some_and(|way| row.grammar.ways.contains(&way)));
    if let Some((row, _)) = there {
        return Some((row, true));
    }
    let usual = fitting().find(|(_, row)| row.grammar.ways.is_empty());
    let (row, _) = usual.or_else(|| fitting().next())?;
    Some((row, way.is_none()))
}

/// Direction of a part for a given side and script direction, and the leading side.
fn course(
    part: BodyPart,
    side: Option<SideChoice>,
    direction: Option<Direction>,
) -> (Option<PartDirection>, Option<SideChoice>) {
    let lateral = direction.and_then(side_in);
    let way = match direction {
        None => None,
        Some(Direction::Up) => Some(PartDirection::Up),
        Some(Direction::Down) => Some(PartDirection::Down),
        Some(Direction::Forward | Direction::ForwardLeft | Direction::ForwardRight) => {
            Some(PartDirection::Ahead)
        }
        Some(Direction::Backward | Direction::BackwardLeft | Direction::BackwardRight) => {
            Some(PartDirection::Back)
        }
        Some(Direction::Inward) => Some(PartDirection::In),
        Some(Direction::Outward) => Some(PartDirection::Out),
        Some(
            Direction::Left | Direction::Right | Direction::Clockwise | Direction::Counterclockwise,
        ) => Some(PartDirection::Aside),
    };
    if !is_of_two(part) {
        let one_side = side.filter(|side| *side != SideChoice::Both);
        let way = way.or_else(|| one_side.map(|_| PartDirection::Aside));
        return (way, lateral.or(one_side));
    }
    let lead = side.or(lateral);
    if way != Some(PartDirection::Aside) {
        return (way, lead);
    }
    let crosses = lead != lateral && lead != Some(SideChoice::Both);
    (Some(if crosses { PartDirection::In } else { PartDirection::Out }), lead)
}

/// The side that a direction leads to; clockwise as seen from above is to the right.
const fn side_in(direction: Direction) -> Option<SideChoice> {
    match direction {
        Direction::Left
        | Direction::ForwardLeft
        | Direction::BackwardLeft
        | Direction::Counterclockwise => Some(SideChoice::Left),
        Direction::Right
        | Direction::ForwardRight
        | Direction::BackwardRight
        | Direction::Clockwise => Some(SideChoice::Right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    fn planned(name: &str, side: Option<SideChoice>, direction: Option<Direction>) -> Plan {
        let mut act = Act::new(Action::named(name).expect("it is a movement"));
        act.side = side;
        act.measures.direction = direction;
        plan(&act).expect("every movement has a row")
    }

    #[test]
    fn the_file_is_valid() {
        if let Err(error) = Language::read(FILE) {
            panic!("{error}");
        }
    }

    #[test]
    fn every_verb_and_body_part_is_used() {
        for verb in Verb::ALL {
            assert!(pairs().iter().any(|pair| pair.0 == *verb), "no part can {verb}");
        }
        for part in BodyPart::ALL.iter().filter(|part| **part != BodyPart::Mouth) {
            assert!(pairs().iter().any(|pair| pair.1 == *part), "no verb applies to the {part}");
        }
        for target in Target::ALL {
            let known = language().things.iter().any(|thing| thing.targets.contains(target));
            assert!(known, "the position of a {target} is unknown");
        }
    }

    #[test]
    fn left_is_outward_for_the_left_arm_and_inward_for_the_right() {
        use SideChoice::{Left, Right};
        let ways = |part, side| course(part, side, Some(Direction::Left));
        assert_eq!(ways(BodyPart::Arm, Some(Left)), (Some(PartDirection::Out), Some(Left)));
        assert_eq!(ways(BodyPart::Arm, Some(Right)), (Some(PartDirection::In), Some(Right)));
        assert_eq!(ways(BodyPart::Arm, None), (Some(PartDirection::Out), Some(Left)));
        assert_eq!(ways(BodyPart::Head, None), (Some(PartDirection::Aside), Some(Left)));
        assert_eq!(
            course(BodyPart::Head, Some(Right), None),
            (Some(PartDirection::Aside), Some(Right))
        );
    }

    #[test]
    fn unsupported_fields_of_a_movement_are_named() {
        let round = planned("circle.hips", None, Some(Direction::Clockwise));
        assert!(round.unsupported_fields.is_empty());
        let upwards = planned("round.back", None, Some(Direction::Up));
        assert_eq!(upwards.unsupported_fields, ["direction"]);
        let mut act = Act::new(Action::named("tilt.head").expect("it is a movement"));
        act.measures.aim = Some(AimedAt::Part(BodyPart::Knee, None));
        act.measures.height = Some(crate::Level::Metres(1.0));
        assert_eq!(plan(&act).expect("it has a row").unsupported_fields, ["target", "height"]);
    }
}
