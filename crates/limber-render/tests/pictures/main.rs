//! Renders a body made of boxes and checks the pixels. Tests are skipped, with a line that says so,
//! if the machine has no off-screen OpenGL.

mod mannequin;
mod marks;
mod threads;
mod videos;

use std::sync::Arc;

use glam::{Vec2, Vec3};
use image::RgbaImage;
use limber_animation::{Character, Clip};
use limber_render::{
    Actor, Backdrop, BodyBounds, Bounds, Camera, Look, Offscreen, PictureSize, Quality,
    RenderError, Scene, Shot, Stage, Studio, View, contact_sheet, sprite_sheet, thumbnail,
};
use mannequin::{glide, mannequin, raised_arm};

const SIZE: PictureSize = PictureSize::new(240, 300);

/// Returns `None` and prints a line if there is no OpenGL.
fn studio(size: PictureSize) -> Option<Studio> {
    match Studio::new(mannequin(), size) {
        Ok(studio) => Some(studio),
        Err(RenderError::NoGraphics(reason)) => {
            println!("skipped: no off-screen OpenGL here ({reason})");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn camera(view: View) -> Camera {
    let room = Bounds { min: Vec3::new(-0.5, 0.0, -0.2), max: Vec3::new(0.5, 2.1, 0.2) };
    Camera::framing(&room, view, SIZE.aspect())
}

/// Returns the pixels in which two images differ by more than noise.
fn changed(one: &RgbaImage, other: &RgbaImage) -> Vec<(u32, u32)> {
    let pairs = one.enumerate_pixels().zip(other.pixels());
    pairs
        .filter(|((_, _, a), b)| (0..3).any(|band| a[band].abs_diff(b[band]) > 8))
        .map(|((x, y, _), _)| (x, y))
        .collect()
}

fn share(count: usize, picture: &RgbaImage) -> f32 {
    count as f32 / (picture.width() * picture.height()) as f32
}

fn mean(picture: &RgbaImage) -> [f32; 3] {
    let count = (picture.width() * picture.height()) as f32;
    std::array::from_fn(|band| {
        picture.pixels().map(|pixel| f32::from(pixel[band])).sum::<f32>() / count
    })
}

/// Returns the pixels of the clay body: clearly more red than blue.
fn clay(picture: &RgbaImage) -> Vec<(u32, u32)> {
    let reddish = |pixel: &image::Rgba<u8>| i32::from(pixel[0]) > i32::from(pixel[2]) + 24;
    picture.enumerate_pixels().filter(|(_, _, one)| reddish(one)).map(|(x, y, _)| (x, y)).collect()
}

#[test]
fn a_body_fills_the_expected_share_of_the_image() {
    let Some(mut studio) = studio(SIZE) else { return };
    let picture = studio.picture(&raised_arm(), 0.0, &camera(View::Front)).expect("it renders");
    let body = clay(&picture);
    let filled = share(body.len(), &picture);
    assert!((0.07..0.25).contains(&filled), "{filled}");
    let lowest = body.iter().map(|(_, y)| *y).max().expect("there is a body");
    let feet = camera(View::Front);
    let matrix = feet.projection_matrix(SIZE.aspect()) * feet.view_matrix();
    let floor = matrix.project_point3(Vec3::ZERO).y;
    let expected = (0.5 - floor * 0.5) * SIZE.height as f32;
    assert!((lowest as f32 - expected).abs() < 12.0, "{lowest} against {expected}");
}

#[test]
fn the_dark_theme_is_dark_without_clipped_highlights() {
    let Some(mut studio) = studio(SIZE) else { return };
    let picture =
        studio.picture(&raised_arm(), 0.0, &camera(View::ThreeQuarter)).expect("it renders");
    let [red, green, blue] = mean(&picture);
    assert!(red < 80.0 && green < 75.0 && blue < 80.0, "{red} {green} {blue}");
    assert!((blue - red).abs() < 16.0, "{red} {blue}");
    let burnt =
        picture.pixels().filter(|pixel| pixel.0[..3].iter().all(|band| *band > 250)).count();
    assert!(share(burnt, &picture) < 0.001);
    let body: Vec<_> = clay(&picture);
    let brightest = body.iter().map(|(x, y)| picture.get_pixel(*x, *y)[0]).max();
    assert!(brightest.is_some_and(|red| red > 120), "{brightest:?}");
}

#[test]
fn raising_the_right_arm_changes_only_the_left_of_the_image() {
    let Some(mut studio) = studio(SIZE) else { return };
    studio.look.shadow = false;
    let (clip, eye) = (raised_arm(), camera(View::Front));
    let hanging = studio.picture(&clip, 0.0, &eye).expect("it renders");
    let raised = studio.picture(&clip, 1.9, &eye).expect("it renders");
    let moved = changed(&hanging, &raised);
    assert!(share(moved.len(), &hanging) > 0.01);
    let middle = SIZE.width as f32 * 0.5;
    let left = moved.iter().filter(|(x, _)| (*x as f32) < middle).count();
    assert!(left as f32 > 0.95 * moved.len() as f32, "{left} of {}", moved.len());
    let below = moved.iter().filter(|(_, y)| *y > SIZE.height * 3 / 4).count();
    assert_eq!(below, 0);
    let top = |picture: &RgbaImage| clay(picture).iter().map(|(_, y)| *y).min();
    assert!(top(&raised) < top(&hanging));
}

#[test]
fn the_skeleton_is_drawn_over_the_skin_inside_its_outline() {
    let Some(mut studio) = studio(SIZE) else { return };
    let (clip, eye) = (raised_arm(), camera(View::Front));
    let plain = studio.picture(&clip, 0.0, &eye).expect("it renders");
    studio.look.bones = true;
    let bones = studio.picture(&clip, 0.0, &eye).expect("it renders");
    let drawn = changed(&plain, &bones);
    assert!((0.01..0.2).contains(&share(drawn.len(), &plain)), "{}", drawn.len());
    let body: std::collections::HashSet<_> = clay(&plain).into_iter().collect();
    let inside = drawn.iter().filter(|pixel| body.contains(pixel)).count();
    assert!(inside * 10 > drawn.len() * 6, "{inside} of {}", drawn.len());
}

#[test]
fn the_axes_are_drawn_at_the_origin_behind_the_body() {
    let Some(mut studio) = studio(SIZE) else { return };
    let (clip, eye) = (raised_arm(), camera(View::ThreeQuarter));
    let plain = studio.picture(&clip, 0.0, &eye).expect("it renders");
    studio.look.axes = true;
    let axes = studio.picture(&clip, 0.0, &eye).expect("it renders");
    let drawn = changed(&plain, &axes);
    let matrix = eye.projection_matrix(SIZE.aspect()) * eye.view_matrix();
    let pixel = |place: glam::Vec3| {
        let at = matrix.project_point3(place);
        (
            ((at.x * 0.5 + 0.5) * SIZE.width as f32) as u32,
            ((0.5 - at.y * 0.5) * SIZE.height as f32) as u32,
        )
    };
    for (way, strongest) in [(glam::Vec3::X, 0), (glam::Vec3::Y, 1), (glam::Vec3::Z, 2)] {
        let (x, y) = pixel(way * 0.3);
        assert!(drawn.contains(&(x, y)), "nothing of {way} at {x} {y}");
        let colour = axes.get_pixel(x, y);
        assert!((0..3).all(|part| colour[part] <= colour[strongest]), "{way}: {colour:?}");
    }
}

#[test]
fn orthographic_images_are_complete() {
    let Some(mut studio) = studio(SIZE) else { return };
    let (clip, near) = (raised_arm(), camera(View::ThreeQuarter));
    let flat =
        limber_render::Camera { projection: limber_render::Projection::Orthographic, ..near };
    let [deep, flat] =
        [near, flat].map(|eye| studio.picture(&clip, 0.0, &eye).expect("it renders"));
    let (deep, flat) = (clay(&deep).len() as f32, clay(&flat).len() as f32);
    assert!((0.8..1.25).contains(&(flat / deep)), "{flat} of {deep} pixels of the body");
}

#[test]
fn the_shadow_darkens_the_floor_and_only_the_floor_side() {
    let Some(mut studio) = studio(SIZE) else { return };
    studio.look.backdrop = Backdrop::Plain([0.78; 3]);
    studio.look.grid = false;
    let (clip, eye) = (raised_arm(), camera(View::ThreeQuarter));
    let lit = studio.picture(&clip, 0.0, &eye).expect("it renders");
    let corner = lit.get_pixel(2, 2).0;
    assert!(corner[0].abs_diff(199) <= 2, "a plain backdrop keeps its colour: {corner:?}");
    studio.look.shadow = false;
    let without = studio.picture(&clip, 0.0, &eye).expect("it renders");
    let body: std::collections::HashSet<_> = clay(&without).into_iter().collect();
    let floor: Vec<_> =
        changed(&lit, &without).into_iter().filter(|pixel| !body.contains(pixel)).collect();
    assert!(share(floor.len(), &lit) > 0.01, "{}", floor.len());
    let darker =
        floor.iter().filter(|(x, y)| lit.get_pixel(*x, *y)[1] < without.get_pixel(*x, *y)[1]);
    assert!(darker.count() * 20 > floor.len() * 19);
}

#[test]
fn a_background_image_fills_the_frame_and_hides_the_floor() {
    let Some(mut studio) = studio(SIZE) else { return };
    let mut backdrop = RgbaImage::from_pixel(64, 32, image::Rgba([20, 90, 40, 255]));
    for (x, _, pixel) in backdrop.enumerate_pixels_mut() {
        // cropped from the sides of a frame that is taller than wide
        if x < 8 {
            *pixel = image::Rgba([255, 0, 255, 255]);
        }
    }
    studio.set_backdrop_picture(&backdrop).expect("it is brought over");
    studio.look.backdrop = Backdrop::Picture;
    let picture = studio.picture(&raised_arm(), 0.0, &camera(View::Front)).expect("it renders");
    let green = |pixel: &image::Rgba<u8>| pixel[1].saturating_sub(pixel[0].max(pixel[2])) > 30;
    let behind = picture.pixels().filter(|pixel| green(pixel)).count();
    assert!(share(behind, &picture) > 0.7, "{behind}");
    for corner in [(0, 0), (SIZE.width - 1, SIZE.height - 1)] {
        assert!(green(picture.get_pixel(corner.0, corner.1)));
    }
}

#[test]
fn rings_are_drawn_at_planted_feet() {
    let Some(mut studio) = studio(SIZE) else { return };
    let (clip, eye) = (raised_arm(), camera(View::ThreeQuarter));
    let plain = studio.picture(&clip, 0.0, &eye).expect("it renders");
    studio.look.contacts = true;
    let marked = studio.picture(&clip, 0.0, &eye).expect("it renders");
    let rings = changed(&plain, &marked);
    assert!(rings.len() > 20, "{}", rings.len());
    assert!(rings.iter().all(|(_, y)| *y > SIZE.height * 2 / 3));
}

#[test]
fn textures_are_upright() {
    let mut character = Arc::unwrap_or_clone(mannequin());
    let mut picture = RgbaImage::from_pixel(2, 2, image::Rgba([0, 0, 255, 255]));
    picture.put_pixel(0, 0, image::Rgba([0, 255, 0, 255]));
    picture.put_pixel(1, 0, image::Rgba([0, 255, 0, 255]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a small PNG");
    character.images.push(limber_animation::Image {
        name: "two bands".into(),
        encoding: limber_animation::ImageEncoding::Png,
        bytes: bytes.into_inner(),
    });
    character.materials[0].base_color_image = Some(0);
    character.materials[0].base_color = glam::Vec4::ONE;
    let mesh = &mut character.meshes[0];
    // v = 0.25 is in the upper band of the image, which is green
    mesh.uvs = vec![Vec2::new(0.5, 0.25); mesh.positions.len()];
    let Some(pixel) = brightest_pixel(character) else { return };
    assert!(pixel[1] > pixel[2] + 40, "{pixel:?}");
}

fn brightest_pixel(character: Character) -> Option<[u8; 4]> {
    let mut studio = match Studio::new(Arc::new(character), SIZE) {
        Ok(studio) => studio,
        Err(RenderError::NoGraphics(reason)) => {
            println!("skipped: no off-screen OpenGL here ({reason})");
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let picture = studio.picture(&raised_arm(), 0.0, &camera(View::Front)).expect("it renders");
    picture.pixels().map(|pixel| pixel.0).max_by_key(|one| u32::from(one[1]) + u32::from(one[2]))
}

/// The mannequin with four ribbons beside it, a metre long and narrower than a pixel, whose
/// triangles are smaller still.
fn with_ribbons() -> Character {
    let mut character = Arc::unwrap_or_clone(mannequin());
    let mesh = &mut character.meshes[0];
    for x in [0.6, 0.63, 0.66, 0.69] {
        for step in 0..100 {
            let (y, first) = (0.5 + 0.01 * step as f32, mesh.positions.len() as u32);
            for (right, up) in [(0.0, 0.0), (0.006, 0.0), (0.006, 0.01), (0.0, 0.01)] {
                mesh.positions.push(Vec3::new(x + right, y + up, 0.0));
                mesh.normals.push(Vec3::Z);
                mesh.joints.push([0; 4]);
                mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
            }
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
    character.check().expect("its parts match");
    character
}

#[test]
fn a_small_cached_image_shows_every_triangle() {
    let Some(mut plain) = studio(SIZE) else { return };
    let mut ribbons = Studio::new(Arc::new(with_ribbons()), SIZE).expect("there is OpenGL");
    let (clip, eye) = (raised_arm(), camera(View::Front));
    let mut seen = |quality| {
        let look = Look { quality, shadow: false, ..Look::default() };
        (plain.look, ribbons.look) = (look, look);
        let [without, with] = [&mut plain, &mut ribbons]
            .map(|studio| studio.picture(&clip, 0.0, &eye).expect("it renders"));
        changed(&without, &with).len()
    };
    let (kept, played) = (seen(Quality::Fine), seen(Quality::Small));
    // a metre is about 140 pixels here
    assert!(kept > 400, "{kept} pixels of the ribbons");
    assert!(kept * 2 > played * 3, "{kept} against {played} where fewer triangles are drawn");
}

#[test]
fn rendering_is_deterministic() {
    let Some(mut studio) = studio(SIZE) else { return };
    let (clip, eye) = (raised_arm(), camera(View::ThreeQuarter));
    let first = studio.picture(&clip, 0.5, &eye).expect("it renders");
    let second = studio.picture(&clip, 0.5, &eye).expect("it renders");
    assert!(first == second);
}

#[test]
fn several_actors_are_drawn_side_by_side_in_their_poses() {
    let size = PictureSize::new(360, 240);
    let Ok(mut offscreen) = Offscreen::new(size) else {
        println!("skipped: no off-screen OpenGL here");
        return;
    };
    let character = mannequin();
    let mut stage = Stage::new(offscreen.context(), &[character]).expect("it is brought over");
    let clip = raised_arm();
    let poses = [0, 59].map(|frame| clip.skeleton().world(&clip.frames()[frame]));
    let actors: Vec<_> = poses
        .iter()
        .zip([-0.8, 0.8])
        .map(|(pose, x)| Actor { offset: Vec3::new(x, 0.0, 0.0), ..Actor::new(0, pose) })
        .collect();
    let camera = Camera::framing(&stage.bounds(&actors), View::Front, size.aspect());
    let look = &Look::default();
    let scene = Scene { camera: &camera, actors: &actors, trails: &[], look };
    let picture = offscreen.picture(&mut stage, &scene).expect("it renders");
    drop(stage);
    let body = clay(&picture);
    let half = size.width / 2;
    let top = |left: bool| body.iter().filter(|(x, _)| (*x < half) == left).map(|(_, y)| *y).min();
    assert!(top(false) < top(true), "the right one has its arm up");
}

#[test]
fn a_scene_that_does_not_match_the_stage_is_rejected() {
    let Ok(mut offscreen) = Offscreen::new(SIZE) else {
        println!("skipped: no off-screen OpenGL here");
        return;
    };
    let mut stage = Stage::new(offscreen.context(), &[mannequin()]).expect("it is brought over");
    let pose = limber_animation::WorldPose { positions: vec![], rotations: vec![] };
    let look = Look::default();
    let camera = Camera::default();
    for (character, message) in [(0, "the pose has 0 joints, the character 52"), (3, "not on")] {
        let actor = Actor::new(character, &pose);
        let scene = Scene { camera: &camera, actors: &[actor], trails: &[], look: &look };
        let error = offscreen.picture(&mut stage, &scene).expect_err("it does not fit");
        assert!(error.to_string().contains(message), "{error}");
    }
    drop(stage);
}

#[test]
fn an_image_with_no_or_too_many_pixels_is_rejected() {
    for size in [PictureSize::new(0, 10), PictureSize::new(10, 100_000)] {
        assert!(matches!(Offscreen::new(size), Err(RenderError::Size { .. })));
    }
}

#[test]
fn a_contact_sheet_numbers_its_cells_and_a_strip_knows_its_layout() {
    if studio(SIZE).is_none() {
        return;
    }
    let (character, clip) = (mannequin(), glide());
    let cell = PictureSize::new(80, 100);
    let sheet = contact_sheet(&character, &clip, 3, 5, cell).expect("it renders");
    assert_eq!(sheet.dimensions(), (240, 200));
    let strip = sprite_sheet(&character, &clip, 6, 24, cell).expect("it renders");
    assert_eq!((strip.frames, strip.columns), (24, 6));
    assert!((strip.fps - 12.0).abs() < 1e-4);
    let png = image::load_from_memory(&strip.png).expect("a PNG").into_rgba8();
    assert_eq!(png.width(), strip.columns * 80);
    assert_eq!(png.height(), strip.frames.div_ceil(strip.columns) * 100);
}

#[test]
fn the_preview_camera_follows_a_travelling_body() {
    let Some(_) = studio(SIZE) else { return };
    let (character, clip): (_, Clip) = (mannequin(), glide());
    let middle = |time_s| {
        let picture = thumbnail(&character, &clip, time_s, SIZE).expect("it renders");
        let body = clay(&picture);
        body.iter().map(|(x, _)| *x as f32).sum::<f32>() / body.len() as f32
    };
    assert!((middle(0.2) - middle(1.8)).abs() < SIZE.width as f32 * 0.25);
    let shot = Shot::card(&character, &clip, SIZE.aspect());
    assert!(shot.camera_at(59).target.z > 1.0);
    assert!(BodyBounds::of(&character).over(&clip).size().z > 2.0);
}
