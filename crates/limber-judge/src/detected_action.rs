//! The actions that can be detected in a clip, and where in it they occur.

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

/// A direction relative to the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of directions need no explanation")]
pub enum Direction {
    Forward,
    Backward,
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    /// The direction of this displacement to the left and forward; `None` if it is shorter than
    /// `least`.
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

    /// The direction towards this side.
    pub(crate) const fn to(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }

    /// Whether it is left or right, which mirroring exchanges.
    #[must_use]
    pub const fn is_lateral(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }
}

/// One occurrence of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// The frames of the occurrence.
    pub frames: Range<usize>,
    /// The side of the body that performs it; `None` for actions without a side or with both.
    pub side: Option<Side>,
    /// The direction, if it has one.
    pub way: Option<Direction>,
    /// The amount: degrees of a turn, left positive; metres of height or of distance forwards.
    pub amount: f32,
}

impl Sighting {
    /// A sighting with nothing but its frames.
    pub(crate) const fn during(frames: Range<usize>) -> Self {
        Self { frames, side: None, way: None, amount: 0.0 }
    }

    /// A sighting of a single frame.
    pub(crate) const fn at(frame: usize) -> Self {
        Self::during(frame..frame + 1)
    }

    pub(crate) const fn by(mut self, side: Side) -> Self {
        self.side = Some(side);
        self
    }

    pub(crate) const fn going(mut self, way: Option<Direction>) -> Self {
        self.way = way;
        self
    }

    pub(crate) const fn of(mut self, amount: f32) -> Self {
        self.amount = amount;
        self
    }
}

