//! The composer: the engine that makes procedural motion from footsteps, key poses and contacts.
//!
//! ```text
//! script ──schedule──▶ groups ──acts──▶ plan (feet, course, dials, arm goals) ──play──▶ poses
//! ```
//! Acts write to a motion plan and never deal with frames. Playing the plan puts the pelvis over
//! the weight-bearing feet, solves legs and arms by inverse kinematics, and adds idle motion;
//! finally every pose gets a face. Feet stay where they are planted because the rest of the body is
//! placed around them.

mod acts;
mod arms;
mod channels;
mod check;
mod cycle;
mod face;
mod feet;
mod fit;
mod floor;
mod frames;
mod gait;
mod hands;
mod life;
mod limb;
mod motion_plan;
mod performance;
mod rig;
mod schedule;
mod score;
mod sides;
mod style;

use std::sync::Arc;

use limber_animation::{Clip, Fps, Seconds, canonical_skeleton};
use limber_script::{Message, Script};

use crate::{
    Act, Action, ActionFault, ActionKind, AddedActions, Amount, Cancel, EngineError, EngineInfo,
    GeneratedMotion, LeftOut, MotionEngine, MotionRequest, MotionScript, OnlyBeginning,
    PerformedStep, Prompt, Seed, Step, Tempo, Understood, engine::milliseconds, language,
    performable, understand, vocabulary::Repertoire,
};
pub use check::impossible_in;
use motion_plan::{MotionPlan, Posture};
use schedule::{Schedule, TooShort};
pub(crate) use score::{Score, added_scores};
use style::{Style, VariationParams};

/// Version of the engine, which changes whenever the same seed gives a different clip.
const VERSION: u32 = 13;

/// Acceleration due to gravity, m/s².
const GRAVITY_M_S2: f32 = 9.81;

/// Minimum length of a clip, seconds.
const SHORTEST_S: Seconds = 0.1;

/// Number of variations that are tried before a faulty clip is rejected.
const TRIES: u32 = 3;

/// Number of times that snaps of the last variation are smoothed.
const SMOOTHING_ROUNDS: u32 = 3;

/// The composer with the built-in actions. It is stateless; the same seed gives the same bits.
#[derive(Debug, Clone, Copy, Default)]
pub struct Composer;

