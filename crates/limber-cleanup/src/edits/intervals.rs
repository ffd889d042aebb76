//! Intervals: the frames of a clip that are regenerated.

use std::ops::Range;

use limber_animation::{Fps, FrameIndex};

use super::Trim;

/// Frame ranges inside one clip: sorted, not touching, none shorter than [`Intervals::SHORTEST`]
/// frames, at most [`Intervals::MOST`] of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals {
    ranges: Vec<Range<FrameIndex>>,
    frames: usize,
}

/// Why frame ranges are not valid intervals.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IntervalError {
    /// There are no ranges.
    #[error("no interval is marked; mark at least one")]
    Empty,
    /// There are more than [`Intervals::MOST`].
    #[error("{0} intervals are marked, at most {max} are possible; mark fewer", max = Intervals::MOST)]
    TooMany(usize),
    /// The end is not after the start.
    #[error("the interval from {start} to {end} ends before it begins; swap its ends")]
    Backwards {
        /// First frame.
        start: FrameIndex,
        /// The frame after the last one.
        end: FrameIndex,
    },
    /// The range is outside the clip.
    #[error("the interval from frame {start} to {end} reaches beyond the clip's {frames} frames")]
    Outside {
        /// First frame.
        start: FrameIndex,
        /// The frame after the last one.
        end: FrameIndex,
        /// Frames of the clip.
        frames: usize,
    },
    /// The range is shorter than [`Intervals::SHORTEST`].
    #[error(
        "the interval from frame {start} to {end} is shorter than {least} frames; did you mean \
         seconds?",
        least = Intervals::SHORTEST
    )]
    TooShort {
        /// First frame.
        start: FrameIndex,
        /// The frame after the last one.
        end: FrameIndex,
    },
    /// A bound in seconds is negative or NaN.
    #[error("an interval's ends must be times of 0 seconds or more")]
    NoTime,
    /// The trim removes the whole range.
    #[error("the interval from frame {start} to {end} lies where the clip is trimmed; trim less")]
    CutAway {
        /// First frame.
        start: FrameIndex,
        /// The frame after the last one.
        end: FrameIndex,
    },
}

impl Intervals {
    /// Minimum length of an interval in frames.
    pub const SHORTEST: usize = 4;
    /// Maximum number of intervals.
    pub const MOST: usize = 16;

