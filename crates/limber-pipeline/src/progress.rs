//! Where on the road the work is.

use crate::ErrorCode;

/// A stretch of the road.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// S0: the request is looked at.
    Intake,
    /// S1: the engine makes the canonical clip.
    Generate,
    /// S2: contacts, floor, limits of the body.
    Tracking,
    /// S3: filter, foot lock, root; carried onto the character.
    Correction,
    /// S4: the BVH.
    Bvh,
    /// S5: the GLB, and its check.
    Bake,
    /// Names and metrics.
    Finish,
    /// S6: the character of a film is brought before the camera.
    Load,
    /// S6: its pictures are drawn and packed.
    Frames,
    /// S6: the film's end is written, and it is put away.
    Encode,
}

impl Stage {
    /// Those of a motion, in the order they are walked.
    pub const ALL: [Self; 7] = [
        Self::Intake,
        Self::Generate,
        Self::Tracking,
        Self::Correction,
        Self::Bvh,
        Self::Bake,
        Self::Finish,
    ];
    /// Those of a film, in the order they are walked.
    pub const FILM: [Self; 3] = [Self::Load, Self::Frames, Self::Encode];

    /// The stages that this one is walked among.
    const fn road(self) -> &'static [Self] {
        match self {
            Self::Load | Self::Frames | Self::Encode => &Self::FILM,
            _ => &Self::ALL,
        }
    }

    /// The stage of a road, [`Self::ALL`] or [`Self::FILM`], that a percentage of the whole is in: the
    /// way back from [`Progress::percent`], for those who are told nothing else.
    #[must_use]
    pub fn at(road: &[Self], percent: f32) -> Option<Self> {
        let mut end = 0.0;
        let reached = road.iter().find(|stage| {
            end += f32::from(stage.weight());
            percent < end
        });
        reached.or(road.last()).copied()
    }

    /// Its share of the whole in percent; those of a motion make 100, and those of a film.
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

    /// How long it may take per variant, seconds; `None` where nobody waits. Films take as long as
    /// they are: see `film::limit_s`.
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

    /// The code of a job that ran into [`Self::limit_s`].
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

    /// One word for logs and progress lines.
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

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of this stage is done, 0 to 1.
    pub share: f32,
}

impl Progress {
    /// How much of the whole is done, 0 to 100. Never decreases on the way.
    #[must_use]
    pub fn percent(self) -> f32 {
        let before: u8 = self
            .stage
            .road()
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
        for road in [&Stage::ALL[..], &Stage::FILM] {
            for stage in road {
                let half = Progress { stage: *stage, share: 0.5 }.percent();
                assert_eq!(Stage::at(road, half), Some(*stage));
            }
            assert_eq!(Stage::at(road, 100.0), road.last().copied());
        }
    }

    #[test]
    fn the_stages_make_a_hundred_percent_in_order() {
        for road in [&Stage::ALL[..], &Stage::FILM] {
            assert_eq!(road.iter().map(|stage| u32::from(stage.weight())).sum::<u32>(), 100);
            let last = road[road.len() - 1];
            let done = Progress { stage: last, share: 1.0 };
            assert!((done.percent() - 100.0).abs() < f32::EPSILON);
            for pair in road.windows(2) {
                let end = Progress { stage: pair[0], share: 1.0 }.percent();
                let next = Progress { stage: pair[1], share: 0.0 };
                assert!((next.percent() - end).abs() < f32::EPSILON);
            }
        }
    }
}
