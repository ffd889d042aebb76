//! What making clips more like people's costs, and whether it costs anything else.

use std::time::Instant;

use limber_animation::Clip;
use limber_bench::verdict;
use limber_cleanup::measure;
use limber_judge::{Body, Expected};
use limber_pipeline::{
    Cancel, CanonicalClip, Composer, Prompt, Request, Seed, Strength, canonical_to_bytes, make,
};

use crate::prompts;

/// Seconds of work per second of motion, the choice between both clips included.
const MOST_COST: f32 = 0.1;
/// Reading the weights, milliseconds.
const MOST_LOAD_MS: f32 = 150.0;
/// What feet may do in the mean: speed while they stand, cm/s.
const MOST_SKATE_CM_S: f32 = 0.5;

/// What one kind of clips shows.
#[derive(Default)]
struct Seen {
    obeyed: usize,
    skate_cm_s: f32,
    jerk_m_s3: f32,
    spent_s: f32,
}

impl Seen {
    fn add(&mut self, clip: &Clip, expected: &Expected, spent_s: f32) {
        let measured = measure(clip);
        self.obeyed += usize::from(expected.judge(&Body::of(clip)).is_obeyed());
        self.skate_cm_s += measured.foot_skate_cm_s;
        self.jerk_m_s3 += measured.jerk_m_s3;
        self.spent_s += spent_s;
    }
}

/// Both kinds, clip beside clip.
#[derive(Default)]
struct Tally {
    plain: Seen,
    moved: Seen,
    clips: usize,
    /// Where the judge kept the engine's own.
    stayed: usize,
    /// Whose bits are others when they are made again.
    differing: usize,
    motion_s: f32,
}

/// Makes all prompts plain and at full strength, seed 1; whether nothing is lost and the time is kept.
pub(crate) fn judge() -> bool {
    let load_ms = load_ms();
    let mut tally = Tally::default();
    println!("\nnaturalised at full strength, all prompts, seed 1");
    for expected in prompts() {
        tally.add(expected);
    }
    tally.print(load_ms)
}

/// What the first clip takes longer than the same again.
fn load_ms() -> f32 {
    let spent_s = || timed("a person waves", Strength::FULL).map_or(0.0, |(_, spent_s)| spent_s);
    let first_s = spent_s();
    1000.0 * (first_s - spent_s()).max(0.0)
}

impl Tally {
    fn add(&mut self, expected: &Expected) {
        let both = [Strength::NONE, Strength::FULL].map(|strength| timed(&expected.say, strength));
        let [Some((was, was_s)), Some((is, is_s))] = both else { return };
        self.clips += 1;
        self.motion_s += was.clip.duration_s();
        let why = is.meta.naturalised.as_ref().and_then(|done| done.kept_plain.as_deref());
        if let Some(why) = why {
            self.stayed += 1;
            println!("    (plain: `{}`: {why})", expected.say);
        }
        self.plain.add(&was.clip, expected, was_s);
        self.moved.add(&is.clip, expected, is_s);
        let again = timed(&expected.say, Strength::FULL).map(|(again, _)| again);
        let same = again.is_some_and(|again| canonical_to_bytes(&again) == canonical_to_bytes(&is));
        self.differing += usize::from(!same);
    }

    fn print(&self, load_ms: f32) -> bool {
        let Self { plain, moved, clips, stayed, differing, motion_s } = self;
        let count = (*clips).max(1) as f32;
        let cost = (moved.spent_s - plain.spent_s) / motion_s.max(1.0);
        // a debug build is no measure
        let quick = (cost <= MOST_COST && load_ms <= MOST_LOAD_MS) || cfg!(debug_assertions);
        let obeys = moved.obeyed >= plain.obeyed;
        let stands = moved.skate_cm_s / count <= MOST_SKATE_CM_S;
        println!("  {clips} clips, {stayed} stayed plain");
        println!(
            "  obey        {} plain, {} naturalised, {}",
            plain.obeyed,
            moved.obeyed,
            verdict(obeys)
        );
        println!(
            "  skate cm/s  {:.2} plain, {:.2} naturalised, target ≤ {MOST_SKATE_CM_S}, {}",
            plain.skate_cm_s / count,
            moved.skate_cm_s / count,
            verdict(stands)
        );
        println!(
            "  jerk m/s³   {:.0} plain, {:.0} naturalised",
            plain.jerk_m_s3 / count,
            moved.jerk_m_s3 / count
        );
        println!(
            "  cost        {:.1} ms per second of motion, target ≤ {:.0}; load {load_ms:.0} ms, target \
             ≤ {MOST_LOAD_MS:.0}, {}",
            1000.0 * cost,
            1000.0 * MOST_COST,
            verdict(quick)
        );
        println!("  other bits when made again: {differing}, {}", verdict(*differing == 0));
        quick && obeys && stands && *differing == 0
    }
}

/// A kept clip and how long it took.
fn timed(prompt: &str, naturalising: Strength) -> Option<(CanonicalClip, f32)> {
    let request = Request { naturalising, ..Request::new(Prompt::parse(prompt).ok()?, Seed(1)) };
    #[expect(clippy::disallowed_methods, reason = "a benchmark is about time")]
    let started = Instant::now();
    let made = make(&request, &Composer, &Cancel::default(), &mut |_| {}).ok()?;
    Some((made, started.elapsed().as_secs_f32()))
}
