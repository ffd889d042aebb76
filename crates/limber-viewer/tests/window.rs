//! The viewer as a process, on the current display; `cargo xtask test` provides one for each test.
//! Skipped with a message if there is no display or no graphics driver.

use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use glam::{Quat, Vec3};
use limber_animation::{Character, Clip, Fps, HumanBone, Material, Mesh, Skin, canonical_skeleton};
use limber_api::viewer::{
    FrameRange, ViewerCommand, ViewerEvent, ViewerLayer, read_line, write_line,
};
use limber_viewer::{Screenshot, Turntable, ViewerError, screenshot, turntable};

const VIEWER: &str = env!("CARGO_BIN_EXE_limber-viewer");

/// A tetrahedron attached to the hips, and an arm that waves for a second: enough to be drawn and
/// played.
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
    let clip = clip.expect("the poses match the skeleton");
    let character = Character {
        name: "tetrahedron".into(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        materials: vec![Material::default()],
        images: vec![],
        avatar: Vec::new(),
    };
    let bytes = limber_formats::glb::write_clip(&character, &clip, &Default::default());
    fs::write(file, bytes.expect("it is writable")).expect("the folder is writable");
}

/// Locks the display for the test: windows side by side would take each other's keys.
fn display() -> Option<MutexGuard<'static, ()>> {
    static TURN: Mutex<()> = Mutex::new(());
    if std::env::var_os("DISPLAY").is_none_or(|name| name.is_empty()) {
        println!("skipped: there is no display here");
        return None;
    }
    Some(TURN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A command that sees this display only.
fn on_display(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_remove("WAYLAND_DISPLAY");
    command
}

/// A viewer that is killed with the test.
struct Viewer(Child);

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn viewer(arguments: &[&str]) -> Viewer {
    let started = on_display(VIEWER)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    Viewer(started.expect("the program starts"))
}

/// Starts a viewer and presses keys once its window appears; `None` if xdotool is missing.
fn pressed_viewer(keys: &[&str], arguments: &[&str]) -> Option<Child> {
    // exec keeps the shell's process ID for the viewer
    const PRESS: &str = "(until xdotool search --all --onlyvisible --pid $$ --name Limber \
        windowfocus $KEYS || ! kill -0 $$; do sleep 0.2; done >/dev/null 2>&1 </dev/null &); \
        exec \"$0\" \"$@\"";
    if Command::new("xdotool").arg("version").output().is_err() {
        println!("skipped: there is no xdotool here");
        return None;
    }
    let keys: Vec<_> = keys.iter().map(|key| format!("key {key}")).collect();
    let started = on_display("sh")
        .args(["-c", PRESS, VIEWER])
        .args(arguments)
        .env("KEYS", keys.join(" sleep 0.2 "))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    Some(started.expect("a shell starts"))
}

fn folder_with_clip() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("wave.glb");
    write_clip(&file);
    (folder, file)
}

#[test]
fn editor_keys_are_forwarded_and_a_key_renders_a_turntable() {
    let Some(_display) = display() else { return };
    let (folder, file) = folder_with_clip();
    let (file, pictures) = (file.to_str().expect("plain"), folder.path().to_str().expect("plain"));
    // four files get an image each
    let arguments =
        [file, file, file, file, "--attached", "--pictures", pictures, "--size", "720x360"];
    let Some(mut viewer) = pressed_viewer(&["p", "ctrl+z", "shift+t"], &arguments) else { return };
    let commands = viewer.stdin.take().expect("it is piped");
    let mut events = BufReader::new(viewer.stdout.take().expect("it is piped"));
    let mut next = || read_line::<ViewerEvent>(&mut events).expect("events are well-formed");
    // a key may be pressed before everything is loaded
    let (mut is_ready, mut heard) = (false, vec![]);
    while !is_ready || heard.len() < 2 {
        match next().expect("it goes on") {
            ViewerEvent::Ready { clips: 4, .. } => is_ready = true,
            ViewerEvent::Error { message } if message.contains("graphics") => {
                return println!("skipped: {message}");
            }
            ViewerEvent::Pressed(key) => heard.push(key),
            other @ (ViewerEvent::Ready { .. } | ViewerEvent::Error { .. }) => panic!("{other:?}"),
            _ => {}
        }
    }
    assert_eq!((heard[0].key.as_str(), heard[0].ctrl), ("p", false));
    assert_eq!((heard[1].key.as_str(), heard[1].ctrl), ("z", true));
    // playback continues during rendering
    let video = folder.path().join("wave turn.mp4");
    while !video.exists() {
        assert!(next().is_some(), "it exited before its video was complete");
    }
    assert!(fs::metadata(&video).expect("it was rendered").len() > 1000);
    assert!(!folder.path().join("wave 0000.png").exists(), "P was the editor's");
    drop(commands);
    assert!(told(&mut events, |event| *event == ViewerEvent::Closed {}));
    assert!(viewer.wait().expect("it ends").success());
}

