//! Groups of simultaneous acts in order, with getting up inserted where a sitting or
//! crouching body has to move on.

use crate::{
    Act, Action, ActionKind, Body, MotionScript, Seed,
    composer::{
        acts::{self, Joins, Span},
        motion_plan::Posture,
        score,
        style::VariationParams,
    },
};

/// Acts that are performed at one time.
#[derive(Debug, Clone)]
pub(in crate::composer) struct ActGroup {
    /// The acts of the legs; several are joined without a stop.
    pub(in crate::composer) acts: Vec<Act>,
    /// For each of `acts`, the index of its step in the script; `None` for inserted transitions.
    pub(in crate::composer) steps: Vec<Option<usize>>,
    pub(in crate::composer) overlays: Vec<Overlay>,
    /// Start and end of each act, as shares of the group.
    pub(super) shares: Vec<(f32, f32)>,
    /// The posture at the beginning.
    pub(super) before: Posture,
    pub(in crate::composer) span_s: f32,
    /// How long before the end of the previous group it starts, seconds: the next act starts while
    /// arms and trunk are still returning.
    pub(in crate::composer) overlap_s: f32,
    /// Whether it joins the previous and the next group without a stop.
    pub(in crate::composer) joins: Joins,
}

/// An act that is layered over some of a group's acts.
#[derive(Debug, Clone)]
pub(in crate::composer) struct Overlay {
    pub(in crate::composer) act: Act,
    /// Indices of the first and the last act that it accompanies.
    along: (usize, usize),
}

impl ActGroup {
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

    /// Appends an act without a stop. An overlay of the last act that is repeated continues.
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

    /// Sets start and end of each act from their relative durations.
    pub(super) fn share_out(&mut self, variation: &VariationParams) {
        if self.acts.len() < 2 {
            return;
        }
        let spans = acts::spans_together(&self.acts, variation);
        let whole: f32 = spans.iter().map(|span| span.usual).sum();
        let mut done = 0.0;
        let share = |span: &Span| {
            let begins = done / whole;
            done += span.usual;
            (begins, done / whole)
        };
        self.shares = spans.iter().map(share).collect();
    }

    /// Start and end of an act of a group that starts at `from_s`.
    pub(in crate::composer) fn window(&self, place: usize, from_s: f32) -> (f32, f32) {
        let (begins, ends) = self.shares[place];
        (from_s + begins * self.span_s, from_s + ends * self.span_s)
    }

    /// Start and end of an overlay of a group that starts at `from_s`.
    pub(in crate::composer) fn window_of(&self, overlay: &Overlay, from_s: f32) -> (f32, f32) {
        let (first, last) = overlay.along;
        (self.window(first, from_s).0, self.window(last, from_s).1)
    }

    /// Whether a duration or distance is given.
    pub(super) fn has_explicit_amount(&self) -> bool {
        let overlays = self.overlays.iter().map(|overlay| &overlay.act);
        self.acts.iter().chain(overlays).any(|act| act.amount.is_some())
    }
}

/// The groups of a script and the posture in which it starts, with getting up inserted where a
/// sitting or crouching body has to move on.
pub(in crate::composer) fn act_groups(
    script: &MotionScript,
    variation: &VariationParams,
) -> (Vec<ActGroup>, Posture) {
    let begins = beginning(script);
    let mut posture = begins;
    let mut groups: Vec<ActGroup> = Vec::new();
    for (place, step) in script.steps.iter().enumerate() {
        let next = script.steps.get(place + 1).map(|step| &step.main);
        let (mut main, overlays) = legs_first(&step.main, &step.overlays);
        let last = groups.last().and_then(|last| last.acts.last());
        if last.is_some_and(acts::runs_ahead) && posture == Posture::Standing {
            main.action = main.action.running().unwrap_or(main.action);
        }
        if is_there(&main, posture) && overlays.is_empty() && !groups.is_empty() {
            continue;
        }
        for act in ways_between(&main, posture) {
            let before = posture;
            posture = after(&act, posture);
            groups.push(ActGroup::new(act, None, Vec::new(), before));
        }
        let before = posture;
        posture = after(&main, posture);
        let flows = groups.last().is_some_and(|last: &ActGroup| {
            let stands = last.before == before && before == Posture::Standing;
            stands && acts::flow_together(&last.acts, &main, next)
        });
        match groups.last_mut() {
            Some(last) if flows => last.flow_into(main, place, overlays),
            _ => groups.push(ActGroup::new(main, Some(place), overlays, before)),
        }
    }
    for place in 1..groups.len() {
        let (before, after) = groups.split_at_mut(place);
        let (before, after) = (&mut before[place - 1], &mut after[0]);
        if before.before == Posture::Standing && after.before == Posture::Standing {
            let joins = [&mut before.joins, &mut after.joins];
            acts::join(&before.acts[before.acts.len() - 1], &after.acts[0], variation, joins);
        }
    }
    (groups, begins)
}

/// Whether an act only leads to the posture in which the body already is.
fn is_there(act: &Act, posture: Posture) -> bool {
    let leads = matches!(act.action.kind(), ActionKind::Posture | ActionKind::SitDown);
    leads && posture != Posture::Standing && after(act, posture) == posture && act.amount.is_none()
}

