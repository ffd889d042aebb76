//! Foot contacts: which parts of the feet are on the floor, frame by frame.

use crate::Side;

/// A part of a foot that can bear weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContactPoint {
    /// The heel, tracked at the ankle joint (`foot`).
    Heel(Side),
    /// The ball of the foot, tracked at the `toes` joint.
    Toe(Side),
}

impl ContactPoint {
    /// All four: left heel, left toe, right heel, right toe.
    pub const ALL: [Self; 4] = [
        Self::Heel(Side::Left),
        Self::Toe(Side::Left),
        Self::Heel(Side::Right),
        Self::Toe(Side::Right),
    ];

    const fn bit(self) -> u8 {
        match self {
            Self::Heel(Side::Left) => 1,
            Self::Toe(Side::Left) => 2,
            Self::Heel(Side::Right) => 4,
            Self::Toe(Side::Right) => 8,
        }
    }
}

/// Foot contacts of one frame, as four flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Contacts(u8);

impl Contacts {
    /// No contact.
    pub const NONE: Self = Self(0);
    /// Both feet stand flat.
    pub const STANDING: Self = Self(15);

    /// From four flags in the order of [`ContactPoint::ALL`], lowest bit first; higher bits are
    /// dropped.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// The four flags in the order of [`ContactPoint::ALL`], lowest bit first.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether this point is in contact.
    #[must_use]
    pub const fn has(self, point: ContactPoint) -> bool {
        self.0 & point.bit() != 0
    }

    /// Whether the heel or toe of this side is in contact.
    #[must_use]
    pub const fn foot(self, side: Side) -> bool {
        self.has(ContactPoint::Heel(side)) || self.has(ContactPoint::Toe(side))
    }

    /// Sets or clears the contact of one point.
    pub const fn set(&mut self, point: ContactPoint, touches: bool) {
        if touches {
            self.0 |= point.bit();
        } else {
            self.0 &= !point.bit();
        }
    }

    /// The contacts with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self((self.0 >> 2) | ((self.0 << 2) & 15))
    }
}

/// One [`Contacts`] per frame of a clip.
pub type ContactTrack = Vec<Contacts>;
