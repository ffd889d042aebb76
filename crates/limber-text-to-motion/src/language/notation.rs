//! The text form of scripts on one line, written and read: `walk dir:backward tempo:0.6 >
//! sit-down`, `walk path:left-circle:1 + wave x3 side:left`.

use std::{fmt, str::FromStr};

use limber_animation::Side;

use crate::{
    Act, Action, AimedAt, Amount, Direction, Intensity, Level, Measures, MotionScript, Path, Shape,
    SideChoice, Step, Tempo,
};

/// Why a line is not a valid script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{part}` is not part of a script")]
pub struct ParseScriptError {
    /// The part that was not understood.
    pub part: String,
}

const SIDES: [(SideChoice, &str); 3] =
    [(SideChoice::Left, "left"), (SideChoice::Right, "right"), (SideChoice::Both, "both")];

const DIRECTIONS: [(Direction, &str); 6] = [
    (Direction::Forward, "forward"),
    (Direction::Backward, "backward"),
    (Direction::Left, "left"),
    (Direction::Right, "right"),
    (Direction::Up, "up"),
    (Direction::Down, "down"),
];

fn name_in<T: PartialEq + Copy>(names: &[(T, &'static str)], wanted: T) -> &'static str {
    names.iter().find(|(value, _)| *value == wanted).map_or("", |(_, name)| name)
}

fn value_in<T: Copy>(names: &[(T, &'static str)], wanted: &str) -> Option<T> {
    names.iter().find(|(_, name)| *name == wanted).map(|(value, _)| *value)
}

impl fmt::Display for MotionScript {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.steps.iter().enumerate() {
            let separator = if place == 0 { "" } else { " > " };
            write!(formatter, "{separator}{}", step.main)?;
            for act in &step.overlays {
                write!(formatter, " + {act}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Act {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.action.name())?;
        if let Some(count) = self.count {
            write!(formatter, " x{count}")?;
        }
        if let Some(side) = self.side {
            write!(formatter, " side:{}", name_in(&SIDES, side))?;
        }
        if let Some(direction) = self.direction {
            write!(formatter, " dir:{}", name_in(&DIRECTIONS, direction))?;
        }
        if let Some(angle) = self.angle_rad {
            write_angle(formatter, angle)?;
        }
        match self.path {
            Path::Straight => {}
            Path::Circle { side: Side::Left, turns } => {
                write!(formatter, " path:left-circle:{turns}")?;
            }
            Path::Circle { side: Side::Right, turns } => {
                write!(formatter, " path:right-circle:{turns}")?;
            }
            Path::BackAndForth => write!(formatter, " path:back-and-forth")?,
            Path::Drawn { shape, side } => {
                let side = if side == Side::Left { "left" } else { "right" };
                write!(formatter, " path:{side}-{}", name_in(&Shape::ALL, shape))?;
            }
        }
        match self.amount {
            Some(Amount::Metres(metres)) => write!(formatter, " for:{metres}m")?,
            Some(Amount::Steps(steps)) => write!(formatter, " for:{steps}steps")?,
            Some(Amount::Seconds(seconds)) => write!(formatter, " for:{seconds}s")?,
            None => {}
        }
        if self.tempo != Tempo(1.0) {
            write!(formatter, " tempo:{}", self.tempo.0)?;
        }
        for (manner, much) in &self.manners {
            write!(formatter, " manner:{manner}")?;
            if *much != Intensity::CLEARLY {
                write!(formatter, "={}", much.get())?;
            }
        }
        write_measures(formatter, &self.measures)
    }
}

fn write_measures(formatter: &mut fmt::Formatter<'_>, measures: &Measures) -> fmt::Result {
    if let Some(direction) = measures.direction {
        write!(formatter, " whereto:{direction}")?;
    }
    match measures.aim {
        None => {}
        Some(AimedAt::Part(part, None)) => write!(formatter, " at:{part}")?,
        Some(AimedAt::Part(part, Some(side))) => write!(formatter, " at:{part}:{side}")?,
        Some(AimedAt::Thing(target)) => write!(formatter, " target:{target}")?,
    }
    match measures.height {
        None => {}
        Some(Level::Mark(height)) => write!(formatter, " height:{height}")?,
        Some(Level::Metres(metres)) => write!(formatter, " height:{metres}m")?,
    }
    if let Some(size) = measures.size {
        write!(formatter, " size:{size}")?;
    }
    if let Some(force) = measures.force {
        write!(formatter, " force:{force}")?;
    }
    if measures.alternates {
        write!(formatter, " turns:alternating")?;
    }
    if let Some(posture) = measures.posture {
        write!(formatter, " in:{posture}")?;
    }
    if let Some(rhythm) = measures.rhythm {
        write!(formatter, " rhythm:{rhythm}")?;
    }
    if measures.at_once {
        write!(formatter, " start:action")?;
    }
    if measures.goes_round {
        write!(formatter, " loop:true")?;
    }
    if measures.stays {
        write!(formatter, " end:hold")?;
    }
    if measures.goes_on {
        write!(formatter, " end:action")?;
    }
    Ok(())
}

/// Writes an angle in whole degrees if that is exact, otherwise in radians, so that printing loses
/// nothing.
fn write_angle(formatter: &mut fmt::Formatter<'_>, angle: f32) -> fmt::Result {
    let degrees = angle.to_degrees().round();
    if degrees.to_radians() == angle {
        write!(formatter, " angle:{degrees}deg")
    } else {
        write!(formatter, " angle:{angle}rad")
    }
}

impl FromStr for MotionScript {
    type Err = ParseScriptError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let steps = line.split('>').map(step).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { steps })
    }
}

fn step(text: &str) -> Result<Step, ParseScriptError> {
    let mut acts = text.split('+').map(str::parse::<Act>);
    let main = acts.next().ok_or_else(|| not_part(text))??;
    Ok(Step { main, overlays: acts.collect::<Result<_, _>>()? })
}

fn not_part(text: &str) -> ParseScriptError {
    ParseScriptError { part: text.trim().chars().take(60).collect() }
}

impl FromStr for Act {
    type Err = ParseScriptError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split_whitespace();
        let action = words.next().and_then(Action::named).ok_or_else(|| not_part(text))?;
        let mut act = Self::new(action);
        for word in words {
            read_word(&mut act, word).ok_or_else(|| not_part(word))?;
        }
        Ok(act)
    }
}

fn read_word(act: &mut Act, word: &str) -> Option<()> {
    let Some((key, value)) = word.split_once(':') else {
        act.count = Some(word.strip_prefix('x')?.parse().ok()?);
        return Some(());
    };
    match key {
        "side" => act.side = Some(value_in(&SIDES, value)?),
        "dir" => act.direction = Some(value_in(&DIRECTIONS, value)?),
        "angle" => act.angle_rad = Some(read_angle(value)?),
        "path" => act.path = read_path(value)?,
        "for" => act.amount = Some(read_amount(value)?),
        "tempo" => act.tempo = Tempo(finite(value)?),
        "manner" => {
            let (manner, much) = match value.split_once('=') {
                Some((manner, much)) => (manner, Intensity::new(much.parse().ok()?).ok()?),
                None => (value, Intensity::CLEARLY),
            };
            act.manners.insert(manner.parse().ok()?, much);
        }
        _ => return read_measure(&mut act.measures, key, value),
    }
    Some(())
}

fn read_measure(measures: &mut Measures, key: &str, value: &str) -> Option<()> {
    match (key, value) {
        ("whereto", value) => measures.direction = Some(value.parse().ok()?),
        ("at", value) => {
            let (part, side) = match value.split_once(':') {
                Some((part, side)) => (part, Some(side.parse().ok()?)),
                None => (value, None),
            };
            measures.aim = Some(AimedAt::Part(part.parse().ok()?, side));
        }
        ("target", value) => measures.aim = Some(AimedAt::Thing(value.parse().ok()?)),
        ("height", value) => measures.height = Some(read_height(value)?),
        ("size", value) => measures.size = Some(finite(value)?),
        ("force", value) => measures.force = Some(finite(value)?),
        ("turns", "alternating") => measures.alternates = true,
        ("in", value) => measures.posture = Some(value.parse().ok()?),
        ("rhythm", value) => measures.rhythm = Some(value.parse().ok()?),
        ("start", "action") => measures.at_once = true,
        ("loop", "true") => measures.goes_round = true,
        ("end", "hold") => measures.stays = true,
        ("end", "action") => measures.goes_on = true,
        _ => return None,
    }
    Some(())
}

fn read_height(text: &str) -> Option<Level> {
    match text.parse() {
        Ok(height) => Some(Level::Mark(height)),
        Err(_) => finite(text.strip_suffix('m')?).map(Level::Metres),
    }
}

fn finite(text: &str) -> Option<f32> {
    text.parse().ok().filter(|value: &f32| value.is_finite())
}

fn read_angle(text: &str) -> Option<f32> {
    match text.strip_suffix("deg") {
        Some(degrees) => finite(degrees).map(f32::to_radians),
        None => finite(text.strip_suffix("rad")?),
    }
}

fn read_path(text: &str) -> Option<Path> {
    if text == "back-and-forth" {
        return Some(Path::BackAndForth);
    }
    let Some((name, turns)) = text.split_once(':') else {
        let (side, shape) = text.split_once('-')?;
        let side = match side {
            "left" => Side::Left,
            "right" => Side::Right,
            _ => return None,
        };
        return Some(Path::Drawn { shape: value_in(&Shape::ALL, shape)?, side });
    };
    let side = match name {
        "left-circle" => Side::Left,
        "right-circle" => Side::Right,
        _ => return None,
    };
    Some(Path::Circle { side, turns: finite(turns)? })
}

fn read_amount(text: &str) -> Option<Amount> {
    if let Some(steps) = text.strip_suffix("steps") {
        return steps.parse().ok().map(Amount::Steps);
    }
    if let Some(metres) = text.strip_suffix('m') {
        return finite(metres).map(Amount::Metres);
    }
    finite(text.strip_suffix('s')?).map(Amount::Seconds)
}

#[cfg(test)]
mod tests {
    use proptest::{option, prelude::*, sample::select};

    use super::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![0.001f32..100.0, (1u8..100).prop_map(f32::from)]
    }

    fn path() -> impl Strategy<Value = Path> {
        prop_oneof![
            Just(Path::Straight),
            Just(Path::BackAndForth),
            (select(Side::BOTH.to_vec()), number())
                .prop_map(|(side, turns)| Path::Circle { side, turns }),
            (select(Shape::ALL.to_vec()), select(vec![Side::Left, Side::Right]))
                .prop_map(|((shape, _), side)| Path::Drawn { shape, side }),
        ]
    }

    fn amount() -> impl Strategy<Value = Amount> {
        prop_oneof![
            number().prop_map(Amount::Metres),
            (0u32..1000).prop_map(Amount::Steps),
            number().prop_map(Amount::Seconds),
        ]
    }

    fn height() -> impl Strategy<Value = Level> {
        prop_oneof![
            select(limber_script::Height::ALL).prop_map(Level::Mark),
            number().prop_map(Level::Metres),
        ]
    }

    fn aim() -> impl Strategy<Value = AimedAt> {
        prop_oneof![
            select(limber_script::Target::ALL).prop_map(AimedAt::Thing),
            (select(limber_script::BodyPart::ALL), option::of(select(limber_script::Side::ALL)))
                .prop_map(|(part, side)| AimedAt::Part(part, side)),
        ]
    }

    prop_compose! {
        fn measures()(
            direction in option::of(select(limber_script::Direction::ALL)),
            aim in option::of(aim()),
            height in option::of(height()),
            size in option::of(number()),
            force in option::of(number()),
            alternates in any::<bool>(),
            posture in option::of(select(limber_script::Posture::ALL)),
            rhythm in option::of(select(limber_script::Rhythm::ALL)),
            at_once in any::<bool>(),
            goes_round in any::<bool>(),
            stays in any::<bool>(),
            goes_on in any::<bool>(),
        ) -> Measures {
            Measures {
                direction, aim, height, size, force, alternates, posture, rhythm, at_once, goes_round,
                stays, goes_on,
            }
        }
    }

    fn action() -> impl Strategy<Value = Action> {
        let moving = crate::body_language::pairs().iter();
        let moving = moving.filter_map(|(verb, part)| Action::moving(*verb, *part));
        select(Action::all().chain(moving).collect::<Vec<_>>())
    }

    fn intensity() -> impl Strategy<Value = Intensity> {
        (1u8..=20).prop_map(|tenths| Intensity::new(f64::from(tenths) / 10.0).unwrap())
    }

    prop_compose! {
        fn act()(
            action in action(),
            measures in measures(),
            count in option::of(0u32..1000),
            side in option::of(select(SIDES.to_vec())),
            direction in option::of(select(DIRECTIONS.to_vec())),
            angle_rad in option::of(prop_oneof![number(), (0u16..720).prop_map(|d| f32::from(d).to_radians())]),
            path in path(),
            amount in option::of(amount()),
            tempo in number(),
            manners in prop::collection::btree_map(select(crate::Manner::ALL.to_vec()), intensity(), 0..4),
        ) -> Act {
            Act {
                action, count, side: side.map(|(side, _)| side),
                direction: direction.map(|(direction, _)| direction),
                angle_rad, path, amount, tempo: Tempo(tempo), measures,
                manners,
            }
        }
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = (act(), prop::collection::vec(act(), 0..3))
            .prop_map(|(main, overlays)| Step { main, overlays });
        prop::collection::vec(step, 1..4)
    }

    proptest! {
        #[test]
        fn reading_what_was_printed_gives_the_same_script(steps in steps()) {
            let script = MotionScript { steps };
            prop_assert_eq!(script.to_string().parse::<MotionScript>(), Ok(script));
        }

        #[test]
        fn reading_any_line_gives_a_script_or_an_error(line in "\\PC{0,80}") {
            let _ = line.parse::<MotionScript>();
        }
    }

    #[test]
    fn half_turns_are_printed_in_degrees() {
        let act = Act {
            angle_rad: Some(180f32.to_radians()),
            ..Act::new(Action::named("turn").expect("it is an action"))
        };
        assert_eq!(act.to_string(), "turn angle:180deg");
    }

    #[test]
    fn the_invalid_part_of_a_script_is_named() {
        let error = "walk > moult".parse::<MotionScript>().expect_err("moulting is not an action");
        assert_eq!(error.to_string(), "`moult` is not part of a script");
    }
}