impl Composer {
    /// Makes a clip of a script: on the canonical skeleton, at 30 fps, with contacts, starting with
    /// the hips over x = z = 0 and facing +Z. `duration_s` is met exactly, to the nearest frame.
    /// Without it the acts take their usual time, 1 to 10 seconds in total, and more only if they
    /// would not fit.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`], or [`EngineError::Failed`] if the acts do not fit into the
    /// duration or the duration is not within 0.1 to 120 seconds.
    pub fn compose(
        &self,
        script: &MotionScript,
        duration_s: Option<Seconds>,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Clip, EngineError> {
        self.performed(script, duration_s, seed, cancel, progress).map(|performed| performed.clip)
    }

    /// [`Self::compose`] that also returns when each step is performed.
    fn performed(
        self,
        script: &MotionScript,
        duration_s: Option<Seconds>,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Performed, EngineError> {
        let round_s = round_s(script);
        // the motion that a cycle is cut from is longer, and the act fills it
        let filling = round_s.map(|_| without_seconds(script));
        let script = filling.as_ref().unwrap_or(script);
        let duration_s = duration_s.or(round_s);
        let allowed = SHORTEST_S..=frames::LONGEST_S;
        if duration_s.is_some_and(|duration_s| !allowed.contains(&duration_s)) {
            return Err(EngineError::Failed(Message::ClipLength {
                least_ms: milliseconds(SHORTEST_S),
                most_ms: milliseconds(frames::LONGEST_S),
            }));
        }
        if script.steps.is_empty() {
            return Err(EngineError::Failed(Message::EmptyScript));
        }
        let mut reached = -1.0;
        let mut onward = |amount: f32| {
            // progress does not go back when another attempt starts
            if amount > reached {
                reached = amount;
                progress(amount);
            }
        };
        onward(0.0);
        let mut fault = String::new();
        for try_number in 1..=TRIES {
            // where one variation snaps, another may not
            let last = try_number == TRIES;
            let seed = seed.for_try(try_number);
            match perform(script, duration_s, (seed, last), cancel, &mut onward)? {
                Ok(performed) => return Ok(performed),
                Err(found) => fault = found,
            }
        }
        Err(EngineError::Failed(format!("{fault}; ask for another variant or more seconds").into()))
    }

    /// Performs an action once in its usual time, for authors of actions. It also reports faults
    /// that other clips avoid by another attempt.
    #[must_use]
    pub fn rehearse(&self, action: Action, seed: Seed) -> Rehearsal {
        let steps = vec![Step { main: Act::new(action), overlays: Vec::new() }];
        let (script, cancel) = (MotionScript { steps }, Cancel::default());
        let mut faults = Vec::new();
        let made = match perform(&script, None, (seed, false), &cancel, &mut |_| {}) {
            Ok(Ok(performed)) => Ok(performed.clip),
            Ok(Err(fault)) => {
                faults.push(fault);
                self.compose(&script, None, seed, &cancel, &mut |_| {})
            }
            Err(error) => Err(error),
        };
        let seconds = made.as_ref().ok().map(Clip::duration_s);
        match made {
            Ok(clip) => faults.extend(impossible_in(&clip)),
            Err(error) => faults.push(error.to_string()),
        }
        Rehearsal { seconds, faults }
    }
}

/// Result of performing an action once.
#[derive(Debug, Clone, PartialEq)]
pub struct Rehearsal {
    /// Length of the clip, seconds; `None` if there is no clip.
    pub seconds: Option<Seconds>,
    /// Faults that no clip may have and this one has, in sentences.
    pub faults: Vec<String>,
}

/// The requested length of one cycle of a looping clip, seconds: *a walk, four seconds, looped*. A
/// length that no clip can have becomes the nearest one that it can.
fn round_s(script: &MotionScript) -> Option<Seconds> {
    match &script.steps[..] {
        [only] if script.goes_round() => match only.main.amount {
            Some(Amount::Seconds(seconds)) => Some(seconds.clamp(SHORTEST_S, frames::LONGEST_S)),
            _ => None,
        },
        _ => None,
    }
}

/// A script of one step without the time that it should take.
fn without_seconds(script: &MotionScript) -> MotionScript {
    let mut script = script.clone();
    for step in &mut script.steps {
        step.main.amount = None;
    }
    script
}

/// A clip, and when each step of its script is performed.
struct Performed {
    clip: Clip,
    /// Empty if frames were rearranged, as in a looping clip.
    steps: Vec<PerformedStep>,
}

/// When each step is performed, in frames of a clip with this many frames.
fn steps_in_frames(schedule: &Schedule, count: usize) -> Vec<PerformedStep> {
    if schedule.goes_round {
        return Vec::new();
    }
    let frame = |time_s: f32| frames::first_frame(time_s).min(count);
    let steps = schedule.steps().into_iter();
    let steps = steps
        .map(|(step, from_s, to_s)| PerformedStep { step, frames: frame(from_s)..frame(to_s) });
    steps.filter(|performed| !performed.frames.is_empty()).collect()
}

/// One attempt with one variation. The inner error is a fault that no clip may have. In the last
/// attempt, remaining snaps are smoothed.
fn perform(
    script: &MotionScript,
    duration_s: Option<Seconds>,
    (seed, is_last): (Seed, bool),
    cancel: &Cancel,
    progress: &mut dyn FnMut(f32),
) -> Result<Result<Performed, String>, EngineError> {
    let variation = VariationParams::of(seed);
    let (script, mirrored) = sides::right_handed(script, variation.other_side);
    let schedule = schedule::schedule(&script, duration_s, &variation).map_err(too_short)?;
    let plan = rehearse(&schedule, variation, cancel)?;
    progress(0.2);
    let mut mark = |amount: f32| progress(0.2 + 0.75 * amount);
    let (mut poses, mut contacts) = performance::play(plan, cancel, &mut mark)?;
    face::wear(&mut poses, &schedule, seed);
    let cut = frames::frame_count(schedule.duration_s)
        - frames::frame_count(schedule.duration_s - schedule.lead_in_s);
    if cut > 0 {
        poses.drain(..cut);
        contacts.drain(..cut);
        performance::start_over_the_origin(&mut poses);
    }
    let mut made_s = schedule.duration_s - schedule.lead_in_s - schedule.lead_out_s;
    if schedule.lead_out_s > 0.0 {
        poses.truncate(frames::frame_count(made_s));
        contacts.truncate(poses.len());
    }
    if script.goes_round() {
        let through = schedule.through();
        let round = cycle::cut(&poses, &contacts, duration_s, through);
        (poses, contacts) = (round.poses, round.contacts);
        made_s = duration_s.unwrap_or(poses.len() as f32 * frames::FRAME_S);
    }
    floor::raise_free_feet(&canonical_skeleton(), &mut poses, &contacts);
    for round in 1..=if is_last { SMOOTHING_ROUNDS } else { 0 } {
        if check::fault(&poses, made_s).is_none() {
            break;
        }
        check::lead_through_snaps(&mut poses, &mut contacts);
        // raising a foot that smoothing has lowered may be another snap, and no clip at all is worse
        // than a foot that dips into the floor for some frames
        if round < SMOOTHING_ROUNDS {
            floor::raise_free_feet(&canonical_skeleton(), &mut poses, &contacts);
        }
    }
    if let Some(fault) = check::fault(&poses, made_s) {
        return Ok(Err(fault));
    }
    let clip = Clip::new(canonical_skeleton(), Fps::DEFAULT, poses)
        .and_then(|clip| clip.with_contacts(contacts))
        .map_err(|error| EngineError::Failed(error.to_string().into()))?;
    progress(1.0);
    let steps = steps_in_frames(&schedule, clip.len());
    Ok(Ok(Performed { clip: if mirrored { clip.mirrored() } else { clip }, steps }))
}

fn too_short(time: TooShort) -> EngineError {
    // a time that is sufficient for every seed, in half seconds
    let enough_s = (2.0 * 1.1 * time.least_s).ceil() / 2.0;
    EngineError::Failed(Message::TooShort {
        wanted_ms: milliseconds(time.wanted_s),
        usual_s: time.usual_s.round() as u32,
        enough_ms: milliseconds(enough_s),
    })
}

/// Whether an action can be performed at another height than usual.
pub(crate) fn has_heights(action: Action) -> bool {
    score::has_heights(action) || action.kind() == ActionKind::Kick
}

/// Whether an action is cyclic, that is, consists of repetitions.
pub(crate) fn has_rounds(action: Action) -> bool {
    score::round_s(action).is_some()
}

/// Distance covered by one repetition of a cyclic action that travels, metres.
pub(crate) fn round_m(action: Action) -> Option<f32> {
    score::round_m(action)
}

/// The tempo at which an act has this many repetitions, or steps, per minute; `None` if it is not
/// cyclic or a body cannot be that fast or slow.
pub(crate) fn tempo_at(act: &Act, per_minute: f32) -> Option<f32> {
    let wanted_s = 60.0 / per_minute;
    let round_s = |tempo: f32| match act.action.kind() {
        ActionKind::Gait(_) => {
            let act = Act { tempo: Tempo(tempo), ..act.clone() };
            Some(gait::Gait::of(&act, &Style::of(&act, &VariationParams::of(Seed(0)))).step_s)
        }
        _ => score::round_s(act.action).map(|usual_s| usual_s / tempo),
    };
    // the duration decreases with tempo, so find it by bisection
    let (mut slow, mut fast) = (0.35, 2.5);
    if !(round_s(fast)?..=round_s(slow)?).contains(&wanted_s) {
        return None;
    }
    for _ in 0..16 {
        let middle = 0.5 * (slow + fast);
        if round_s(middle)? > wanted_s { slow = middle } else { fast = middle }
    }
    Some((500.0 * (slow + fast)).round() / 1000.0)
}

/// Whether an action by itself leaves the body in this posture.
pub(crate) fn leads_to(action: Action, posture: limber_script::Posture) -> bool {
    use limber_script::Posture as Said;
    match action.kind() {
        ActionKind::SitDown => posture == Said::SeatedOnChair,
        ActionKind::Crouch => posture == Said::Crouched,
        ActionKind::StandUp => posture == Said::Standing,
        _ => acts::posture_of(posture) == Some(acts::aimed_at(&Act::new(action))),
    }
}

/// The action that leads to a posture.
pub(crate) fn way_to(posture: limber_script::Posture) -> Option<Action> {
    match acts::posture_of(posture)? {
        Posture::Standing => None,
        Posture::Sitting => Some(Action::done(ActionKind::SitDown)),
        Posture::Crouching => Some(Action::done(ActionKind::Crouch)),
        Posture::Held(_) => Action::all()
            .filter(|action| action.kind() == ActionKind::Posture && action.synonym_of().is_none())
            .find(|action| leads_to(*action, posture)),
    }
}

/// Whether the body can be in this posture during other actions.
pub(crate) fn can_be_in(posture: limber_script::Posture) -> bool {
    acts::posture_of(posture).is_some()
}

/// Whether a clip can begin in the middle of this act.
pub(crate) fn can_begin_in(act: &Act) -> bool {
    acts::lead_in_s(act, &Style::of(act, &VariationParams::of(Seed(0)))).is_some()
}

/// Whether a clip can end in the middle of this act.
pub(crate) fn can_go_on(act: &Act) -> bool {
    acts::lead_out_s(act, &Style::of(act, &VariationParams::of(Seed(0)))).is_some()
}

/// Whether the body stays in the final pose of this action by default: sitting, kneeling, lying.
pub(crate) fn stays_by_itself(action: Action) -> bool {
    matches!(
        action.kind(),
        ActionKind::SitDown | ActionKind::Posture | ActionKind::Crouch | ActionKind::Idle
    )
}

/// Whether the body ends in the posture in which a script starts.
pub(crate) fn comes_back(script: &MotionScript) -> bool {
    schedule::comes_back(script)
}

/// Whether an action defined by a score leads away from where it starts.
pub(crate) fn goes_onward(action: Action) -> bool {
    score::goes_onward(action)
}

/// Lets every act write to a motion plan.
fn rehearse(
    schedule: &Schedule,
    variation: VariationParams,
    cancel: &Cancel,
) -> Result<MotionPlan, EngineError> {
    let mut plan = MotionPlan::new(frames::frame_count(schedule.duration_s), variation);
    acts::begin(&mut plan, schedule.begins);
    plan.is_under_way = schedule.lead_in_s > 0.0;
    plan.goes_round = schedule.goes_round;
    let last = schedule.groups.len() - 1;
    for (i, group) in schedule.groups.iter().enumerate() {
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        plan.now -= group.overlap_s;
        let from_s = plan.now;
        for (j, act) in group.acts.iter().enumerate() {
            let style = Style::of(act, &variation);
            let (begins, ends) = group.window(j, from_s);
            let is_last = i == last && j + 1 == group.acts.len();
            plan.wear(
                &style,
                if i == 0 && j == 0 { -1.0 } else { begins },
                if is_last { ends.max(schedule.duration_s) + 1.0 } else { ends },
            );
        }
        acts::perform(&mut plan, &group.acts, group.span_s, group.joins);
        for overlay in &group.overlays {
            let style = Style::of(&overlay.act, &variation);
            let (begins, ends) = group.window_of(overlay, from_s);
            acts::overlay(&mut plan, &overlay.act, &style, begins, ends);
        }
        plan.is_under_way = true;
    }
    let rest = (plan.now, schedule.duration_s);
    acts::rest(&mut plan, rest.0, rest.1);
    Ok(plan)
}

/// Faults of the scores in use, in sentences, for their authors.
#[must_use]
pub fn faults_of_scores() -> Vec<String> {
    score::faults().iter().map(ActionFault::to_string).collect()
}

/// Whether there is a posture with this name.
pub(crate) fn has_posture(name: &str) -> bool {
    score::named(name).is_some()
}

impl MotionEngine for Composer {
    fn describe(&self) -> EngineInfo {
        EngineInfo { name: "composer", version: VERSION }
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        understand(prompt)
    }

    fn understand_script(
        &self,
        script: &Script,
    ) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
        steps_of(&Repertoire::default(), script)
    }

    fn only_beginning(
        &self,
        script: &MotionScript,
        duration_s: Seconds,
        seed: Seed,
    ) -> Option<OnlyBeginning> {
        fit::only_beginning(script, duration_s, seed)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        generate(self, request, seed, cancel, progress)
    }
}

/// The composer with custom actions in addition to the built-in ones. Cheap to clone.
///
/// Prompts that use none of the custom actions give the same clips as with [`Composer`].
#[derive(Debug, Clone)]
pub struct ComposerWith {
    actions: Arc<AddedActions>,
}

impl ComposerWith {
    /// A composer with these custom actions.
    #[must_use]
    pub fn new(actions: AddedActions) -> Self {
        Self { actions: Arc::new(actions) }
    }
}

impl MotionEngine for ComposerWith {
    fn describe(&self) -> EngineInfo {
        EngineInfo { name: "composer with added actions", version: VERSION }
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        language::understand_with(self.actions.lexicon(), prompt)
    }