macro_rules! detected_actions {
    ($($(#[$doc:meta])* $variant:ident => $find:expr),* $(,)?) => {
        /// An action that can be detected in a clip. In data files, its name is in lower case with
        /// hyphens.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum DetectedAction { $($(#[$doc])* $variant),* }

        impl DetectedAction {
            /// All actions.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// All occurrences in the clip, in order of time.
            #[must_use]
            pub fn sightings(self, body: &Body) -> Vec<Sighting> {
                let mut seen: Vec<Sighting> = match self { $(Self::$variant => $find(body)),* };
                seen.sort_by_key(|sighting| sighting.frames.start);
                seen
            }
        }
    };
}

impl DetectedAction {
    /// Whether a clip that shows this action may correctly be seen as showing the other as well:
    /// marching, for example, is also walking.
    #[must_use]
    pub fn includes(self, other: Self) -> bool {
        self == other || KIN.iter().any(|kin| kin.contains(&self) && kin.contains(&other))
    }
}

impl DetectedAction {
    /// Whether the action may last from the first frame of a clip to the last.
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

/// Groups of actions that may be detected in each other.
const KIN: &[&[DetectedAction]] = &[
    &[
        DetectedAction::Walk,
        DetectedAction::March,
        DetectedAction::Tiptoe,
        DetectedAction::Limp,
        DetectedAction::Sneak,
    ],
    &[DetectedAction::Run, DetectedAction::Bound],
    &[
        DetectedAction::Climb,
        DetectedAction::Walk,
        DetectedAction::Sneak,
        DetectedAction::March,
        DetectedAction::KneeUp,
    ],
    &[DetectedAction::Jump, DetectedAction::JumpingJack, DetectedAction::Leap, DetectedAction::Hop],
    &[DetectedAction::Hop, DetectedAction::Jump, DetectedAction::OneLeg],
    &[DetectedAction::Seated, DetectedAction::SitDown],
    &[DetectedAction::Kneeling, DetectedAction::Kneel],
    &[
        DetectedAction::OnBack,
        DetectedAction::LieDown,
        DetectedAction::Collapse,
        DetectedAction::SitUp,
    ],
    &[DetectedAction::OnFront, DetectedAction::LieOnFront, DetectedAction::Collapse],
    &[DetectedAction::Plank, DetectedAction::PushUp],
    &[DetectedAction::Crouch, DetectedAction::Squat, DetectedAction::HandLow],
    &[DetectedAction::RaiseArm, DetectedAction::ArmsUp, DetectedAction::ArmBeats],
    &[
        DetectedAction::HandAtFace,
        DetectedAction::HandAtBrow,
        DetectedAction::HandAtEar,
        DetectedAction::HandAtHead,
    ],
    &[DetectedAction::Look, DetectedAction::LookAround, DetectedAction::ShakeHead],
    &[
        DetectedAction::KneeUp,
        DetectedAction::OneLeg,
        DetectedAction::FootLift,
        DetectedAction::Kick,
    ],
    &[
        DetectedAction::HandWork,
        DetectedAction::HandOut,
        DetectedAction::Clap,
        DetectedAction::HandsTogether,
    ],
    &[
        DetectedAction::Punch,
        DetectedAction::Strike,
        DetectedAction::Throw,
        DetectedAction::Swing,
        DetectedAction::Wave,
    ],
    &[DetectedAction::Sway, DetectedAction::Dance],
];

detected_actions! {
    /// Upright locomotion with always a foot on the floor.
    Walk => gaits::walk,
    /// Locomotion with flight phases between the steps.
    Run => gaits::run,
    /// Walking with bent knees.
    Sneak => gaits::sneak,
    /// Walking with high knees.
    March => gaits::march,
    /// Walking on the balls of the feet.
    Tiptoe => gaits::tiptoe,
    /// Walking that favours one leg.
    Limp => gaits::limp,
    /// Travelling by springing.
    Bound => gaits::bound,
    /// Walking to higher or lower ground; the amount is the height gained, metres.
    Climb => gaits::climb,
    /// Moving over the floor on the hands.
    Crawl => gaits::crawl,
    /// Turning about the vertical axis; the amount is in degrees.
    Turn => gaits::turn,
    /// Leaving the floor with both feet at once; the amount is the rise of the hips, metres.
    Jump => jumps::jump,
    /// Leaving the floor in any way; the amount is the rise of the hips, metres.
    Leap => jumps::leap,
    /// Leaving the floor with one foot, whose side is given.
    Hop => jumps::hop,
    /// Leaving the floor with the arms overhead.
    JumpingJack => jumps::jumping_jack,
    /// Kicking with a foot, whose side and direction are given.
    Kick => legs::kick,
    /// Raising a knee to hip height.
    KneeUp => legs::knee_up,
    /// Lifting a foot and putting it down in place.
    FootLift => legs::foot_lift,
    /// Bending the knees deeply and rising again.
    Squat => legs::squat,
    /// Standing with the feet far apart and one knee deeply bent.
    Lunge => legs::lunge,
    /// Standing on one leg for a while; the side is that of the standing leg.
    OneLeg => legs::one_leg,
    /// Standing with bent knees.
    Crouch => postures::crouch,
    /// Sitting on a seat.
    Seated => postures::seated,
    /// Going from standing to sitting on a seat.
    SitDown => postures::sit_down,
    /// Sitting on the floor with the trunk upright.
    FloorSeated => postures::floor_seated,
    /// Going from standing to sitting on the floor.
    SitOnFloor => postures::sit_on_floor,
    /// Kneeling on one or both knees.
    Kneeling => postures::kneeling,
    /// Going from standing to kneeling.
    Kneel => postures::kneel,
    /// Lying on the back.
    OnBack => postures::on_back,
    /// Going from standing to lying on the back.
    LieDown => postures::lie_down,
    /// Lying on the front.
    OnFront => postures::on_front,
    /// Going from standing to lying on the front.
    LieOnFront => postures::lie_on_front,
    /// Going from standing to lying in any way.
    Collapse => postures::collapse,
    /// Supported by hands and knees.
    AllFours => postures::all_fours,
    /// Supported by hands and feet, face down.
    Plank => postures::plank,
    /// Lowering the chest to the hands and raising it again.
    PushUp => postures::push_up,
    /// Supported by hands and feet, with the hips highest.
    Pike => tumbling::pike,
    /// Rolling or flipping head over heels, with its direction; the amount is in degrees, forwards
    /// positive.
    Somersault => tumbling::somersault,
    /// Turning over sideways on the hands, with its direction.
    Cartwheel => tumbling::cartwheel,
    /// Raising the trunk from lying.
    SitUp => postures::sit_up,
    /// Rising from a low posture to standing.
    StandUp => postures::stand_up,
    /// Upright throughout, with hands that hardly move.
    Still => postures::still,
    /// Standing upright in one place.
    Stand => postures::stand,
    /// Bending the trunk forwards and straightening it again.
    Bow => trunk::bow,
    /// Leaning the trunk to a side.
    SideBend => trunk::side_bend,
    /// Rotating the chest relative to the hips.
    TrunkTwist => trunk::trunk_twist,
    /// Swinging hips and trunk repeatedly.
    Sway => trunk::sway,
    /// Moving arms, hips and feet together.
    Dance => trunk::dance,
    /// Shaking the trunk quickly with a small amplitude.
    Shake => trunk::shake,
    /// Raising and lowering the shoulders.
    Shrug => trunk::shrug,
    /// Moving the head down and up.
    Nod => head::nod,
    /// Turning the head from side to side.
    ShakeHead => head::shake_head,
    /// Turning the head up, down or to a side for a while.
    Look => head::look,
    /// Turning the head to one side and then to the other.
    LookAround => head::look_around,
    /// Swinging a raised hand from side to side; one sighting per swing.
    Wave => arms::wave,
    /// Bringing the palms together.
    Clap => hands::clap,
    /// Shooting a fist forwards.
    Punch => arms::punch,
    /// Moving a hand fast and far.
    Strike => arms::strike,
    /// Holding out a straight arm.
    Point => arms::point,
    /// Having one hand high above its shoulder.
    RaiseArm => arms::raise,
    /// Having both hands high above the shoulders.
    ArmsUp => arms::arms_up,
    /// Throwing: moving a hand from above or behind the shoulder to the front.
    Throw => arms::throw,
    /// Swinging both hands together.
    Swing => arms::swing,
    /// Reaching out to the front with both hands.
    ReachOut => arms::reach_out,
    /// Beating the arms up and down, together or alternately.
    ArmBeats => arms::beats,
    /// Moving a hand repeatedly in front of the body.
    HandWork => hands::work,
    /// Holding a hand in front of the body.
    HandOut => hands::out,
    /// Reaching the floor with a hand, or nearly.
    HandLow => hands::low,
    /// A hand near the face.
    HandAtFace => hands::at_face,
    /// A hand near an ear.
    HandAtEar => hands::at_ear,
    /// A hand above the eyes.
    HandAtBrow => hands::at_brow,
    /// A hand on the top of the head.
    HandAtHead => hands::at_head,
    /// A hand on the chest.
    HandAtChest => hands::at_chest,
    /// A hand on the belly.
    HandAtBelly => hands::at_belly,
    /// Both hands on the hips.
    HandsOnHips => hands::on_hips,
    /// Forearms crossed in front of the chest.
    ArmsCrossed => hands::crossed,
    /// Palms together for a while.
    HandsTogether => hands::together,
}
