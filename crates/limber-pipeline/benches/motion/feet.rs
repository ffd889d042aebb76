//! Evaluates the feet on the meshes of two characters, and the time it takes to make clips of set
//! lengths.

use std::sync::Arc;

use glam::Vec3;
use limber_animation::{Character, Clip, ContactPoint, HumanBone, Side};
use limber_bench::{all_or, verdict};
use limber_cleanup::{ClipMetrics, contacts_of, measure_on_mesh};
use limber_pipeline::{
    Cancel, CanonicalClip, Composer, Options, Prompt, Request, Seed, Stage, derive, make,
};

use crate::{prompts, totals::StageClock};

const MOST_SKATE_CM_S: f32 = 0.5;
const MOST_SKATE_RATIO: f32 = 0.01;
/// The ball of a weight-bearing foot that is faster than this skates, in m/s.
const SKATING_M_S: f32 = 0.2;
const MOST_DEPTH_MM: f32 = 5.0;
const MOST_FLOAT_MM: f32 = 5.0;
/// (length of a clip in seconds, maximum time from the prompt to the corrected clip in
/// milliseconds)
const LENGTHS: [(f32, f32); 2] = [(6.0, 150.0), (60.0, 1500.0)];
/// Prompts for the timing: walking feet, standing feet, both.
const TIMED: [&str; 4] = [
    "a person walks forward",
    "a person dances",
    "a person waves with the right hand",
    "a person walks forward, then sits down",
];

/// Evaluates the feet of all characters and the timing. Returns whether all targets are met.
pub(crate) fn judge(characters: &[Arc<Character>]) -> bool {
    println!(
        "\nfeet on the skin, all prompts, seed 1: mean (worst clip)\n{:<12} {:>20} {:>18} {:>18} {:>18}",
        "character", "skate cm/s", "skate ratio", "depth mm", "float mm"
    );
    let made: Vec<CanonicalClip> =
        prompts().filter_map(|expected| kept(&expected.say, None, 1)).collect();
    let stood =
        characters.iter().map(|character| feet(character, &made)).filter(|met| !met).count();
    let timed =
        all_or(LENGTHS, 1).filter(|(length_s, most)| !cost(*length_s, *most, &characters[0]));
    (stood == 0) & (timed.count() == 0)
}

/// Generates the canonical clip of a prompt.
pub(crate) fn kept(prompt: &str, length_s: Option<f32>, seed: u64) -> Option<CanonicalClip> {
    let request =
        Request { duration_s: length_s, ..Request::new(Prompt::parse(prompt).ok()?, Seed(seed)) };
    make(&request, &Composer, &Cancel::default(), &mut |_| {}).ok()
}

/// Prints the row of one character. Returns whether its feet meet the targets.
fn feet(character: &Arc<Character>, made: &[CanonicalClip]) -> bool {
    let options = Options { formats: Vec::new(), ..Options::default() };
    let seen: Vec<ClipMetrics> = made
        .iter()
        .filter_map(|clip| {
            derive(clip, character, 1, &options, &Cancel::default(), &mut |_| {}).ok()
        })
        .map(|output| ClipMetrics {
            skate_ratio: skate_ratio(&output.clip),
            ..measure_on_mesh(&output.clip, character)
        })
        .collect();
    let of = |read: fn(&ClipMetrics) -> f32| {
        let values: Vec<f32> = seen.iter().map(read).collect();
        let mean = values.iter().sum::<f32>() / values.len().max(1) as f32;
        (mean, values.into_iter().fold(0.0, f32::max))
    };
    let skate = of(|seen| seen.foot_skate_cm_s);
    let ratio = of(|seen| seen.skate_ratio);
    let depth = of(|seen| seen.penetration_mm);
    let float = of(|seen| seen.float_mm);
    let met = skate.0 <= MOST_SKATE_CM_S
        && ratio.0 <= MOST_SKATE_RATIO
        && depth.1 <= MOST_DEPTH_MM
        && float.0 <= MOST_FLOAT_MM;
    println!(
        "{:<12} {:>12.2} ({:>5.2}) {:>10.4} ({:>5.3}) {:>10.2} ({:>5.1}) {:>10.2} ({:>5.1})  {}",
        character.name,
        skate.0,
        skate.1,
        ratio.0,
        ratio.1,
        depth.0,
        depth.1,
        float.0,
        float.1,
        verdict(met)
    );
    println!(
        "{:<12} {:>20} {:>18} {:>18} {:>18}",
        "target",
        format!("mean ≤ {MOST_SKATE_CM_S}"),
        format!("mean ≤ {MOST_SKATE_RATIO}"),
        format!("worst ≤ {MOST_DEPTH_MM}"),
        format!("mean ≤ {MOST_FLOAT_MM}")
    );
    met
}

/// Returns the fraction of the frames with the ball of a foot in contact in which it moves faster
/// than [`SKATING_M_S`]. Feet that are merely near the floor, as in a swing phase, do not count.
fn skate_ratio(clip: &Clip) -> f32 {
    let contacts = contacts_of(clip);
    let (mut bears, mut skates) = (0_usize, 0_usize);
    for side in Side::BOTH {
        let point = ContactPoint::Toe(side);
        let [.., ball] = HumanBone::leg(side);
        let Some(ball) = clip.skeleton().find(ball) else { continue };
        let places: Vec<Vec3> =
            clip.frames().iter().map(|pose| clip.skeleton().world(pose).position(ball)).collect();
        for frame in 1..clip.len() {
            if contacts[frame - 1].has(point) && contacts[frame].has(point) {
                let way = places[frame] - places[frame - 1];
                bears += 1;
                skates += usize::from(way.x.hypot(way.z) * clip.fps().per_second() > SKATING_M_S);
            }
        }
    }
    skates as f32 / bears.max(1) as f32
}

/// Prints how long clips of a length take up to the corrected clip. Returns whether the target is
/// met.
fn cost(length_s: f32, most_ms: f32, character: &Arc<Character>) -> bool {
    let options = Options { formats: Vec::new(), ..Options::default() };
    let spent = all_or(TIMED, 1).filter_map(|prompt| {
        let request = Request {
            duration_s: Some(length_s),
            ..Request::new(Prompt::parse(prompt).ok()?, Seed(1))
        };
        let mut clock = StageClock::new();
        let mut hear = |progress| clock.hear(progress);
        let clip = make(&request, &Composer, &Cancel::default(), &mut hear).ok()?;
        derive(&clip, character, 1, &options, &Cancel::default(), &mut hear).ok()?;
        let stages = [Stage::Intake, Stage::Generate, Stage::Tracking, Stage::Correction];
        Some(1000.0 * stages.into_iter().map(|stage| clock.spent_s(stage)).sum::<f32>())
    });
    let worst = spent.fold(0.0, f32::max);
    // timings of a debug build mean nothing
    let met = worst <= most_ms || cfg!(debug_assertions);
    println!(
        "clip of {length_s:>2} s, from the prompt to the corrected clip, slowest of {}: {worst:>7.1} ms, \
         target ≤ {most_ms:.0} ms, {}",
        TIMED.len(),
        verdict(met)
    );
    met
}
