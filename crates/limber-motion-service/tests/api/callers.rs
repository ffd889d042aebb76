//! Which caller a rate limit applies to, with and without proxies.

use std::sync::Arc;

use limber_motion_service::ProxyRange;
use secrecy::ExposeSecret;

use crate::studio::{HandClock, Studio, read};

/// Opens a studio with a stopped clock, behind a local proxy that is trusted or not.
async fn studio(trusted: &[&str]) -> (Studio, Arc<HandClock>) {
    let clock = HandClock::now();
    let parse = |text: &&str| ProxyRange::parse(text).expect("a block");
    let trusted: Vec<ProxyRange> = trusted.iter().map(parse).collect();
    let studio = Studio::open_at(&clock, |config| {
        config.rate_limits = true;
        config.trusted_proxies = trusted;
    })
    .await;
    (studio, clock)
}

/// Signs in through a proxy that sends this header; returns the status.
async fn sign_in(studio: &Studio, secret: &str, forwarded_for: &str) -> u16 {
    let request = studio.http.get(studio.url("/account/v1/auth"));
    let request = request.basic_auth(&studio.id, Some(secret));
    read(request.header("x-forwarded-for", forwarded_for)).await.0
}

#[tokio::test]
async fn ten_wrong_secrets_from_one_caller_lock_out_nobody_else() {
    let (studio, clock) = studio(&["127.0.0.0/8"]).await;
    let right = studio.secret.expose_secret();
    let (stranger, owner) = ("203.0.113.9", "198.51.100.7");
    for _ in 0..10 {
        assert_eq!(sign_in(&studio, "guess", stranger).await, 401);
    }
    assert_eq!(sign_in(&studio, "guess", stranger).await, 429);
    assert_eq!(sign_in(&studio, right, stranger).await, 429, "secrets are no longer checked");
    // entries that the caller forges are to the left of the one that the proxy adds
    let disguised = format!("{owner}, {stranger}");
    assert_eq!(sign_in(&studio, "guess", &disguised).await, 429);
    for _ in 0..20 {
        assert_eq!(sign_in(&studio, right, owner).await, 200, "the owner can sign in");
    }
    assert_eq!(sign_in(&studio, "guess", owner).await, 401);
    clock.forward(60_000);
    assert_eq!(sign_in(&studio, right, stranger).await, 200, "requests pass after waiting");
}

#[tokio::test]
async fn one_ipv6_network_is_one_caller() {
    let (studio, _) = studio(&["127.0.0.1"]).await;
    for number in 0..10 {
        assert_eq!(sign_in(&studio, "guess", &format!("2001:db8::{number}")).await, 401);
    }
    assert_eq!(sign_in(&studio, "guess", "2001:db8::ffff").await, 429);
    assert_eq!(sign_in(&studio, "guess", "2001:db8:0:1::1").await, 401);
}

#[tokio::test]
async fn forwarded_addresses_are_ignored_without_a_trusted_proxy() {
    let (studio, _) = studio(&[]).await;
    for number in 0..10 {
        assert_eq!(sign_in(&studio, "guess", &format!("203.0.113.{number}")).await, 401);
    }
    assert_eq!(sign_in(&studio, "guess", "198.51.100.7").await, 429);
}
