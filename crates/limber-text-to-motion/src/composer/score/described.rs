//! Scores of body-part movements: the key poses of a row of `assets/body`, aimed, scaled and timed
//! as the act requests.

mod aim;
mod size;

use std::sync::LazyLock;

use super::{
    notation::{Ease, Sides, Written, WrittenKey},
    reading::{Anchor, HandChange, HandSpec, Key, Score},
};
use crate::{
    Act, Amount, SideChoice,
    body_language::{self, Plan},
};

/// Default time for which a pose is held, and by how much that may be extended to fill time,
/// seconds.
const HELD_S: f32 = 0.7;
const STRETCHED_S: f32 = 120.0;
/// Slowest tempo at which a pose is reached even more slowly than the tempo says.
const SLOWEST: f32 = 0.4;
/// Maximum number of repetitions of a cycle to fill time.
const MOST_REPEATS: u32 = 60;

/// All rows and places, in the order of the file; `None` for faulty ones.
#[derive(Debug, Default)]
struct Library {
    movements: Vec<Option<Score>>,
    places: Vec<Option<Key>>,
}

fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| read().0);
    &LIBRARY
}

/// Reads all rows. Returns the valid ones, and faults in sentences.
fn read() -> (Library, Vec<String>) {
    let (mut library, mut faults) = (Library::default(), Vec::new());
    for (place, row) in body_language::rows().iter().enumerate() {
        let mut told = Vec::new();
        library.movements.push(movement(row.score.clone(), &mut told));
        faults.extend(told.into_iter().map(|fault| format!("movement {}: {fault}", place + 1)));
    }
    for (number, place) in body_language::places().iter().enumerate() {
        let mut told = Vec::new();
        let key = match place.key.clone().try_into::<WrittenKey>() {
            Ok(written) => Some(Key::of(&written, &mut told)),
            Err(error) => {
                told.push(error.to_string());
                None
            }
        };
        library.places.push(key);
        faults.extend(told.into_iter().map(|fault| format!("place {}: {fault}", number + 1)));
    }
    (library, faults)
}

fn movement(mut fields: toml::Table, faults: &mut Vec<String>) -> Option<Score> {
    fields.insert("action".to_owned(), "movement".into());
    if !fields.contains_key("sides") {
        fields.insert("sides".to_owned(), "mirror".into());
    }
    match toml::Value::Table(fields).try_into::<Written>() {
        Ok(written) => Some(Score::of(written, faults)),
        Err(error) => {
            faults.push(error.to_string());
            None
        }
    }
}

/// The score of a movement.
pub(super) fn score(act: &Act) -> Score {
    let plan = body_language::plan(act).expect("every movement has a row; it is made from one");
    let row = library().movements[plan.row].clone();
    let mut score = row.expect("every row is valid; a test checks them");
    if plan.reversed {
        score.again.reverse();
    }
    if !body_language::is_of_two(plan.part) {
        take_part_on_both_sides(&mut score);
    }
    aim::take(&mut score, &plan, act);
    size::grow(&mut score, &plan, act);
    for key in &mut score.again {
        key.flows = key.ease == Ease::Even;
    }
    for key in score.begin.iter_mut().chain(&mut score.again).chain(&mut score.end) {
        key.hands.iter_mut().for_each(keep_direction);
    }
    let takes_turns = set_sides(&mut score, &plan, act);
    set_times(&mut score, act, takes_turns);
    score
}

/// Keeps an extended arm in its direction when another act bends the trunk: arms that are
/// stretched forward stay level in a squat.
const fn keep_direction(change: &mut Option<HandChange>) {
    if let Some(HandChange::Goes(HandSpec { anchor: Some(anchor), .. })) = change
        && let Anchor::Stretched(way, share) = *anchor
    {
        *anchor = Anchor::Pointed(way, share);
    }
}

/// Movements of the trunk have no leading side: shoulders and hands take part on both sides.
fn take_part_on_both_sides(score: &mut Score) {
    for key in score.begin.iter_mut().chain(&mut score.again).chain(&mut score.end) {
        key.shoulders[1] = key.shoulders[0];
        key.grips[1] = key.grips[0];
    }
}

/// Decides whether sides alternate. If they do, each returns home before the other starts, so that
/// one foot always stays on the floor. Returns whether they alternate.
fn set_sides(score: &mut Score, plan: &Plan, act: &Act) -> bool {
    if score.sides == Sides::Together {
        return false;
    }
    let one_by_one = act.measures.alternates || score.sides == Sides::Alternate;
    let both = plan.side == Some(SideChoice::Both);
    if !one_by_one {
        score.sides = Sides::Mirror;
        return false;
    }
    if !both {
        score.sides = Sides::One;
        return false;
    }
    score.sides = Sides::Alternate;
    if !score.begin.is_empty() {
        for _ in 0..score.usual {
            score.begin.extend_from_slice(&score.again);
        }
        score.again.clear();
    }
    true
}

