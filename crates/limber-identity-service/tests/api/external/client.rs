//! The same by the JavaScript client that integrators use.

use std::path::Path;

use serde_json::json;

use super::cases_a_to_g::{gitlab, google};
use super::stand_in::StandIn;
use crate::service::TestService;

#[tokio::test]
async fn the_usual_client_signs_in_links_unlinks_and_hands_in_id_tokens() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/auth-client"));
    if !folder.join("node_modules/@supabase/auth-js").exists() {
        println!("skipped: run `npm ci` in tests/auth-client to sign in with the usual client");
        return;
    }
    let (gitlab, google) = (StandIn::start(gitlab()).await, StandIn::start(google()).await);
    let service = TestService::start_with(|config| {
        gitlab.enable(config);
        google.enable(config);
        config.external.manual_linking = true;
    })
    .await;
    let output = tokio::process::Command::new("node")
        .arg(folder.join("providers.mjs"))
        .arg(service.base.as_str().trim_end_matches('/'))
        .arg(google.id_token(json!({})))
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(std::time::Duration::from_secs(60), output)
        .await
        .expect("it ends in time")
        .expect("node can be started");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problems}");
}
