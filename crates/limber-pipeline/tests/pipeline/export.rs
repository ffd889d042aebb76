use std::sync::LazyLock;

use limber_formats::{bvh, glb};
use limber_pipeline::{
    FileKind, HandCorrections, Options, Preset, canonical_to_bytes, derive,
    export::{Export, ExportError, TargetCharacter},
    make, stock,
};
use limber_text_to_motion::{Cancel, Composer};

use crate::{WALK_AND_WAVE, request};

static NONE: LazyLock<HandCorrections> = LazyLock::new(HandCorrections::default);

/// Returns a stored clip and the GLB made from it on a stock character.
fn kept(id: &str) -> (Vec<u8>, Vec<u8>) {
    let cancel = Cancel::default();
    let character = stock::find(id).expect("a stock character").character().expect("it reads");
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let request = request(WALK_AND_WAVE, options);
    let canonical = make(&request, &Composer, &cancel, &mut |_| {}).expect("it is created");
    let output = derive(&canonical, character, 1, &request.options, &cancel, &mut |_| {});
    let glb = output.expect("it is retargeted").files.swap_remove(0).bytes;
    (canonical_to_bytes(&canonical).expect("it is kept"), glb)
}

fn export<'a>(stock: &'a str, kept: &'a (Vec<u8>, Vec<u8>), preset: Preset) -> Export<'a> {
    Export {
        canonical: &kept.0,
        character: TargetCharacter { stock, glb: &kept.1 },
        preset,
        trim: (0, 0),
        clip_fps: 30,
        in_place: false,
        fps: None,
        corrections: &NONE,
    }
}

#[test]
fn an_exported_character_moves_like_the_stock_one() {
    let id = stock::list()[0].id;
    let kept = kept(id);
    let cancel = Cancel::default();
    let own = export(id, &kept, Preset::Gltf).run(&cancel).expect("it is exported");
    let read = export("mine", &kept, Preset::Gltf).run(&cancel).expect("it is exported");
    let [own, read] = [own, read].map(|files| {
        assert_eq!(files.len(), 1);
        glb::read(&files[0].bytes).expect("it reads").clips.swap_remove(0).clip
    });
    assert_eq!(own.len(), read.len());
    let hand = |clip: &limber_animation::Clip| clip.skeleton().len() - 1;
    assert_eq!(hand(&own), hand(&read));
    for (a, b) in own.world_positions().iter().zip(read.world_positions()) {
        for (joint, (a, b)) in a.iter().zip(b).enumerate() {
            assert!(a.distance(b) < 2e-3, "joint {joint}: {} m", a.distance(b));
        }
    }
}

#[test]
fn a_trim_counts_frames_of_the_displayed_clip() {
    let id = stock::list()[0].id;
    let kept = kept(id);
    let cut =
        Export { trim: (24, 12), clip_fps: 24, fps: Some(24), ..export(id, &kept, Preset::Bvh) };
    let files = cut.run(&Cancel::default()).expect("it is exported");
    let text = String::from_utf8(files[0].bytes.clone()).expect("it is text");
    // four seconds, without the first and the last half second; plus the closing key
    assert_eq!(bvh::read(&text).expect("it reads").frames.len(), 61);
}

#[test]
fn failed_writes_say_why() {
    let id = stock::list()[0].id;
    let kept = kept(id);
    let cancel = Cancel::default();
    let slow = Export { fps: Some(7), ..export(id, &kept, Preset::Gltf) };
    assert!(matches!(slow.run(&cancel), Err(ExportError::FrameRate(7))));
    let nobody = (kept.0.clone(), b"no GLB".to_vec());
    let unread = export("mine", &nobody, Preset::Gltf).run(&cancel);
    assert!(matches!(unread, Err(ExportError::Character(_))));
    let damaged = (b"no clip".to_vec(), kept.1.clone());
    let unread = export(id, &damaged, Preset::Gltf).run(&cancel);
    assert!(matches!(unread, Err(ExportError::Pipeline(_))));
}
