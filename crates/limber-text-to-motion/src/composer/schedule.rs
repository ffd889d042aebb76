//! The schedule: which acts follow each other, and how long each of them gets.

use super::{
    acts::{self, Joins, Span},
    cycle, frames, score,
    stage::Posture,
    style::{Style, Taste},
};
use crate::{Act, Action, Body, MotionScript, Seed, Way};

/// The shortest and longest automatic clip, seconds.
const SHORTEST_S: f32 = 1.0;
const LONGEST_S: f32 = 10.0;
/// No more of a beat than this is spent together with the next one.
const MOST_OF_A_BEAT: f32 = 0.45;
/// Who is asked for much takes this much longer than the least, and more than that if need be.
const UNHURRIED: f32 = 1.2;

/// Acts that happen at one time.
#[derive(Debug, Clone)]
pub(super) struct Beat {
    /// What the legs do; several acts flow into each other.
    pub(super) acts: Vec<Act>,
    pub(super) overlays: Vec<Overlay>,
    /// When each act begins and ends, as shares of the beat.
    shares: Vec<(f32, f32)>,
    /// How the body is when it begins.
    before: Posture,
    pub(super) span_s: f32,
    /// How long before the end of the beat before it begins: what comes next begins while arms and trunk
    /// are still on their way home.
    pub(super) overlap_s: f32,
    /// Whether it goes on from what comes before, and leads into what comes next, without a stop.
    pub(super) joins: Joins,
}

/// What is done along with some of a beat's acts.
#[derive(Debug, Clone)]
pub(super) struct Overlay {
    pub(super) act: Act,
    /// The first and the last of the beat's acts that it goes along with.
    along: (usize, usize),
}

impl Beat {
    fn new(act: Act, overlays: Vec<Act>, before: Posture) -> Self {
        let along = |act| Overlay { act, along: (0, 0) };
        Self {
            acts: vec![act],
            overlays: overlays.into_iter().map(along).collect(),
            shares: vec![(0.0, 1.0)],
            before,
            span_s: 0.0,
            overlap_s: 0.0,
            joins: Joins::default(),
        }
    }

    /// Lets an act follow without a stop. What was done along with the last one and is again goes on.
    fn flow_into(&mut self, act: Act, overlays: Vec<Act>) {
        let place = self.acts.len();
        self.acts.push(act);
        for act in overlays {
            let goes_on = |old: &&mut Overlay| old.along.1 + 1 == place && old.act == act;
            match self.overlays.iter_mut().find(goes_on) {
                Some(old) => old.along.1 = place,
                None => self.overlays.push(Overlay { act, along: (place, place) }),
            }
        }
    }

    /// Sets when each act begins and ends by how long they take beside each other.
    fn share_out(&mut self, taste: &Taste) {
        if self.acts.len() < 2 {
            return;
        }
        let spans = acts::spans_together(&self.acts, taste);
        let whole: f32 = spans.iter().map(|span| span.usual).sum();
        let mut done = 0.0;
        let share = |span: &Span| {
            let begins = done / whole;
            done += span.usual;
            (begins, done / whole)
        };
        self.shares = spans.iter().map(share).collect();
    }

    /// When the act at a place begins and ends, of a beat that begins then.
    pub(super) fn window(&self, place: usize, from_s: f32) -> (f32, f32) {
        let (begins, ends) = self.shares[place];
        (from_s + begins * self.span_s, from_s + ends * self.span_s)
    }

    /// When an overlay begins and ends, of a beat that begins then.
    pub(super) fn window_of(&self, overlay: &Overlay, from_s: f32) -> (f32, f32) {
        let (first, last) = overlay.along;
        (self.window(first, from_s).0, self.window(last, from_s).1)
    }

    /// Whether somebody said how long it takes, or how far it leads.
    fn is_told_how_much(&self) -> bool {
        let overlays = self.overlays.iter().map(|overlay| &overlay.act);
        self.acts.iter().chain(overlays).any(|act| act.amount.is_some())
    }
}

/// A script as beats with times, and the posture it begins in.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) beats: Vec<Beat>,
    pub(super) begins: Posture,
    /// With what leads to the first act, which is cut off where the clip begins in it.
    pub(super) duration_s: f32,
    /// How much of it is cut off at the beginning.
    pub(super) lead_in_s: f32,
    /// How much of it is cut off at the end, where the clip ends in the middle of the last act.
    pub(super) lead_out_s: f32,
    pub(super) goes_round: bool,
}