    /// Sorts half-open frame ranges of a clip with `frames` frames, and joins those that touch or
    /// overlap.
    ///
    /// # Errors
    /// See [`IntervalError`].
    pub fn new(
        ranges: impl IntoIterator<Item = Range<FrameIndex>>,
        frames: usize,
    ) -> Result<Self, IntervalError> {
        // bounds the work for arbitrarily many ranges, and still detects that there are too many
        let mut given: Vec<_> = ranges.into_iter().take(1024).collect();
        match given.len() {
            0 => return Err(IntervalError::Empty),
            many if many > Self::MOST => return Err(IntervalError::TooMany(many)),
            _ => {}
        }
        for Range { start, end } in given.iter().cloned() {
            if start >= end {
                return Err(IntervalError::Backwards { start, end });
            }
            if end > frames {
                return Err(IntervalError::Outside { start, end, frames });
            }
        }
        given.sort_by_key(|range| range.start);
        let mut ranges: Vec<Range<FrameIndex>> = Vec::with_capacity(given.len());
        for range in given {
            match ranges.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => ranges.push(range),
            }
        }
        if let Some(Range { start, end }) =
            ranges.iter().find(|range| range.len() < Self::SHORTEST).cloned()
        {
            return Err(IntervalError::TooShort { start, end });
        }
        Ok(Self { ranges, frames })
    }

    /// Intervals from times in seconds, rounded to the nearest frame.
    ///
    /// # Errors
    /// See [`IntervalError`].
    pub fn from_seconds(
        ranges: impl IntoIterator<Item = Range<f64>>,
        fps: Fps,
        frames: usize,
    ) -> Result<Self, IntervalError> {
        let frame = |time_s: f64| {
            if time_s.is_finite() && time_s >= 0.0 {
                Ok((time_s * f64::from(fps.get())).round().min(1e9) as FrameIndex)
            } else {
                Err(IntervalError::NoTime)
            }
        };
        let ranges: Result<Vec<_>, _> = ranges
            .into_iter()
            .take(1024)
            .map(|range| Ok(frame(range.start)?..frame(range.end)?))
            .collect();
        Self::new(ranges?, frames)
    }

    /// The ranges, sorted and not touching.
    #[must_use]
    pub fn ranges(&self) -> &[Range<FrameIndex>] {
        &self.ranges
    }

    /// Number of frames of the clip that they were checked against.
    #[must_use]
    pub const fn clip_frames(&self) -> usize {
        self.frames
    }

    /// The frame ranges outside the intervals, in order.
    #[must_use]
    pub fn outside(&self) -> Vec<Range<FrameIndex>> {
        let starts = std::iter::once(0).chain(self.ranges.iter().map(|hole| hole.end));
        let ends = self.ranges.iter().map(|hole| hole.start).chain([self.frames]);
        starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
    }

    /// Number of frames in the intervals.
    #[must_use]
    pub fn painted(&self) -> usize {
        self.ranges.iter().map(ExactSizeIterator::len).sum()
    }

    /// Whether the intervals cover the whole clip.
    #[must_use]
    pub fn cover_all(&self) -> bool {
        self.painted() == self.frames
    }

    /// Whether this frame is in an interval.
    #[must_use]
    pub fn contain(&self, frame: FrameIndex) -> bool {
        self.ranges.iter().any(|range| range.contains(&frame))
    }

    /// Checks that trimming leaves something of every interval.
    ///
    /// # Errors
    /// [`IntervalError::CutAway`].
    pub fn survive(&self, trim: Trim) -> Result<(), IntervalError> {
        let end_of_clip = self.frames.saturating_sub(trim.right);
        match self.ranges.iter().find(|range| range.end <= trim.left || range.start >= end_of_clip)
        {
            Some(lost) => Err(IntervalError::CutAway { start: lost.start, end: lost.end }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::iter::once;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn touching_and_overlapping_intervals_become_one_in_order() {
        let found = Intervals::new([50..60, 10..20, 20..30, 55..70], 100).expect("they are valid");
        assert_eq!(found.ranges(), [10..30, 50..70]);
        assert_eq!(found.painted(), 40);
        assert!(found.contain(29) && !found.contain(30));
    }

    #[test]
    fn each_kind_of_invalid_interval_has_its_own_error() {
        use IntervalError as E;
        let cases = [
            (Intervals::new([], 100), E::Empty),
            (Intervals::new((0..17).map(|i| 5 * i..5 * i + 4), 100), E::TooMany(17)),
            (Intervals::new([Range { start: 9, end: 3 }], 100), E::Backwards { start: 9, end: 3 }),
            (Intervals::new(once(9..9), 100), E::Backwards { start: 9, end: 9 }),
            (Intervals::new(once(90..101), 100), E::Outside { start: 90, end: 101, frames: 100 }),
            (Intervals::new(once(1..3), 100), E::TooShort { start: 1, end: 3 }),
            (Intervals::from_seconds([f64::NAN..1.0], Fps::DEFAULT, 100), E::NoTime),
            (Intervals::from_seconds([-1.0..1.0], Fps::DEFAULT, 100), E::NoTime),
        ];
        for (found, wanted) in cases {
            assert_eq!(found, Err(wanted.clone()));
            assert!(wanted.to_string().len() > 25, "{wanted}");
        }
        let short = Intervals::new(once(1..3), 100).expect_err("two frames are too few");
        assert!(short.to_string().contains("did you mean seconds?"));
    }

    #[test]
    fn seconds_are_rounded_to_the_nearest_frame() {
        let found = Intervals::from_seconds([0.49..1.016], Fps::DEFAULT, 90).expect("it is valid");
        assert_eq!(found.ranges(), std::slice::from_ref(&(15..30)));
    }

    #[test]
    fn a_trimmed_away_interval_is_detected() {
        let found = Intervals::new([10..20, 80..90], 100).expect("they are valid");
        assert_eq!(found.survive(Trim { left: 19, right: 19 }), Ok(()));
        let lost = IntervalError::CutAway { start: 10, end: 20 };
        assert_eq!(found.survive(Trim { left: 20, right: 0 }), Err(lost));
        let lost = IntervalError::CutAway { start: 80, end: 90 };
        assert_eq!(found.survive(Trim { left: 0, right: 20 }), Err(lost));
    }

    proptest! {
        #[test]
        fn accepted_intervals_are_sorted_separate_and_long_enough(
            ranges in prop::collection::vec((0usize..120, 0usize..120), 0..20),
        ) {
            let given: Vec<_> = ranges.iter().map(|(start, end)| *start..*end).collect();
            if let Ok(found) = Intervals::new(given.clone(), 100) {
                prop_assert!(found.ranges().windows(2).all(|pair| pair[0].end < pair[1].start));
                prop_assert!(found.ranges().iter().all(|r| r.len() >= 4 && r.end <= 100));
                for frame in 0..100 {
                    let meant = given.iter().any(|range| range.contains(&frame));
                    prop_assert_eq!(found.contain(frame), meant);
                }
            }
        }
    }
}
