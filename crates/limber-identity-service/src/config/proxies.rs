//! Proxies whose word about the caller's address is believed.

use std::net::IpAddr;

/// An address, or a block of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProxyRange {
    /// Any address of the block.
    pub address: IpAddr,
    /// How many of its first bits all of the block have.
    pub bits: u8,
}

impl ProxyRange {
    /// Reads `10.0.0.7`, `10.0.0.0/8`, `::1` or `fd00::/8`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.trim().parse::<u8>().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.trim().parse().ok()?;
        let width = width_of(address);
        let bits = bits.unwrap_or(width);
        (bits <= width).then_some(Self { address, bits })
    }

    /// Whether the block has this address. IPv4 inside IPv6 counts as IPv4.
    #[must_use]
    pub fn contains(&self, other: IpAddr) -> bool {
        let other = other.to_canonical();
        let width = width_of(self.address);
        let differs = number(self.address) ^ number(other);
        // a shift by the whole width is none that the processor knows
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_addresses_that_begin_alike_and_no_others() {
        for (block, inside, outside) in [
            ("10.0.0.7", "10.0.0.7", "10.0.0.8"),
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3", "::ffff:11.1.2.3"),
            ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"),
            ("fd00::/8", "fd12::1", "fe00::1"),
            ("::1", "::1", "127.0.0.1"),
        ] {
            let range = ProxyRange::parse(block).expect(block);
            assert!(range.contains(inside.parse().expect(inside)), "{inside} in {block}");
            assert!(!range.contains(outside.parse().expect(outside)), "{outside} in {block}");
        }
    }

    #[test]
    fn what_is_no_block_is_not_read() {
        for bad in ["", "proxy", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0/8", "10.0.0.0/"] {
            assert_eq!(ProxyRange::parse(bad), None, "{bad}");
        }
    }
}
