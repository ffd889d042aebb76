//! Everything the user can change while viewing: plain state, without window or graphics.

use glam::{Vec2, Vec3};
use limber_animation::Seconds;
use limber_api::viewer::ViewerLayer;
use limber_render::{Backdrop, Bounds, Camera, Follow, Look, Projection, View};

use crate::{
    action::Action,
    lineup::Lineup,
    playback::Playback,
    words::{Language, said},
};

/// Time that the camera takes to catch up.
const SETTLE_S: Seconds = 0.5;

/// The state of a viewing session.
pub(crate) struct Session {
    pub(crate) lineup: Lineup,
    pub(crate) playback: Playback,
    pub(crate) look: Look,
    pub(crate) follow: bool,
    pub(crate) in_place: bool,
    pub(crate) trails: bool,
    pub(crate) ghosts: bool,
    pub(crate) help: bool,
    /// A notice shown over the image, until other files are loaded.
    pub(crate) notice: Option<String>,
    pub(crate) closing: bool,
    pub(crate) language: Language,
    /// Whether to save an image with the next frame.
    pub(crate) saving: bool,
    /// Whether to start rendering a turntable video.
    pub(crate) turning: bool,
    /// The lane that was last overlaid on the first.
    compared: usize,
    camera: Camera,
    /// Camera anchors that follow the bodies, one for each image.
    anchors: Vec<Follow>,
    /// Width over height of the whole image area.
    pub(crate) aspect: f32,
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
            trails: false,
            ghosts: false,
            help: false,
            notice: None,
            closing: false,
            language: Language::default(),
            saving: false,
            turning: false,
            compared: 1,
            camera: Camera::default(),
            anchors: Vec::new(),
            aspect,
        };
        session.camera.look_from(View::ThreeQuarter);
        session.frame_all();
        session
    }

    /// Shows other files with the same settings. An overlay is kept if there is a second clip.
    pub(crate) fn load(&mut self, lineup: Lineup) {
        let over = self.lineup.over().is_some();
        self.lineup = lineup;
        self.compared = 1;
        if over {
            self.lineup.lay_over(Some(1));
        }
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

    /// Sets width over height of the image area.
    pub(crate) fn set_aspect(&mut self, aspect: f32) {
        self.aspect = aspect;
    }

    /// Advances clips and camera.
    pub(crate) fn advance(&mut self, passed_s: Seconds) {
        let before = self.playback.time_s();
        self.playback.advance(passed_s);
        let on = self.playback.time_s() - before;
        let started_over = if self.playback.is_backwards() { on > 0.0 } else { on < 0.0 };
        self.go_along(if started_over { None } else { Some(passed_s) });
    }

    /// Returns the mean horizontal position of the bodies, for each image.
    fn travels(&self) -> Vec<Vec3> {
        self.lineup.travels(self.playback.time_s(), self.in_place)
    }

    /// Returns the camera of an image.
    pub(crate) fn camera(&self, cell: usize) -> Camera {
        let anchor = self.anchors.get(cell).map_or(Vec3::ZERO, Follow::position);
        Camera { target: self.camera.target + anchor, ..self.camera }
    }

    /// Moves the camera along with the bodies if it follows them; instantly if no time is given.
    fn go_along(&mut self, passed_s: Option<Seconds>) {
        if !self.follow {
            return;
        }
        let Some(passed_s) = passed_s else { return self.catch_up() };
        for (anchor, goal) in
            self.anchors.iter_mut().zip(self.lineup.travels(self.playback.time_s(), self.in_place))
        {
            anchor.step(goal, passed_s);
        }
    }

    fn catch_up(&mut self) {
        self.anchors = self.travels().into_iter().map(|goal| Follow::new(goal, SETTLE_S)).collect();
    }

    fn frame_all(&mut self) {
        self.catch_up();
        let aspect = self.grid().cell_aspect(self.aspect);
        self.camera.frame(&self.lineup.room(), aspect);
    }

    /// Frames everything so that it stays in view from all sides.
    pub(crate) fn frame_round(&mut self) {
        self.go_along(None);
        let room = self.lineup.room();
        if room.is_empty() {
            return;
        }
        let middle = if self.lineup.over().is_some() { Vec3::ZERO } else { room.center() };
        let reach = (room.max - middle).abs().max((room.min - middle).abs());
        let wide = Vec2::new(reach.x, reach.z).length();
        let side = Vec3::new(wide, 0.0, wide);
        let round = Bounds {
            min: (middle - side).with_y(room.min.y),
            max: (middle + side).with_y(room.max.y),
        };
        let aspect = self.grid().cell_aspect(self.aspect);
        self.camera.frame(&round, aspect);
    }

    /// Seeks to a time and places the camera at this angle from its default, in radians, following
    /// the bodies.
    pub(crate) fn stand(&mut self, time_s: Seconds, angle: f32) {
        self.playback.stand_at(time_s);
        let (yaw, _) = View::ThreeQuarter.angles();
        self.camera.yaw = yaw + angle;
        self.go_along(None);
    }

    /// Orbits the camera; the pointer movement is given in window heights.
    pub(crate) fn orbit(&mut self, by: Vec2) {
        self.camera.orbit(-by.x * 3.4, by.y * 2.6);
    }

    /// Pans the camera; the pointer movement is given in window heights.
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
            Action::PlayBackwards if self.playback.is_playing() && self.playback.is_backwards() => {
                self.playback.pause();
            }
            Action::PlayBackwards => self.playback.play_backwards(),
            Action::Pause => self.playback.pause(),
            Action::Step(by) => self.playback.step(by),
            Action::First => self.playback.seek_first(),
            Action::Last => self.playback.seek_last(),
            Action::Loop => self.playback.set_looping(!self.playback.is_looping()),
            Action::Faster => self.playback.change_speed(true),
            Action::Slower => self.playback.change_speed(false),
            Action::Bones => look.bones = !look.bones,
            Action::Skin => look.skin = !look.skin,
            Action::Grid => look.grid = !look.grid,
            Action::Contacts => look.contacts = !look.contacts,
            Action::Axes => look.axes = !look.axes,
            Action::Trails => self.trails = !self.trails,
            Action::Ghosts => self.ghosts = !self.ghosts,
            Action::Overlay => self.lay_over(self.lineup.over().is_none()),
            Action::NextOver => {
                let others = (self.lineup.lanes.len() - 1).max(1);
                self.compare(self.compared % others + 1);
            }
            Action::SavePicture => self.saving = true,
            Action::SaveTurn => self.turning = true,
            Action::Follow => self.toggle_follow(),
            Action::InPlace => self.set_in_place(!self.in_place),
            Action::FrameAll => self.frame_all(),
            Action::Look(view) => {
                self.camera.look_from(view);
                self.frame_all();
            }
            Action::Projection => self.change_projection(),
            Action::Theme => {
                let light = !self.is_light();
                self.set_theme(light);
            }
            Action::Help => self.help = !self.help,
            Action::Close => self.closing = true,
        }
        // hiding both skin and bones would show nothing
        self.look.bones |= !self.look.skin;
        if !self.playback.is_playing() {
            self.go_along(None);
        }
    }

    /// Sets the light or the dark background.
    pub(crate) const fn set_theme(&mut self, light: bool) {
        self.look.backdrop = if light { Backdrop::Light } else { Backdrop::Dark };
    }

    pub(crate) fn is_light(&self) -> bool {
        self.look.backdrop == Backdrop::Light
    }

    /// Sets whether horizontal root motion is removed.
    pub(crate) fn set_in_place(&mut self, enabled: bool) {
        self.in_place = enabled;
        if !self.playback.is_playing() {
            self.go_along(None);
        }
    }

    /// Shows or hides a layer.
    pub(crate) fn show(&mut self, layer: ViewerLayer, enabled: bool) {
        match layer {
            ViewerLayer::Skin => self.look.skin = enabled,
            ViewerLayer::Bones => self.look.bones = enabled,
            ViewerLayer::Grid => self.look.grid = enabled,
            ViewerLayer::Contacts => self.look.contacts = enabled,
            ViewerLayer::Axes => self.look.axes = enabled,
            ViewerLayer::Trails => self.trails = enabled,
            ViewerLayer::Ghosts => self.ghosts = enabled,
            ViewerLayer::Overlay => self.lay_over(enabled),
        }
        self.look.bones |= !self.look.skin;
    }

    /// Returns the visible layers, as set by [`Self::show`].
    pub(crate) fn layers(&self) -> Vec<ViewerLayer> {
        let all = ViewerLayer::NAMES.into_iter().map(|(_, layer)| layer);
        all.filter(|layer| self.shows(*layer)).collect()
    }

    const fn shows(&self, layer: ViewerLayer) -> bool {
        match layer {
            ViewerLayer::Skin => self.look.skin,
            ViewerLayer::Bones => self.look.bones,
            ViewerLayer::Grid => self.look.grid,
            ViewerLayer::Contacts => self.look.contacts,
            ViewerLayer::Axes => self.look.axes,
            ViewerLayer::Trails => self.trails,
            ViewerLayer::Ghosts => self.ghosts,
            ViewerLayer::Overlay => self.lineup.over().is_some(),
        }
    }

    /// Returns the file that is, or would be, B, counted from 1.
    pub(crate) const fn compared(&self) -> usize {
        self.compared
    }

    /// Overlays the first file and another, or shows all side by side again.
    fn lay_over(&mut self, enabled: bool) {
        if enabled && self.lineup.lanes.len() < 2 {
            self.notice = Some(said(self.language, "Open two files to overlay them").to_owned());
            return;
        }
        let was = self.lineup.over().is_some();
        self.lineup.lay_over(enabled.then_some(self.compared));
        if was != enabled {
            self.frame_all();
        }
    }

    /// Chooses the file that is B, counted from 1. Values out of range are ignored.
    pub(crate) fn compare(&mut self, with: usize) {
        if (1..self.lineup.lanes.len()).contains(&with) {
            self.compared = with;
            if self.lineup.over().is_some() {
                self.lineup.lay_over(Some(with));
            }
        }
    }

    /// Toggles the projection, keeping the apparent size at the camera's target.
    const fn change_projection(&mut self) {
        self.camera.projection = match self.camera.projection {
            Projection::Perspective => Projection::Orthographic,
            Projection::Orthographic => Projection::Perspective,
        };
    }

    /// Returns whether the projection is orthographic.
    pub(crate) const fn is_orthographic(&self) -> bool {
        matches!(self.camera.projection, Projection::Orthographic)
    }

    /// Toggles following without moving the image.
    fn toggle_follow(&mut self) {
        self.follow = !self.follow;
        if self.follow {
            let mean = |anchors: &[Follow]| {
                anchors.iter().map(Follow::position).sum::<Vec3>() / anchors.len().max(1) as f32
            };
            let before = mean(&self.anchors);
            self.catch_up();
            self.camera.target += before - mean(&self.anchors);
        }
    }

    /// Returns, for example, “frame 42 / 180 · 1.40 s”. Frames count from 0.
    pub(crate) fn position_text(&self) -> String {
        let last = self.playback.frames() - 1;
        let width = last.to_string().len();
        let frame = self.playback.frame();
        let time_s = frame as f32 / self.playback.fps().per_second();
        let word = said(self.language, "frame");
        format!("{word} {frame:>width$} / {last} · {time_s:.2} s")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use limber_animation::{Character, Clip, Fps, canonical_skeleton};

    use super::*;
    use crate::lineup::test_lineup;

    /// A session with one lane for each length in frames; all bodies move forwards by 5 cm per
    /// frame.
    pub(crate) fn session(lengths: &[usize]) -> Session {
        let skeleton = canonical_skeleton();
        let clip = |length: &usize| {
            let frames = (0..*length).map(|frame| {
                let mut pose = skeleton.rest_pose();
                pose.hips_translation.z += frame as f32 * 0.05;
                pose
            });
            let clip = Clip::new(skeleton.clone(), Fps::DEFAULT, frames.collect());
            clip.expect("the poses match the skeleton")
        };
        let clips = lengths.iter().map(clip).collect();
        let character = Character {
            name: String::new(),
            skeleton: skeleton.clone(),
            skins: vec![],
            meshes: vec![],
            materials: vec![],
            images: vec![],
            avatar: Vec::new(),
        };
        Session::new(test_lineup(Arc::new(character), clips), 1.6)
    }

    #[test]
    fn the_position_is_shown_in_frames_and_seconds() {
        let mut session = session(&[60]);
        session.seek(42);
        assert_eq!(session.position_text(), "frame 42 / 59 · 1.40 s");
        session.seek(3);
        assert_eq!(session.position_text(), "frame  3 / 59 · 0.10 s");
    }

    #[test]
    fn the_camera_follows_a_walk_unless_disabled() {
        let mut session = session(&[60]);
        let before = session.camera(0).target.z;
        for _ in 0..50 {
            session.advance(1.0 / 30.0);
        }
        assert!(session.camera(0).target.z > before + 1.0);
        let here = session.camera(0);
        session.apply(Action::Follow);
        assert!(session.camera(0).target.abs_diff_eq(here.target, 1e-4), "no jump");
        session.advance(0.1);
        assert!(session.camera(0).target.abs_diff_eq(here.target, 1e-4), "it stays");
        session.apply(Action::Follow);
        assert!(session.camera(0).target.abs_diff_eq(here.target, 1e-4), "no jump back");
    }

    #[test]
    fn the_last_layer_cannot_be_hidden() {
        let mut session = session(&[60]);
        session.apply(Action::Skin);
        assert!(session.look.bones && !session.look.skin);
        session.apply(Action::Bones);
        assert!(session.look.bones);
    }

    #[test]
    fn stepping_pauses_and_playing_continues() {
        let mut session = session(&[60]);
        session.apply(Action::Step(1));
        assert!(!session.playback.is_playing());
        session.apply(Action::PlayOrPause);
        assert!(session.playback.is_playing());
        session.apply(Action::Last);
        assert_eq!(session.playback.frame(), 59);
    }

    #[test]
    fn backwards_again_stops_and_the_camera_follows_backwards() {
        let mut session = session(&[60]);
        session.apply(Action::Pause);
        session.apply(Action::Last);
        session.apply(Action::PlayBackwards);
        let before = session.camera(0).target.z;
        for _ in 0..40 {
            session.advance(1.0 / 30.0);
        }
        assert!(session.camera(0).target.z < before - 1.0);
        session.apply(Action::PlayBackwards);
        assert!(!session.playback.is_playing());
        session.apply(Action::PlayBackwards);
        session.apply(Action::Pause);
        assert!(!session.playback.is_playing());
    }

    #[test]
    fn the_app_shows_and_hides_what_keys_do() {
        let mut session = session(&[60, 60]);
        for layer in [ViewerLayer::Trails, ViewerLayer::Ghosts, ViewerLayer::Contacts] {
            session.show(layer, true);
            session.show(layer, true);
        }
        assert!(session.trails && session.ghosts && session.look.contacts);
        session.show(ViewerLayer::Overlay, true);
        assert_eq!(session.lineup.over(), Some(1));
        session.show(ViewerLayer::Skin, false);
        assert!(session.look.bones);
        session.compare(7);
        assert_eq!((session.lineup.over(), session.compared()), (Some(1), 1));
        use ViewerLayer::{Bones, Contacts, Ghosts, Grid, Overlay, Trails};
        assert_eq!(session.layers(), [Bones, Grid, Contacts, Trails, Ghosts, Overlay]);
    }

    #[test]
    fn switching_to_orthographic_keeps_the_camera() {
        let mut session = session(&[60]);
        let before = session.camera(0);
        session.apply(Action::Projection);
        assert!(session.is_orthographic());
        assert_eq!(session.camera(0).eye(), before.eye());
        session.apply(Action::Look(View::Side));
        assert!(session.is_orthographic(), "it stays orthographic in every view");
        session.apply(Action::Projection);
        assert!(!session.is_orthographic());
    }

    #[test]
    fn in_place_bodies_and_camera_do_not_travel() {
        let mut session = session(&[60]);
        session.apply(Action::Pause);
        session.seek(50);
        let away = session.camera(0).target.z;
        session.set_in_place(true);
        assert!(session.camera(0).target.z < away - 1.0, "{} {away}", session.camera(0).target.z);
        session.set_in_place(true);
        session.apply(Action::InPlace);
        assert!((session.camera(0).target.z - away).abs() < 0.05);
    }

    #[test]
    fn closing_is_requested() {
        let mut session = session(&[60]);
        session.apply(Action::Close);
        assert!(session.closing);
    }
}