#[test]
fn an_outdated_driver_is_reported_with_advice() {
    let Some(_display) = display() else { return };
    let (_folder, file) = folder_with_clip();
    let started = on_display(VIEWER).arg(&file).env("MESA_GL_VERSION_OVERRIDE", "2.1").output();
    let ended = started.expect("the program starts");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned()
        + &String::from_utf8_lossy(&ended.stdout);
    assert!(!ended.status.success(), "{said}");
    assert!(said.contains("OpenGL 3.3") && said.contains("LIBGL_ALWAYS_SOFTWARE"), "{said}");
}

#[test]
fn an_attached_viewer_obeys_commands_reports_state_and_closes_with_its_input() {
    let Some(_display) = display() else { return };
    let (_folder, file) = folder_with_clip();
    let file = file.to_str().expect("a plain path");
    let mut viewer = viewer(&[file, file, "--attached"]);
    let mut events = BufReader::new(viewer.0.stdout.take().expect("it is piped"));
    let mut commands = viewer.0.stdin.take().expect("it is piped");
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
    let was_shown =
        std::iter::from_fn(&mut next).any(|event| event == ViewerEvent::Frame { index: 17 });
    assert!(was_shown, "it ended");
    let missing = ViewerCommand::Load { files: vec!["/no/such/clip.glb".into()], names: vec![] };
    write_line(&mut commands, &missing).expect("it listens");
    let told = error_told(&mut next);
    assert_eq!(told.as_deref(), Some("“clip.glb” cannot be opened: the file does not exist"));
    write_line(&mut commands, &serde_json::json!({"command": "dance"})).expect("it listens");
    let told = error_told(&mut next);
    assert!(told.is_some_and(|message| message.contains("not a known message")));
    drop(commands);
    let last = std::iter::from_fn(next).last();
    assert_eq!(last, Some(ViewerEvent::Closed {}));
    assert!(viewer.0.wait().expect("it ends").success());
}

/// Returns the next error event; `None` if the viewer ends without one.
fn error_told(next: impl FnMut() -> Option<ViewerEvent>) -> Option<String> {
    std::iter::from_fn(next).find_map(|event| match event {
        ViewerEvent::Error { message } => Some(message),
        _ => None,
    })
}

/// Returns whether a matching event arrives before the viewer ends.
fn told(events: &mut impl std::io::BufRead, mut wanted: impl FnMut(&ViewerEvent) -> bool) -> bool {
    std::iter::from_fn(|| read_line::<ViewerEvent>(events).expect("events are well-formed"))
        .any(|event| wanted(&event))
}

#[test]
fn an_attached_viewer_plays_backwards_and_shows_requested_layers() {
    let Some(_display) = display() else { return };
    let (_folder, file) = folder_with_clip();
    let file = file.to_str().expect("a plain path");
    let mut viewer = viewer(&[file, file, "--attached", "--show", "ghosts"]);
    let mut events = BufReader::new(viewer.0.stdout.take().expect("it is piped"));
    let mut commands = viewer.0.stdin.take().expect("it is piped");
    match read_line::<ViewerEvent>(&mut events).expect("events are well-formed") {
        Some(ViewerEvent::Ready { .. }) => {}
        Some(ViewerEvent::Error { message }) if message.contains("graphics") => {
            println!("skipped: {message}");
            return;
        }
        other => panic!("{other:?}"),
    }
    let mut ask = |command: ViewerCommand| write_line(&mut commands, &command).expect("it listens");
    for layer in ViewerLayer::NAMES.map(|(_, layer)| layer) {
        ask(ViewerCommand::Show { layer, enabled: true });
    }
    ask(ViewerCommand::Compare { with: 1 });
    ask(ViewerCommand::Pause {});
    ask(ViewerCommand::Seek { frame: 20 });
    stands_on(&mut events, 20);
    ask(ViewerCommand::SetLoop { enabled: false });
    ask(ViewerCommand::PlayBackwards {});
    let mut shown = vec![20];
    assert!(told(&mut events, |event| {
        if let ViewerEvent::Frame { index } = event {
            shown.push(*index);
        }
        *event == ViewerEvent::Frame { index: 0 }
    }));
    assert!(shown.windows(2).all(|pair| pair[1] < pair[0]), "{shown:?}");
    ask(ViewerCommand::Show { layer: ViewerLayer::Trails, enabled: false });
    assert!(told(&mut events, |event| {
        matches!(event, ViewerEvent::Shows { layers, with: 1 }
            if layers.contains(&ViewerLayer::Ghosts) && !layers.contains(&ViewerLayer::Trails))
    }));
    drop(commands);
    assert!(told(&mut events, |event| *event == ViewerEvent::Closed {}));
    assert!(viewer.0.wait().expect("it ends").success());
}

