//! The Python client that integrators use (`tests/auth-client-python`), with the journeys of a user
//! and an operator, in the environment that `cargo xtask setup` creates.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;

use super::desk;
use crate::service::TestService;
use crate::texts::{by_twilio, carrier};

const ENVIRONMENT: &str = "auth-client-python";

#[tokio::test]
async fn the_python_client_works_unmodified() {
    let target = Path::new(env!("CARGO_BIN_EXE_limber-identity")).ancestors().nth(2);
    let python = target.expect("a folder").join("tools").join(ENVIRONMENT).join("bin/python");
    if !python.exists() {
        println!("skipped: run `cargo xtask setup` to install {ENVIRONMENT}");
        return;
    }
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.mailer.max_frequency = Some(Duration::ZERO);
    })
    .await;
    service.clock.run();
    let given = json!({
        "service": service.base.join("/auth/v1").expect("a valid path").as_str(),
        "admin": service.admin_token(),
        "desk": desk::open(&service, &carrier).await.as_str(),
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(ENVIRONMENT);
    let mut child = tokio::process::Command::new(python)
        .arg(script.join("journey.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("Python can be started");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(given.to_string().as_bytes()).await.expect("it reads");
    drop(pipe);
    let ended = tokio::time::timeout(Duration::from_mins(10), child.wait_with_output()).await;
    let output = ended.expect("the client exits in time").expect("the process ends");
    let told = String::from_utf8_lossy(&output.stdout);
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{problems}");
    for part in [
        "passwords",
        "sessions",
        "links",
        "codes for the one who asked",
        "second factors",
        "operators",
    ] {
        assert!(told.contains(&format!("ok {part}\n")), "{part}: {told}");
    }
}
