//! The schedule: the order of the acts, and the time that each of them gets.

mod act_groups;

use super::{
    acts::{self, Joins, Span},
    cycle, frames,
    motion_plan::Posture,
    style::{Style, VariationParams},
};
use crate::{ActionKind, Body, MotionScript};
pub(super) use act_groups::comes_back;
use act_groups::{ActGroup, act_groups};

/// Minimum and maximum length of a clip without a requested duration, seconds.
const SHORTEST_S: f32 = 1.0;
const LONGEST_S: f32 = 14.0;
/// Maximum share of a group that overlaps the next one.
const MOST_OF_A_BEAT: f32 = 0.45;
/// Without a requested duration, a script too long for the usual maximum takes this multiple of its
/// minimum time.
const UNHURRIED: f32 = 1.2;

/// A script as groups with times, and the posture in which it starts.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) groups: Vec<ActGroup>,
    pub(super) begins: Posture,
    /// Length including the lead-in to the first act, which is cut off if the clip starts in the
    /// middle of it.
    pub(super) duration_s: f32,
    /// How much is cut off at the beginning, seconds.
    pub(super) lead_in_s: f32,
    /// How much is cut off at the end, if the clip ends in the middle of the last act, seconds.
    pub(super) lead_out_s: f32,
    pub(super) goes_round: bool,
}

impl Schedule {
    /// When each step of the script is performed, in seconds after the lead-in: until its act ends
    /// or the next one starts.
    pub(super) fn steps(&self) -> Vec<(usize, f32, f32)> {
        let mut steps: Vec<(usize, f32, f32)> = Vec::new();
        let (mut now, mut open) = (-self.lead_in_s, false);
        for group in &self.groups {
            now -= group.overlap_s;
            for (place, step) in group.steps.iter().enumerate() {
                let (begins, ends) = group.window(place, now);
                if let Some(last) = steps.last_mut().filter(|_| open) {
                    last.2 = last.2.min(begins);
                }
                open = step.is_some();
                steps.extend(step.map(|step| (step, begins, ends)));
            }
            now += group.span_s;
        }
        steps
    }

    /// For a loop that contains all of several acts: the latest start and the earliest end, seconds
    /// after the lead-in. `None` for a single act, of which any part will do.
    pub(super) fn through(&self) -> Option<(f32, f32)> {
        let acts = self.groups.iter().map(|group| group.acts.len()).sum::<usize>();
        let (first, last) = (self.groups.first()?, self.groups.last()?);
        let ends_s: f32 = self.groups.iter().map(|group| group.span_s - group.overlap_s).sum();
        let (_, first_s) = first.window(0, 0.0);
        let last_s = last.span_s - last.window(last.acts.len() - 1, 0.0).0;
        let by_s = 0.3 * first_s - self.lead_in_s;
        (acts > 1).then(|| (by_s.max(0.0), ends_s - 0.4 * last_s - self.lead_in_s))
    }
}

/// Why acts do not fit into a time, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TooShort {
    pub(super) wanted_s: f32,
    /// Hurried, but still correct.
    pub(super) least_s: f32,
    /// The usual time.
    pub(super) usual_s: f32,
}

/// Orders a script and assigns a time to every act. The requested duration is met exactly: holds
/// and repetitions are stretched first, then the tempo, and the rest is spent standing.
///
/// # Errors
/// [`TooShort`] if the time is too short even when hurried.
pub(super) fn schedule(
    script: &MotionScript,
    wanted_s: Option<f32>,
    variation: &VariationParams,
) -> Result<Schedule, TooShort> {
    let (mut groups, begins) = act_groups(script, variation);
    let whole: Vec<Span> = groups.iter().map(|group| group_span(group, variation)).collect();
    let tails = tails(&groups, &whole, variation);
    let mut spans: Vec<Span> =
        whole.iter().zip(&tails).map(|(span, tail_s)| without(*span, *tail_s)).collect();
    let least_s: f32 = spans.iter().map(|span| span.least).sum();
    if wanted_s.is_none() {
        keep_told_times(&groups, &mut spans);
    }
    let usual: f32 = spans.iter().map(|span| span.usual).sum();
    // however short it is, something must remain
    let lead_in_s = lead_in_s(script, variation).min(0.5 * usual);
    let lead_out_s = lead_out_s(script, variation);
    let slack_s = if script.goes_round() { cycle::SLACK_S } else { 0.0 };
    let duration_s = match wanted_s {
        Some(wanted_s) => wanted_s + lead_in_s + lead_out_s + slack_s,
        // without a requested duration, the time is never too short
        None => left_to_itself_s(&groups, &spans).max(least_s).min(frames::LONGEST_S) + slack_s,
    };
    if duration_s < least_s {
        return Err(TooShort { wanted_s: duration_s, least_s, usual_s: usual });
    }
    fit(&mut spans, duration_s);
    let mut overlap_s = 0.0;
    for (place, group) in groups.iter_mut().enumerate() {
        let (own_s, tail_s) = (spans[place].usual, tails[place]);
        // hurried acts are hurried throughout, while stretched ones end as usual
        let hurry = (own_s / (whole[place].usual - tail_s).max(1e-3)).min(1.0);
        group.overlap_s = overlap_s;
        overlap_s = hurry * tail_s;
        group.span_s = own_s + overlap_s;
        group.share_out(variation);
    }
    let goes_round = script.goes_round();
    Ok(Schedule { groups, begins, duration_s, lead_in_s, lead_out_s, goes_round })
}

/// Keeps the times of acts whose duration or distance is given.
fn keep_told_times(groups: &[ActGroup], spans: &mut [Span]) {
    for (group, span) in groups.iter().zip(spans) {
        if group.has_explicit_amount() {
            span.least = span.usual;
        }
    }
}

