//! Determines the client address of requests that arrive through trusted proxies.
//!
//! A proxy appends the address of its client to `X-Forwarded-For`. Entries further left come from
//! the client itself and can be forged.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The header to which proxies append their client's address.
pub const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of a proxy, or a CIDR block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProxyRange {
    /// Any address of the block.
    pub address: IpAddr,
    /// Length of the block's prefix in bits.
    pub bits: u8,
}

impl ProxyRange {
    /// Parses `10.0.0.7`, `10.0.0.0/8`, `::1` or `fd00::/8`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.trim().parse::<u8>().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.trim().parse().ok()?;
        let width = width_of(address);
        let bits = bits.unwrap_or(width);
        // treat IPv4-mapped IPv6 addresses as IPv4
        let within = bits.checked_sub(96).filter(|_| width == 128);
        if let (IpAddr::V4(address), Some(bits)) = (address.to_canonical(), within) {
            return (bits <= 32).then_some(Self { address: address.into(), bits });
        }
        (bits <= width).then_some(Self { address, bits })
    }

    /// Returns whether the block contains this address. IPv4-mapped IPv6 addresses count as IPv4.
    #[must_use]
    pub fn contains(&self, other: IpAddr) -> bool {
        let other = other.to_canonical();
        let width = width_of(self.address);
        let differs = number(self.address) ^ number(other);
        // shifting by the full width would overflow
        width == width_of(other) && (self.bits == 0 || differs >> (width - self.bits) == 0)
    }
}

fn width_of(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// Returns the trimmed entries of a header line. An entry that is not valid UTF-8 must come from
/// the client; it is returned as empty, so that it does not hide entries appended by proxies.
pub fn entries(line: &[u8]) -> impl DoubleEndedIterator<Item = &str> {
    let text = |entry| std::str::from_utf8(entry).unwrap_or_default().trim();
    line.split(|byte| *byte == b',').map(text)
}

/// Parses an entry of [`FORWARDED_FOR`]. Some proxies include the port.
#[must_use]
pub fn hop(entry: &str) -> Option<IpAddr> {
    let with_port = || entry.parse::<SocketAddr>().ok().map(|place| place.ip());
    let bare = entry.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(with_port).map(|ip: IpAddr| ip.to_canonical())
}

/// Returns the client's address: `peer`, which is the connecting address, or, behind trusted
/// proxies, the last hop before them. `forwarded` are the trimmed entries of all [`FORWARDED_FOR`]
/// headers, in order.
#[must_use]
pub fn caller_behind(trusted: &[ProxyRange], peer: IpAddr, forwarded: &[&str]) -> IpAddr {
    let is_trusted = |ip: IpAddr| trusted.iter().any(|range| range.contains(ip));
    let mut ip = peer.to_canonical();
    for entry in forwarded.iter().rev() {
        if !is_trusted(ip) {
            break;
        }
        let Some(before) = hop(entry) else { break };
        ip = before;
    }
    ip
}

/// Returns the key for rate limits: IPv6 addresses are reduced to their /64 prefix, which usually
/// belongs to a single customer.
#[must_use]
pub fn as_one_caller(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => ip,
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect(text)
    }

    #[test]
    fn cidr_blocks_contain_only_addresses_with_their_prefix() {
        for (block, inside, outside) in [
            ("10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3", "::ffff:11.1.2.3"),
            ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"),
            ("::ffff:10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("::ffff:10.0.0.0/104", "10.255.0.1", "11.0.0.1"),
            ("fd00::/8", "fd12::1", "fe00::1"),
            ("::1", "::1", "127.0.0.1"),
        ] {
            let range = ProxyRange::parse(block).expect(block);
            assert!(range.contains(ip(inside)), "{inside} in {block}");
            assert!(!range.contains(ip(outside)), "{outside} in {block}");
        }
    }

    #[test]
    fn invalid_cidr_blocks_are_rejected() {
        for bad in ["", "proxy", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0/8", "10.0.0.0/"] {
            assert_eq!(ProxyRange::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_client_is_the_last_hop_before_the_trusted_proxies() {
        let trusted = [ProxyRange::parse("10.0.0.0/8").expect("the block is valid")];
        for (peer, forwarded, caller) in [
            // entries are ignored unless the peer is a trusted proxy
            ("203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            // entries forged by the client are further left
            ("10.0.0.1", &["192.0.2.1", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["198.51.100.1:443", "10.9.9.9"], "198.51.100.1"),
            ("10.0.0.1", &["[2001:db8::1]:443"], "2001:db8::1"),
            ("::ffff:10.0.0.1", &["::ffff:198.51.100.1"], "198.51.100.1"),
            // the search stops at an invalid entry
            ("10.0.0.1", &["198.51.100.1", "unknown"], "10.0.0.1"),
        ] {
            assert_eq!(caller_behind(&trusted, ip(peer), forwarded), ip(caller), "{forwarded:?}");
        }
    }

    #[test]
    fn invalid_utf_8_does_not_hide_later_entries() {
        let found: Vec<&str> = entries(b"\xff\xfe, 198.51.100.1 ,10.9.9.9").collect();
        assert_eq!(found, ["", "198.51.100.1", "10.9.9.9"]);
    }

    #[test]
    fn ipv6_networks_count_as_one_client() {
        assert_eq!(as_one_caller(ip("2001:db8::1:2")), as_one_caller(ip("2001:db8::9")));
        assert_ne!(as_one_caller(ip("2001:db8::1")), as_one_caller(ip("2001:db8:0:1::1")));
        assert_ne!(as_one_caller(ip("192.0.2.1")), as_one_caller(ip("192.0.2.2")));
    }
}
