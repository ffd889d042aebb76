//! An orbit camera: plain state without graphics calls.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::camera::rh::{proj::opengl, view};
use glam::{Mat4, Vec2, Vec3};

use crate::Bounds;

/// Preset view directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// From the front, a little to the character's left.
    ThreeQuarter,
    /// From the front: the character faces the camera.
    Front,
    /// From the character's left.
    Side,
    /// From above.
    Top,
}

impl View {
    /// Returns yaw and pitch in radians.
    #[must_use]
    pub const fn angles(self) -> (f32, f32) {
        match self {
            Self::ThreeQuarter => (0.55, 0.13),
            Self::Front => (0.0, 0.06),
            Self::Side => (FRAC_PI_2, 0.06),
            Self::Top => (0.0, Camera::MAX_PITCH),
        }
    }
}

/// How depth affects apparent size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Projection {
    /// Distant objects look smaller.
    #[default]
    Perspective,
    /// Apparent size does not depend on depth. Objects at the target look as large as in
    /// perspective.
    Orthographic,
}

/// A camera that orbits a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The point in the centre of the image, in world space.
    pub target: Vec3,
    /// Distance from the target to the camera, in metres.
    pub distance: f32,
    /// Yaw in radians: 0 looks at the character's front (from +Z); positive values move the camera
    /// to the character's left (+X).
    pub yaw: f32,
    /// Pitch in radians: 0 is level; positive values look down.
    pub pitch: f32,
    /// Vertical field of view in radians.
    pub field_of_view: f32,
    /// Perspective or orthographic.
    pub projection: Projection,
}

impl Default for Camera {
    fn default() -> Self {
        let (yaw, pitch) = View::ThreeQuarter.angles();
        Self {
            target: Vec3::new(0.0, 0.9, 0.0),
            distance: 4.0,
            yaw,
            pitch,
            field_of_view: 0.52,
            projection: Projection::Perspective,
        }
    }
}

impl Camera {
    /// Largest pitch, almost straight down; at exactly 90° the up vector would be undefined.
    pub const MAX_PITCH: f32 = FRAC_PI_2 - 0.01;
    /// Smallest pitch, just below the floor.
    const MIN_PITCH: f32 = -0.2;
    /// Margin around the framed object on each side, as a fraction of the image.
    const MARGIN: f32 = 0.10;

    /// Returns a camera that sees the whole box from a preset direction.
    #[must_use]
    pub fn framing(bounds: &Bounds, view: View, aspect: f32) -> Self {
        let mut camera = Self::default();
        camera.look_from(view);
        camera.frame(bounds, aspect);
        camera
    }

