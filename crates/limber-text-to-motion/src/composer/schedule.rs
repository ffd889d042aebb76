//! The schedule: which acts follow each other, and how long each of them gets.

use super::{
    acts::{self, Span},
    score,
    stage::Posture,
    style::Taste,
};
use crate::{Act, Action, Body, MotionScript, Way};

/// The shortest and longest automatic clip, seconds.
const SHORTEST_S: f32 = 1.0;
const LONGEST_S: f32 = 10.0;
/// Who is asked for much takes this much longer than the least, and more than that if need be.
pub(super) const UNHURRIED: f32 = 1.2;

/// Acts that happen at one time.
#[derive(Debug, Clone)]
pub(super) struct Beat {
    /// What the legs do; several acts of locomotion flow into each other.
    pub(super) acts: Vec<Act>,
    pub(super) overlays: Vec<Act>,
    /// How the body is when it begins.
    before: Posture,
    pub(super) span_s: f32,
}

/// A script as beats with times, and the posture it begins in.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) beats: Vec<Beat>,
    pub(super) begins: Posture,
    pub(super) duration_s: f32,
}

/// Why acts do not fit into a time. All in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TooShort {
    pub(super) wanted_s: f32,
    /// Hurried, but right.
    pub(super) least_s: f32,
    /// Left to themselves.
    pub(super) usual_s: f32,
}

/// Puts a script in order and gives every act its time. The requested duration is met exactly:
/// holds and repeats are stretched first, then tempo; what is left is spent standing.
///
/// # Errors
/// [`TooShort`] when even hurrying would not do.
pub(super) fn schedule(
    script: &MotionScript,
    wanted_s: Option<f32>,
    taste: &Taste,
) -> Result<Schedule, TooShort> {
    let (mut beats, begins) = beats(script);
    let mut spans: Vec<Span> = beats.iter().map(|beat| beat_span(beat, taste)).collect();
    let usual: f32 = spans.iter().map(|span| span.usual).sum();
    let least_s: f32 = spans.iter().map(|span| span.least).sum();
    let duration_s =
        wanted_s.unwrap_or_else(|| usual.clamp(SHORTEST_S, LONGEST_S).max(UNHURRIED * least_s));
    if duration_s < least_s {
        return Err(TooShort { wanted_s: duration_s, least_s, usual_s: usual });
    }
    fit(&mut spans, duration_s);
    for (beat, span) in beats.iter_mut().zip(&spans) {
        beat.span_s = span.usual;
    }
    Ok(Schedule { beats, begins, duration_s })
}

/// In less time not even hurrying would do.
pub(super) fn least_s(script: &MotionScript, taste: &Taste) -> f32 {
    let (beats, _) = beats(script);
    beats.iter().map(|beat| beat_span(beat, taste).least).sum()
}

fn beat_span(beat: &Beat, taste: &Taste) -> Span {
    let mut whole = Span { least: 0.0, usual: 0.0, most: 0.0 };
    for act in &beat.acts {
        let span = acts::span(act, taste, beat.before);
        whole.least += span.least;
        whole.usual += span.usual;
        whole.most += span.most;
    }
    let free = beat.acts.iter().all(|act| {
        act.action.body() == Body::Locomotion
            && act.action.way() != Way::Turn
            && act.amount.is_none()
    });
    let moves_parts = beat.acts.iter().all(|act| act.action.way() == Way::Body);
    for overlay in &beat.overlays {
        let span = acts::span(overlay, taste, beat.before);
        whole.least = whole.least.max(span.least);
        if free {
            whole.usual = whole.usual.max(span.usual + 1.0);
        } else if overlay.action.way() == Way::Body && moves_parts {
            whole.usual = whole.usual.max(span.usual);
        }
    }
    whole.most = whole.most.max(whole.usual);
    whole
}

/// Changes the usual times so that they add up, as far as the spans allow.
fn fit(spans: &mut [Span], duration_s: f32) {
    let usual: f32 = spans.iter().map(|span| span.usual).sum();
    let missing = duration_s - usual;
    if missing >= 0.0 {
        stretch(spans, missing);
        return;
    }
    let slack: f32 = spans.iter().map(|span| span.usual - span.least).sum();
    let squeeze = (-missing / slack.max(1e-3)).min(1.0);
    for span in spans.iter_mut() {
        span.usual -= squeeze * (span.usual - span.least);
    }
}

/// Shares out additional time: everybody gets an equal share until they have enough.
fn stretch(spans: &mut [Span], mut missing: f32) {
    for _ in 0..spans.len() {
        let hungry = spans.iter().filter(|span| span.most - span.usual > 1e-3).count();
        if hungry == 0 || missing < 1e-3 {
            return;
        }
        let share = missing / hungry as f32;
        for span in spans.iter_mut() {
            let more = (span.most - span.usual).clamp(0.0, share);
            span.usual += more;
            missing -= more;
        }
    }
}

