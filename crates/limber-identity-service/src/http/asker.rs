//! Reading who asks: audience, way back, device; and the key their rate limit goes by.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
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
            ip: client_ip(parts, instance).map(|ip| ip.to_string()),
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
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
    Some(peer.0.ip().to_canonical())
}

fn is_trusted(instance: &Instance, ip: IpAddr) -> bool {
    instance.config.trusted_proxies.iter().any(|range| range.contains(ip))
}

/// What stands in all headers of this name, in order. Proxies write theirs last.
fn entries<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    let lines = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim).collect()
}

/// An entry of `X-Forwarded-For`. Some proxies write the port, too.
fn hop(entry: &str) -> Option<IpAddr> {
    let with_port = || entry.parse::<SocketAddr>().ok().map(|place| place.ip());
    let bare = entry.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(with_port).map(|ip: IpAddr| ip.to_canonical())
}

/// Where the caller is: whoever connects or, behind proxies that the operator trusts, the last
/// hop before them. What stands further left was written by whoever asked.
pub(super) fn client_ip(parts: &Parts, instance: &Instance) -> Option<IpAddr> {
    let mut ip = peer(parts)?;
    for entry in entries(&parts.headers, "x-forwarded-for").into_iter().rev() {
        if !is_trusted(instance, ip) {
            break;
        }
        let Some(before) = hop(entry) else { break };
        ip = before;
    }
    Some(ip)
}

/// The last value of the operator's header, if a proxy that is trusted wrote it.
fn named_caller(parts: &Parts, instance: &Instance) -> Option<String> {
    let name = instance.config.limits.header.as_deref()?.to_ascii_lowercase();
    peer(parts).filter(|peer| is_trusted(instance, *peer))?;
    let is_proxy = |entry: &str| hop(entry).is_some_and(|ip| is_trusted(instance, ip));
    let entries = entries(&parts.headers, &name);
    let named = entries.into_iter().rev().find(|entry| !entry.is_empty() && !is_proxy(entry))?;
    Some(named.chars().take(128).collect())
}

/// One customer of a network has all addresses that begin with the same 64 bits.
fn as_one_caller(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64)),
    }
}

/// Whom a rate limit counts; nobody where the operator wants nobody counted.
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
        let by_ip = || {
            let ip = client_ip(parts, instance).filter(|_| instance.config.limits.by_ip)?;
            Some(as_one_caller(ip).to_string())
        };
        Ok(Self(named_caller(parts, instance).or_else(by_ip)))
    }
}
