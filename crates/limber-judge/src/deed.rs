//! What a person can be seen doing, and where in a clip it is seen.

mod arms;
mod gaits;
mod hands;
mod head;
mod jumps;
mod legs;
mod postures;
mod trunk;
mod tumbling;

use std::ops::Range;

use limber_animation::Side;
use serde::Deserialize;

use crate::Body;

/// Whereto something goes, seen from the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of directions say it all")]
pub enum Way {
    Forward,
    Backward,
    Left,
    Right,
    Up,
    Down,
}

impl Way {
    /// The way with this much to the left and forward; `None` when it is shorter than `least`.
    pub(crate) fn along(left: f32, forward: f32, least: f32) -> Option<Self> {
        if left.hypot(forward) < least {
            return None;
        }
        Some(match (left.abs() > forward.abs(), left > 0.0, forward > 0.0) {
            (true, true, _) => Self::Left,
            (true, false, _) => Self::Right,
            (false, _, true) => Self::Forward,
            (false, _, false) => Self::Backward,
        })
    }

    /// The way to this side.
    pub(crate) const fn to(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }

    /// Whether it is to a side, which a mirror exchanges.
    #[must_use]
    pub const fn is_lateral(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }
}

/// A deed, seen once.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// The frames it takes.
    pub frames: Range<usize>,
    /// The limb that does it; `None` where there is none or both do.
    pub side: Option<Side>,
    /// Whereto.
    pub way: Option<Way>,
    /// By how much: degrees of a turn, left positive; metres of a height or of a way forwards.
    pub amount: f32,
}

impl Sighting {
    /// Frames alone.
    pub(crate) const fn during(frames: Range<usize>) -> Self {
        Self { frames, side: None, way: None, amount: 0.0 }
    }

    /// One frame alone.
    pub(crate) const fn at(frame: usize) -> Self {
        Self::during(frame..frame + 1)
    }

    pub(crate) const fn by(mut self, side: Side) -> Self {
        self.side = Some(side);
        self
    }

    pub(crate) const fn going(mut self, way: Option<Way>) -> Self {
        self.way = way;
        self
    }

    pub(crate) const fn of(mut self, amount: f32) -> Self {
        self.amount = amount;
        self
    }
}