impl Schedule {
    /// Where a round that holds all of several acts begins at the latest, and ends at the earliest, seconds behind the
    /// lead-in; `None` where there is one act, of which any part will do.
    pub(super) fn through(&self) -> Option<(f32, f32)> {
        let acts = self.beats.iter().map(|beat| beat.acts.len()).sum::<usize>();
        let (first, last) = (self.beats.first()?, self.beats.last()?);
        let ends_s: f32 = self.beats.iter().map(|beat| beat.span_s - beat.overlap_s).sum();
        let (_, first_s) = first.window(0, 0.0);
        let last_s = last.span_s - last.window(last.acts.len() - 1, 0.0).0;
        let by_s = 0.3 * first_s - self.lead_in_s;
        (acts > 1).then(|| (by_s.max(0.0), ends_s - 0.4 * last_s - self.lead_in_s))
    }
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
    let (mut beats, begins) = beats(script, taste);
    let whole: Vec<Span> = beats.iter().map(|beat| beat_span(beat, taste)).collect();
    let tails = tails(&beats, &whole, taste);
    let mut spans: Vec<Span> =
        whole.iter().zip(&tails).map(|(span, tail_s)| without(*span, *tail_s)).collect();
    let least_s: f32 = spans.iter().map(|span| span.least).sum();
    if wanted_s.is_none() {
        keep_told_times(&beats, &mut spans);
    }
    let usual: f32 = spans.iter().map(|span| span.usual).sum();
    // however short it is, something is left of it
    let lead_in_s = lead_in_s(script, taste).min(0.5 * usual);
    let lead_out_s = lead_out_s(script, taste);
    let slack_s = if script.goes_round() { cycle::SLACK_S } else { 0.0 };
    let duration_s = match wanted_s {
        Some(wanted_s) => wanted_s + lead_in_s + lead_out_s + slack_s,
        None => left_to_itself_s(&beats, &spans).min(frames::LONGEST_S) + slack_s,
    };
    if duration_s < least_s {
        return Err(TooShort { wanted_s: duration_s, least_s, usual_s: usual });
    }
    fit(&mut spans, duration_s);
    let mut overlap_s = 0.0;
    for (place, beat) in beats.iter_mut().enumerate() {
        let (own_s, tail_s) = (spans[place].usual, tails[place]);
        // what is hurried is so from its beginning to its end, what is stretched ends as usual
        let hurry = (own_s / (whole[place].usual - tail_s).max(1e-3)).min(1.0);
        beat.overlap_s = overlap_s;
        overlap_s = hurry * tail_s;
        beat.span_s = own_s + overlap_s;
        beat.share_out(taste);
    }
    let goes_round = script.goes_round();
    Ok(Schedule { beats, begins, duration_s, lead_in_s, lead_out_s, goes_round })
}

/// Nobody hurries through what is told to take its time, or to lead so far.
fn keep_told_times(beats: &[Beat], spans: &mut [Span]) {
    for (beat, span) in beats.iter().zip(spans) {
        if beat.is_told_how_much() {
            span.least = span.usual;
        }
    }
}

/// How long a clip takes whose length is not asked for: what is told to take its time has it, and all else is done
/// within the usual length as long as nobody has to hurry for it.
fn left_to_itself_s(beats: &[Beat], spans: &[Span]) -> f32 {
    let sum = |told: bool, of: fn(&Span) -> f32| -> f32 {
        let spans = beats.iter().zip(spans).filter(|(beat, _)| beat.is_told_how_much() == told);
        spans.map(|(_, span)| of(span)).sum()
    };
    let told_s = sum(true, |span| span.usual);
    let (usual_s, least_s) = (sum(false, |span| span.usual), sum(false, |span| span.least));
    let most_s = (LONGEST_S - told_s).max(UNHURRIED * least_s);
    told_s + usual_s.min(most_s).max((SHORTEST_S - told_s).min(most_s))
}

/// What leads to the first act of a clip that begins in it, or goes round and does not come by it again.
fn lead_in_s(script: &MotionScript, taste: &Taste) -> f32 {
    let first = script.steps.first().map(|step| &step.main);
    let at_once = first.filter(|act| act.measures.at_once || script.goes_round());
    at_once.and_then(|act| acts::lead_in_s(act, &Style::of(act, taste))).unwrap_or(0.0)
}

/// What the last act of a clip ends with that ends in the middle of it.
fn lead_out_s(script: &MotionScript, taste: &Taste) -> f32 {
    let last = script.steps.last().map(|step| &step.main);
    let goes_on = last.filter(|act| act.measures.goes_on);
    goes_on.and_then(|act| acts::lead_out_s(act, &Style::of(act, taste))).unwrap_or(0.0)
}

