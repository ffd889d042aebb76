//! The stages of the pipeline and progress through them.

use crate::ErrorCode;

/// A stage of the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// S0: checks the request.
    Intake,
    /// S1: the engine generates the canonical clip.
    Generate,
    /// S2: contacts, floor, limits of the body.
    Tracking,
    /// S3: filtering, foot locking, root; retargeting to the character.
    Correction,
    /// S4: writes the BVH.
    Bvh,
    /// S5: writes and verifies the GLB.
    Bake,
    /// Names and metrics.
    Finish,
    /// S6: loads the character of a video.
    Load,
    /// S6: renders and encodes the frames of a video.
    Frames,
    /// S6: finishes and stores a video.
    Encode,
}

impl Stage {
    /// The stages of a motion, in order.
    pub const ALL: [Self; 7] = [
        Self::Intake,
        Self::Generate,
        Self::Tracking,
        Self::Correction,
        Self::Bvh,
        Self::Bake,
        Self::Finish,
    ];
    /// The stages of a video, in order.
    pub const VIDEO: [Self; 3] = [Self::Load, Self::Frames, Self::Encode];

    /// Returns the sequence of stages that this one belongs to.
    const fn sequence(self) -> &'static [Self] {
        match self {
            Self::Load | Self::Frames | Self::Encode => &Self::VIDEO,
            _ => &Self::ALL,
        }
    }

    /// Returns the stage of a sequence, [`Self::ALL`] or [`Self::VIDEO`], at an overall percentage:
    /// the inverse of [`Progress::percent`], for clients that only know the percentage.
    #[must_use]
    pub fn at(stages: &[Self], percent: f32) -> Option<Self> {
        let mut end = 0.0;
        let reached = stages.iter().find(|stage| {
            end += f32::from(stage.weight());
            percent < end
        });
        reached.or(stages.last()).copied()
    }

    /// Returns the share of the stage in the whole, in percent. The stages of a motion add up to
    /// 100, and so do those of a video.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::Intake => 2,
            Self::Generate => 50,
            Self::Tracking => 13,
            Self::Correction | Self::Bvh | Self::Finish | Self::Load => 5,
            Self::Bake => 20,
            Self::Frames => 85,
            Self::Encode => 10,
        }
    }

    /// Returns the time limit per variant in seconds; `None` if there is none. The limit of a video
    /// depends on its length: see `VideoRequest::limit_s`.
    #[must_use]
    pub const fn limit_s(self) -> Option<u32> {
        match self {
            Self::Generate => Some(300),
            Self::Tracking | Self::Bake => Some(120),
            Self::Correction => Some(60),
            Self::Bvh => Some(30),
            Self::Intake | Self::Finish | Self::Load | Self::Frames | Self::Encode => None,
        }
    }

    /// Returns the error code of a job that exceeded [`Self::limit_s`].
    #[must_use]
    pub const fn timeout_code(self) -> ErrorCode {
        match self {
            Self::Generate => ErrorCode::GENERATE_TIMEOUT,
            Self::Tracking => ErrorCode::TRACKING_TIMEOUT,
            Self::Correction => ErrorCode::CORRECTION_TIMEOUT,
            Self::Bvh => ErrorCode::BVH_TIMEOUT,
            Self::Bake => ErrorCode::BAKE_TIMEOUT,
            Self::Intake | Self::Finish | Self::Load | Self::Frames | Self::Encode => {
                ErrorCode::STUCK
            }
        }
    }

    /// Returns the name for logs and progress lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intake => "intake",
            Self::Generate => "generate",
            Self::Tracking => "tracking",
            Self::Correction => "correction",
            Self::Bvh => "bvh",
            Self::Bake => "bake",
            Self::Finish => "finish",
            Self::Load => "load",
            Self::Frames => "frames",
            Self::Encode => "encode",
        }
    }
}

/// The progress of a job.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// The fraction of this stage that is done, 0 to 1.
    pub share: f32,
}

impl Progress {
    /// Returns the overall progress in percent, 0 to 100. Never decreases during a job.
    #[must_use]
    pub fn percent(self) -> f32 {
        let before: u8 = self
            .stage
            .sequence()
            .iter()
            .filter(|stage| **stage < self.stage)
            .map(|stage| stage.weight())
            .sum();
        f32::from(before) + f32::from(self.stage.weight()) * self.share.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_leads_back_to_its_stage() {
        for stages in [&Stage::ALL[..], &Stage::VIDEO] {
            for stage in stages {
                let half = Progress { stage: *stage, share: 0.5 }.percent();
                assert_eq!(Stage::at(stages, half), Some(*stage));
            }
            assert_eq!(Stage::at(stages, 100.0), stages.last().copied());
        }
    }

    #[test]
    fn the_stages_make_a_hundred_percent_in_order() {
        for stages in [&Stage::ALL[..], &Stage::VIDEO] {
            assert_eq!(stages.iter().map(|stage| u32::from(stage.weight())).sum::<u32>(), 100);
            let last = stages[stages.len() - 1];
            let done = Progress { stage: last, share: 1.0 };
            assert!((done.percent() - 100.0).abs() < f32::EPSILON);
            for pair in stages.windows(2) {
                let end = Progress { stage: pair[0], share: 1.0 }.percent();
                let next = Progress { stage: pair[1], share: 0.0 };
                assert!((next.percent() - end).abs() < f32::EPSILON);
            }
        }
    }
}
