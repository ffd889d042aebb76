//! Reading who asks: audience, way back, device; and the key their rate limit goes by.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::answer::{Answer, ApiError};
use super::caller::present;
use super::query::Query;
use crate::domain::address::check_audience;
use crate::instance::{Asker, Instance};
use crate::rate_limits::Gate;

/// Longer user agents are cut: the column is for people to recognise a device.
const MAX_USER_AGENT_CHARS: usize = 256;

impl FromRequestParts<Arc<Instance>> for Asker {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let aud = audience(parts, instance);
        check_audience(&aud)?;
        let query = Query::of(parts);
        let headers = &parts.headers;
        let candidates = [
            text(headers, "redirect_to"),
            query.get("redirect_to"),
            text(headers, header::REFERER.as_str()),
        ];
        Ok(Self {
            aud,
            redirect_to: instance.redirects.choose(candidates.into_iter().flatten()),
            user_agent: text(headers, header::USER_AGENT.as_str())
                .map(|agent| agent.chars().take(MAX_USER_AGENT_CHARS).collect()),
            ip: client_ip(parts).map(|ip| ip.to_string()),
        })
    }
}

/// The header, else the audience of a person's token, else the instance's.
fn audience(parts: &mut Parts, instance: &Instance) -> String {
    if let Some(named) = text(&parts.headers, "x-jwt-aud") {
        return named.to_owned();
    }
    let jwt = &instance.config.jwt;
    let presented = present(parts, instance).ok();
    presented
        .filter(|token| !token.role.as_ref().is_some_and(|role| jwt.admin_roles.contains(role)))
        .and_then(|token| token.audience().map(str::to_owned))
        .unwrap_or_else(|| jwt.audience.clone())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().filter(|value| !value.is_empty())
}

fn peer(parts: &Parts) -> Option<IpAddr> {
    parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip())
}

/// First readable entry of `X-Forwarded-For`, else the peer. For display only: anybody can
/// write that header.
pub(super) fn client_ip(parts: &Parts) -> Option<IpAddr> {
    let forwarded = text(&parts.headers, "x-forwarded-for").unwrap_or_default();
    forwarded.split(',').find_map(|entry| entry.trim().parse().ok()).or_else(|| peer(parts))
}

/// Whom a rate limit counts; nobody when the operator named no header.
pub(super) struct RateKey(Option<String>);

impl RateKey {
    pub(super) fn pass(&self, instance: &Instance, gate: Gate) -> Answer<()> {
        match &self.0 {
            Some(key) => Ok(instance.counters.pass(gate, key, instance.now())?),
            None => Ok(()),
        }
    }
}

impl FromRequestParts<Arc<Instance>> for RateKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let limits = &instance.config.limits;
        let named = limits
            .header
            .as_deref()
            .and_then(|name| text(&parts.headers, &name.to_ascii_lowercase()))
            .and_then(|value| value.split(',').next())
            .map(|value| value.trim().chars().take(128).collect::<String>())
            .filter(|value| !value.is_empty());
        let by_ip = || peer(parts).filter(|_| limits.by_ip).map(|ip| ip.to_string());
        Ok(Self(named.or_else(by_ip)))
    }
}
