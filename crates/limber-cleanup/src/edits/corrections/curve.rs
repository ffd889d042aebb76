//! The curve that keys about one thing make over time.

use glam::{Quat, Vec3};
use limber_animation::smooth::{minimum_jerk, smoothstep};

use super::CorrectionEase;

/// A value at one time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key<V> {
    pub(super) frame: f32,
    pub(super) value: V,
    pub(super) before: f32,
    pub(super) after: f32,
    pub(super) ease: CorrectionEase,
}

/// What is left of a value, and how much of it that is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weighted<V> {
    pub(super) value: V,
    /// 0 to 1.
    pub(super) weight: f32,
}

/// Values between which there are others.
pub(super) trait Blend: Copy {
    /// Changes nothing.
    const NOTHING: Self;

    /// From this one, 0, to the other, 1.
    fn towards(self, other: Self, share: f32) -> Self;
}

impl Blend for Quat {
    const NOTHING: Self = Self::IDENTITY;

    fn towards(self, other: Self, share: f32) -> Self {
        let other = if self.dot(other) < 0.0 { -other } else { other };
        self.slerp(other, share).normalize()
    }
}

impl Blend for Vec3 {
    const NOTHING: Self = Self::ZERO;

    fn towards(self, other: Self, share: f32) -> Self {
        self.lerp(other, share)
    }
}

impl CorrectionEase {
    /// How much of a value is gone after this share of the time: 0 to 1.
    #[must_use]
    pub fn gone(self, share: f32) -> f32 {
        match self {
            Self::Smooth => smoothstep(share),
            Self::Gentle => minimum_jerk(share),
            Self::Hold => smoothstep(2.0 * share - 1.0),
        }
    }

    /// How much is left when so many of these frames have passed: 1 to 0.
    #[must_use]
    pub fn left(self, passed: f32, frames: f32) -> f32 {
        if passed <= 0.0 {
            1.0
        } else if passed >= frames {
            0.0
        } else {
            1.0 - self.gone(passed / frames)
        }
    }
}

impl<V> Key<V> {
    /// Whether this key goes over into the next one, or is gone before that comes.
    fn meets(&self, next: &Self) -> bool {
        self.after + next.before > next.frame - self.frame
    }

    /// What is left of it at a time, by itself.
    fn left_at(&self, frame: f32) -> f32 {
        let passed = frame - self.frame;
        let frames = if passed < 0.0 { self.before } else { self.after };
        self.ease.left(passed.abs(), frames)
    }
}

impl<V: Blend> Key<V> {
    /// The value on the way to the next key.
    fn over_to(&self, next: &Self, frame: f32) -> V {
        let share = (frame - self.frame) / (next.frame - self.frame);
        self.value.towards(next.value, self.ease.gone(share))
    }
}

/// Sorts keys by time; of two at the same time, the one that was said later stays.
pub(super) fn put_in_order<V>(keys: &mut Vec<Key<V>>) {
    keys.reverse();
    keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
    keys.dedup_by(|later, kept| later.frame == kept.frame);
}

/// What the keys, in order, make of one time; `None` where none reaches.
pub(super) fn at<V: Blend>(keys: &[Key<V>], frame: f32) -> Option<Weighted<V>> {
    let behind = keys.partition_point(|key| key.frame <= frame);
    let (last, next) = (behind.checked_sub(1).map(|place| &keys[place]), keys.get(behind));
    if let (Some(last), Some(next)) = (last, next)
        && last.meets(next)
    {
        return Some(Weighted { value: last.over_to(next, frame), weight: 1.0 });
    }
    let reaching = [last, next].into_iter().flatten();
    reaching.map(|key| (key, key.left_at(frame))).find(|(_, weight)| *weight > 0.0).map(
        |(key, weight)| {
            let value =
                if weight < 1.0 { V::NOTHING.towards(key.value, weight) } else { key.value };
            Weighted { value, weight }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(frame: f32, x: f32, fade: f32, ease: CorrectionEase) -> Key<Vec3> {
        Key { frame, value: Vec3::X * x, before: fade, after: fade, ease }
    }

    const EASES: [CorrectionEase; 3] =
        [CorrectionEase::Smooth, CorrectionEase::Gentle, CorrectionEase::Hold];

    fn x(keys: &[Key<Vec3>], frame: f32) -> f32 {
        at(keys, frame).map_or(0.0, |found| found.value.x)
    }

    #[test]
    fn a_key_is_whole_at_its_frame_and_gone_where_its_fade_ends() {
        for ease in EASES {
            let keys = [key(10.0, 2.0, 4.0, ease)];
            assert_eq!(x(&keys, 10.0), 2.0);
            assert!(x(&keys, 8.0) > 0.0 && x(&keys, 13.5) > 0.0);
            assert!(at(&keys, 6.0).is_none() && at(&keys, 14.0).is_none());
        }
        let alone = [key(10.0, 2.0, 0.0, CorrectionEase::Smooth)];
        assert_eq!((x(&alone, 10.0), x(&alone, 10.5), x(&alone, 9.9)), (2.0, 0.0, 0.0));
    }

    #[test]
    fn neighbours_that_meet_go_over_into_each_other_and_others_do_not() {
        let smooth = CorrectionEase::Smooth;
        let near = [key(10.0, 1.0, 6.0, smooth), key(20.0, 1.0, 6.0, smooth)];
        assert!((10..=20).all(|frame| (x(&near, frame as f32) - 1.0).abs() < 1e-6));
        let far = [key(10.0, 1.0, 5.0, smooth), key(20.0, 1.0, 5.0, smooth)];
        assert!(at(&far, 15.0).is_none() && x(&far, 20.0) == 1.0);
    }

    #[test]
    fn no_curve_has_a_corner() {
        for ease in EASES {
            let keys =
                [key(10.0, 1.0, 6.0, ease), key(14.0, -1.0, 9.0, ease), key(40.0, 1.0, 9.0, ease)];
            let step = 0.01;
            let speed = |frame: f32| (x(&keys, frame + step) - x(&keys, frame)) / step;
            for place in 0..6000 {
                let frame = place as f32 * step;
                let jump = (speed(frame + step) - speed(frame)).abs();
                assert!(jump < 0.05, "{ease:?} at {frame}: {jump}");
            }
        }
    }

    #[test]
    fn of_two_keys_at_one_time_the_later_one_counts() {
        let smooth = CorrectionEase::Smooth;
        let mut keys = vec![
            key(9.0, 5.0, 2.0, smooth),
            key(3.0, 1.0, 2.0, smooth),
            key(3.0, 2.0, 2.0, smooth),
        ];
        put_in_order(&mut keys);
        assert_eq!((keys.len(), x(&keys, 3.0)), (2, 2.0));
    }
}
