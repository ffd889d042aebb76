//! What sets bodies apart and shows where they were: tints, stripes, ghosts, trails, deformations.

use std::collections::HashSet;

use glam::{Mat4, Vec3};
use image::RgbaImage;
use limber_animation::{Deformation, Side};
use limber_render::{
    Actor, Camera, Finish, Look, Offscreen, RenderError, Scene, Stage, Trail, View,
};

use crate::{SIZE, camera, changed, clay, mannequin::mannequin, share};

/// Renders the mannequin at rest with the given finish and deformation, or without a body if
/// `None`; and, for comparison, plainly.
fn both(body: Option<(Finish, Option<&Deformation>)>, trails: &[Trail]) -> Option<[RgbaImage; 2]> {
    let mut offscreen = match Offscreen::new(SIZE) {
        Err(RenderError::NoGraphics(reason)) => {
            println!("skipped: no off-screen OpenGL here ({reason})");
            return None;
        }
        other => other.expect("it opens"),
    };
    let character = mannequin();
    let pose = character.skeleton.rest_world();
    let mut stage = Stage::new(offscreen.context(), &[character]).expect("it is brought over");
    let (eye, look): (Camera, _) = (camera(View::Front), Look { shadow: false, ..Look::default() });
    let mut drawn = |actors: &[Actor<'_>], trails: &[Trail]| {
        let scene = Scene { camera: &eye, actors, trails, look: &look };
        offscreen.picture(&mut stage, &scene).expect("it renders")
    };
    let plain = Actor::new(0, &pose);
    let wanted = body.map(|(finish, deformation)| Actor { finish, deformation, ..plain });
    let pictures = [drawn(wanted.as_slice(), trails), drawn(&[plain], &[])];
    drop(stage);
    Some(pictures)
}

fn finished(finish: Finish) -> Option<[RgbaImage; 2]> {
    both(Some((finish, None)), &[])
}

#[test]
fn stripes_darken_about_a_third_of_the_body_and_nothing_else() {
    let Some([striped, plain]) = finished(Finish { hatched: true, ..Finish::PLAIN }) else {
        return;
    };
    let body: HashSet<_> = clay(&plain).into_iter().collect();
    let stripes = changed(&striped, &plain);
    let inside = stripes.iter().filter(|pixel| body.contains(pixel)).count();
    let part = inside as f32 / body.len() as f32;
    assert!((0.2..0.7).contains(&part), "{part} of the body");
    // the dark edges of the stripes do not count as clay
    assert!(stripes.len() - inside < body.len() / 3, "{} outside", stripes.len() - inside);
}

#[test]
fn a_tint_changes_the_colour_of_the_body() {
    let finish = Finish { tint: Vec3::new(0.2, 0.4, 1.0), tinted: 1.0, ..Finish::PLAIN };
    let Some([tinted, plain]) = finished(finish) else { return };
    assert!(clay(&plain).len() > 1000);
    assert!(clay(&tinted).len() < clay(&plain).len() / 20);
    let blue = |(x, y): &(u32, u32)| {
        let pixel = tinted.get_pixel(*x, *y);
        pixel[2] > pixel[0].saturating_add(20)
    };
    assert!(clay(&plain).iter().filter(|at| blue(at)).count() * 10 > clay(&plain).len() * 8);
}

#[test]
fn ghosts_are_transparent_but_hide_their_own_far_side() {
    let ghost = |opacity| Finish { opacity, ghost: true, ..Finish::PLAIN };
    let (Some([faint, plain]), Some([strong, _])) = (finished(ghost(0.3)), finished(ghost(0.6)))
    else {
        return;
    };
    let empty = both(None, &[]).expect("it was rendered before")[0].clone();
    let at = |picture: &RgbaImage, (x, y): (u32, u32)| i32::from(picture.get_pixel(x, y)[0]);
    let mut between = 0;
    let body = clay(&plain);
    for place in &body {
        let [none, faint, strong, solid] =
            [&empty, &faint, &strong, &plain].map(|picture| at(picture, *place));
        // the red of the clay over the dark backdrop increases with the opacity
        let expected = none as f32 + (solid - none) as f32 * 0.3;
        let close = (faint as f32 - expected).abs() < 12.0;
        between += usize::from(close && none < faint && faint < strong && strong < solid);
    }
    assert!(between * 10 > body.len() * 8, "{between} of {}", body.len());
}

#[test]
fn a_trail_is_drawn_where_its_points_are_and_shows_faintly_through_the_body() {
    let line = |z: f32, side| Trail {
        points: (0..=20).map(|at| Vec3::new(at as f32 * 0.08 - 0.8, 1.2, z)).collect(),
        // beyond the end, so that no dot is drawn
        now: 21,
        side,
    };
    let alone = Some((Finish::PLAIN, None));
    let Some([front, plain]) = both(alone, &[line(0.6, Some(Side::Left))]) else { return };
    let matrix = {
        let eye = camera(View::Front);
        eye.projection_matrix(SIZE.aspect()) * eye.view_matrix()
    };
    let row = (0.5 - matrix.project_point3(Vec3::new(0.0, 1.2, 0.6)).y * 0.5) * SIZE.height as f32;
    let drawn = changed(&front, &plain);
    assert!(drawn.len() > 150, "{}", drawn.len());
    assert!(drawn.iter().all(|(_, y)| (*y as f32 - row).abs() < 5.0));
    let [behind, _] = both(alone, &[line(-0.6, Some(Side::Left))]).expect("it was rendered before");
    let body: HashSet<_> = clay(&plain).into_iter().collect();
    let through = |picture: &RgbaImage| -> i32 {
        let over = changed(picture, &plain).into_iter().filter(|at| body.contains(at));
        over.map(|(x, y)| i32::from(picture.get_pixel(x, y)[2].abs_diff(plain.get_pixel(x, y)[2])))
            .sum()
    };
    let (before, hidden) = (through(&front), through(&behind));
    assert!(hidden > 0 && hidden * 2 < before, "{hidden} against {before}");
    let [dashed, _] = both(alone, &[line(0.6, Some(Side::Right))]).expect("it was rendered before");
    let dashes = changed(&dashed, &plain).len();
    assert!(dashes * 10 < drawn.len() * 8, "{dashes} of {}", drawn.len());
}

#[test]
fn a_deformation_moves_the_vertices_and_not_the_pose() {
    let character = mannequin();
    let pose = character.skeleton.rest_world();
    let up = Mat4::from_translation(Vec3::Y * 0.3);
    let moved = |lift: Mat4| Deformation {
        skins: character
            .skins
            .iter()
            .map(|skin| skin.matrices(&pose).into_iter().map(|matrix| lift * matrix).collect())
            .collect(),
        shapes: vec![],
    };
    let (same, lifted) = (moved(Mat4::IDENTITY), moved(up));
    let at = |deformation| both(Some((Finish::PLAIN, Some(deformation))), &[]);
    let (Some([same, plain]), Some([lifted, _])) = (at(&same), at(&lifted)) else { return };
    assert!(share(changed(&same, &plain).len(), &plain) < 0.001);
    let top = |picture: &RgbaImage| clay(picture).iter().map(|(_, y)| *y).min();
    assert!(top(&lifted) < top(&plain));
}