/// Collects frame events until a matching event arrives.
fn shown_until(
    events: &mut impl std::io::BufRead,
    mut wanted: impl FnMut(&ViewerEvent) -> bool,
) -> Vec<u32> {
    let mut shown = vec![];
    let was_told = told(events, |event| {
        if let ViewerEvent::Frame { index } = event {
            shown.push(*index);
        }
        wanted(event)
    });
    assert!(was_told, "it ended after {shown:?}");
    shown
}

fn playing(playing: bool, backwards: bool) -> impl Fn(&ViewerEvent) -> bool {
    move |event| *event == ViewerEvent::Playing { playing, backwards }
}

/// Waits until a viewer that was told to pause and then to seek to this frame has done so. The
/// pause is reported before the frame, and the frame is not repeated if the viewer paused on it.
fn stands_on(events: &mut impl std::io::BufRead, frame: u32) {
    if shown_until(events, playing(false, false)).last() != Some(&frame) {
        shown_until(events, |event| *event == ViewerEvent::Frame { index: frame });
    }
}

/// Collects the next frame events.
fn next_frames(events: &mut impl std::io::BufRead, mut count: usize) -> Vec<u32> {
    shown_until(events, |event| {
        count -= usize::from(matches!(event, ViewerEvent::Frame { .. }));
        count == 0
    })
}

#[test]
fn an_attached_viewer_playing_a_part_shows_no_other_frames() {
    let Some(_display) = display() else { return };
    let (_folder, file) = folder_with_clip();
    let file = file.to_str().expect("a plain path");
    let mut viewer = viewer(&[file, "--attached"]);
    let mut events = BufReader::new(viewer.0.stdout.take().expect("it is piped"));
    let mut commands = viewer.0.stdin.take().expect("it is piped");
    match read_line::<ViewerEvent>(&mut events).expect("events are well-formed") {
        Some(ViewerEvent::Ready { frames: 30, .. }) => {}
        Some(ViewerEvent::Error { message }) if message.contains("graphics") => {
            return println!("skipped: {message}");
        }
        other => panic!("{other:?}"),
    }
    let mut ask = |command: ViewerCommand| write_line(&mut commands, &command).expect("it listens");
    let inside = |shown: Vec<u32>| {
        assert!(shown.iter().all(|frame| (10..20).contains(frame)), "{shown:?}");
        shown
    };

    // paused outside the range, as it may be, and playing from there
    ask(ViewerCommand::Pause {});
    ask(ViewerCommand::PlayRange { range: FrameRange::new(10, 19) });
    ask(ViewerCommand::Seek { frame: 25 });
    stands_on(&mut events, 25);
    ask(ViewerCommand::Play {});
    shown_until(&mut events, playing(true, false));
    let forwards = inside(next_frames(&mut events, 30));
    assert!(forwards.windows(2).any(|pair| pair[1] < pair[0]), "it went round: {forwards:?}");

    ask(ViewerCommand::PlayBackwards {});
    inside(shown_until(&mut events, playing(true, true)));
    let backwards = inside(next_frames(&mut events, 30));
    assert!(backwards.windows(2).any(|pair| pair[1] > pair[0]), "it went round: {backwards:?}");

    ask(ViewerCommand::Play {});
    // it may turn round on the last frame without reporting it again
    let mut ending = backwards;
    ending.extend(shown_until(&mut events, playing(true, false)));
    ask(ViewerCommand::SetLoop { enabled: false });
    ending.extend(shown_until(&mut events, playing(false, false)));
    ask(ViewerCommand::Seek { frame: 25 });
    ending.extend(shown_until(&mut events, |event| *event == ViewerEvent::Frame { index: 25 }));
    assert_eq!(ending.pop(), Some(25));
    assert_eq!(inside(ending).last(), Some(&19), "it stopped at the end of the part");

    drop(commands);
    assert!(told(&mut events, |event| *event == ViewerEvent::Closed {}));
    assert!(viewer.0.wait().expect("it ends").success());
}