    fn understand_script(
        &self,
        script: &Script,
    ) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
        steps_of(self.actions.lexicon().repertoire(), script)
    }

    fn only_beginning(
        &self,
        script: &MotionScript,
        duration_s: Seconds,
        seed: Seed,
    ) -> Option<OnlyBeginning> {
        fit::only_beginning(script, duration_s, seed)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        generate(self, request, seed, cancel, progress)
    }
}

/// The steps of a script, if a clip can hold them.
fn steps_of(
    repertoire: &Repertoire,
    script: &Script,
) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
    let (steps, left_out) = performable::steps_of(repertoire, script)?;
    fit::within_a_clip(&steps)?;
    Ok((steps, left_out))
}

/// Implements `generate` for both composers.
fn generate(
    engine: &dyn MotionEngine,
    request: &MotionRequest,
    seed: Seed,
    cancel: &Cancel,
    progress: &mut dyn FnMut(f32),
) -> Result<GeneratedMotion, EngineError> {
    let (script, mut warnings) = match &request.script {
        Some(script) => {
            let script = script.clone().overridden_by(request.ends);
            let (steps, left_out) = engine.understand_script(&script)?;
            let told = left_out.iter().map(|left| left.message(&script)).collect::<Vec<_>>();
            (steps, told)
        }
        None => {
            let understood = engine.understand(&request.prompt)?.with_ends(request.ends);
            (understood.script, understood.warnings)
        }
    };
    let Some(wanted_s) = request.duration_s.or_else(|| round_s(&script)) else {
        let Performed { clip, steps } =
            Composer.performed(&script, None, seed, cancel, progress)?;
        return Ok(GeneratedMotion { clip, script, steps, warnings });
    };
    let mut reached = -1.0;
    let mut onward = |amount: f32| {
        // progress does not go back for the replacement
        if amount > reached {
            reached = amount;
            progress(amount);
        }
    };
    let (Performed { clip, steps }, only) =
        fit::performed(&script, wanted_s, seed, cancel, &mut onward)?;
    warnings.extend(only.map(Message::from));
    Ok(GeneratedMotion { clip, script, steps, warnings })
}
