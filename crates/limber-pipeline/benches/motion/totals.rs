//! Totals over the clips of the prompt set: what the physics stage corrected, and the cost of each
//! stage.

use std::time::Instant;

use limber_bench::verdict;
use limber_pipeline::{Metrics, Progress, Stage};

/// Maximum fraction of frames with self-penetration.
const MOST_SELF_PENETRATION: f32 = 0.01;

/// Sums up physics corrections and stage costs over all clips.
#[derive(Default)]
pub(crate) struct Totals {
    clips: f32,
    motion_s: f32,
    before: f32,
    after: f32,
    worst: f32,
    beyond_deg: f32,
    /// The prompts of the clips with the worst self-penetration and the largest violation of joint
    /// limits.
    worst_prompt: String,
    beyond_prompt: String,
    stages_s: [f32; Stage::ALL.len()],
}

/// Measures how long each stage of one clip takes.
pub(crate) struct StageClock {
    started: Instant,
    spent_s: [f32; Stage::ALL.len()],
}

impl StageClock {
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), spent_s: [0.0; Stage::ALL.len()] }
    }

    /// Returns the duration of a stage in seconds.
    pub(crate) const fn spent_s(&self, stage: Stage) -> f32 {
        self.spent_s[stage as usize]
    }

    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    pub(crate) fn hear(&mut self, progress: Progress) {
        if progress.share <= 0.0 {
            self.started = Instant::now();
        } else if progress.share >= 1.0 {
            self.spent_s[progress.stage as usize] = self.started.elapsed().as_secs_f32();
        }
    }
}

impl Totals {
    pub(crate) fn add(&mut self, metrics: &Metrics, clock: &StageClock, prompt: &str) {
        self.clips += 1.0;
        self.motion_s += metrics.duration_s;
        for (sum, spent_s) in self.stages_s.iter_mut().zip(clock.spent_s) {
            *sum += spent_s;
        }
        if let Some(physics) = metrics.physics {
            self.before += physics.before.self_penetration;
            self.after += physics.after.self_penetration;
            if physics.after.self_penetration > self.worst {
                self.worst = physics.after.self_penetration;
                prompt.clone_into(&mut self.worst_prompt);
            }
            if physics.after.beyond_limits_deg > self.beyond_deg {
                self.beyond_deg = physics.after.beyond_limits_deg;
                prompt.clone_into(&mut self.beyond_prompt);
            }
        }
    }

    /// Prints the rows. Returns whether self-penetration is within its target.
    pub(crate) fn print(&self) -> bool {
        let clips = self.clips.max(1.0);
        println!("\ncost per stage, ms per second of motion:");
        for stage in Stage::ALL {
            let cost_ms = 1000.0 * self.stages_s[stage as usize] / self.motion_s.max(1.0);
            println!("  {:<12} {cost_ms:>8.2}", stage.name());
        }
        let (before, after) = (self.before / clips, self.after / clips);
        let met = after <= MOST_SELF_PENETRATION;
        println!(
            "frames in which the body is over a centimetre in itself: {:.2} % before, {:.2} % after \
             (worst clip {:.1} %, `{}`), target ≤ {:.0} %, {}; beyond limits at most {:.1}° (`{}`)",
            100.0 * before,
            100.0 * after,
            100.0 * self.worst,
            self.worst_prompt,
            100.0 * MOST_SELF_PENETRATION,
            verdict(met),
            self.beyond_deg,
            self.beyond_prompt,
        );
        met
    }
}
