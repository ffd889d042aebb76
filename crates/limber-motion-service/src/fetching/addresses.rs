//! Tells public IP addresses from local and reserved ones.
//!
//! Source: the IANA special-purpose address registries, RFC 6890 and its updates.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// A DNS resolver that returns public addresses only, so that no name can lead into the service's
/// own network. The client connects to exactly the addresses returned; there is no second lookup,
/// so DNS rebinding does not help an attacker.
#[derive(Debug)]
pub(super) struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|place| is_public(place.ip())).collect();
            if public.is_empty() {
                return Err("the host has no public address".into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// Returns whether the address is globally reachable.
pub(super) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        // this network; multicast and reserved
        || a == 0
        || a >= 224
        // carrier-grade NAT
        || (a == 100 && (64..128).contains(&b))
        // IETF protocol assignments; 6to4 relays
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        // benchmarking
        || (a == 198 && (18..20).contains(&b));
    !is_special
}

/// Accepts global unicast only, without ranges that embed or tunnel other addresses.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, ..] = ip.segments();
    let is_given_out = a & 0xe000 == 0x2000;
    // protocol assignments and Teredo, documentation; 6to4; documentation
    let is_special =
        matches!((a, b), (0x2001, ..0x0200 | 0x0db8) | (0x2002, _) | (0x3fff, ..0x1000));
    is_given_out && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn local_and_private_addresses_are_not_public() {
        for own in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.9.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::7f00:1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!public(own), "{own}");
        }
    }

    #[test]
    fn allocated_addresses_are_public() {
        for others in
            ["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::5"]
        {
            assert!(public(others), "{others}");
        }
    }

    #[tokio::test]
    async fn names_of_this_computer_do_not_resolve() {
        let name = "localhost".parse().expect("a name");
        let error = PublicOnly.resolve(name).await.err().expect("no public address");
        assert_eq!(error.to_string(), "the host has no public address");
    }
}
