//! Clips: poses over time on one skeleton.

use std::{fmt, sync::Arc};

use glam::Vec3;

use crate::{ContactTrack, Pose, Skeleton};

/// A time or duration in seconds.
pub type Seconds = f32;

/// A zero-based frame number; frame `i` is at `i / fps` seconds.
pub type FrameIndex = usize;

/// Frames per second, 1 to 240.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fps(u16);

impl Fps {
    /// The frame rate used inside Limber: 30 fps.
    pub const DEFAULT: Self = Self(30);

    /// Returns `None` outside 1 to 240.
    #[must_use]
    pub const fn new(frames_per_second: u16) -> Option<Self> {
        if frames_per_second >= 1 && frames_per_second <= 240 {
            Some(Self(frames_per_second))
        } else {
            None
        }
    }

    /// Frames per second as an integer.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Frames per second as a factor that converts seconds to frames.
    #[must_use]
    pub fn per_second(self) -> f32 {
        f32::from(self.0)
    }

    /// Duration of one frame, 1 / fps seconds.
    #[must_use]
    pub fn frame_duration_s(self) -> Seconds {
        1.0 / self.per_second()
    }
}

impl fmt::Display for Fps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// Poses over time on one skeleton. A clip of N frames lasts N / fps seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    skeleton: Arc<Skeleton>,
    fps: Fps,
    frames: Vec<Pose>,
    contacts: Option<ContactTrack>,
}

/// Why a list of poses does not make a valid clip.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClipError {
    /// There are no frames.
    #[error("the clip has no frames")]
    Empty,
    /// A pose has a different number of joints from the skeleton.
    #[error("frame {0} belongs to another skeleton")]
    OtherSkeleton(FrameIndex),
    /// A pose contains NaN or infinity.
    #[error("frame {0} contains a number that is not finite")]
    NotFinite(FrameIndex),
    /// The contact track does not have one entry per frame of the clip.
    #[error("the contact track has {contacts} frames, the clip {frames}")]
    ContactLength {
        /// Frames of the contact track.
        contacts: usize,
        /// Frames of the clip.
        frames: usize,
    },
}

impl Clip {
    /// Checks the poses and makes a clip without contacts.
    ///
    /// # Errors
    /// See [`ClipError`].
    pub fn new(skeleton: Arc<Skeleton>, fps: Fps, frames: Vec<Pose>) -> Result<Self, ClipError> {
        if frames.is_empty() {
            return Err(ClipError::Empty);
        }
        for (index, pose) in frames.iter().enumerate() {
            if pose.rotations.len() != skeleton.len() {
                return Err(ClipError::OtherSkeleton(index));
            }
            if !pose.is_finite() {
                return Err(ClipError::NotFinite(index));
            }
        }
        Ok(Self { skeleton, fps, frames, contacts: None })
    }

    /// The same clip with this contact track.
    ///
    /// # Errors
    /// [`ClipError::ContactLength`] if the track's length differs from the clip's.
    pub fn with_contacts(mut self, contacts: ContactTrack) -> Result<Self, ClipError> {
        if contacts.len() != self.frames.len() {
            return Err(ClipError::ContactLength {
                contacts: contacts.len(),
                frames: self.frames.len(),
            });
        }
        self.contacts = Some(contacts);
        Ok(self)
    }

    /// The skeleton that all poses belong to.
    #[must_use]
    pub const fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The frame rate.
    #[must_use]
    pub const fn fps(&self) -> Fps {
        self.fps
    }

    /// All poses in order.
    #[must_use]
    pub fn frames(&self) -> &[Pose] {
        &self.frames
    }

    /// All poses, to be changed in place; frames cannot be added or removed.
    pub fn frames_mut(&mut self) -> &mut [Pose] {
        &mut self.frames
    }

    /// Number of frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Always false: a clip has at least one frame.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Duration in seconds: frames / fps.
    #[must_use]
    pub fn duration_s(&self) -> Seconds {
        self.frames.len() as f32 / self.fps.per_second()
    }

    /// The foot contacts, if known.
    #[must_use]
    pub fn contacts(&self) -> Option<&ContactTrack> {
        self.contacts.as_ref()
    }

    /// The interpolated pose at a time, clamped to the first and last frame.
    #[must_use]
    pub fn sample(&self, time_s: Seconds) -> Pose {
        let last = self.frames.len() - 1;
        let place = (time_s * self.fps.per_second()).clamp(0.0, last as f32);
        let before = place.floor() as usize;
        let amount = place - before as f32;
        if amount < 1e-4 || before == last {
            self.frames[before].clone()
        } else {
            self.frames[before].blend(&self.frames[before + 1], amount)
        }
    }

    /// The clip resampled to another frame rate, equally long to within half a frame.
    #[must_use]
    pub fn resampled(&self, fps: Fps) -> Self {
        if fps == self.fps {
            return self.clone();
        }
        let count = (self.duration_s() * fps.per_second()).round().max(1.0) as usize;
        let times = (0..count).map(|index| index as f32 / fps.per_second());
        let frames = times.clone().map(|time_s| self.sample(time_s)).collect();
        let contacts = self.contacts.as_ref().map(|track| {
            times
                .map(|time_s| {
                    let nearest = (time_s * self.fps.per_second()).round() as usize;
                    track[nearest.min(track.len() - 1)]
                })
                .collect()
        });
        Self { skeleton: Arc::clone(&self.skeleton), fps, frames, contacts }
    }

    /// World positions of every joint in every frame: `[frame][joint]`.
    #[must_use]
    pub fn world_positions(&self) -> Vec<Vec<Vec3>> {
        self.frames.iter().map(|pose| self.skeleton.world(pose).positions).collect()
    }
}