/// Whether the body ends in the posture in which it starts.
pub(in crate::composer) fn comes_back(script: &MotionScript) -> bool {
    let (groups, begins) = act_groups(script, &VariationParams::of(Seed(0)));
    let acts = groups.iter().flat_map(|group| &group.acts);
    acts.fold(begins, |posture, act| after(act, posture)) == begins
}

/// The posture after an act.
fn after(act: &Act, posture: Posture) -> Posture {
    if posture == Posture::Crouching && rises_out_of_it(act) {
        return Posture::Standing;
    }
    match act.action.kind() {
        ActionKind::SitDown => Posture::Sitting,
        ActionKind::Crouch if !is_repeated(act) => Posture::Crouching,
        ActionKind::StandUp => Posture::Standing,
        ActionKind::Posture => acts::aimed_at(act),
        _ => posture,
    }
}

/// The transitions that must come before an act: getting up, lying down.
fn ways_between(act: &Act, posture: Posture) -> Vec<Act> {
    let get_up = || Act::new(Action::done(ActionKind::StandUp));
    let wanted = acts::aimed_at(act);
    if wanted == Posture::Sitting {
        return match posture {
            Posture::Sitting => Vec::new(),
            Posture::Standing => vec![Act::new(Action::done(ActionKind::SitDown))],
            _ => vec![get_up(), Act::new(Action::done(ActionKind::SitDown))],
        };
    }
    if wanted == Posture::Crouching {
        return match posture {
            Posture::Crouching => Vec::new(),
            Posture::Standing => vec![Act::new(Action::done(ActionKind::Crouch))],
            _ => vec![get_up(), Act::new(Action::done(ActionKind::Crouch))],
        };
    }
    if !matches!(wanted, Posture::Held(_)) {
        return if must_get_up(act, posture) { vec![get_up()] } else { Vec::new() };
    }
    // whoever landed on one knee and one fist stays so: that is kneeling on one knee
    if act.action.posture().is_none() && score::is_like(posture, wanted) {
        return Vec::new();
    }
    let mut ways = Vec::new();
    if matches!(posture, Posture::Sitting | Posture::Crouching) {
        ways.push(get_up());
    }
    if act.action.kind() != ActionKind::Posture && posture != wanted {
        let leads =
            |act: &Act| act.action.kind() == ActionKind::Posture && acts::aimed_at(act) == wanted;
        ways.extend(Action::all().map(Act::new).find(leads));
    }
    ways
}

/// The posture in which a script starts. If it starts with getting up, the body is sitting; if it
/// starts with push-ups, the body is already down; but if it starts with waving, the body is
/// standing.
fn beginning(script: &MotionScript) -> Posture {
    let first = script.steps.iter().position(|step| {
        let ways = [
            ActionKind::SitDown,
            ActionKind::StandUp,
            ActionKind::Crouch,
            ActionKind::Posture,
            ActionKind::Score,
        ];
        let action = step.main.action;
        let changes = action.body() == Body::Whole || action.posture().is_some();
        let is_told = step.main.measures.posture.is_some();
        is_told || needs_standing(&step.main) || ways.contains(&action.kind()) && changes
    });
    let at_once = first == Some(0);
    let first = first.map(|place| &script.steps[place].main);
    if let Some(act) = first.filter(|act| at_once && act.measures.at_once) {
        match act.action.kind() {
            ActionKind::Posture | ActionKind::SitDown | ActionKind::Crouch => {
                return after(act, Posture::Standing);
            }
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
    match first.map(|act| (act.action.kind(), acts::aimed_at(act))) {
        Some((ActionKind::StandUp, _)) => Posture::Sitting,
        Some((ActionKind::Score, posture)) if at_once || posture == Posture::Sitting => posture,
        _ => Posture::Standing,
    }
}

fn is_repeated(act: &Act) -> bool {
    act.count.is_some_and(|count| count > 1)
}

/// Whether an act itself raises a crouching body: the push of a jump, the first steps of a walk.
fn rises_out_of_it(act: &Act) -> bool {
    let goes =
        matches!(act.action.kind(), ActionKind::Jump | ActionKind::Gait(_) | ActionKind::Sidestep);
    goes && acts::aimed_at(act) == Posture::Standing
}

/// Whether the body must get up out of a posture before an act.
fn must_get_up(act: &Act, posture: Posture) -> bool {
    match posture {
        Posture::Standing => false,
        Posture::Sitting => needs_standing(act) || act.action.kind() == ActionKind::Crouch,
        Posture::Crouching => {
            needs_standing(act) && !rises_out_of_it(act)
                || act.action.kind() == ActionKind::Crouch && is_repeated(act)
        }
        Posture::Held(_) => {
            let arms = act.action.body() == Body::Upper && !score::leaves_hands_free(posture);
            let levels = matches!(act.action.kind(), ActionKind::SitDown | ActionKind::Crouch);
            needs_standing(act) || levels || arms
        }
    }
}

fn needs_standing(act: &Act) -> bool {
    let action = act.action;
    let stays_low = matches!(
        action.kind(),
        ActionKind::Idle | ActionKind::SitDown | ActionKind::StandUp | ActionKind::Crouch
    );
    if acts::aimed_at(act) != Posture::Standing {
        return false;
    }
    let moves_legs = matches!(action.body(), Body::Locomotion | Body::Whole);
    moves_legs && !stays_low || action.kind() == ActionKind::Punch
}

/// Makes the act that moves the legs the main one, whatever the order in the sentence.
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