/// How long a clip of it is whose length is not asked for.
pub(super) fn usual_s(script: &MotionScript, taste: &Taste) -> f32 {
    let (beats, _) = beats(script, taste);
    let mut spans = spans_without_tails(&beats, taste);
    keep_told_times(&beats, &mut spans);
    left_to_itself_s(&beats, &spans)
}

/// The time of each beat until the next one begins.
fn spans_without_tails(beats: &[Beat], taste: &Taste) -> Vec<Span> {
    let spans: Vec<Span> = beats.iter().map(|beat| beat_span(beat, taste)).collect();
    let tails = tails(beats, &spans, taste);
    spans.iter().zip(tails).map(|(span, tail_s)| without(*span, tail_s)).collect()
}

/// In less time not even hurrying would do.
pub(super) fn least_s(script: &MotionScript, taste: &Taste) -> f32 {
    let (beats, _) = beats(script, taste);
    spans_without_tails(&beats, taste).iter().map(|span| span.least).sum()
}

/// How long before its usual end each beat lets the next one begin, seconds.
fn tails(beats: &[Beat], spans: &[Span], taste: &Taste) -> Vec<f32> {
    let tail = |place: usize| {
        let act = beats[place].acts.last()?;
        let after = beats.get(place + 1)?.acts.first()?;
        let (own, next) = (spans[place].usual, spans[place + 1].usual);
        let tail_s = match beats[place].joins.leaves {
            true => acts::overlap_s(act, after, taste),
            false => acts::tail_s(act, after, taste, beats[place].before),
        };
        Some(tail_s.min(MOST_OF_A_BEAT * own).min(MOST_OF_A_BEAT * next))
    };
    (0..beats.len()).map(|place| tail(place).unwrap_or(0.0)).collect()
}

/// The time of a beat until the next one begins, where its tail is left to that.
fn without(span: Span, tail_s: f32) -> Span {
    let share = 1.0 - tail_s / span.usual.max(1e-3);
    Span { least: share * span.least, usual: span.usual - tail_s, most: span.most - tail_s }
}

