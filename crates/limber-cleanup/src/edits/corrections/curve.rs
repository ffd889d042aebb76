//! The animation curve of the keys with one subject.

use glam::{Quat, Vec3};
use limber_animation::smooth::{minimum_jerk, smoothstep};

use super::CorrectionEase;

/// A key: a value at one time, with its fades; times in frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKey<V> {
    /// The time of the full value.
    pub frame: f32,
    /// The value.
    pub value: V,
    /// Fade-in in frames.
    pub before: f32,
    /// Fade-out in frames.
    pub after: f32,
    /// Easing of both fades, and of the blend to the next key.
    pub ease: CorrectionEase,
}

/// A value that may be partly faded, and how much of it is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighted<V> {
    /// The faded value.
    pub value: V,
    /// How much of the full value is left, 0 to 1.
    pub weight: f32,
}

/// Values that can be interpolated.
pub trait Blend: Copy {
    /// The neutral value.
    const NOTHING: Self;

    /// Interpolates from this value (`share` 0) to the other (1).
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
    /// How much of a value has faded after this share of the fade: 0 to 1.
    fn gone(self, share: f32) -> f32 {
        match self {
            Self::Smooth => smoothstep(share),
            Self::Gentle => minimum_jerk(share),
            Self::Hold => smoothstep(2.0 * share - 1.0),
        }
    }

    /// How much is left `passed` frames into a fade of `frames`: 1 to 0.
    fn left(self, passed: f32, frames: f32) -> f32 {
        if passed <= 0.0 {
            1.0
        } else if passed >= frames {
            0.0
        } else {
            1.0 - self.gone(passed / frames)
        }
    }
}

impl<V: Blend> CurveKey<V> {
    /// Whether this key blends into the next one, rather than fading out before it.
    fn meets(&self, next: &Self) -> bool {
        self.after + next.before > next.frame - self.frame
    }

    /// How much of the key is left at a time, ignoring other keys.
    fn left_at(&self, frame: f32) -> f32 {
        let passed = frame - self.frame;
        let frames = if passed < 0.0 { self.before } else { self.after };
        self.ease.left(passed.abs(), frames)
    }

    /// The faded value at a time, ignoring other keys; `None` if nothing is left.
    fn alone_at(&self, frame: f32) -> Option<Weighted<V>> {
        let weight = self.left_at(frame);
        let value = if weight < 1.0 { V::NOTHING.towards(self.value, weight) } else { self.value };
        (weight > 0.0).then_some(Weighted { value, weight })
    }

    /// The interpolated value between this key and the next.
    fn over_to(&self, next: &Self, frame: f32) -> V {
        let share = (frame - self.frame) / (next.frame - self.frame);
        self.value.towards(next.value, self.ease.gone(share))
    }
}

/// How much longer than the distance to the next key the fade of a cut key is, in frames, so that
/// the two blend.
const MEETING: f32 = 1.0;

/// The keys with one subject, in order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve<V>(Vec<CurveKey<V>>);

impl<V: Blend> Curve<V> {
    /// Makes a curve of keys in any order; of two at the same time, the later in the list wins.
    #[must_use]
    pub fn new(mut keys: Vec<CurveKey<V>>) -> Self {
        keys.reverse();
        keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        keys.dedup_by(|later, kept| later.frame == kept.frame);
        Self(keys)
    }

    /// The value at a time; `None` where no key reaches.
    #[must_use]
    pub fn at(&self, frame: f32) -> Option<Weighted<V>> {
        let behind = self.0.partition_point(|key| key.frame <= frame);
        let (last, next) = self.around(behind);
        if let (Some(last), Some(next)) = (last, next)
            && last.meets(next)
        {
            return Some(Weighted { value: last.over_to(next, frame), weight: 1.0 });
        }
        [last, next].into_iter().flatten().find_map(|key| key.alone_at(frame))
    }

    /// A key that replaces those before this time when they are cut away, with the value of the
    /// curve there and the same end of the fade. `None` if none of them reaches so far, or if a key
    /// is exactly there.
    #[must_use]
    pub fn first_from(&self, frame: f32) -> Option<CurveKey<V>> {
        let (last, next) = self.around(self.0.partition_point(|key| key.frame <= frame));
        let last = last.filter(|last| last.frame < frame)?;
        if let Some(next) = next.filter(|next| last.meets(next)) {
            let (value, after) = (last.over_to(next, frame), MEETING + next.frame - frame);
            return Some(CurveKey {
                frame,
                value,
                before: 0.0,
                after,
                ease: CorrectionEase::Smooth,
            });
        }
        let value = last.alone_at(frame)?.value;
        let after = last.after - (frame - last.frame);
        Some(CurveKey { frame, value, before: 0.0, after, ease: last.ease })
    }