/// Length of a clip without a requested duration: acts with a given duration get it, and the others
/// fit within the usual length as long as they need not be hurried.
fn left_to_itself_s(groups: &[ActGroup], spans: &[Span]) -> f32 {
    let sum = |told: bool, of: fn(&Span) -> f32| -> f32 {
        let spans =
            groups.iter().zip(spans).filter(|(group, _)| group.has_explicit_amount() == told);
        spans.map(|(_, span)| of(span)).sum()
    };
    let told_s = sum(true, |span| span.usual);
    let (usual_s, least_s) = (sum(false, |span| span.usual), sum(false, |span| span.least));
    let most_s = (LONGEST_S - told_s).max(UNHURRIED * least_s);
    told_s + usual_s.min(most_s).max((SHORTEST_S - told_s).min(most_s))
}

/// Duration of the lead-in to the first act, for a clip that starts in the middle of it, or for a
/// loop, which does not include it.
fn lead_in_s(script: &MotionScript, variation: &VariationParams) -> f32 {
    let first = script.steps.first().map(|step| &step.main);
    let at_once = first.filter(|act| act.measures.at_once || script.goes_round());
    at_once.and_then(|act| acts::lead_in_s(act, &Style::of(act, variation))).unwrap_or(0.0)
}

/// Duration of the last act's ending, for a clip that ends in the middle of it.
fn lead_out_s(script: &MotionScript, variation: &VariationParams) -> f32 {
    let last = script.steps.last().map(|step| &step.main);
    let goes_on = last.filter(|act| act.measures.goes_on);
    goes_on.and_then(|act| acts::lead_out_s(act, &Style::of(act, variation))).unwrap_or(0.0)
}

/// The length of a clip without a requested duration.
pub(super) fn usual_s(script: &MotionScript, variation: &VariationParams) -> f32 {
    let (groups, _) = act_groups(script, variation);
    let mut spans = spans_without_tails(&groups, variation);
    keep_told_times(&groups, &mut spans);
    left_to_itself_s(&groups, &spans)
}

/// The time of each group until the next one starts.
fn spans_without_tails(groups: &[ActGroup], variation: &VariationParams) -> Vec<Span> {
    let spans: Vec<Span> = groups.iter().map(|group| group_span(group, variation)).collect();
    let tails = tails(groups, &spans, variation);
    spans.iter().zip(tails).map(|(span, tail_s)| without(*span, tail_s)).collect()
}

/// The minimum time, even when hurried.
pub(super) fn least_s(script: &MotionScript, variation: &VariationParams) -> f32 {
    let (groups, _) = act_groups(script, variation);
    spans_without_tails(&groups, variation).iter().map(|span| span.least).sum()
}

/// How long before its usual end each group lets the next one start, seconds.
fn tails(groups: &[ActGroup], spans: &[Span], variation: &VariationParams) -> Vec<f32> {
    let tail = |place: usize| {
        let act = groups[place].acts.last()?;
        let after = groups.get(place + 1)?.acts.first()?;
        let (own, next) = (spans[place].usual, spans[place + 1].usual);
        let tail_s = match groups[place].joins.leaves {
            true => acts::overlap_s(act, after, variation),
            false => {
                acts::tail_s(act, after, variation, (groups[place].before, groups[place].joins))
            }
        };
        Some(tail_s.min(MOST_OF_A_BEAT * own).min(MOST_OF_A_BEAT * next))
    };
    (0..groups.len()).map(|place| tail(place).unwrap_or(0.0)).collect()
}

/// The time of a group without its tail, which overlaps the next one.
fn without(span: Span, tail_s: f32) -> Span {
    let share = 1.0 - tail_s / span.usual.max(1e-3);
    Span { least: share * span.least, usual: span.usual - tail_s, most: span.most - tail_s }
}

fn group_span(group: &ActGroup, variation: &VariationParams) -> Span {
    let mut whole = Span { least: 0.0, usual: 0.0, most: 0.0 };
    let spans = match &group.acts[..] {
        [alone] => vec![acts::span(alone, variation, group.before)],
        together => acts::spans_together(together, variation),
    };
    for span in spans {
        whole.least += span.least;
        whole.usual += span.usual;
        whole.most += span.most;
    }
    // acts that lead into others do not stop
    let ends = [group.acts.first(), group.acts.last()];
    let joins = [
        Joins { leaves: false, cut: false, ..group.joins },
        Joins { enters: false, ..group.joins },
    ];
    for (act, joins) in ends.into_iter().flatten().zip(joins) {
        let saved_s = acts::saved_s(act, variation, joins);
        whole.usual -= saved_s;
        whole.least = (whole.least - saved_s).max(0.5 * whole.least);
        whole.most -= saved_s;
    }
    let free = group.acts.iter().all(|act| {
        act.action.body() == Body::Locomotion
            && act.action.kind() != ActionKind::Turn
            && act.amount.is_none()
    });
    let moves_parts = group.acts.iter().all(|act| act.action.kind() == ActionKind::Body);
    for overlay in &group.overlays {
        let overlay = &overlay.act;
        let span = acts::span(overlay, variation, group.before);
        whole.least = whole.least.max(span.least);
        if free {
            whole.usual = whole.usual.max(span.usual + 1.0);
        } else if overlay.action.kind() == ActionKind::Body && moves_parts {
            whole.usual = whole.usual.max(span.usual);
        }
    }
    whole.most = whole.most.max(whole.usual);
    whole
}

/// Adjusts the usual times so that they add up to the duration, as far as the spans allow.
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

/// Distributes additional time equally, up to the maximum of each group.
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
