//! Converts between frames of a clip's files and frames of its canonical clip.

use crate::CanonicalClip;

/// The frame rate of a clip's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRate(u32);

impl FileRate {
    /// Creates a rate; 0 is treated as one frame per second.
    #[must_use]
    pub fn new(fps: u32) -> Self {
        Self(fps.max(1))
    }

    /// Converts a time or duration to frames of the canonical clip. Whole frames are exact.
    #[must_use]
    pub fn to_canonical(self, file_frames: u32) -> f32 {
        (f64::from(file_frames) * canonical_fps() / f64::from(self.0)) as f32
    }

    /// Converts a time or duration to the nearest frame of the canonical clip.
    #[must_use]
    pub fn nearest_canonical(self, file_frames: u64) -> usize {
        let exact = u128::from(file_frames) * u128::from(CanonicalClip::FPS.get());
        let fps = u128::from(self.0);
        usize::try_from((exact + fps / 2) / fps).unwrap_or(usize::MAX)
    }

    /// Converts a time or duration in frames of the canonical clip to the nearest frame of the
    /// files; 0 if negative.
    #[must_use]
    pub fn nearest_file(self, canonical_frames: f32) -> u32 {
        (f64::from(canonical_frames) * f64::from(self.0) / canonical_fps()).round().max(0.0) as u32
    }
}

fn canonical_fps() -> f64 {
    f64::from(CanonicalClip::FPS.get())
}

#[cfg(test)]
mod tests {
    use limber_domain::limits::FILE_FRAME_RATES;

    use super::*;

    #[test]
    fn every_frame_of_a_file_is_found_again_and_whole_frames_are_exact() {
        for fps in FILE_FRAME_RATES {
            let rate = FileRate::new(u32::from(fps));
            // two minutes: longer than any clip
            for frame in 0..u32::from(fps) * 120 {
                let canonical = rate.to_canonical(frame);
                assert_eq!(rate.nearest_file(canonical), frame, "at {fps}");
                let is_whole = frame * 30 % u32::from(fps) == 0;
                assert_eq!(canonical.fract() == 0.0, is_whole, "{frame} at {fps}");
                let nearest = rate.nearest_canonical(u64::from(frame)) as f32;
                assert!((nearest - canonical).abs() <= 0.5, "{frame} at {fps}");
            }
        }
        assert_eq!(FileRate::new(120).nearest_canonical(u64::MAX), (u64::MAX / 4) as usize + 1);
    }
}
