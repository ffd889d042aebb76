//! Third-party clients (`tests/motion-client`): one written from the specification alone, and one
//! that behaves like those that existed before this service.

use secrecy::ExposeSecret as _;

use crate::{python, studio::Studio};

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

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_written_for_another_service_runs_every_flow() {
    let studio = Studio::open_with(|config| {
        config.session_cookie = "othersess".to_owned();
        config.list_models_wrapped = true;
        config.pictures = true;
    })
    .await;
    let _workers = [studio.worker("cpu-0"), studio.worker("cpu-1")];
    let arguments = [studio.base.as_str(), studio.config.session_cookie.as_str()];
    let secret = format!("{}:{}", studio.id, studio.secret.expose_secret());
    let ran = python::run(("motion-client", "existing.py"), &arguments, secret).await;
    let Some(ran) = ran else { return };
    let told = python::printed(&ran);
    println!("{told}");
    for flow in [
        "authenticate",
        "cookies with attributes",
        "list models",
        "text to motion",
        "short motions",
        "two variants in one download",
        "merge",
        "loop",
        "inpaint",
        "heads",
        "videos",
        "roots",
        "pictures follow",
        "where the time went",
    ] {
        assert!(told.contains(&format!("ok {flow}\n")), "{flow}: {told}");
    }
}