/// The acts in order, with getting up wherever somebody who sits or crouches has to move on.
fn beats(script: &MotionScript) -> (Vec<Beat>, Posture) {
    let begins = beginning(script);
    let mut posture = begins;
    let mut beats: Vec<Beat> = Vec::new();
    for step in &script.steps {
        let (main, overlays) = legs_first(&step.main, &step.overlays);
        for act in ways_between(&main, posture) {
            let before = posture;
            posture = after(&act, posture);
            beats.push(Beat { acts: vec![act], overlays: Vec::new(), before, span_s: 0.0 });
        }
        let before = posture;
        posture = after(&main, posture);
        let flows = beats.last().is_some_and(|last: &Beat| {
            let before = &last.acts[last.acts.len() - 1];
            last.overlays == overlays && acts::flow_together(before, &main)
        });
        match beats.last_mut() {
            Some(last) if flows => last.acts.push(main),
            _ => beats.push(Beat { acts: vec![main], overlays, before, span_s: 0.0 }),
        }
    }
    (beats, begins)
}

/// How the body is after an act.
fn after(act: &Act, posture: Posture) -> Posture {
    match act.action.way() {
        Way::SitDown => Posture::Sitting,
        Way::Crouch if !is_repeated(act) => Posture::Crouching,
        Way::StandUp => Posture::Standing,
        Way::Posture => acts::aimed_at(act.action),
        _ => posture,
    }
}

/// What has to be done before an act can begin: getting up, lying down.
fn ways_between(act: &Act, posture: Posture) -> Vec<Act> {
    let get_up = || Act::new(Action::done(Way::StandUp));
    let wanted = acts::aimed_at(act.action);
    if wanted == Posture::Sitting {
        return match posture {
            Posture::Sitting => Vec::new(),
            Posture::Standing => vec![Act::new(Action::done(Way::SitDown))],
            _ => vec![get_up(), Act::new(Action::done(Way::SitDown))],
        };
    }
    if !matches!(wanted, Posture::Held(_)) {
        return if must_get_up(act, posture) { vec![get_up()] } else { Vec::new() };
    }
    let mut ways = Vec::new();
    if matches!(posture, Posture::Sitting | Posture::Crouching) {
        ways.push(get_up());
    }
    if act.action.way() != Way::Posture && posture != wanted {
        let leads = |action: &Action| {
            action.way() == Way::Posture && action.posture() == act.action.posture()
        };
        ways.extend(Action::all().find(leads).map(Act::new));
    }
    ways
}

/// Whoever gets up first must have been sitting; who does push-ups at once is down already, but who
/// waves before stands.
fn beginning(script: &MotionScript) -> Posture {
    let first = script.steps.iter().map(|step| step.main.action).find(|action| {
        let ways = [Way::SitDown, Way::StandUp, Way::Crouch, Way::Posture, Way::Score];
        let changes = action.body() == Body::Whole || action.posture().is_some();
        needs_standing(*action) || ways.contains(&action.way()) && changes
    });
    let at_once = first == script.steps.first().map(|step| step.main.action);
    match first.map(|action| (action.way(), acts::aimed_at(action))) {
        Some((Way::StandUp, _)) => Posture::Sitting,
        Some((Way::Score, posture)) if at_once || posture == Posture::Sitting => posture,
        _ => Posture::Standing,
    }
}

fn is_repeated(act: &Act) -> bool {
    act.count.is_some_and(|count| count > 1)
}

/// Whether an act begins with getting up out of a posture.
fn must_get_up(act: &Act, posture: Posture) -> bool {
    match posture {
        Posture::Standing => false,
        Posture::Sitting => needs_standing(act.action) || act.action.way() == Way::Crouch,
        Posture::Crouching => {
            needs_standing(act.action) || act.action.way() == Way::Crouch && is_repeated(act)
        }
        Posture::Held(_) => {
            let arms = act.action.body() == Body::Upper && !score::leaves_hands_free(posture);
            let levels = matches!(act.action.way(), Way::SitDown | Way::Crouch);
            needs_standing(act.action) || levels || arms
        }
    }
}

fn needs_standing(action: Action) -> bool {
    let stays_low = matches!(action.way(), Way::Idle | Way::SitDown | Way::StandUp | Way::Crouch);
    if acts::aimed_at(action) != Posture::Standing {
        return false;
    }
    let moves_legs = matches!(action.body(), Body::Locomotion | Body::Whole);
    moves_legs && !stays_low || action.way() == Way::Punch
}

/// The act that moves the legs is the main one, whatever the sentence said first.
fn legs_first(main: &Act, overlays: &[Act]) -> (Act, Vec<Act>) {
    let rank = |act: &Act| match act.action.body() {
        Body::Locomotion => 3,
        Body::Whole => 2,
        Body::Upper => 1,
        Body::Head => 0,
    };
    let mut acts: Vec<Act> = std::iter::once(main).chain(overlays).cloned().collect();
    let strongest = acts.iter().map(rank).max().unwrap_or(0);
    let place = acts.iter().position(|act| rank(act) == strongest).unwrap_or(0);
    let main = acts.remove(place);
    (main, acts)
}
