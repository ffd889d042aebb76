//! Draws a prepared scene.

use three_d::{Program, Viewport};

use super::{Actor, Prepared, SMALL, Scene, Stage};
use crate::{
    Backdrop, Camera, Quality,
    body::{self, Detail, Pass},
    conversion,
    floor::FloorFrame,
    overlay::{self, Bones},
    palette::Lights,
};

impl Stage {
    /// Draws a prepared scene. Must be called while its render target is being written.
    pub(crate) fn paint(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        if scene.look.skin {
            self.paint_bodies(scene, prepared, viewport);
        }
        self.paint_studio(scene, prepared, viewport);
        if scene.look.skin {
            self.paint_translucent(scene, prepared, viewport);
        }
        if let Some(trails) = &self.trails {
            trails.draw(scene.trails, prepared.view_projection, viewport);
        }
        self.paint_overlay(scene, prepared, viewport);
    }

    /// Draws only the floor and backdrop of a prepared scene.
    pub(crate) fn paint_studio(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        let shadow = self.shadow.as_ref().zip(prepared.shadow.as_ref());
        if let (Backdrop::Sweep(_), Some(sweep)) = (scene.look.backdrop, &self.sweep) {
            let key = Lights::seen_from(scene.camera).key;
            let around = (prepared.view_projection, prepared.bounds.center(), key);
            return sweep.draw(scene.look, around, shadow, viewport);
        }
        if scene.look.backdrop != Backdrop::Picture {
            let frame = floor_frame(prepared, scene.camera);
            let matrix = prepared.view_projection;
            self.floor.draw_floor(scene.look, &frame, matrix, shadow, viewport);
        }
        self.floor.draw_backdrop(scene.look, viewport);
    }

    fn paint_bodies(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        self.light_bodies(scene, prepared);
        for (place, actor) in scene.actors.iter().enumerate() {
            if !actor.is_translucent() {
                self.paint_body(scene, prepared, (place, Pass::Solid), viewport);
            }
        }
    }

    /// Draws translucent bodies, back to front.
    fn paint_translucent(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        let away = |actor: &Actor<'_>| {
            let middle = actor.pose.positions.first().copied().unwrap_or_default() + actor.offset;
            (middle - scene.camera.eye()).dot(-scene.camera.backward())
        };
        let actors = scene.actors.iter().enumerate();
        let mut translucent: Vec<_> = actors.filter(|(_, actor)| actor.is_translucent()).collect();
        if translucent.is_empty() {
            return;
        }
        translucent.sort_by(|(_, one), (_, other)| away(other).total_cmp(&away(one)));
        self.light_bodies(scene, prepared);
        for (place, _) in translucent {
            self.paint_body(scene, prepared, (place, Pass::DepthPrepass), viewport);
            self.paint_body(scene, prepared, (place, Pass::Translucent), viewport);
        }
    }

    fn skin_program(&self, quality: Quality) -> &Program {
        let fast = self.fast_skin.as_ref().filter(|_| quality == Quality::Fast);
        fast.unwrap_or(&self.skin)
    }

    fn light_bodies(&self, scene: &Scene<'_>, prepared: &Prepared) {
        let program = self.skin_program(scene.look.quality);
        let shadow = self.shadow.as_ref().zip(prepared.shadow.as_ref());
        let lights = Lights::seen_from(scene.camera);
        program.use_uniform("eye", conversion::vec3(scene.camera.eye()));
        program.use_uniform("keyDirection", conversion::vec3(lights.key));
        program.use_uniform("fillDirection", conversion::vec3(lights.fill));
        program.use_uniform("rimDirection", conversion::vec3(lights.rim));
        program.use_uniform("bodyScale", prepared.scale);
        program.use_uniform("noiseStrength", f32::from(u8::from(scene.look.dither)));
        let texel = shadow.map_or(0.0, |(shadow, framing)| shadow.texel_size(framing));
        program.use_uniform("keyTexelSize", texel);
        if let Some((shadow, framing)) = shadow {
            shadow.light(program, framing);
        }
    }

    fn paint_body(
        &self,
        scene: &Scene<'_>,
        prepared: &Prepared,
        (place, pass): (usize, Pass),
        viewport: Viewport,
    ) {
        let (program, actor) = (self.skin_program(scene.look.quality), &scene.actors[place]);
        let (_, body) = &self.cast[actor.character];
        let appears = pixels_per_metre(scene.camera, viewport.height) * body.height;
        // saved images are always drawn in full detail; translucent bodies need less
        let coarse =
            scene.look.quality != Quality::Fine && (appears < SMALL || pass != Pass::Solid);
        let detail = if coarse { Detail::Small } else { Detail::Full };
        let finish = &actor.finish;
        program.use_uniform("tint", conversion::vec4(finish.tint.extend(finish.tinted)));
        program.use_uniform("hatched", f32::from(u8::from(finish.hatched)));
        program.use_uniform("opacity", finish.opacity);
        body::place(program, prepared.view_projection, actor.offset);
        body.draw(program, &self.poses[place], viewport, (detail, pass), |program, surface| {
            surface.bind(program);
        });
    }

    fn paint_overlay(&self, scene: &Scene<'_>, prepared: &Prepared, viewport: Viewport) {
        let Some(overlay) = &self.overlay else { return };
        let matrix = prepared.view_projection;
        let solid = scene.actors.iter().filter(|actor| !actor.finish.ghost);
        let skeletons = solid.map(|actor| (actor, &self.cast[actor.character].0));
        if scene.look.contacts {
            let rings: Vec<_> = skeletons
                .clone()
                .flat_map(|(actor, character)| {
                    let (pose, offset) = (actor.pose, actor.offset);
                    overlay::marks(
                        &character.skeleton,
                        pose,
                        actor.contacts,
                        offset,
                        prepared.scale,
                    )
                })
                .collect();
            overlay.draw_marks(&rings, matrix, viewport);
        }
        let mut bones = Bones::default();
        if scene.look.axes {
            bones.add_axes(prepared.scale);
        }
        if scene.look.bones {
            for (actor, character) in skeletons {
                bones.add(&character.skeleton, actor.pose, actor.offset, prepared.scale);
            }
        }
        overlay.draw_bones(&bones, scene.camera.eye(), matrix, viewport);
    }
}

/// Returns how many pixels a metre covers at the camera's target.
fn pixels_per_metre(camera: &Camera, height: u32) -> f32 {
    height as f32 / camera.visible_height().max(1e-6)
}

/// Returns a floor large enough to fade out before its edge, with lines one metre apart or a power
/// of ten of that.
fn floor_frame(prepared: &Prepared, camera: &Camera) -> FloorFrame {
    let spacing = 10_f32.powf(prepared.scale.log10().round());
    let wide = prepared.bounds.size().with_y(0.0).length();
    FloorFrame {
        focus: prepared.bounds.center(),
        reach: (9.0 * prepared.scale).max(2.0 * wide).max(2.2 * camera.distance),
        spacing,
    }
}