    /// Like [`Self::first_from`], for the keys after this time.
    #[must_use]
    pub fn last_until(&self, frame: f32) -> Option<CurveKey<V>> {
        let (last, next) = self.around(self.0.partition_point(|key| key.frame < frame));
        let next = next.filter(|next| next.frame > frame)?;
        if let Some(last) = last.filter(|last| last.meets(next)) {
            let (value, before) = (last.over_to(next, frame), MEETING + frame - last.frame);
            return Some(CurveKey {
                frame,
                value,
                before,
                after: 0.0,
                ease: CorrectionEase::Smooth,
            });
        }
        let value = next.alone_at(frame)?.value;
        let before = next.before - (next.frame - frame);
        Some(CurveKey { frame, value, before, after: 0.0, ease: next.ease })
    }

    /// The keys on either side of an index between them.
    fn around(&self, place: usize) -> (Option<&CurveKey<V>>, Option<&CurveKey<V>>) {
        (place.checked_sub(1).map(|last| &self.0[last]), self.0.get(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(frame: f32, x: f32, fade: f32, ease: CorrectionEase) -> CurveKey<Vec3> {
        CurveKey { frame, value: Vec3::X * x, before: fade, after: fade, ease }
    }

    const EASES: [CorrectionEase; 3] =
        [CorrectionEase::Smooth, CorrectionEase::Gentle, CorrectionEase::Hold];

    fn curve(keys: &[CurveKey<Vec3>]) -> Curve<Vec3> {
        Curve::new(keys.to_vec())
    }

    fn x(keys: &[CurveKey<Vec3>], frame: f32) -> f32 {
        curve(keys).at(frame).map_or(0.0, |found| found.value.x)
    }

    #[test]
    fn a_key_has_full_weight_at_its_frame_and_none_after_its_fade() {
        for ease in EASES {
            let keys = [key(10.0, 2.0, 4.0, ease)];
            assert_eq!(x(&keys, 10.0), 2.0);
            assert!(x(&keys, 8.0) > 0.0 && x(&keys, 13.5) > 0.0);
            assert!(curve(&keys).at(6.0).is_none() && curve(&keys).at(14.0).is_none());
        }
        let alone = [key(10.0, 2.0, 0.0, CorrectionEase::Smooth)];
        assert_eq!((x(&alone, 10.0), x(&alone, 10.5), x(&alone, 9.9)), (2.0, 0.0, 0.0));
    }

    #[test]
    fn adjacent_keys_blend_and_distant_ones_do_not() {
        let smooth = CorrectionEase::Smooth;
        let near = [key(10.0, 1.0, 6.0, smooth), key(20.0, 1.0, 6.0, smooth)];
        assert!((10..=20).all(|frame| (x(&near, frame as f32) - 1.0).abs() < 1e-6));
        let far = [key(10.0, 1.0, 5.0, smooth), key(20.0, 1.0, 5.0, smooth)];
        assert!(curve(&far).at(15.0).is_none() && x(&far, 20.0) == 1.0);
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
    fn of_two_keys_at_one_time_the_later_one_wins() {
        let smooth = CorrectionEase::Smooth;
        let keys =
            [key(9.0, 5.0, 2.0, smooth), key(3.0, 1.0, 2.0, smooth), key(3.0, 2.0, 2.0, smooth)];
        assert_eq!((curve(&keys).0.len(), x(&keys, 3.0)), (2, 2.0));
    }

    #[test]
    fn replacements_of_trimmed_keys_have_their_weight_there() {
        let [smooth, hold] = [CorrectionEase::Smooth, CorrectionEase::Hold];
        // two that blend, and one by itself
        let keys =
            [key(10.0, 1.0, 9.0, hold), key(20.0, -2.0, 9.0, smooth), key(60.0, 3.0, 8.0, hold)];
        let whole = curve(&keys);
        for frame in (0..80).map(|frame| frame as f32) {
            for found in [whole.first_from(frame), whole.last_until(frame)].into_iter().flatten() {
                assert_eq!((found.frame, found.value.x), (frame, x(&keys, frame)));
            }
        }
        let reaching = |find: &dyn Fn(f32) -> Option<CurveKey<Vec3>>| {
            (0..80).filter(|frame| find(*frame as f32).is_some()).collect::<Vec<_>>()
        };
        let after = (11..20).chain(21..29).chain(61..68);
        assert_eq!(reaching(&|frame| whole.first_from(frame)), after.collect::<Vec<_>>());
        let before = (2..10).chain(11..20).chain(53..60);
        assert_eq!(reaching(&|frame| whole.last_until(frame)), before.collect::<Vec<_>>());
    }
}
