//! Everything a person can change while looking: plain state, no window and no graphics.

use glam::{Vec2, Vec3};
use limber_animation::Seconds;
use limber_render::{Actor, Backdrop, Camera, Follow, Look, View};

use crate::{
    action::Action,
    lineup::{Lineup, Moment},
    playback::Playback,
};

/// How long the camera takes to catch up.
const SETTLE_S: Seconds = 0.5;

/// Everything a person can change while looking.
pub(crate) struct Session {
    pub(crate) lineup: Lineup,
    pub(crate) playback: Playback,
    pub(crate) look: Look,
    pub(crate) follow: bool,
    pub(crate) in_place: bool,
    pub(crate) help: bool,
    /// A sentence over the picture, until something else is loaded.
    pub(crate) notice: Option<String>,
    pub(crate) closing: bool,
    camera: Camera,
    anchor: Follow,
    aspect: f32,
}

impl Session {
    pub(crate) fn new(lineup: Lineup, aspect: f32) -> Self {
        let (frames, fps) = lineup.timeline();
        let mut session = Self {
            lineup,
            playback: Playback::new(frames, fps),
            look: Look::default(),
            follow: true,
            in_place: false,
            help: false,
            notice: None,
            closing: false,
            camera: Camera::default(),
            anchor: Follow::new(Vec3::ZERO, SETTLE_S),
            aspect,
        };
        session.camera.look_from(View::ThreeQuarter);
        session.frame_all();
        session
    }

    /// Shows other files with the same settings.
    pub(crate) fn load(&mut self, lineup: Lineup) {
        self.lineup = lineup;
        self.notice = None;
        self.restart();
    }

    /// Shows another clip of one file.
    pub(crate) fn choose(&mut self, lane: usize, choice: usize) {
        self.lineup.choose(lane, choice);
        self.restart();
    }

    fn restart(&mut self) {
        let (frames, fps) = self.lineup.timeline();
        self.playback = self.playback.for_clips(frames, fps);
        self.frame_all();
    }

    /// The shape of the picture: width over height.
    pub(crate) fn set_aspect(&mut self, aspect: f32) {
        self.aspect = aspect;
    }

    /// Lets time go by for clips and camera.
    pub(crate) fn advance(&mut self, passed_s: Seconds) {
        let before = self.playback.time_s();
        self.playback.advance(passed_s);
        let started_over = self.playback.time_s() < before;
        self.go_along(if started_over { None } else { Some(passed_s) });
    }

    /// Everybody's pose now.
    pub(crate) fn moments(&self) -> Vec<Moment> {
        self.lineup.moments(self.playback.time_s(), self.in_place)
    }