macro_rules! deeds {
    ($($(#[$doc:meta])* $variant:ident => $find:expr),* $(,)?) => {
        /// Something that can be seen in a clip. In data its name has small letters and hyphens.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Deed { $($(#[$doc])* $variant),* }

        impl Deed {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Where in the clip it is seen, in order of time.
            #[must_use]
            pub fn sightings(self, body: &Body) -> Vec<Sighting> {
                let mut seen: Vec<Sighting> = match self { $(Self::$variant => $find(body)),* };
                seen.sort_by_key(|sighting| sighting.frames.start);
                seen
            }
        }
    };
}

impl Deed {
    /// Whether somebody who does this is rightly seen doing the other too: who marches walks.
    #[must_use]
    pub fn includes(self, other: Self) -> bool {
        self == other || KIN.iter().any(|kin| kin.contains(&self) && kin.contains(&other))
    }
}

impl Deed {
    /// Whether it may fill a clip from the first frame to the last.
    #[must_use]
    pub const fn is_steady(self) -> bool {
        matches!(
            self,
            Self::Walk
                | Self::Run
                | Self::Sneak
                | Self::March
                | Self::Tiptoe
                | Self::Limp
                | Self::Bound
                | Self::Climb
                | Self::Crawl
                | Self::Turn
                | Self::Stand
                | Self::Still
                | Self::Sway
                | Self::Dance
                | Self::Shake
                | Self::Seated
                | Self::Kneeling
        )
    }
}

/// Deeds that are seen in each other.
const KIN: &[&[Deed]] = &[
    &[Deed::Walk, Deed::March, Deed::Tiptoe, Deed::Limp, Deed::Sneak],
    &[Deed::Run, Deed::Bound],
    &[Deed::Climb, Deed::Walk, Deed::Sneak, Deed::March, Deed::KneeUp],
    &[Deed::Jump, Deed::JumpingJack, Deed::Leap, Deed::Hop],
    &[Deed::Hop, Deed::Jump, Deed::OneLeg],
    &[Deed::Seated, Deed::SitDown],
    &[Deed::Kneeling, Deed::Kneel],
    &[Deed::OnBack, Deed::LieDown, Deed::Collapse, Deed::SitUp],
    &[Deed::OnFront, Deed::LieOnFront, Deed::Collapse],
    &[Deed::Plank, Deed::PushUp],
    &[Deed::Crouch, Deed::Squat, Deed::HandLow],
    &[Deed::RaiseArm, Deed::ArmsUp, Deed::ArmBeats],
    &[Deed::HandAtFace, Deed::HandAtBrow, Deed::HandAtEar, Deed::HandAtHead],
    &[Deed::Look, Deed::LookAround, Deed::ShakeHead],
    &[Deed::KneeUp, Deed::OneLeg, Deed::FootLift, Deed::Kick],
    &[Deed::HandWork, Deed::HandOut, Deed::Clap, Deed::HandsTogether],
    &[Deed::Punch, Deed::Strike, Deed::Throw, Deed::Swing, Deed::Wave],
    &[Deed::Sway, Deed::Dance],
];

deeds! {
    /// On foot, upright, never without a foot on the floor.
    Walk => gaits::walk,
    /// On foot with flights between the steps.
    Run => gaits::run,
    /// On foot with bent knees.
    Sneak => gaits::sneak,
    /// On foot with high knees.
    March => gaits::march,
    /// On the balls of the feet.
    Tiptoe => gaits::tiptoe,
    /// On foot, with one leg favoured.
    Limp => gaits::limp,
    /// Travelling by springing.
    Bound => gaits::bound,
    /// On foot to higher or lower ground; amount is how much higher, metres.
    Climb => gaits::climb,
    /// Over the floor on hands.
    Crawl => gaits::crawl,
    /// The body turns about; amount in degrees.
    Turn => gaits::turn,
    /// Off the floor with both feet at once; amount is how high the hips get, metres.
    Jump => jumps::jump,
    /// Off the floor, however; amount is how high the hips get, metres.
    Leap => jumps::leap,
    /// Off the floor with one foot; its side.
    Hop => jumps::hop,
    /// Off the floor with arms overhead.
    JumpingJack => jumps::jumping_jack,
    /// A foot is shot out; its side, and whereto.
    Kick => legs::kick,
    /// A knee comes up to the hip.
    KneeUp => legs::knee_up,
    /// A foot is lifted and set down in place.
    FootLift => legs::foot_lift,
    /// Deep into the knees and up again.
    Squat => legs::squat,
    /// Feet far apart, one knee deep.
    Lunge => legs::lunge,
    /// On one leg for a while; the leg that stands.
    OneLeg => legs::one_leg,
    /// In bent knees.
    Crouch => postures::crouch,
    /// On a seat.
    Seated => postures::seated,
    /// From standing onto a seat.
    SitDown => postures::sit_down,
    /// On the floor with the trunk upright.
    FloorSeated => postures::floor_seated,
    /// From standing to sitting on the floor.
    SitOnFloor => postures::sit_on_floor,
    /// On a knee or two.
    Kneeling => postures::kneeling,
    /// From standing onto a knee or two.
    Kneel => postures::kneel,
    /// On the back.
    OnBack => postures::on_back,
    /// From standing onto the back.
    LieDown => postures::lie_down,
    /// On the belly.
    OnFront => postures::on_front,
    /// From standing onto the belly.
    LieOnFront => postures::lie_on_front,
    /// From standing to lying, however.
    Collapse => postures::collapse,
    /// On hands and knees.
    AllFours => postures::all_fours,
    /// On hands and feet, face down.
    Plank => postures::plank,
    /// The chest comes down to the hands and up again.
    PushUp => postures::push_up,
    /// On hands and feet with the hips highest.
    Pike => tumbling::pike,
    /// Head over heels; whereto, and degrees, forwards positive.
    Somersault => tumbling::somersault,
    /// Sideways over the hands; whereto.
    Cartwheel => tumbling::cartwheel,
    /// The trunk comes up from lying.
    SitUp => postures::sit_up,
    /// From low to standing.
    StandUp => postures::stand_up,
    /// Upright all the time, with hands that hardly move.
    Still => postures::still,
    /// Upright in one place.
    Stand => postures::stand,
    /// The trunk goes forwards and comes up again.
    Bow => trunk::bow,
    /// The trunk leans to a side.
    SideBend => trunk::side_bend,
    /// The chest turns against the hips.
    TrunkTwist => trunk::trunk_twist,
    /// Hips and trunk keep swinging.
    Sway => trunk::sway,
    /// Arms, hips and feet all move.
    Dance => trunk::dance,
    /// The trunk shakes a little, quickly.
    Shake => trunk::shake,
    /// The shoulders go up and down.
    Shrug => trunk::shrug,
    /// The head goes down and up.
    Nod => head::nod,
    /// The head goes from side to side.
    ShakeHead => head::shake_head,
    /// The head is turned up, down or to a side for a while.
    Look => head::look,
    /// The head is turned to one side and then to the other.
    LookAround => head::look_around,
    /// A raised hand swings from side to side: each swing.
    Wave => arms::wave,
    /// The hands meet.
    Clap => hands::clap,
    /// A fist shoots forwards.
    Punch => arms::punch,
    /// A hand moves fast and far.
    Strike => arms::strike,
    /// An arm is held out stretched.
    Point => arms::point,
    /// A hand is high above its shoulder.
    RaiseArm => arms::raise,
    /// Both hands are high above the shoulders.
    ArmsUp => arms::arms_up,
    /// A hand is thrown from above or behind the shoulder to the front.
    Throw => arms::throw,
    /// Both hands swing together.
    Swing => arms::swing,
    /// Both hands reach out to the front.
    ReachOut => arms::reach_out,
    /// The arms beat up and down, both or in turn.
    ArmBeats => arms::beats,
    /// A hand keeps moving in front of the body.
    HandWork => hands::work,
    /// A hand is held in front of the body.
    HandOut => hands::out,
    /// A hand reaches the floor, or nearly.
    HandLow => hands::low,
    /// A hand is near the face.
    HandAtFace => hands::at_face,
    /// A hand is near an ear.
    HandAtEar => hands::at_ear,
    /// A hand is above the eyes.
    HandAtBrow => hands::at_brow,
    /// A hand is on the skull.
    HandAtHead => hands::at_head,
    /// A hand is on the chest.
    HandAtChest => hands::at_chest,
    /// A hand is on the belly.
    HandAtBelly => hands::at_belly,
    /// Both hands are at the hips.
    HandsOnHips => hands::on_hips,
    /// The forearms cross in front of the chest.
    ArmsCrossed => hands::crossed,
    /// The palms are together for a while.
    HandsTogether => hands::together,
}
