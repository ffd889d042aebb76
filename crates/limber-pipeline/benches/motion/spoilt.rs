//! Tests the evaluation rules: clips that obey are degraded in seven ways, and the rules must
//! detect it.

use limber_animation::Clip;
use limber_bench::verdict;
use limber_judge::{Body, Count, Expected, degrade};
use limber_pipeline::{Cancel, Composer, Prompt, Seed};
use limber_text_to_motion::{MotionScript, understand};

use crate::prompts;

/// Minimum fraction of degraded clips that must be detected.
const LEAST_CAUGHT: f32 = 0.95;
/// Seed of the clips that are degraded.
const SEED: Seed = Seed(1);
/// Number of other prompts against which each prompt's clip is evaluated.
const OTHERS: usize = 6;

/// A prompt whose clip obeys.
struct Honest {
    expected: &'static Expected,
    script: MotionScript,
    clip: Clip,
}

/// A degraded clip, and a note to print if it goes undetected.
struct Spoilt {
    clip: Clip,
    how: String,
}

impl From<Clip> for Spoilt {
    fn from(clip: Clip) -> Self {
        Self { clip, how: String::new() }
    }
}

/// Prints the detection rate of every kind. Returns whether all meet the target.
pub(crate) fn judge() -> bool {
    let honest: Vec<Honest> = prompts().filter_map(honest).collect();
    println!(
        "\nspoilt clips of {} prompts that obey, target ≥ {:.0} % caught",
        honest.len(),
        100.0 * LEAST_CAUGHT
    );
    let mut met = true;
    met &= row("mirrored", &honest, |one| {
        if one.expected.tells_sides() {
            vec![degrade::mirrored(&one.clip).into()]
        } else {
            Vec::new()
        }
    });
    met &= row("one more", &honest, |one| counted(one, 1));
    met &= row("one fewer", &honest, |one| counted(one, -1));
    met &= row("steps swapped", &honest, swapped);
    met &= row("played backwards", &honest, |one| {
        if one.expected.tells_travel() {
            vec![degrade::backwards(&one.clip).into()]
        } else {
            Vec::new()
        }
    });
    met &= row("turned about", &honest, |one| {
        if one.expected.tells_travel() && !one.expected.turns() {
            vec![degrade::turned_about(&one.clip).into()]
        } else {
            Vec::new()
        }
    });
    met &= row("frozen", &honest, |one| vec![degrade::frozen(&one.clip).into()]);
    met & row("another action", &honest, |one| others(one, &honest))
}

fn compose(script: &MotionScript) -> Option<Clip> {
    Composer.compose(script, None, SEED, &Cancel::default(), &mut |_| {}).ok()
}

fn honest(expected: &'static Expected) -> Option<Honest> {
    let script = understand(&Prompt::parse(&expected.say).ok()?).ok()?.script;
    let clip = compose(&script)?;
    expected.judge(&Body::of(&clip)).is_obeyed().then_some(Honest { expected, script, clip })
}

/// Degrades every clip in one way and prints how many were detected.
fn row(name: &str, honest: &[Honest], spoil: impl Fn(&Honest) -> Vec<Spoilt>) -> bool {
    let (mut made, mut missed) = (0_usize, Vec::new());
    for one in honest {
        for spoilt in spoil(one) {
            made += 1;
            if one.expected.judge(&Body::of(&spoilt.clip)).is_obeyed() {
                missed.push(format!("`{}`{}", one.expected.say, spoilt.how));
            }
        }
    }
    let caught = made - missed.len();
    let share = caught as f32 / made.max(1) as f32;
    let met = made > 0 && share >= LEAST_CAUGHT;
    println!("  {name:<18} {caught:>5} of {made:>5}  {:>5.1} %  {}", 100.0 * share, verdict(met));
    for passed in missed {
        println!("    passed: {passed}");
    }
    met
}

/// Returns clips with one repetition more or fewer, for prompts that state a number.
fn counted(one: &Honest, change: i64) -> Vec<Spoilt> {
    let mut found = Vec::new();
    if one.script.steps.len() != one.expected.see.len() {
        return found;
    }
    for (place, step) in one.expected.see.iter().enumerate() {
        let Some(Count::Exactly(count)) = step.count else { continue };
        let other = u32::try_from(i64::try_from(count).unwrap_or(0) + change).unwrap_or(0);
        if other == 0 {
            continue;
        }
        let mut script = one.script.clone();
        script.steps[place].main.count = Some(other);
        found.extend(compose(&script).map(Spoilt::from));
    }
    found
}

/// Returns the clip with its steps in reverse order.
fn swapped(one: &Honest) -> Vec<Spoilt> {
    let deeds: Vec<_> =
        one.expected.see.iter().map(|step| (step.deed, step.side, step.way)).collect();
    let same = deeds.iter().eq(deeds.iter().rev());
    if !one.expected.tells_order() || one.script.steps.len() < 2 || same {
        return Vec::new();
    }
    let mut script = one.script.clone();
    script.steps.reverse();
    compose(&script).map(Spoilt::from).into_iter().collect()
}

/// Returns clips of dissimilar prompts from the whole set.
fn others(one: &Honest, honest: &[Honest]) -> Vec<Spoilt> {
    let own = honest.iter().position(|other| std::ptr::eq(other, one)).unwrap_or(0);
    (1..honest.len())
        // the step has no factor in common with most lengths, so that it visits all families
        .map(|step| &honest[(own + 37 * step) % honest.len()])
        .filter(|other| !one.expected.resembles(other.expected))
        .take(OTHERS)
        .map(|other| Spoilt {
            clip: other.clip.clone(),
            how: format!(" by `{}`", other.expected.say),
        })
        .collect()
}
