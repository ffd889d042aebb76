//! Slow clients are told so in time and delay nobody else.

use std::cell::Cell;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Url;
use tokio::io::AsyncWriteExt;

use super::{Cast, everything_on, routes};
use crate::service::TestService;
use crate::waiting::wait_for;
use crate::wire::{RawResponse, Request, ask, connect, read};

/// The service's time limit per request. The set-up before the slow requests must fit in.
const LIMIT: Duration = Duration::from_secs(6);
/// Pause between two bytes, so that a whole body takes far longer than the limit.
const PAUSE: Duration = Duration::from_millis(100);

/// Sends the head, counting it in `begun`, then a body of 1000 bytes, byte by byte, until the
/// answer arrives.
async fn drip(base: &Url, request: &Request, begun: &Cell<usize>) -> RawResponse {
    let mut stream = connect(base).await;
    stream.write_all(&request.head(Some(1000))).await.expect("the service listens");
    begun.set(begun.get() + 1);
    let (mut hears, mut says) = stream.split();
    let dripping = async {
        while says.write_all(b" ").await.is_ok() {
            tokio::time::sleep(PAUSE).await;
        }
    };
    let hearing = async {
        let mut byte = [0];
        // Peek without consuming.
        let _ = hears.peek(&mut byte).await;
    };
    tokio::select! { () = hearing => {} () = dripping => {} }
    read(&mut stream).await
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_bodies_time_out_on_every_route() {
    let service = TestService::start_with(|config| {
        everything_on(config);
        config.max_request_duration = LIMIT;
    })
    .await;
    let cast = Cast::of(&service).await;
    let routes: Vec<_> = routes::all().into_iter().filter(|route| route.takes_body).collect();
    assert!(routes.len() > 15, "{routes:?}");
    let (begun, is_over) = (Cell::new(0), Cell::new(false));
    let dripping = routes.iter().map(|route| {
        let mut request = cast.request(route);
        request.body = Vec::new();
        let (base, begun) = (&service.base, &begun);
        async move { drip(base, &request, begun).await }
    });
    let slow = async {
        let told = join_all(dripping).await;
        is_over.set(true);
        told
    };
    let other = async {
        wait_for("all connections are sending", async || begun.get() == routes.len()).await;
        let told = ask(&service.base, &Request::new("GET", "/settings")).await;
        (told.status, is_over.get())
    };
    let (told, other) = tokio::join!(slow, other);
    assert_eq!(other, (200, false), "other requests are not delayed");
    for (route, told) in routes.iter().zip(told) {
        assert_eq!(told.status, 504, "{} {}: {told:?}", route.method, route.path);
        assert_eq!(told.json()["error_code"], "request_timeout");
        let shape = told.json().as_object().map(|body| body.contains_key("error_id"));
        assert_eq!((told.problem_of_error(), shape), (None, Some(true)));
    }
}
