//! Beats: what is done at one time, in order, with getting up wherever somebody who sits or crouches has to move on.

use crate::{
    Act, Action, Body, MotionScript, Seed, Way,
    composer::{
        acts::{self, Joins, Span},
        score,
        stage::Posture,
        style::Taste,
    },
};

/// Acts that happen at one time.
#[derive(Debug, Clone)]
pub(in crate::composer) struct Beat {
    /// What the legs do; several acts flow into each other.
    pub(in crate::composer) acts: Vec<Act>,
    /// For each of `acts` the step of the script that it is; `None` for what only leads there.
    pub(in crate::composer) steps: Vec<Option<usize>>,
    pub(in crate::composer) overlays: Vec<Overlay>,
    /// When each act begins and ends, as shares of the beat.
    pub(super) shares: Vec<(f32, f32)>,
    /// How the body is when it begins.
    pub(super) before: Posture,
    pub(in crate::composer) span_s: f32,
    /// How long before the end of the beat before it begins: what comes next begins while arms and trunk
    /// are still on their way home.
    pub(in crate::composer) overlap_s: f32,
    /// Whether it goes on from what comes before, and leads into what comes next, without a stop.
    pub(in crate::composer) joins: Joins,
}

/// What is done along with some of a beat's acts.
#[derive(Debug, Clone)]
pub(in crate::composer) struct Overlay {
    pub(in crate::composer) act: Act,
    /// The first and the last of the beat's acts that it goes along with.
    along: (usize, usize),
}

impl Beat {
    fn new(act: Act, step: Option<usize>, overlays: Vec<Act>, before: Posture) -> Self {
        let along = |act| Overlay { act, along: (0, 0) };
        Self {
            acts: vec![act],
            steps: vec![step],
            overlays: overlays.into_iter().map(along).collect(),
            shares: vec![(0.0, 1.0)],
            before,
            span_s: 0.0,
            overlap_s: 0.0,
            joins: Joins::default(),
        }
    }

    /// Lets an act follow without a stop. What was done along with the last one and is again goes on.
    fn flow_into(&mut self, act: Act, step: usize, overlays: Vec<Act>) {
        let place = self.acts.len();
        self.acts.push(act);
        self.steps.push(Some(step));
        for act in overlays {
            let goes_on = |old: &&mut Overlay| old.along.1 + 1 == place && old.act == act;
            match self.overlays.iter_mut().find(goes_on) {
                Some(old) => old.along.1 = place,
                None => self.overlays.push(Overlay { act, along: (place, place) }),
            }
        }
    }

    /// Sets when each act begins and ends by how long they take beside each other.
    pub(super) fn share_out(&mut self, taste: &Taste) {
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
    pub(in crate::composer) fn window(&self, place: usize, from_s: f32) -> (f32, f32) {
        let (begins, ends) = self.shares[place];
        (from_s + begins * self.span_s, from_s + ends * self.span_s)
    }

    /// When an overlay begins and ends, of a beat that begins then.
    pub(in crate::composer) fn window_of(&self, overlay: &Overlay, from_s: f32) -> (f32, f32) {
        let (first, last) = overlay.along;
        (self.window(first, from_s).0, self.window(last, from_s).1)
    }

    /// Whether somebody said how long it takes, or how far it leads.
    pub(super) fn is_told_how_much(&self) -> bool {
        let overlays = self.overlays.iter().map(|overlay| &overlay.act);
        self.acts.iter().chain(overlays).any(|act| act.amount.is_some())
    }
}

/// The acts in order, with getting up wherever somebody who sits or crouches has to move on.
pub(in crate::composer) fn beats(script: &MotionScript, taste: &Taste) -> (Vec<Beat>, Posture) {
    let begins = beginning(script);
    let mut posture = begins;
    let mut beats: Vec<Beat> = Vec::new();
    for (place, step) in script.steps.iter().enumerate() {
        let next = script.steps.get(place + 1).map(|step| &step.main);
        let (main, overlays) = legs_first(&step.main, &step.overlays);
        if is_there(&main, posture) && overlays.is_empty() && !beats.is_empty() {
            continue;
        }
        for act in ways_between(&main, posture) {
            let before = posture;
            posture = after(&act, posture);
            beats.push(Beat::new(act, None, Vec::new(), before));
        }
        let before = posture;
        posture = after(&main, posture);
        let flows = beats.last().is_some_and(|last: &Beat| {
            let stands = last.before == before && before == Posture::Standing;
            stands && acts::flow_together(&last.acts, &main, next)
        });
        match beats.last_mut() {
            Some(last) if flows => last.flow_into(main, place, overlays),
            _ => beats.push(Beat::new(main, Some(place), overlays, before)),
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

/// Whether an act only leads to the posture that the body is in already.
fn is_there(act: &Act, posture: Posture) -> bool {
    let leads = matches!(act.action.way(), Way::Posture | Way::SitDown);
    leads && posture != Posture::Standing && after(act, posture) == posture && act.amount.is_none()
}

/// Whether the body ends in the posture that it begins in.
pub(in crate::composer) fn comes_back(script: &MotionScript) -> bool {
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