    /// Everybody as a scene wants them.
    pub(crate) fn actors<'a>(&self, moments: &'a [Moment]) -> Vec<Actor<'a>> {
        let both = self.lineup.lanes.iter().zip(moments);
        both.map(|(lane, moment)| Actor {
            character: lane.character,
            pose: &moment.pose,
            face: &moment.face,
            offset: moment.offset,
            contacts: moment.contacts,
        })
        .collect()
    }

    /// The camera as it is drawn.
    pub(crate) fn camera(&self) -> Camera {
        Camera { target: self.camera.target + self.anchor.position(), ..self.camera }
    }

    /// Moves the camera's anchor after the bodies; at once without a time.
    fn go_along(&mut self, passed_s: Option<Seconds>) {
        if !self.follow {
            return;
        }
        let goal = self.lineup.travel(&self.moments());
        match passed_s {
            Some(passed_s) => {
                self.anchor.step(goal, passed_s);
            }
            None => self.anchor = Follow::new(goal, SETTLE_S),
        }
    }

    fn frame_all(&mut self) {
        self.go_along(None);
        let room = self.lineup.room();
        let room = if self.follow { room } else { room.moved(self.lineup.travel(&self.moments())) };
        self.camera.frame(&room, self.aspect);
    }

    /// Turns the camera: the pointer's way as a share of the window's height.
    pub(crate) fn orbit(&mut self, by: Vec2) {
        self.camera.orbit(-by.x * 3.4, by.y * 2.6);
    }

    /// Moves the camera sideways, likewise.
    pub(crate) fn pan(&mut self, by: Vec2) {
        self.camera.pan(by);
    }

    pub(crate) fn zoom(&mut self, factor: f32) {
        self.camera.zoom(factor);
    }

    pub(crate) fn seek(&mut self, frame: usize) {
        self.playback.seek(frame);
        self.go_along(None);
    }

    pub(crate) fn apply(&mut self, action: Action) {
        let look = &mut self.look;
        match action {
            Action::PlayOrPause => self.playback.toggle(),
            Action::Step(by) => self.playback.step(by),
            Action::First => self.playback.seek(0),
            Action::Last => self.playback.seek(usize::MAX),
            Action::Loop => self.playback.set_looping(!self.playback.is_looping()),
            Action::Faster => self.playback.change_speed(true),
            Action::Slower => self.playback.change_speed(false),
            Action::Bones => look.bones = !look.bones,
            Action::Skin => look.skin = !look.skin,
            Action::Grid => look.grid = !look.grid,
            Action::Contacts => look.contacts = !look.contacts,
            Action::Follow => self.toggle_follow(),
            Action::InPlace => self.in_place = !self.in_place,
            Action::FrameAll => self.frame_all(),
            Action::Look(view) => {
                self.camera.look_from(view);
                self.frame_all();
            }
            Action::Theme => {
                let dark = look.backdrop == Backdrop::Dark;
                look.backdrop = if dark { Backdrop::Light } else { Backdrop::Dark };
            }
            Action::Help => self.help = !self.help,
            Action::Close => self.closing = true,
        }
        // a skin and bones both off would show nothing
        self.look.bones |= !self.look.skin;
        if !self.playback.is_playing() {
            self.go_along(None);
        }
    }

    /// What is in the picture stays where it is when following starts or stops.
    fn toggle_follow(&mut self) {
        self.follow = !self.follow;
        let before = self.anchor.position();
        let now = if self.follow { self.lineup.travel(&self.moments()) } else { Vec3::ZERO };
        self.anchor = Follow::new(now, SETTLE_S);
        self.camera.target += before - now;
    }

    /// “frame 42 / 180 · 1.40 s”. Frames count from 0, as everywhere.
    pub(crate) fn position_text(&self) -> String {
        let last = self.playback.frames() - 1;
        let width = last.to_string().len();
        let frame = self.playback.frame();
        let time_s = frame as f32 / self.playback.fps().per_second();
        format!("frame {frame:>width$} / {last} · {time_s:.2} s")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use limber_animation::{Character, Clip, Fps, canonical_skeleton};

    use super::*;
    use crate::lineup::test_lineup;

    fn session() -> Session {
        let skeleton = canonical_skeleton();
        let frames = (0..60).map(|frame| {
            let mut pose = skeleton.rest_pose();
            pose.hips_translation.z += frame as f32 * 0.05;
            pose
        });
        let clip = Clip::new(skeleton.clone(), Fps::DEFAULT, frames.collect());
        let character = Character {
            name: String::new(),
            skeleton,
            skins: vec![],
            meshes: vec![],
            materials: vec![],
            images: vec![],
        };
        let clip = clip.expect("poses of its own");
        Session::new(test_lineup(Arc::new(character), vec![clip]), 1.6)
    }

    #[test]
    fn the_position_is_told_in_frames_and_seconds() {
        let mut session = session();
        session.seek(42);
        assert_eq!(session.position_text(), "frame 42 / 59 · 1.40 s");
        session.seek(3);
        assert_eq!(session.position_text(), "frame  3 / 59 · 0.10 s");
    }

    #[test]
    fn the_camera_follows_a_walk_and_stays_when_told_to() {
        let mut session = session();
        let before = session.camera().target.z;
        for _ in 0..50 {
            session.advance(1.0 / 30.0);
        }
        assert!(session.camera().target.z > before + 1.0);
        let here = session.camera();
        session.apply(Action::Follow);
        assert!(session.camera().target.abs_diff_eq(here.target, 1e-4), "no jump");
        session.advance(0.1);
        assert!(session.camera().target.abs_diff_eq(here.target, 1e-4), "it stays");
        session.apply(Action::Follow);
        assert!(session.camera().target.abs_diff_eq(here.target, 1e-4), "no jump back");
    }

    #[test]
    fn there_is_always_something_to_see() {
        let mut session = session();
        session.apply(Action::Skin);
        assert!(session.look.bones && !session.look.skin);
        session.apply(Action::Bones);
        assert!(session.look.bones);
    }

    #[test]
    fn stepping_stops_and_playing_goes_on() {
        let mut session = session();
        session.apply(Action::Step(1));
        assert!(!session.playback.is_playing());
        session.apply(Action::PlayOrPause);
        assert!(session.playback.is_playing());
        session.apply(Action::Last);
        assert_eq!(session.playback.frame(), 59);
    }

    #[test]
    fn closing_is_asked_for() {
        let mut session = session();
        session.apply(Action::Close);
        assert!(session.closing);
    }
}
