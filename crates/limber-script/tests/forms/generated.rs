//! Generates random scripts.

use std::{collections::BTreeMap, ops::RangeInclusive};

use limber_script::{
    ActionName, Aim, Angle, BeatsPerMinute, BodyPart, Count, Direction, Distance, Duration, End,
    Event, EventAction, EventIndex, Factor, Height, Intensity, Manner, Path, Posture, Prop, Rhythm,
    Script, Side, SizeClass, Speed, SpeedCurve, Start, Target, Timing, Verb,
};
use proptest::{collection, option, prelude::*, sample::select, string::string_regex};

fn word<T: Clone + std::fmt::Debug + 'static>(
    all: &'static [T],
) -> impl Strategy<Value = Option<T>> {
    option::weighted(0.2, select(all))
}

/// A number within the range; its bounds are drawn more often than by chance.
fn within(range: RangeInclusive<f64>) -> impl Strategy<Value = f64> {
    let (least, most) = (*range.start(), *range.end());
    prop_oneof![6 => range, 1 => Just(least), 1 => Just(most)]
}

fn number<T: std::fmt::Debug>(
    range: RangeInclusive<f64>,
    take: impl Fn(f64) -> T + 'static,
) -> impl Strategy<Value = Option<T>> {
    option::weighted(0.2, within(range).prop_map(take))
}

fn count() -> impl Strategy<Value = Option<Count>> {
    let (least, most) = (Count::LEAST, Count::MOST);
    let count = prop_oneof![6 => least..=most, 1 => Just(least), 1 => Just(most)];
    option::weighted(0.2, count.prop_map(|count| Count::new(count).expect("it is allowed")))
}

fn action() -> impl Strategy<Value = ActionName> {
    // compile the pattern once: a string as a strategy is parsed for every name
    let names = |pattern| string_regex(pattern).expect("it is a pattern");
    let usual = names("[a-z]{1,8}(-[a-z0-9]{1,5}){0,3}");
    let names = prop_oneof![9 => usual, 1 => names("[a-z]{48}")];
    names.prop_map(|name| name.parse().expect("it is allowed"))
}

fn deed() -> impl Strategy<Value = EventAction> {
    let body = (select(Verb::ALL), select(BodyPart::ALL));
    prop_oneof![
        3 => action().prop_map(EventAction::Action),
        1 => body.prop_map(|(verb, part)| EventAction::Body { verb, part }),
    ]
}

fn distance() -> impl Strategy<Value = Option<Distance>> {
    number(0.0..=200.0, |meters| Distance::new(meters).expect("it is allowed"))
}

fn aim() -> impl Strategy<Value = Option<Aim>> {
    let part =
        (select(BodyPart::ALL), word(Side::ALL)).prop_map(|(part, side)| Aim::Part { part, side });
    let thing = (select(Target::ALL), word(SizeClass::ALL), distance())
        .prop_map(|(thing, size, distance_m)| Aim::Thing { thing, size, distance_m });
    option::weighted(0.4, prop_oneof![part, thing])
}

/// An event without references to other events.
fn lone_event() -> impl Strategy<Value = Event> {
    let what = (deed(), aim(), word(Side::ALL), word(Direction::ALL), word(Prop::ALL));
    let often = (
        count(),
        number(20.0..=300.0, |bpm| BeatsPerMinute::new(bpm).expect("it is allowed")),
        word(Rhythm::ALL),
        number(0.03..=600.0, |seconds| Duration::new(seconds).expect("it is allowed")),
        distance(),
        count(),
        number(1.0..=3600.0, |degrees| Angle::new(degrees).expect("it is allowed")),
    );
    let much = (
        number(0.25..=2.0, |size| Factor::new(size).expect("it is allowed")),
        word(Height::ALL),
        distance(),
        number(0.25..=2.0, |force| Factor::new(force).expect("it is allowed")),
        number(0.25..=4.0, |speed| Speed::new(speed).expect("it is allowed")),
        word(SpeedCurve::ALL),
    );
    let manner = (
        select(Manner::ALL),
        within(0.1..=2.0).prop_map(|much| Intensity::new(much).expect("it is allowed")),
    );
    let how = (
        collection::btree_map(manner.0, manner.1, 0..3),
        word(Posture::ALL),
        word(Posture::ALL),
        word(Path::ALL),
        collection::vec(select(BodyPart::ALL), 0..3),
        collection::vec(action(), 0..3),
    );
    (what, often, much, how).prop_map(|(what, often, much, how)| {
        let (deed, aim, side, direction, prop) = what;
        let (count, bpm, rhythm, seconds, meters, steps, degrees) = often;
        let (size, height, height_m, force, speed, speed_curve) = much;
        let (manners, posture, posture_after, path, still, avoid) = how;
        let open = Event::new(deed);
        let manners: BTreeMap<Manner, Intensity> = manners;
        Event {
            aim,
            side,
            direction,
            prop,
            count,
            bpm,
            rhythm,
            seconds,
            meters,
            steps,
            degrees,
            size,
            height,
            // only one of the two may be set
            height_m: height_m.filter(|_| height.is_none()),
            force,
            speed,
            speed_curve,
            manners,
            posture,
            posture_after,
            path,
            still,
            avoid,
            ..open
        }
    })
}

/// A random script.
pub(crate) fn script() -> impl Strategy<Value = Script> {
    let events = collection::vec((lone_event(), any::<[u8; 4]>(), count()), 1..6);
    let ends = (
        select(&[Start::Idle, Start::Action][..]),
        select(&[End::Idle, End::Hold, End::Action][..]),
        any::<bool>(),
    );
    (events, ends).prop_map(|(events, (start, end, is_loop))| {
        let all = events.len();
        let related = events.into_iter().enumerate().map(|(index, (event, choice, beat))| {
            let earlier = |choice: u8| EventIndex(usize::from(choice) % index.max(1));
            let timing = match choice[0] % 5 {
                _ if index == 0 => Timing::Then,
                1 => Timing::While(earlier(choice[1])),
                2 => Timing::AsSoonAs(earlier(choice[1])),
                3 => beat
                    .map_or(Timing::Then, |beat| Timing::OnBeat { of: earlier(choice[1]), beat }),
                _ => Timing::Then,
            };
            let continues = (index > 0 && choice[2] % 3 == 0).then(|| earlier(choice[2]));
            let later = EventIndex(index + 1 + usize::from(choice[3]) % (all - index - 1).max(1));
            let until = (index + 1 < all && choice[3] % 3 == 0).then_some(later);
            Event { timing, continues, until, ..event }
        });
        Script::new(related.collect())
            .expect("it is allowed")
            .with_ends(start, end)
            .with_loop(is_loop)
    })
}
