//! Playback state of a set of clips. Contains no clock: callers pass in elapsed time.

use limber_animation::{Fps, FrameIndex, Seconds};
use limber_api::viewer::{FrameRange, MAX_SPEED, MIN_SPEED};

/// Playback position and range. While playing, the position stays inside the range; while paused,
/// it may be anywhere.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Playback {
    time_s: Seconds,
    frames: usize,
    /// First and last frame of the range, both inclusive.
    first: FrameIndex,
    last: FrameIndex,
    fps: Fps,
    playing: bool,
    backwards: bool,
    looping: bool,
    speed: f32,
}

impl Playback {
    /// Starts at the first of `frames` frames, playing in a loop.
    pub(crate) fn new(frames: usize, fps: Fps) -> Self {
        let frames = frames.max(1);
        Self {
            time_s: 0.0,
            frames,
            first: 0,
            last: frames - 1,
            fps,
            playing: true,
            backwards: false,
            looping: true,
            speed: 1.0,
        }
    }

    /// Returns the same settings for other clips, with the full range.
    pub(crate) fn for_clips(&self, frames: usize, fps: Fps) -> Self {
        let &Self { playing, backwards, looping, speed, .. } = self;
        Self { playing, backwards, looping, speed, ..Self::new(frames, fps) }
    }

    pub(crate) const fn frames(&self) -> usize {
        self.frames
    }

    pub(crate) const fn fps(&self) -> Fps {
        self.fps
    }

    pub(crate) const fn is_playing(&self) -> bool {
        self.playing
    }

    pub(crate) const fn is_backwards(&self) -> bool {
        self.backwards
    }

    pub(crate) const fn is_looping(&self) -> bool {
        self.looping
    }

    pub(crate) const fn speed(&self) -> f32 {
        self.speed
    }

    /// Returns the first and the last frame of the range.
    pub(crate) const fn range(&self) -> (FrameIndex, FrameIndex) {
        (self.first, self.last)
    }

    /// Returns the displayed time. At the end of a partial range the last frame is held, like the
    /// last frame of a whole clip: interpolating to the next one would show something outside the
    /// range.
    pub(crate) fn time_s(&self) -> Seconds {
        if self.playing && self.last + 1 < self.frames {
            self.time_s.min(self.time_of(self.last))
        } else {
            self.time_s
        }
    }

    /// Returns the duration, which is the number of frames divided by the frame rate.
    pub(crate) fn duration_s(&self) -> Seconds {
        self.frames as f32 / self.fps.per_second()
    }

    /// Returns the displayed frame.
    pub(crate) fn frame(&self) -> FrameIndex {
        let place = self.place();
        if self.playing { place.clamp(self.first, self.last) } else { place }
    }

    /// Converts the time to a frame, with a tolerance, so that a time computed from a frame maps
    /// back to it.
    fn place(&self) -> FrameIndex {
        let place = (self.time_s * self.fps.per_second() + 1e-3).floor().max(0.0) as usize;
        place.min(self.frames - 1)
    }

    /// Restricts playback to a range; `None` plays everything.
    pub(crate) fn set_range(&mut self, range: Option<FrameRange>) {
        let end = self.frames - 1;
        let within = |frame: u32| (frame as usize).min(end);
        (self.first, self.last) =
            range.map_or((0, end), |range| (within(range.first()), within(range.last())));
        self.enter();
    }

    /// While playing outside the range, jumps to its start, or to its end when playing backwards.
    fn enter(&mut self) {
        if self.playing && !(self.first..=self.last).contains(&self.place()) {
            self.time_s = self.time_of(if self.backwards { self.last } else { self.first });
        }
    }

