//! The prompts, and what must be seen for each.

use limber_animation::Side;

use crate::rules::{self, Event, Rule};

/// Changes whenever a prompt or a rule does; results of different sets are not compared.
pub(crate) const SET_VERSION: u32 = 3;

pub(crate) struct Case {
    pub(crate) prompt: &'static str,
    pub(crate) rules: Vec<Rule>,
}

fn case<const N: usize>(prompt: &'static str, rules: [Rule; N]) -> Case {
    Case { prompt, rules: rules.into() }
}

/// Every action once, then actions with sides, counts, directions, and in order.
pub(crate) fn cases() -> Vec<Case> {
    let mut all = on_foot();
    all.extend(in_place());
    all.extend(gestures());
    all.extend(acted());
    all.extend(combined());
    all
}

fn on_foot() -> Vec<Case> {
    use rules as r;
    vec![
        case(
            "a person walks forward",
            [
                r::forward(1.0..=12.0),
                r::left(-0.4..=0.4),
                r::speed(0.8..=1.8),
                r::steps(2),
                r::flights(0..=0),
                r::turned(-15.0..=15.0),
            ],
        ),
        case(
            "a person walks forward slowly",
            [r::forward(0.5..=8.0), r::speed(0.3..=1.0), r::flights(0..=0)],
        ),
        case(
            "a person runs forward",
            [r::forward(2.5..=40.0), r::speed(2.0..=7.0), r::flights(3..=99), r::steps(2)],
        ),
        case(
            "a person jogs forward",
            [r::forward(2.0..=30.0), r::speed(1.5..=3.5), r::flights(2..=99), r::steps(2)],
        ),
        case(
            "a person sneaks forward",
            [
                r::forward(0.5..=8.0),
                r::speed(0.2..=1.1),
                r::mean_height(0.6..=0.95),
                r::flights(0..=0),
                r::steps(1),
            ],
        ),
        case(
            "a person steps sideways to the left",
            [r::left(0.4..=6.0), r::forward(-0.3..=0.3), r::turned(-20.0..=20.0), r::steps(1)],
        ),
        case("a person turns left", [r::turned(70.0..=110.0), r::stays()]),
        case("turn right 180 degrees", [r::turned(-195.0..=-165.0), r::stays()]),
    ]
}

fn in_place() -> Vec<Case> {
    use rules as r;
    vec![
        case(
            "a person stands still",
            [r::calm_but_alive(), r::stays(), r::mean_height(0.95..=1.03)],
        ),
        case(
            "a person jumps",
            [
                r::flights(1..=1),
                r::flight_height(0.12..=0.8),
                r::lowest(0.5..=0.92),
                r::from_to(0.93..=1.03, 0.93..=1.03),
            ],
        ),
        case("a person hops three times", [r::flights(3..=3), r::flight_height(0.02..=0.5)]),
        case("a person kicks with the left leg", [r::kicks(Side::Left, 1..=1), r::stays()]),
        case("a person sits down", [r::from_to(0.93..=1.03, 0.4..=0.72)]),
        case("a person stands up", [r::from_to(0.3..=0.75, 0.93..=1.03)]),
        case("a person crouches", [r::lowest(0.3..=0.75), r::flights(0..=0)]),
        case("a person bows", [r::bows(25.0), r::stays()]),
        case("a person dances", [r::lively()]),
    ]
}

fn gestures() -> Vec<Case> {
    use rules as r;
    vec![
        case(
            "a person waves with the right hand",
            [r::waves(Side::Right, 2..=12), r::arm(Side::Right), r::stays()],
        ),
        case(
            "wave three times with the left hand",
            [r::waves(Side::Left, 3..=3), r::arm(Side::Left), r::stays()],
        ),
        case(
            "a person points forward with the right hand",
            [r::points(Side::Right), r::arm(Side::Right)],
        ),
        case("a person claps three times", [r::claps(3..=3), r::stays()]),
        case(
            "a person punches with the right fist",
            [r::punches(Side::Right, 1..=1), r::punches(Side::Left, 0..=0)],
        ),
        case("a person nods twice", [r::nods(2..=2), r::stays()]),
        case("a person shakes their head", [r::head_shakes(3), r::stays()]),
        case("a person raises both arms", [r::arms_up(), r::stays()]),
    ]
}

/// Actions told as key poses.
fn acted() -> Vec<Case> {
    use rules as r;
    vec![
        case("a person salutes with the right hand", [r::arm(Side::Right), r::stays()]),
        case("a person salutes with the left hand", [r::arm(Side::Left), r::stays()]),
        case("a person drinks from a glass with the left hand", [r::arm(Side::Left), r::stays()]),
        case(
            "throws a jab with the left fist",
            [r::punches(Side::Left, 1..=1), r::punches(Side::Right, 0..=0), r::stays()],
        ),
        case("a person does three squats", [r::lowest(0.45..=0.7), r::flights(0..=0), r::stays()]),
        case("a person does four jumping jacks", [r::flights(8..=8), r::arms_up(), r::stays()]),
        case("a person kneels", [r::from_to(0.93..=1.03, 0.4..=0.65)]),
        case("a person lies down", [r::from_to(0.93..=1.03, 0.03..=0.25)]),
        case("a person does two push-ups", [r::lowest(0.1..=0.35), r::flights(0..=0)]),
        case(
            "walk forward while talking on the phone",
            [r::forward(1.0..=12.0), r::steps(2), r::flights(0..=0)],
        ),
    ]
}

fn combined() -> Vec<Case> {
    use rules as r;
    vec![
        case(
            "a person walks forward, then waves with the right hand",
            [
                r::forward(0.8..=12.0),
                r::waves(Side::Right, 2..=12),
                r::order(Event::Arrived, Event::Waved(Side::Right)),
            ],
        ),
        case(
            "walk backward slowly, then sit down",
            [
                r::forward(-8.0..=-0.4),
                r::speed(0.2..=1.0),
                r::from_to(0.9..=1.03, 0.4..=0.72),
                r::order(Event::Arrived, Event::Seated),
            ],
        ),
        case(
            "jump twice, then bow",
            [r::flights(2..=2), r::bows(25.0), r::order(Event::Landed, Event::Bowed)],
        ),
        case(
            "walk in a circle while waving",
            [r::circle(), r::waves_somehow(3), r::steps(3), r::flights(0..=0)],
        ),
        case(
            "sneak forward, then run",
            [
                r::speeds_up(1.3, 2.2),
                r::order(Event::Sneaked, Event::Ran),
                r::flights(1..=99),
                r::forward(2.0..=40.0),
            ],
        ),
        case(
            "left kick, then right punch",
            [
                r::kicks(Side::Left, 1..=1),
                r::punches(Side::Right, 1..=1),
                r::order(Event::Kicked(Side::Left), Event::Punched(Side::Right)),
            ],
        ),
    ]
}