/// Maximum number of alternations in a given time.
const MOST_TURNS: f32 = 40.0;

/// Sets the number of repetitions and the holding time.
fn set_times(score: &mut Score, act: &Act, takes_turns: bool) {
    let seconds = match act.amount {
        Some(Amount::Seconds(seconds)) => Some(seconds),
        _ => None,
    };
    score.stays = act.measures.stays;
    // a slow pose is about how it is reached: *slowly turns his head*
    for key in score.begin.iter_mut().filter(|_| score.again.is_empty()) {
        key.takes_s /= act.tempo.0.clamp(SLOWEST, 1.0);
    }
    if score.again.is_empty() {
        let mut seconds = seconds;
        if takes_turns && act.count.is_none() {
            let turn_s =
                score.begin.iter().map(|key| key.takes_s).sum::<f32>() + HELD_S + score.home_s;
            let turns = seconds.take().map_or(2.0, |seconds| (seconds / turn_s).round());
            let turns = turns.clamp(2.0, MOST_TURNS) as u32;
            (score.usual, score.most) = (turns, turns);
        }
        if let Some(pose) = score.begin.last_mut() {
            pose.hold_s = seconds.unwrap_or_else(|| pose.hold_s.max(HELD_S));
            pose.stretch_s = if seconds.is_none() || score.stays { STRETCHED_S } else { 0.0 };
        }
        return;
    }
    let once_s: f32 = score.again.iter().map(|key| key.takes_s + key.hold_s).sum();
    score.most = MOST_REPEATS;
    if let Some(seconds) = seconds {
        let repeats = (seconds / once_s.max(0.05)).round().clamp(1.0, MOST_REPEATS as f32) as u32;
        (score.usual, score.most) = (repeats, repeats);
    } else if takes_turns {
        score.usual = score.usual.max(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Level, composer::score::reading::PoseParam};

    fn described(name: &str, change: impl FnOnce(&mut Act)) -> Score {
        let mut act = Act::new(Action::named(name).expect("it is a movement"));
        change(&mut act);
        score(&act)
    }

    fn dial(score: &Score, dial: PoseParam) -> f32 {
        let keys = score.begin.iter().flat_map(|key| &key.dials);
        keys.filter(|(told, _)| *told == dial).map(|(_, value)| *value).fold(0.0, f32::max)
    }

    #[test]
    fn every_row_is_valid() {
        let faults = read().1;
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn degrees_and_size_scale_movements_up_to_joint_limits() {
        let turned = |size: Option<f32>, degrees: Option<f32>| {
            let score = described("turn.head", |act| {
                act.measures.size = size;
                act.angle_rad = degrees.map(f32::to_radians);
            });
            dial(&score, PoseParam::HeadTurn).to_degrees()
        };
        assert!((turned(None, Some(30.0)) - 30.0).abs() < 0.1);
        assert!((turned(Some(0.5), None) - 0.5 * turned(None, None)).abs() < 0.1);
        let most = turned(None, Some(300.0));
        assert!((60.0..80.0).contains(&most), "the head turns by {most} degrees");
    }

    #[test]
    fn poses_are_held_and_cycles_repeated_for_the_given_time() {
        let held = described("raise.arm", |act| act.amount = Some(Amount::Seconds(3.0)));
        assert_eq!(held.begin.last().map(|key| (key.hold_s, key.stretch_s)), Some((3.0, 0.0)));
        let shaken = described("shake.hand", |act| act.amount = Some(Amount::Seconds(2.6)));
        assert_eq!((shaken.usual, shaken.most), (10, 10));
        assert!(described("lower.head", |act| act.measures.stays = true).stays);
    }

    #[test]
    fn lifted_feet_alternate_and_never_both_leave_the_floor() {
        let both = described("circle.foot", |act| act.side = Some(SideChoice::Both));
        assert_eq!((both.sides, both.again.len(), both.usual), (Sides::Alternate, 0, 2));
        let one = described("circle.foot", |act| act.side = Some(SideChoice::Left));
        assert_eq!(one.sides, Sides::One);
        assert!(!one.again.is_empty());
    }

    #[test]
    fn low_places_bend_the_body_and_high_ones_do_not() {
        let bend = |height| {
            let reach = described("reach.hand", |act| {
                act.measures.height = Some(Level::Mark(height));
            });
            dial(&reach, PoseParam::TrunkBend)
        };
        assert!(bend(limber_script::Height::Floor) > 0.8);
        assert!(bend(limber_script::Height::Head) < 0.1);
    }
}
