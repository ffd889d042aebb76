//! The viewer as a process, under a display of its own. Skipped with a line where `xvfb-run` or a
//! graphics driver is missing.

use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use glam::{Quat, Vec3};
use limber_animation::{Character, Clip, Fps, HumanBone, Material, Mesh, Skin, canonical_skeleton};
use limber_api::viewer::{ViewerCommand, ViewerEvent, read_line, write_line};
use limber_viewer::{Screenshot, ViewerError, screenshot};

/// A tetrahedron on the hips that waves an arm for a second: enough to be drawn and played.
fn write_clip(file: &Path) {
    let skeleton = canonical_skeleton();
    let hips = skeleton.hips();
    let corners = [(0.0, 0.3, 0.0), (0.3, -0.3, 0.3), (-0.3, -0.3, 0.3), (0.0, -0.3, -0.4)];
    let at = skeleton.rest_world().position(hips);
    let positions: Vec<_> = corners.map(|(x, y, z)| at + Vec3::new(x, y, z)).into();
    let mesh = Mesh {
        normals: positions.iter().map(|place| (*place - at).normalize()).collect(),
        joints: vec![[hips.get() as u16, 0, 0, 0]; 4],
        weights: vec![[1.0, 0.0, 0.0, 0.0]; 4],
        indices: vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
        skin: Some(0),
        material: Some(0),
        positions,
        ..Mesh::default()
    };
    let skin = Skin {
        joints: skeleton.indices().collect(),
        inverse_bind: skeleton.inverse_rest_matrices(),
    };
    let arm = skeleton.find(HumanBone::LeftUpperArm).expect("it has arms");
    let frames = (0..30).map(|frame| {
        let mut pose = skeleton.rest_pose();
        pose.set_rotation(arm, Quat::from_rotation_z(frame as f32 * 0.03));
        pose
    });
    let clip = Clip::new(Arc::clone(&skeleton), Fps::DEFAULT, frames.collect());
    let clip = clip.expect("poses of its own");
    let character = Character {
        name: "tetrahedron".into(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        materials: vec![Material::default()],
        images: vec![],
    };
    let bytes = limber_formats::glb::write_clip(&character, &clip, &Default::default());
    fs::write(file, bytes.expect("it can be written")).expect("the folder is writable");
}

/// The viewer under a display of its own.
fn viewer(arguments: &[&str]) -> Option<Child> {
    let started = Command::new("xvfb-run")
        .args(["-a", "-s", "-screen 0 1280x800x24", env!("CARGO_BIN_EXE_limber-viewer")])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    if started.is_err() {
        println!("skipped: there is no xvfb-run here");
    }
    started.ok()
}

fn folder_with_clip() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder of its own");
    let file = folder.path().join("wave.glb");
    write_clip(&file);
    (folder, file)
}

#[test]
fn an_attached_viewer_obeys_tells_what_it_shows_and_closes_with_its_input() {
    let (_folder, file) = folder_with_clip();
    let file = file.to_str().expect("a plain path");
    let Some(mut viewer) = viewer(&[file, file, "--attached"]) else { return };
    let mut events = BufReader::new(viewer.stdout.take().expect("it is piped"));
    let mut commands = viewer.stdin.take().expect("it is piped");
    let mut next = || read_line::<ViewerEvent>(&mut events).expect("events are well-formed");
    match next() {
        Some(ViewerEvent::Ready { clips, frames, fps }) => {
            assert_eq!((clips, frames, fps), (2, 30, 30));
        }
        Some(ViewerEvent::Error { message }) if message.contains("graphics") => {
            println!("skipped: {message}");
            return;
        }
        other => panic!("{other:?}"),
    }
    write_line(&mut commands, &ViewerCommand::Pause {}).expect("it listens");
    write_line(&mut commands, &ViewerCommand::Seek { frame: 17 }).expect("it listens");
    std::iter::repeat_with(&mut next)
        .find(|event| *event == Some(ViewerEvent::Frame { index: 17 }))
        .expect("an endless search");
    let missing = ViewerCommand::Load { files: vec!["/no/such/clip.glb".into()] };
    write_line(&mut commands, &missing).expect("it listens");
    let told = std::iter::repeat_with(&mut next).find_map(|event| match event {
        Some(ViewerEvent::Error { message }) => Some(message),
        Some(_) => None,
        None => panic!("it ended"),
    });
    assert_eq!(told.as_deref(), Some("“clip.glb” cannot be opened: there is no such file"));
    write_line(&mut commands, &serde_json::json!({"command": "dance"})).expect("it listens");
    let told = std::iter::repeat_with(&mut next).find_map(|event| match event {
        Some(ViewerEvent::Error { message }) => Some(message),
        Some(_) => None,
        None => panic!("it ended"),
    });
    assert!(told.is_some_and(|message| message.contains("no known message")));
    drop(commands);
    let last = std::iter::from_fn(next).last();
    assert_eq!(last, Some(ViewerEvent::Closed {}));
    assert!(viewer.wait().expect("it ends").success());
}

#[test]
fn a_screenshot_shows_the_body_of_its_frame_without_a_display() {
    let (folder, file) = folder_with_clip();
    let shot = |frame: usize, name: &str| {
        let picture = folder.path().join(name);
        let wanted = Screenshot { file: picture.clone(), frame, size: (800, 600), bones: false };
        screenshot(std::slice::from_ref(&file), &wanted).map(|()| picture)
    };
    let first = match shot(0, "first.png") {
        Err(error @ ViewerError::Graphics(_)) => return println!("skipped: {error}"),
        other => image::open(other.expect("it draws")).expect("a PNG").into_rgb8(),
    };
    assert_eq!(first.dimensions(), (800, 600));
    let bright = |pixel: &image::Rgb<u8>| pixel.0.iter().map(|band| u32::from(*band)).sum::<u32>();
    let lit = first.pixels().filter(|pixel| bright(pixel) > 360).count();
    assert!((2_000..200_000).contains(&lit), "{lit} bright pixels");
    assert!(bright(first.get_pixel(2, 2)) < 120, "the corner is dark");

    let error = shot(30, "none.png").expect_err("the clip has 30 frames");
    assert_eq!(error.to_string(), "there is no frame 30; the last one is 29");
    let error = shot(0, "shot.jpg").expect_err("it is no PNG").to_string();
    assert!(error.contains("shot.jpg does not end in .png"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2, "no other file");
}

#[test]
fn without_a_display_it_says_so_in_one_sentence_and_fails() {
    let (_folder, file) = folder_with_clip();
    let output = Command::new(env!("CARGO_BIN_EXE_limber-viewer"))
        .arg(&file)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.starts_with("there is no display") && told.lines().count() == 1, "{told}");
}