    /// Returns the unit vector from the target to the camera.
    #[must_use]
    pub fn backward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    }

    /// Returns the unit vectors to the right and to the top of the image, in world space.
    #[must_use]
    pub fn right_and_up(&self) -> (Vec3, Vec3) {
        let right = Vec3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        (right, self.backward().cross(right))
    }

    /// Returns the position of the camera in world space.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.target + self.backward() * self.distance
    }

    /// Returns the transform from world space to camera space.
    #[must_use]
    pub fn view_matrix(&self) -> Mat4 {
        view::look_at_mat4(self.eye(), self.target, Vec3::Y)
    }

    /// Returns the transform from camera space to clip space (OpenGL convention: depth −1 to 1).
    #[must_use]
    pub fn projection_matrix(&self, aspect: f32) -> Mat4 {
        let far = self.distance * 60.0;
        match self.projection {
            Projection::Perspective => {
                opengl::perspective(self.field_of_view, aspect, self.distance * 0.03, far)
            }
            Projection::Orthographic => {
                let tall = self.visible_height() * 0.5;
                let wide = tall * aspect;
                // orthographic size does not depend on depth, so geometry behind the camera is not
                // clipped
                opengl::orthographic(-wide, wide, -tall, tall, -far, far)
            }
        }
    }

    /// Returns the height of the visible area at the target, in metres.
    pub(crate) fn visible_height(&self) -> f32 {
        2.0 * self.distance * (self.field_of_view * 0.5).tan()
    }

    /// Takes a preset view direction; target and distance stay.
    pub fn look_from(&mut self, view: View) {
        (self.yaw, self.pitch) = view.angles();
    }

    /// Orbits around the target by these angles in radians. The pitch is clamped so that the camera
    /// stays above the floor and below the zenith.
    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw + PI).rem_euclid(2.0 * PI) - PI;
        self.pitch = (self.pitch + pitch).clamp(Self::MIN_PITCH, Self::MAX_PITCH);
    }

    /// Pans so that the point under the pointer stays there. `by` is the pointer's movement as a
    /// fraction of the image height, positive to the right and down.
    pub fn pan(&mut self, by: Vec2) {
        let (right, up) = self.right_and_up();
        self.target += (up * by.y - right * by.x) * self.visible_height();
    }

    /// Multiplies the distance by a factor; values below 1 zoom in. The distance is clamped to
    /// between 0.1 mm and 100 km.
    pub fn zoom(&mut self, factor: f32) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance * factor).clamp(1e-4, 1e5);
        }
    }

    /// Moves the target and distance so that the whole box is visible, with a margin. Does nothing
    /// if the box is empty.
    pub fn frame(&mut self, bounds: &Bounds, aspect: f32) {
        if !bounds.is_empty() {
            self.frame_points(&bounds.corners(), aspect);
        }
    }

    /// Moves the target and distance so that all points are visible, with a margin, centred in the
    /// image. Does nothing if there are no points or one is not finite.
    pub fn frame_points(&mut self, points: &[Vec3], aspect: f32) {
        if points.is_empty() || points.iter().any(|point| !point.is_finite()) {
            return;
        }
        let (right, up) = self.right_and_up();
        self.target = [right, up, self.backward()].into_iter().fold(Vec3::ZERO, |sum, axis| {
            let along = points.iter().map(|point| point.dot(axis));
            let low = along.clone().fold(f32::INFINITY, f32::min);
            let high = along.fold(f32::NEG_INFINITY, f32::max);
            sum + axis * ((low + high) * 0.5)
        });
        self.distance = self.distance_to_see(points, aspect).max(1e-4);
    }

    /// Returns how far the camera must be from the target to see all points, in metres.
    fn distance_to_see(&self, points: &[Vec3], aspect: f32) -> f32 {
        let (right, up) = self.right_and_up();
        let share = 1.0 - 2.0 * Self::MARGIN;
        let tall = (self.field_of_view * 0.5).tan() * share;
        let wide = tall * aspect;
        points.iter().fold(0.0, |most: f32, point| {
            let way = *point - self.target;
            let needed = (way.dot(up).abs() / tall).max(way.dot(right).abs() / wide);
            most.max(match self.projection {
                Projection::Perspective => needed + way.dot(self.backward()),
                Projection::Orthographic => needed,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Bounds {
        Bounds { min: Vec3::new(-0.7, 0.0, -0.2), max: Vec3::new(0.7, 1.8, 0.3) }
    }

    fn on_screen(camera: &Camera, aspect: f32, point: Vec3) -> Vec2 {
        let clip = camera.projection_matrix(aspect) * camera.view_matrix();
        clip.project_point3(point).truncate()
    }

    #[test]
    fn orthographic_lengths_do_not_depend_on_distance() {
        let flat = Camera { projection: Projection::Orthographic, ..Camera::default() };
        let length = |camera: &Camera, away: f32| {
            let (right, _) = camera.right_and_up();
            let from = camera.target - camera.backward() * away;
            (on_screen(camera, 1.6, from + right) - on_screen(camera, 1.6, from)).length()
        };
        // the last one is behind the camera
        for away in [2.0, 0.0, -2.0, -6.0] {
            assert!((length(&flat, away) - length(&Camera::default(), 0.0)).abs() < 1e-4, "{away}");
        }
        let mut framed = Camera { projection: Projection::Orthographic, ..Camera::default() };
        framed.frame(&body(), 1.0);
        let reach = body().corners().map(|corner| on_screen(&framed, 1.0, corner).abs());
        let most = reach.into_iter().fold(0.0, |most: f32, at| most.max(at.max_element()));
        assert!((most - (1.0 - 2.0 * Camera::MARGIN)).abs() < 1e-3, "{most}");
    }

    #[test]
    fn framing_shows_every_corner_in_every_view_and_aspect_ratio() {
        for view in [View::ThreeQuarter, View::Front, View::Side, View::Top] {
            for aspect in [0.4, 1.0, 1.78] {
                let camera = Camera::framing(&body(), view, aspect);
                let reach = body()
                    .corners()
                    .map(|corner| on_screen(&camera, aspect, corner).abs().max_element());
                let most = reach.into_iter().fold(0.0, f32::max);
                assert!(most < 0.9 && most > 0.5, "{view:?} {aspect}: {most}");
            }
        }
    }

    #[test]
    fn the_front_view_shows_the_characters_left_on_the_right() {
        let camera = Camera::framing(&body(), View::Front, 1.0);
        assert!(on_screen(&camera, 1.0, Vec3::new(0.7, 1.0, 0.0)).x > 0.0);
        assert!(camera.eye().z > 0.0);
    }

    #[test]
    fn panning_keeps_the_point_under_the_pointer() {
        let mut camera = Camera::framing(&body(), View::Front, 1.0);
        let before = on_screen(&camera, 1.0, camera.target);
        let point = camera.target;
        camera.pan(Vec2::new(0.1, 0.0));
        let after = on_screen(&camera, 1.0, point);
        assert!((after.x - before.x - 0.2).abs() < 1e-3, "{before} {after}");
    }

    #[test]
    fn orbiting_stops_at_the_zenith_and_just_below_the_floor() {
        let mut camera = Camera::default();
        camera.orbit(10.0, 10.0);
        assert!(camera.pitch <= Camera::MAX_PITCH && camera.yaw.abs() <= PI);
        camera.orbit(0.0, -10.0);
        assert!(camera.pitch >= -0.25);
        assert!(camera.view_matrix().is_finite());
    }

    #[test]
    fn an_invalid_zoom_changes_nothing() {
        let mut camera = Camera::default();
        let before = camera;
        for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            camera.zoom(factor);
        }
        assert_eq!(camera, before);
    }

    #[test]
    fn an_empty_box_changes_nothing() {
        let mut camera = Camera::default();
        let before = camera;
        camera.frame(&Bounds::EMPTY, 1.0);
        assert_eq!(camera, before);
    }
}
