//! Reading who asks: audience, way back, device; and the key their rate limit goes by.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use limber_api::proxies::{self, FORWARDED_FOR, as_one_caller, caller_behind, hop};

use super::answer::{Answer, ApiError};
use super::caller::{Person, present};
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
            network: client_ip(parts, instance).map_or_else(String::new, network),
            counted_as: counted_as(parts, instance),
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
    headers.get_all(name).iter().flat_map(|line| proxies::entries(line.as_bytes())).collect()
}

/// Where the caller is: whoever connects or, behind proxies that the operator trusts, the last
/// hop before them.
pub(super) fn client_ip(parts: &Parts, instance: &Instance) -> Option<IpAddr> {
    let forwarded = entries(&parts.headers, FORWARDED_FOR);
    Some(caller_behind(&instance.config.trusted_proxies, peer(parts)?, &forwarded))
}

fn network(ip: IpAddr) -> String {
    as_one_caller(ip).to_string()
}

/// The last value of the operator's header, if a proxy that is trusted wrote it.
fn named_caller(parts: &Parts, instance: &Instance) -> Option<String> {
    let name = instance.config.limits.header.as_deref()?.to_ascii_lowercase();
    peer(parts).filter(|peer| is_trusted(instance, *peer))?;
    let is_proxy = |entry: &str| hop(entry).is_some_and(|ip| is_trusted(instance, ip));
    let entries = entries(&parts.headers, &name);
    let named = entries.into_iter().rev().find(|entry| !entry.is_empty() && !is_proxy(entry))?;
    // an address counts as it does elsewhere: one customer has many, and no end of ports
    let address = hop(named).map(|ip| as_one_caller(ip).to_string());
    Some(address.unwrap_or_else(|| named.chars().take(128).collect()))
}

fn counted_as(parts: &Parts, instance: &Instance) -> Option<String> {
    named_caller(parts, instance).or_else(|| {
        let ip = client_ip(parts, instance).filter(|_| instance.config.limits.by_ip)?;
        Some(network(ip))
    })
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

    /// The same for somebody signed in. What they may do is counted by their account, too, from
    /// however many places they call: all of it leaves entries in the audit log.
    pub(super) fn pass_as(&self, instance: &Instance, gate: Gate, person: &Person) -> Answer<()> {
        self.pass(instance, gate)?;
        let account = person.row.id.to_string();
        Ok(instance.counters.pass(gate, &account, instance.now())?)
    }
}

impl FromRequestParts<Arc<Instance>> for RateKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        Ok(Self(counted_as(parts, instance)))
    }
}
