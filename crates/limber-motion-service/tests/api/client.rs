//! Third-party clients (`tests/motion-client`): one written from the specification alone, and one
//! that behaves like those that existed before this service.

use std::{
    pin::pin,
    process::Output,
    sync::{Arc, atomic::AtomicU32},
};

use limber_animation::{HumanBone, Skeleton};
use limber_formats::glb;
use limber_text_to_motion::Seed;
use secrecy::ExposeSecret as _;

use crate::{
    python,
    studio::{Studio, until},
    within::{Faulty, work_with},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_client_written_from_the_specification_alone_runs_every_flow() {
    let studio = Studio::open().await;
    let _workers = [studio.worker("cpu-0"), studio.worker("cpu-1")];
    let character = studio.files.path().join("hero.glb");
    let glb = limber_pipeline::stock::list().first().expect("stock characters").glb;
    std::fs::write(&character, glb).expect("written");
    let texts = [character.as_path(), studio.files.path()].map(|path| path.display().to_string());
    let arguments = [studio.base.as_str(), &texts[0], &texts[1]];
    let secret = format!("{}:{}", studio.id, studio.secret.expose_secret());
    let ran = python::run(("motion-client", "client.py"), &arguments, secret).await;
    let Some(ran) = ran else { return };
    let told = python::printed(&ran);
    println!("{told}");
    for flow in [
        "authenticate",
        "credit balance",
        "store a model",
        "store at once and delete",
        "text to motion",
        "without FBX",
        "batch",
        "inpaint",
        "merge",
        "list",
        "cancel",
    ] {
        assert!(told.contains(&format!("ok {flow}\n")), "{flow}: {told}");
    }
    // a build without the processor says so, and the client reports that it skips it
    assert!(told.contains("ok render\n") || told.contains("skipped render"), "{told}");
}

/// Returns the GLB of a stock character whose hips are called `root`.
fn rooted() -> Vec<u8> {
    let stock = limber_pipeline::stock::list().first().expect("stock characters");
    let mut character = stock.character().expect("it reads").clone();
    let mut joints = character.skeleton.joints().to_vec();
    let hips = character.skeleton.find(HumanBone::Hips).expect("it has hips");
    joints[hips.get()].name = "root".to_owned();
    character.skeleton = Arc::new(Skeleton::new(joints).expect("it is a skeleton"));
    glb::write_character(&character).expect("it can be written")
}

/// Runs `existing.py`. No picture is drawn until it creates a file.
async fn run_existing(studio: &Studio) -> Option<Output> {
    let character = studio.files.path().join("rooted.glb");
    std::fs::write(&character, rooted()).expect("written");
    let sign = studio.files.path().join("pictures-may-be-drawn");
    let texts = [character.as_path(), sign.as_path()].map(|path| path.display().to_string());
    let arguments =
        [studio.base.as_str(), studio.config.session_cookie.as_str(), &texts[0], &texts[1]];
    let secret = format!("{}:{}", studio.id, studio.secret.expose_secret());
    let pictures = studio.hold_notes_of("png").await;
    let release = async {
        until("the client lets pictures be drawn", async || sign.exists().then_some(())).await;
        pictures.let_go().await;
    };
    let mut running = pin!(python::run(("motion-client", "existing.py"), &arguments, secret));
    tokio::select! {
        ran = &mut running => ran,
        () = release => running.await,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_written_for_another_service_runs_every_flow() {
    let studio = Studio::open_with(|config| {
        config.session_cookie = "othersess".to_owned();
        config.list_models_wrapped = true;
        config.pictures = true;
    })
    .await;
    let bad = vec![Seed(7).for_variant(2)];
    let _working = work_with(&studio, Faulty { failures: AtomicU32::new(0), bad }, |_| {});
    let ran = run_existing(&studio).await;
    let Some(ran) = ran else { return };
    let told = python::printed(&ran);
    println!("{told}");
    for flow in [
        "authenticate",
        "cookies with attributes",
        "list models",
        "text to motion",
        "success before the pictures",
        "short motions",
        "two variants in one download",
        "every variant",
        "merge",
        "loop",
        "inpaint",
        "heads",
        "videos",
        "roots",
        "root beside a joint called root",
        "lists",
        "pictures follow",
        "where the time went",
    ] {
        assert!(told.contains(&format!("ok {flow}\n")), "{flow}: {told}");
    }
}
