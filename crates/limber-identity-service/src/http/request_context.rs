//! Extracts the caller's context: audience, redirect target and device, and the key for rate
//! limiting.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use limber_api::proxies::{self, FORWARDED_FOR, as_one_caller, caller_behind, hop};

use super::answer::{Answer, ApiError};
use super::caller::{AuthenticatedUser, present};
use super::query::Query;
use crate::domain::address::check_audience;
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;

/// Maximum stored length of a user agent, which only helps people to recognise a device. Longer
/// ones are truncated.
const MAX_USER_AGENT_CHARS: usize = 256;

impl FromRequestParts<Arc<Instance>> for RequestContext {
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
            ip: client_ip(parts, instance).map(|ip| ip.to_string()),
            network: client_ip(parts, instance).map_or_else(String::new, network),
            rate_limit_key: rate_limit_key(parts, instance),
        })
    }
}

/// Returns the audience: from the header, else from the token unless it is an administrator's, else
/// the configured default.
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
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
    Some(peer.0.ip().to_canonical())
}

fn is_trusted(instance: &Instance, ip: IpAddr) -> bool {
    instance.config.trusted_proxies.iter().any(|range| range.contains(ip))
}

/// Returns the entries of all headers with this name, in order. Each proxy appends its own.
fn entries<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    headers.get_all(name).iter().flat_map(|line| proxies::entries(line.as_bytes())).collect()
}

/// Returns the caller's IP address: that of the connection or, behind trusted proxies, that of the
/// last hop before them.
pub(super) fn client_ip(parts: &Parts, instance: &Instance) -> Option<IpAddr> {
    let forwarded = entries(&parts.headers, FORWARDED_FOR);
    Some(caller_behind(&instance.config.trusted_proxies, peer(parts)?, &forwarded))
}

fn network(ip: IpAddr) -> String {
    as_one_caller(ip).to_string()
}

/// Returns the last value of the configured rate limit header, if a trusted proxy sent the request.
fn named_caller(parts: &Parts, instance: &Instance) -> Option<String> {
    let name = instance.config.limits.header.as_deref()?.to_ascii_lowercase();
    peer(parts).filter(|peer| is_trusted(instance, *peer))?;
    let is_proxy = |entry: &str| hop(entry).is_some_and(|ip| is_trusted(instance, ip));
    let entries = entries(&parts.headers, &name);
    let named = entries.into_iter().rev().find(|entry| !entry.is_empty() && !is_proxy(entry))?;
    // An address is normalised as elsewhere (without port, IPv6 by prefix), or one customer could
    // use many keys.
    let address = hop(named).map(|ip| as_one_caller(ip).to_string());
    Some(address.unwrap_or_else(|| named.chars().take(128).collect()))
}

fn rate_limit_key(parts: &Parts, instance: &Instance) -> Option<String> {
    named_caller(parts, instance).or_else(|| {
        let ip = client_ip(parts, instance).filter(|_| instance.config.limits.by_ip)?;
        Some(network(ip))
    })
}

/// The key for rate limiting, or `None` if callers are not to be counted.
pub(super) struct RateKey(Option<String>);

impl RateKey {
    pub(super) fn check(&self, instance: &Instance, endpoint: Endpoint) -> Answer<()> {
        match &self.0 {
            Some(key) => Ok(instance.rate_limiter.check(endpoint, key, instance.now())?),
            None => Ok(()),
        }
    }

    /// Whether the caller has used up its calls. Counts nothing.
    pub(super) fn is_used_up(&self, instance: &Instance, endpoint: Endpoint) -> bool {
        let key = self.0.as_deref();
        key.is_some_and(|key| instance.rate_limiter.is_used_up(endpoint, key, instance.now()))
    }

    /// Like [`check`](Self::check), for a signed-in user: also counts against the account,
    /// regardless of the IP address, because each of these actions leaves entries in the audit log.
    pub(super) fn check_account(
        &self,
        instance: &Instance,
        endpoint: Endpoint,
        user: &AuthenticatedUser,
    ) -> Answer<()> {
        self.check(instance, endpoint)?;
        let account = user.row.id.to_string();
        Ok(instance.rate_limiter.check(endpoint, &account, instance.now())?)
    }
}

impl FromRequestParts<Arc<Instance>> for RateKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        Ok(Self(rate_limit_key(parts, instance)))
    }
}
