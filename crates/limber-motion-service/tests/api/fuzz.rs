//! Runs a fuzzer, which knows only the OpenAPI description, against the program.

use crate::{
    fuzzer,
    studio::{Studio, finished, walk},
};

/// The event stream lasts for minutes, which the fuzzer takes for no response.
const WHAT_ENDS: [&str; 2] = ["--exclude-operation-id", "get_job_v1_events"];
/// Only callers with a session get upload URLs.
const ADDRESSES: [&str; 2] = ["--include-operation-id", "get_character_v1_getModelUploadUrl"];
/// Seconds for upload URLs, more than enough to try all inputs.
const ASKED_S: u32 = 60;

#[tokio::test(flavor = "multi_thread")]
async fn every_response_matches_the_description() {
    let Some(program) = fuzzer::installed(env!("CARGO_BIN_EXE_limber-motion")) else { return };
    let mut studio = Studio::open_with(|config| {
        config.max_queued = 20;
        config.billing = Some(limber_motion_service::Billing::default());
    })
    .await;
    let credits = limber_motion_service::grant_credits(&studio.config, &studio.id, 100_000).await;
    credits.expect("the database").expect("the account");
    let _server = studio.start_server_process().await;
    let _worker = studio.worker("cpu-0");
    // gives the fuzzer something to list, query and download
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    finished(&client, &job).await;
    let cookie = studio.cookie().await;
    let value = cookie.split_once('=').expect("a pair").1;
    let settings = studio.files.path().join("schemathesis.toml");
    // another account, because the fuzzer signs in repeatedly and new sessions replace the oldest
    let other = limber_motion_service::create_client(&studio.config, "other").await;
    let (id, secret) = other.expect("an account");
    let secret = secrecy::ExposeSecret::expose_secret(&secret);
    let text = format!(
        "[auth.openapi.session]\napi_key = \"{value}\"\n[auth.openapi.bearer]\nbearer = \"{value}\"\n\
         [auth.openapi.credentials]\nusername = \"{id}\"\npassword = \"{secret}\"\n"
    );
    std::fs::write(&settings, text).expect("it is writable");
    let run = async |seconds, which: &'static [&'static str]| {
        let (program, settings) = (program.clone(), settings.clone());
        let url = studio.url("/openapi.json");
        let ran = tokio::task::spawn_blocking(move || {
            fuzzer::run(&program, &url, &settings, seconds, which);
        });
        ran.await.expect("every response matches the description");
    };
    run(fuzzer::seconds(), &WHAT_ENDS).await;
    if studio.rows_of("uploads").await == 0 {
        // on a busy computer, time may run out before all operations were tried
        run(ASKED_S, &ADDRESSES).await;
    }
    assert!(studio.rows_of("uploads").await > 0, "the fuzzer was let in");
}