#[test]
fn the_window_size_is_restored() {
    let Some(_display) = display() else { return };
    let (folder, file) = folder_with_clip();
    let memory = folder.path().join("kept").join("viewer.json");
    let (file, memory) = (file.to_str().expect("plain"), memory.to_str().expect("plain"));
    for size in [Some("900x620"), None] {
        let mut arguments = vec![file, "--attached", "--memory", memory];
        arguments.extend(size.iter().flat_map(|size| ["--size", size]));
        let mut viewer = viewer(&arguments);
        let mut events = BufReader::new(viewer.0.stdout.take().expect("it is piped"));
        if let Some(ViewerEvent::Error { message }) = read_line(&mut events).expect("well-formed") {
            return println!("skipped: {message}");
        }
        drop(viewer.0.stdin.take());
        assert!(told(&mut events, |event| *event == ViewerEvent::Closed {}));
        assert!(viewer.0.wait().expect("it ends").success());
        let kept = fs::read_to_string(memory).expect("it was kept");
        let kept: serde_json::Value = serde_json::from_str(&kept).expect("it is JSON");
        assert_eq!((kept["width"].as_f64(), kept["height"].as_f64()), (Some(900.0), Some(620.0)));
    }
}

#[test]
fn a_turntable_is_rendered_without_a_display() {
    let (folder, file) = folder_with_clip();
    let render = |name: &str| {
        let made = folder.path().join(name);
        let layers = vec![ViewerLayer::Bones];
        let wanted =
            Turntable { file: made.clone(), clip: None, size: (160, 120), layers, light: false };
        turntable(std::slice::from_ref(&file), &wanted).map(|()| made)
    };
    let gif = match render("turn.gif") {
        Err(error @ ViewerError::Graphics(_)) => return println!("skipped: {error}"),
        other => fs::read(other.expect("it is made")).expect("it exists"),
    };
    let pictures = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(gif));
    let pictures = image::AnimationDecoder::into_frames(pictures.expect("a GIF"));
    let pictures = pictures.collect_frames().expect("its pictures");
    // four times the clip's duration of one second
    assert_eq!(pictures.len(), 100);
    let mp4 = fs::read(render("turn.mp4").expect("it is made")).expect("it exists");
    assert_eq!(&mp4[4..8], b"ftyp");
    let error = render("turn.avi").expect_err("it does not exist").to_string();
    assert!(error.contains("turn.avi must end in .mp4, .gif or .zip"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("it exists").count(), 3, "no other file");
}

#[test]
fn a_screenshot_shows_its_frame_without_a_display() {
    let (folder, file) = folder_with_clip();
    let shot = |frame: usize, name: &str| {
        let picture = folder.path().join(name);
        let wanted = Screenshot {
            file: picture.clone(),
            frame,
            size: (800, 600),
            clip: None,
            layers: vec![],
            light: false,
        };
        screenshot(std::slice::from_ref(&file), &wanted).map(|()| picture)
    };
    let first = match shot(0, "first.png") {
        Err(error @ ViewerError::Graphics(_)) => return println!("skipped: {error}"),
        other => image::open(other.expect("it renders")).expect("a PNG").into_rgb8(),
    };
    assert_eq!(first.dimensions(), (800, 600));
    let bright = |pixel: &image::Rgb<u8>| pixel.0.iter().map(|band| u32::from(*band)).sum::<u32>();
    let lit = first.pixels().filter(|pixel| bright(pixel) > 360).count();
    assert!((2_000..200_000).contains(&lit), "{lit} bright pixels");
    assert!(bright(first.get_pixel(2, 2)) < 120, "the corner is dark");

    let error = shot(30, "none.png").expect_err("the clip has 30 frames");
    assert_eq!(error.to_string(), "frame 30 does not exist; the last frame is 29");
    let error = shot(0, "shot.jpg").expect_err("it is not a PNG").to_string();
    assert!(error.contains("shot.jpg must end in .png"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("it exists").count(), 2, "no other file");
}

#[test]
fn without_a_display_it_says_so_in_one_sentence_and_fails() {
    let (_folder, file) = folder_with_clip();
    let output = on_display(VIEWER).arg(&file).env_remove("DISPLAY").output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.starts_with("there is no display") && told.lines().count() == 1, "{told}");
}
