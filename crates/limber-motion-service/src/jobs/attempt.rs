//! How far an attempt is, in the hundred steps that clients see.

use std::collections::BTreeMap;

/// The stages of a text-to-motion job, in order, with their share of a hundred
/// (motion-behaviour §5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum StageName {
    Intake,
    Generate,
    Tracking,
    Correction,
    Bvh,
    Bake,
    Finish,
}

impl StageName {
    const ALL: [Self; 7] = [
        Self::Intake,
        Self::Generate,
        Self::Tracking,
        Self::Correction,
        Self::Bvh,
        Self::Bake,
        Self::Finish,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Intake => "intake",
            Self::Generate => "generate",
            Self::Tracking => "tracking",
            Self::Correction => "correction",
            Self::Bvh => "bvh",
            Self::Bake => "bake",
            Self::Finish => "finish",
        }
    }

    const fn weight(self) -> f32 {
        match self {
            Self::Intake => 2.0,
            Self::Generate => 50.0,
            Self::Tracking => 13.0,
            Self::Correction | Self::Bvh | Self::Finish => 5.0,
            Self::Bake => 20.0,
        }
    }

    /// The code of an attempt that stays in this stage for too long.
    pub(crate) const fn timeout_code(self) -> u16 {
        match self {
            Self::Intake | Self::Generate => 599,
            Self::Tracking => 699,
            Self::Correction => 799,
            Self::Bvh => 899,
            Self::Bake | Self::Finish => 999,
        }
    }
}

/// Adds up the shares of all stages of all variants.
#[derive(Debug, Clone)]
pub(crate) struct Progress {
    variants: u32,
    done: BTreeMap<(u32, StageName), f32>,
    highest: u32,
}

impl Progress {
    pub(crate) fn new(variants: u32) -> Self {
        Self { variants: variants.max(1), done: BTreeMap::new(), highest: 1 }
    }

    /// Notes that a stage of a variant is `share` (0 to 1) done, and answers the step: 1 to 99,
    /// never less than before. Earlier stages of the variant count as done.
    pub(crate) fn reach(&mut self, variant: u32, stage: StageName, share: f32) -> u32 {
        for earlier in StageName::ALL.into_iter().filter(|earlier| *earlier < stage) {
            self.done.insert((variant, earlier), 1.0);
        }
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        let known = self.done.entry((variant, stage)).or_insert(0.0);
        *known = known.max(share);
        let sum: f32 = self.done.iter().map(|((_, stage), share)| stage.weight() * share).sum();
        let step = (sum / self.variants as f32).floor() as u32;
        self.highest = self.highest.max(step.clamp(1, 99));
        self.highest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_shares_add_up_to_a_hundred() {
        let sum: f32 = StageName::ALL.iter().map(|stage| stage.weight()).sum();
        assert!((sum - 100.0).abs() < f32::EPSILON);
    }

    #[test]
    fn a_variant_of_two_that_is_done_is_half_the_way() {
        let mut progress = Progress::new(2);
        assert_eq!(progress.reach(1, StageName::Finish, 1.0), 50);
        assert_eq!(progress.reach(2, StageName::Finish, 1.0), 99);
    }

    proptest! {
        #[test]
        fn the_step_never_goes_back(moves in proptest::collection::vec((1u32..4, 0usize..7, -1.0f32..2.0), 0..60)) {
            let mut progress = Progress::new(3);
            let mut before = 0;
            for (variant, stage, share) in moves {
                let step = progress.reach(variant, StageName::ALL[stage], share);
                prop_assert!(step >= before && (1..=99).contains(&step));
                before = step;
            }
        }
    }
}
