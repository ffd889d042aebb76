//! Where in time a set of clips stands. No clock: whoever has one says how much time went by.

use limber_animation::{Fps, FrameIndex, Seconds};
use limber_api::viewer::{FrameRange, MAX_SPEED, MIN_SPEED};

/// Where in time a set of clips stands, and which part of it is played: whoever plays is never
/// outside of that part, whoever stands may be anywhere.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Playback {
    time_s: Seconds,
    frames: usize,
    /// The first and the last frame that are played; both are there.
    first: FrameIndex,
    last: FrameIndex,
    fps: Fps,
    playing: bool,
    backwards: bool,
    looping: bool,
    speed: f32,
}

impl Playback {
    /// Stands at the first of `frames` frames, playing, in a loop.
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

    /// The same settings for other clips, which are played whole.
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

    /// The first and the last frame that are played.
    pub(crate) const fn range(&self) -> (FrameIndex, FrameIndex) {
        (self.first, self.last)
    }

    /// The time that is shown. Where a part ends the last frame is held, as a whole clip holds its
    /// own: on the way to the next one there would be something of what is cut off.
    pub(crate) fn time_s(&self) -> Seconds {
        if self.playing && self.last + 1 < self.frames {
            self.time_s.min(self.time_of(self.last))
        } else {
            self.time_s
        }
    }

    /// Frames / fps.
    pub(crate) fn duration_s(&self) -> Seconds {
        self.frames as f32 / self.fps.per_second()
    }

    /// The frame that is shown.
    pub(crate) fn frame(&self) -> FrameIndex {
        let place = self.place();
        if self.playing { place.clamp(self.first, self.last) } else { place }
    }

    /// The frame of the time; a little tolerance, so that a time made from a frame gives it back.
    fn place(&self) -> FrameIndex {
        let place = (self.time_s * self.fps.per_second() + 1e-3).floor().max(0.0) as usize;
        place.min(self.frames - 1)
    }

    /// Plays this part only, or everything.
    pub(crate) fn set_range(&mut self, range: Option<FrameRange>) {
        let end = self.frames - 1;
        let within = |frame: u32| (frame as usize).min(end);
        (self.first, self.last) =
            range.map_or((0, end), |range| (within(range.first()), within(range.last())));
        self.enter();
    }

    /// Whoever plays outside of the part goes on at its beginning, backwards at its end.
    fn enter(&mut self) {
        if self.playing && !(self.first..=self.last).contains(&self.place()) {
            self.time_s = self.time_of(if self.backwards { self.last } else { self.first });
        }
    }

    /// Lets time go by. At the end it goes on from the other end, or stops on the last frame it has
    /// in its direction.
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

    /// Plays forwards; from the start when it stands on the last frame and does not loop, and when
    /// it stands outside of what is played.
    pub(crate) fn play(&mut self) {
        if !self.looping && self.frame() == self.last {
            self.time_s = self.time_of(self.first);
        }
        (self.playing, self.backwards) = (true, false);
        self.enter();
    }

    /// Plays backwards; from the last frame when it stands on the first and does not loop, and when
    /// it stands outside of what is played.
    pub(crate) fn play_backwards(&mut self) {
        if !self.looping && self.frame() == self.first {
            self.time_s = self.time_of(self.last);
        }
        (self.playing, self.backwards) = (true, true);
        self.enter();
    }

    /// Stops, exactly on the frame that is shown.
    pub(crate) fn pause(&mut self) {
        if self.playing {
            self.time_s = self.time_of(self.frame());
            self.playing = false;
        }
    }

    pub(crate) fn toggle(&mut self) {
        if self.playing { self.pause() } else { self.play() }
    }

    /// Stands on a frame; the last one when there are fewer. Playing goes on from there, or from
    /// where it enters what is played.
    pub(crate) fn seek(&mut self, frame: FrameIndex) {
        self.time_s = self.time_of(frame.min(self.frames - 1));
        self.enter();
    }

    /// Goes to the first frame that is played.
    pub(crate) fn seek_first(&mut self) {
        self.seek(self.first);
    }

    /// Goes to the last frame that is played.
    pub(crate) fn seek_last(&mut self) {
        self.seek(self.last);
    }

    /// Stands at a time between two frames too; beyond the end it is the time since the last start.
    pub(crate) fn stand_at(&mut self, time_s: Seconds) {
        self.time_s = time_s.max(0.0).rem_euclid(self.duration_s());
    }

    /// Stops, that many frames on or back. Single steps go around the ends of what is played when
    /// it loops; all others may leave it, to look at what is outside.
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

    /// Clamped to what the viewer link allows; nonsense changes nothing.
    pub(crate) fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.speed = speed.clamp(MIN_SPEED, MAX_SPEED);
        }
    }

    /// The next slower or faster of the usual speeds.
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