    /// Advances the time. At the end it wraps around when looping, and otherwise stops on the last
    /// frame in its direction.
    pub(crate) fn advance(&mut self, passed_s: Seconds) {
        if !self.playing {
            return;
        }
        let passed_s = passed_s.max(0.0) * self.speed;
        self.time_s += if self.backwards { -passed_s } else { passed_s };
        let (first_s, last_s) = (self.time_of(self.first), self.time_of(self.last));
        let end_s = self.time_of(self.last + 1);
        if self.looping {
            if !(first_s..end_s).contains(&self.time_s) {
                self.time_s = first_s + (self.time_s - first_s).rem_euclid(end_s - first_s);
            }
            // a tiny time below the first would round to the end itself
            if self.time_s >= end_s {
                self.time_s = first_s;
            }
        } else if self.backwards && self.time_s <= first_s {
            self.time_s = first_s;
            self.playing = false;
        } else if self.time_s >= last_s && !self.backwards {
            self.time_s = last_s;
            self.playing = false;
        }
    }

    /// Plays forwards; from the start if it is on the last frame and does not loop, or outside the
    /// range.
    pub(crate) fn play(&mut self) {
        if !self.looping && self.frame() == self.last {
            self.time_s = self.time_of(self.first);
        }
        (self.playing, self.backwards) = (true, false);
        self.enter();
    }

    /// Plays backwards; from the last frame if it is on the first and does not loop, or outside the
    /// range.
    pub(crate) fn play_backwards(&mut self) {
        if !self.looping && self.frame() == self.first {
            self.time_s = self.time_of(self.last);
        }
        (self.playing, self.backwards) = (true, true);
        self.enter();
    }

    /// Pauses exactly on the displayed frame.
    pub(crate) fn pause(&mut self) {
        if self.playing {
            self.time_s = self.time_of(self.frame());
            self.playing = false;
        }
    }

    pub(crate) fn toggle(&mut self) {
        if self.playing { self.pause() } else { self.play() }
    }

    /// Seeks to a frame, at most the last one. Playback continues from there, or from where it
    /// enters the range.
    pub(crate) fn seek(&mut self, frame: FrameIndex) {
        self.time_s = self.time_of(frame.min(self.frames - 1));
        self.enter();
    }

    /// Seeks to the first frame of the range.
    pub(crate) fn seek_first(&mut self) {
        self.seek(self.first);
    }

    /// Seeks to the last frame of the range.
    pub(crate) fn seek_last(&mut self) {
        self.seek(self.last);
    }

    /// Seeks to any time, also between frames; times beyond the end wrap around.
    pub(crate) fn stand_at(&mut self, time_s: Seconds) {
        self.time_s = time_s.max(0.0).rem_euclid(self.duration_s());
    }

    /// Pauses and steps by a number of frames. When looping, single steps wrap around the ends of
    /// the range; all other steps may leave it, to look at what is outside.
    pub(crate) fn step(&mut self, by: i64) {
        self.pause();
        let (here, frames) = (self.frame(), self.frames as i64);
        let there = here as i64 + by;
        let goes_around = self.looping && by.abs() == 1;
        self.seek(match by {
            1 if goes_around && here == self.last => self.first,
            -1 if goes_around && here == self.first => self.last,
            _ if goes_around => there.rem_euclid(frames) as usize,
            _ => there.clamp(0, frames - 1) as usize,
        });
    }

    pub(crate) const fn set_looping(&mut self, looping: bool) {
        self.looping = looping;
    }

    /// Sets the speed, clamped to what the viewer link allows; non-finite values are ignored.
    pub(crate) fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.speed = speed.clamp(MIN_SPEED, MAX_SPEED);
        }
    }

    /// Switches to the next slower or faster preset speed.
    pub(crate) fn change_speed(&mut self, faster: bool) {
        const USUAL: [f32; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];
        let mut usual = USUAL.into_iter();
        let next = if faster {
            usual.find(|speed| *speed > self.speed + 1e-3)
        } else {
            usual.rfind(|speed| *speed < self.speed - 1e-3)
        };
        self.speed = next.unwrap_or(self.speed);
    }

    fn time_of(&self, frame: FrameIndex) -> Seconds {
        frame as f32 / self.fps.per_second()
    }
}

#[cfg(test)]
mod tests;
