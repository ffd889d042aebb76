//! An HTTP endpoint through which an external journey reads emails and texts and advances the
//! service's clock.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::mailbox::Mailbox;
use crate::service::{MovedClock, TestService};
use crate::stand_in::StandIn;
use crate::texts::last_code;

#[derive(Clone)]
struct Desk {
    mailbox: Mailbox,
    carrier: StandIn,
    clock: Arc<MovedClock>,
}

#[derive(Deserialize)]
struct Wanted {
    to: String,
    nth: usize,
}

#[derive(Deserialize)]
struct Wait {
    seconds: u64,
}

/// Opens the endpoint, which stays open for the duration of the test.
pub(super) async fn open(service: &TestService, carrier: &StandIn) -> Url {
    let desk = Desk {
        mailbox: service.mailbox.clone(),
        carrier: carrier.clone(),
        clock: Arc::clone(&service.clock),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound address");
    let app = Router::new()
        .route("/mail", get(mail))
        .route("/text", get(text))
        .route("/later", post(later))
        .with_state(desk);
    tokio::spawn(async move { axum::serve(listener, app).await });
    Url::parse(&format!("http://{address}")).expect("a valid address")
}

async fn mail(State(desk): State<Desk>, Query(wanted): Query<Wanted>) -> Json<Value> {
    let mail = desk.mailbox.nth(&wanted.to, wanted.nth).await;
    // A reauthentication email has no link.
    let link = mail.text.lines().find(|line| line.starts_with("http"));
    Json(json!({"subject": mail.subject, "link": link, "code": mail.code()}))
}

async fn text(State(desk): State<Desk>) -> Json<Value> {
    Json(json!({"code": last_code(&desk.carrier)}))
}

async fn later(State(desk): State<Desk>, Query(wait): Query<Wait>) -> Json<Value> {
    desk.clock.advance(Duration::from_secs(wait.seconds));
    Json(json!({}))
}