fn beat_span(beat: &Beat, taste: &Taste) -> Span {
    let mut whole = Span { least: 0.0, usual: 0.0, most: 0.0 };
    let spans = match &beat.acts[..] {
        [alone] => vec![acts::span(alone, taste, beat.before)],
        together => acts::spans_together(together, taste),
    };
    for span in spans {
        whole.least += span.least;
        whole.usual += span.usual;
        whole.most += span.most;
    }
    // what leads on comes to no stop
    let ends = [beat.acts.first(), beat.acts.last()];
    let joins = [Joins { leaves: false, ..beat.joins }, Joins { enters: false, ..beat.joins }];
    for (act, joins) in ends.into_iter().flatten().zip(joins) {
        let saved_s = acts::saved_s(act, taste, joins);
        whole.usual -= saved_s;
        whole.least = (whole.least - saved_s).max(0.5 * whole.least);
        whole.most -= saved_s;
    }
    let free = beat.acts.iter().all(|act| {
        act.action.body() == Body::Locomotion
            && act.action.way() != Way::Turn
            && act.amount.is_none()
    });
    let moves_parts = beat.acts.iter().all(|act| act.action.way() == Way::Body);
    for overlay in &beat.overlays {
        let overlay = &overlay.act;
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
fn beats(script: &MotionScript, taste: &Taste) -> (Vec<Beat>, Posture) {
    let begins = beginning(script);
    let mut posture = begins;
    let mut beats: Vec<Beat> = Vec::new();
    for (place, step) in script.steps.iter().enumerate() {
        let next = script.steps.get(place + 1).map(|step| &step.main);
        let (main, overlays) = legs_first(&step.main, &step.overlays);
        for act in ways_between(&main, posture) {
            let before = posture;
            posture = after(&act, posture);
            beats.push(Beat::new(act, Vec::new(), before));
        }
        let before = posture;
        posture = after(&main, posture);
        let flows = beats.last().is_some_and(|last: &Beat| {
            let stands = last.before == before && before == Posture::Standing;
            stands && acts::flow_together(&last.acts, &main, next)
        });
        match beats.last_mut() {
            Some(last) if flows => last.flow_into(main, overlays),
            _ => beats.push(Beat::new(main, overlays, before)),
        }
    }
    for place in 1..beats.len() {
        let (before, after) = beats.split_at_mut(place);
        let (before, after) = (&mut before[place - 1], &mut after[0]);
        if before.before == Posture::Standing && after.before == Posture::Standing {
            let joins = [&mut before.joins, &mut after.joins];
            acts::join(&before.acts[before.acts.len() - 1], &after.acts[0], taste, joins);
        }
    }
    (beats, begins)
}

/// Whether the body ends in the posture that it begins in.
pub(super) fn comes_back(script: &MotionScript) -> bool {
    let (beats, begins) = beats(script, &Taste::of(Seed(0)));
    let acts = beats.iter().flat_map(|beat| &beat.acts);
    acts.fold(begins, |posture, act| after(act, posture)) == begins
}

/// How the body is after an act.
fn after(act: &Act, posture: Posture) -> Posture {
    if posture == Posture::Crouching && rises_out_of_it(act) {
        return Posture::Standing;
    }
    match act.action.way() {
        Way::SitDown => Posture::Sitting,
        Way::Crouch if !is_repeated(act) => Posture::Crouching,
        Way::StandUp => Posture::Standing,
        Way::Posture => acts::aimed_at(act),
        _ => posture,
    }
}

/// What has to be done before an act can begin: getting up, lying down.
fn ways_between(act: &Act, posture: Posture) -> Vec<Act> {
    let get_up = || Act::new(Action::done(Way::StandUp));
    let wanted = acts::aimed_at(act);
    if wanted == Posture::Sitting {
        return match posture {
            Posture::Sitting => Vec::new(),
            Posture::Standing => vec![Act::new(Action::done(Way::SitDown))],
            _ => vec![get_up(), Act::new(Action::done(Way::SitDown))],
        };
    }
    if wanted == Posture::Crouching {
        return match posture {
            Posture::Crouching => Vec::new(),
            Posture::Standing => vec![Act::new(Action::done(Way::Crouch))],
            _ => vec![get_up(), Act::new(Action::done(Way::Crouch))],
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
        let leads = |act: &Act| act.action.way() == Way::Posture && acts::aimed_at(act) == wanted;
        ways.extend(Action::all().map(Act::new).find(leads));
    }
    ways
}

/// Whoever gets up first must have been sitting; who does push-ups at once is down already, but who
/// waves before stands.
fn beginning(script: &MotionScript) -> Posture {
    let first = script.steps.iter().position(|step| {
        let ways = [Way::SitDown, Way::StandUp, Way::Crouch, Way::Posture, Way::Score];
        let action = step.main.action;
        let changes = action.body() == Body::Whole || action.posture().is_some();
        let is_told = step.main.measures.posture.is_some();
        is_told || needs_standing(&step.main) || ways.contains(&action.way()) && changes
    });
    let at_once = first == Some(0);
    let first = first.map(|place| &script.steps[place].main);
    if let Some(act) = first.filter(|act| at_once && act.measures.at_once) {
        match act.action.way() {
            Way::Posture | Way::SitDown | Way::Crouch => return after(act, Posture::Standing),
            _ => {}
        }
    }
    if let Some(act) = first.filter(|act| at_once && act.measures.posture.is_some()) {
        return acts::aimed_at(act);
    }
    let begins = |act: &Act| act.action.begins().and_then(score::named);
    if let Some(posture) = first.filter(|_| at_once).and_then(begins) {
        return posture;
    }
    match first.map(|act| (act.action.way(), acts::aimed_at(act))) {
        Some((Way::StandUp, _)) => Posture::Sitting,
        Some((Way::Score, posture)) if at_once || posture == Posture::Sitting => posture,
        _ => Posture::Standing,
    }
}

fn is_repeated(act: &Act) -> bool {
    act.count.is_some_and(|count| count > 1)
}

/// Whether an act lifts a crouched body by itself: the push of a jump, the first steps of a walk.
fn rises_out_of_it(act: &Act) -> bool {
    let goes = matches!(act.action.way(), Way::Jump | Way::Gait(_) | Way::Sidestep);
    goes && acts::aimed_at(act) == Posture::Standing
}

/// Whether an act begins with getting up out of a posture.
fn must_get_up(act: &Act, posture: Posture) -> bool {
    match posture {
        Posture::Standing => false,
        Posture::Sitting => needs_standing(act) || act.action.way() == Way::Crouch,
        Posture::Crouching => {
            needs_standing(act) && !rises_out_of_it(act)
                || act.action.way() == Way::Crouch && is_repeated(act)
        }
        Posture::Held(_) => {
            let arms = act.action.body() == Body::Upper && !score::leaves_hands_free(posture);
            let levels = matches!(act.action.way(), Way::SitDown | Way::Crouch);
            needs_standing(act) || levels || arms
        }
    }
}

fn needs_standing(act: &Act) -> bool {
    let action = act.action;
    let stays_low = matches!(action.way(), Way::Idle | Way::SitDown | Way::StandUp | Way::Crouch);
    if acts::aimed_at(act) != Posture::Standing {
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
