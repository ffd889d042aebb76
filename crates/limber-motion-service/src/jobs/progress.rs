//! Progress of a job, in the percentage that clients see.

use std::collections::BTreeMap;

use limber_pipeline::Progress;

/// Combines the progress of all variants, each with an equal share.
#[derive(Debug, Clone)]
pub(crate) struct JobProgress {
    variants: u32,
    percent: BTreeMap<u32, f32>,
    highest: u32,
}

impl JobProgress {
    pub(crate) fn new(variants: u32) -> Self {
        Self { variants: variants.max(1), percent: BTreeMap::new(), highest: 1 }
    }

    /// Records the progress of a variant.
    pub(crate) fn reach(&mut self, variant: u32, progress: Progress) {
        let percent = progress.percent();
        self.note(variant, if percent.is_finite() { percent } else { 0.0 });
    }

    /// Records that a variant is done.
    pub(crate) fn finish(&mut self, variant: u32) {
        self.note(variant, 100.0);
    }

    /// Returns 1 to 99; never decreases.
    pub(crate) const fn step(&self) -> u32 {
        self.highest
    }

    fn note(&mut self, variant: u32, percent: f32) {
        let known = self.percent.entry(variant).or_insert(0.0);
        *known = known.max(percent);
        let sum: f32 = self.percent.values().sum();
        let step = (sum / self.variants as f32).floor() as u32;
        self.highest = self.highest.max(step.clamp(1, 99));
    }
}

#[cfg(test)]
mod tests {
    use limber_pipeline::Stage;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_of_two_variants_done_is_half_the_progress() {
        let mut progress = JobProgress::new(2);
        assert_eq!(progress.step(), 1);
        progress.reach(1, Progress { stage: Stage::Finish, share: 1.0 });
        assert_eq!(progress.step(), 50);
        progress.finish(2);
        assert_eq!(progress.step(), 99);
    }

    proptest! {
        #[test]
        fn the_step_never_goes_back(
            moves in proptest::collection::vec((1u32..4, 0usize..7, -1.0f32..2.0), 0..60)
        ) {
            let mut progress = JobProgress::new(3);
            let mut before = 1;
            for (variant, stage, share) in moves {
                progress.reach(variant, Progress { stage: Stage::ALL[stage], share });
                prop_assert!(progress.step() >= before && (1..=99).contains(&progress.step()));
                before = progress.step();
            }
        }
    }
}
