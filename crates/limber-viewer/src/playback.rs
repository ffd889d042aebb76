//! Where in time a set of clips stands. No clock: whoever has one says how much time went by.

use limber_animation::{Fps, FrameIndex, Seconds};
use limber_api::viewer::{MAX_SPEED, MIN_SPEED};

/// Where in time a set of clips stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Playback {
    time_s: Seconds,
    frames: usize,
    fps: Fps,
    playing: bool,
    backwards: bool,
    looping: bool,
    speed: f32,
}

impl Playback {
    /// Stands at the first of `frames` frames, playing, in a loop.
    pub(crate) fn new(frames: usize, fps: Fps) -> Self {
        Self {
            time_s: 0.0,
            frames: frames.max(1),
            fps,
            playing: true,
            backwards: false,
            looping: true,
            speed: 1.0,
        }
    }

    /// The same settings for clips of another length.
    pub(crate) fn for_clips(&self, frames: usize, fps: Fps) -> Self {
        Self { time_s: 0.0, frames: frames.max(1), fps, ..self.clone() }
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

    pub(crate) const fn time_s(&self) -> Seconds {
        self.time_s
    }

    /// Frames / fps.
    pub(crate) fn duration_s(&self) -> Seconds {
        self.frames as f32 / self.fps.per_second()
    }

    /// The frame that is shown; a little tolerance, so that a time made from a frame gives it back.
    pub(crate) fn frame(&self) -> FrameIndex {
        let place = (self.time_s * self.fps.per_second() + 1e-3).floor().max(0.0) as usize;
        place.min(self.frames - 1)
    }

    /// Lets time go by. At the end it goes on from the other end, or stops on the last frame it has
    /// in its direction.
    pub(crate) fn advance(&mut self, passed_s: Seconds) {
        if !self.playing {
            return;
        }
        let passed_s = passed_s.max(0.0) * self.speed;
        self.time_s += if self.backwards { -passed_s } else { passed_s };
        let (duration_s, last_s) = (self.duration_s(), self.time_of(self.frames - 1));
        if self.looping {
            // a tiny time below zero would round to the duration itself
            self.time_s = self.time_s.rem_euclid(duration_s);
            if self.time_s >= duration_s {
                self.time_s = 0.0;
            }
        } else if self.backwards && self.time_s <= 0.0 {
            self.time_s = 0.0;
            self.playing = false;
        } else if self.time_s >= last_s && !self.backwards {
            self.time_s = last_s;
            self.playing = false;
        }
    }

    /// Plays forwards; from the start when it stands on the last frame and does not loop.
    pub(crate) fn play(&mut self) {
        if !self.looping && self.frame() == self.frames - 1 {
            self.time_s = 0.0;
        }
        (self.playing, self.backwards) = (true, false);
    }

    /// Plays backwards; from the last frame when it stands on the first and does not loop.
    pub(crate) fn play_backwards(&mut self) {
        if !self.looping && self.frame() == 0 {
            self.time_s = self.time_of(self.frames - 1);
        }
        (self.playing, self.backwards) = (true, true);
    }

    /// Stops, exactly on the frame that is shown.
    pub(crate) fn pause(&mut self) {
        if self.playing {
            self.playing = false;
            self.time_s = self.time_of(self.frame());
        }
    }

    pub(crate) fn toggle(&mut self) {
        if self.playing { self.pause() } else { self.play() }
    }

    /// Stands on a frame; the last one when there are fewer. Playing goes on from there.
    pub(crate) fn seek(&mut self, frame: FrameIndex) {
        self.time_s = self.time_of(frame.min(self.frames - 1));
    }

    /// Stands at a time between two frames too; beyond the end it is the time since the last start.
    pub(crate) fn stand_at(&mut self, time_s: Seconds) {
        self.time_s = time_s.max(0.0).rem_euclid(self.duration_s());
    }

    /// Stops, that many frames on or back; around the ends when it loops.
    pub(crate) fn step(&mut self, by: i64) {
        self.pause();
        let (here, frames) = (self.frame() as i64, self.frames as i64);
        let there = here + by;
        let there = if self.looping && by.abs() == 1 {
            there.rem_euclid(frames)
        } else {
            there.clamp(0, frames - 1)
        };
        self.seek(there as usize);
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
mod tests {
    use super::*;

    fn paused() -> Playback {
        let mut playback = Playback::new(180, Fps::DEFAULT);
        playback.pause();
        playback
    }

    #[test]
    fn every_frame_can_be_stood_on() {
        let mut playback = paused();
        for frame in 0..180 {
            playback.seek(frame);
            assert_eq!(playback.frame(), frame);
        }
        playback.seek(9_999);
        assert_eq!(playback.frame(), 179);
    }

    #[test]
    fn a_loop_goes_on_from_the_start_after_a_whole_last_frame() {
        let mut playback = Playback::new(30, Fps::DEFAULT);
        playback.advance(0.99);
        assert_eq!(playback.frame(), 29);
        playback.advance(0.02);
        assert_eq!((playback.frame(), playback.is_playing()), (0, true));
    }

    #[test]
    fn without_a_loop_it_stops_on_the_last_frame_and_playing_starts_again() {
        let mut playback = Playback::new(30, Fps::DEFAULT);
        playback.set_looping(false);
        playback.advance(5.0);
        assert_eq!((playback.frame(), playback.is_playing()), (29, false));
        playback.play();
        assert_eq!((playback.frame(), playback.is_playing()), (0, true));
    }

    #[test]
    fn backwards_every_frame_is_shown_as_long_as_forwards() {
        let mut playback = Playback::new(30, Fps::DEFAULT);
        playback.pause();
        playback.seek(0);
        playback.play_backwards();
        // in steps of half a frame, from the middle of the first
        playback.advance(1.0 / 120.0);
        let shown: Vec<_> = (0..60)
            .map(|_| {
                let frame = playback.frame();
                playback.advance(1.0 / 60.0);
                frame
            })
            .collect();
        let expected: Vec<_> = (0..30).rev().flat_map(|frame| [frame, frame]).collect();
        assert_eq!(shown, expected);
        assert!(playback.is_playing() && playback.is_backwards());
    }

    #[test]
    fn backwards_without_a_loop_it_stops_on_the_first_frame_and_starts_again_at_the_last() {
        let mut playback = Playback::new(30, Fps::DEFAULT);
        playback.set_looping(false);
        playback.seek(3);
        playback.play_backwards();
        playback.advance(0.05);
        assert_eq!((playback.frame(), playback.is_playing()), (1, true));
        playback.advance(5.0);
        assert_eq!((playback.frame(), playback.is_playing()), (0, false));
        playback.play_backwards();
        assert_eq!((playback.frame(), playback.is_playing()), (29, true));
        playback.play();
        assert!(!playback.is_backwards());
    }

    #[test]
    fn single_steps_go_around_a_loop_and_long_ones_stop_at_the_ends() {
        let mut playback = paused();
        playback.step(-1);
        assert_eq!(playback.frame(), 179);
        playback.step(1);
        assert_eq!(playback.frame(), 0);
        playback.step(-10);
        assert_eq!(playback.frame(), 0);
        playback.step(10);
        assert_eq!(playback.frame(), 10);
    }

    #[test]
    fn half_speed_takes_twice_as_long() {
        let mut playback = Playback::new(180, Fps::DEFAULT);
        playback.set_speed(0.5);
        playback.advance(2.0);
        assert_eq!(playback.frame(), 30);
    }

    #[test]
    fn speeds_stay_within_their_range() {
        let mut playback = paused();
        for _ in 0..20 {
            playback.change_speed(true);
        }
        assert!((playback.speed() - MAX_SPEED).abs() < 1e-6);
        playback.set_speed(f32::NAN);
        playback.set_speed(0.0);
        assert!((playback.speed() - MIN_SPEED).abs() < 1e-6);
    }

    #[test]
    fn one_frame_plays_without_trouble() {
        let mut playback = Playback::new(1, Fps::DEFAULT);
        playback.advance(10.0);
        playback.step(1);
        assert_eq!(playback.frame(), 0);
    }
}
