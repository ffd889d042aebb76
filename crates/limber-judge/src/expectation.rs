//! What a clip is expected to show, as data, and the check whether it does.

use limber_animation::{HumanBone, Side};
use serde::Deserialize;

use crate::{Body, DetectedAction, Direction, Sighting};

/// Maximum distance from the start for staying in place, metres.
const PLACE_M: f32 = 0.7;

/// Minimum mean speed of hands or head of a living body, m/s.
const LIFE_M_S: f32 = 0.004;

/// The aspect that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of classes need no explanation")]
pub enum Class {
    Action,
    Count,
    Side,
    Direction,
    Speed,
    Order,
}

impl Class {
    /// All aspects with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Action, "action"),
        (Self::Count, "count"),
        (Self::Side, "side"),
        (Self::Direction, "direction"),
        (Self::Speed, "speed"),
        (Self::Order, "order"),
    ];
}

/// A number of repetitions: exact, or a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Count {
    /// Exactly this many.
    Exactly(usize),
    /// From the first to the second, inclusive.
    Between([usize; 2]),
}

impl Count {
    const fn holds(self, seen: usize) -> bool {
        match self {
            Self::Exactly(count) => seen == count,
            Self::Between([from, to]) => from <= seen && seen <= to,
        }
    }
}

/// The side of the body that performs the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names of sides need no explanation")]
pub enum Limb {
    Left,
    Right,
    Both,
}

impl Limb {
    const fn side(self) -> Option<Side> {
        match self {
            Self::Left => Some(Side::Left),
            Self::Right => Some(Side::Right),
            Self::Both => None,
        }
    }
}

/// One action that must be seen.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The action.
    pub deed: DetectedAction,
    /// Number of repetitions.
    pub count: Option<Count>,
    /// The side of the body.
    pub side: Option<Limb>,
    /// The direction.
    pub way: Option<Direction>,
    /// Range of the amount: degrees of a turn, left positive; metres of a height.
    pub amount: Option<[f32; 2]>,
    /// Range of the median horizontal speed during the action, m/s.
    pub speed: Option<[f32; 2]>,
}

impl Step {
    /// A step without any requirements beyond its action.
    #[must_use]
    pub const fn new(deed: DetectedAction) -> Self {
        Self { deed, count: None, side: None, way: None, amount: None, speed: None }
    }
}

/// What a clip must show.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The prompt.
    #[serde(default)]
    pub say: String,
    /// The actions, in order.
    pub see: Vec<Step>,
    /// Whether the actions happen at the same time instead of in sequence.
    #[serde(default)]
    pub together: bool,
    /// Whether the body ends near where it started.
    #[serde(default)]
    pub stays: bool,
    /// Whether the body stands upright on both feet throughout.
    #[serde(default)]
    pub stands: bool,
    /// Whether the body returns near its start after travelling some metres.
    #[serde(default)]
    pub returns: bool,
    /// Range of the final distance forward along the initial heading, metres.
    pub forward: Option<[f32; 2]>,
    /// Range of the angle from the first heading to the last, degrees, left positive; the sign is
    /// ignored if both bounds are positive and `either` is set.
    pub heading: Option<[f32; 2]>,
    /// Whether the order of the steps is arbitrary.
    #[serde(default)]
    pub loose: bool,
    /// Whether the actions may have started before the first frame and may continue after the last.
    #[serde(default)]
    pub ongoing: bool,
    /// Whether the turn may be to either side.
    #[serde(default)]
    pub either: bool,
}

impl Expected {
    /// These steps in sequence, without other requirements.
    #[must_use]
    pub const fn of(say: String, see: Vec<Step>) -> Self {
        Self {
            say,
            see,
            together: false,
            stays: false,
            stands: false,
            returns: false,
            forward: None,
            heading: None,
            ongoing: false,
            loose: false,
            either: false,
        }
    }

    /// Whether a mirrored clip must fail.
    #[must_use]
    pub fn tells_sides(&self) -> bool {
        self.see.iter().any(|step| {
            step.side.is_some_and(|limb| limb != Limb::Both)
                || step.way.is_some_and(Direction::is_lateral)
                || step
                    .amount
                    .is_some_and(|[from, to]| step.deed == DetectedAction::Turn && from * to > 0.0)
        })
    }

    /// Whether a clip with reversed travel must fail.
    #[must_use]
    pub fn tells_travel(&self) -> bool {
        let goes = |deed| {
            matches!(
                deed,
                DetectedAction::Walk
                    | DetectedAction::Run
                    | DetectedAction::Sneak
                    | DetectedAction::March
                    | DetectedAction::Tiptoe
                    | DetectedAction::Bound
                    | DetectedAction::Crawl
                    | DetectedAction::Jump
                    | DetectedAction::Hop
                    | DetectedAction::Turn
            )
        };
        // turns to both sides look the same with the body turned about
        let turns = self.see.iter().filter(|step| step.deed == DetectedAction::Turn).count();
        if turns > 1 {
            return false;
        }
        self.forward.is_some()
            || self
                .see
                .iter()
                .any(|step| goes(step.deed) && step.way.is_some_and(|w| w != Direction::Up))
    }

    /// Whether a clip with its steps in another order must fail.
    #[must_use]
    pub fn tells_order(&self) -> bool {
        self.see.len() > 1 && !self.together && !self.loose
    }

    /// Whether a clip with one repetition more or fewer must fail.
    #[must_use]
    pub fn tells_count(&self) -> bool {
        self.see.iter().any(|step| matches!(step.count, Some(Count::Exactly(_))))
    }

    /// Whether turning is requested, so that the body faces more than one direction.
    #[must_use]
    pub fn turns(&self) -> bool {
        self.returns || self.see.iter().any(|step| step.deed == DetectedAction::Turn)
    }

    /// Whether a clip that shows the other might correctly pass for this one too, because its
    /// actions include this one's.
    #[must_use]
    pub fn resembles(&self, other: &Self) -> bool {
        let goes_with = |own: &Step| other.see.iter().any(|step| step.deed.includes(own.deed));
        self.see.iter().all(goes_with)
    }

    /// Whether anything of this aspect is requested.
    #[must_use]
    pub fn asks_for(&self, class: Class) -> bool {
        let some = |of: fn(&Step) -> bool| self.see.iter().any(of);
        match class {
            Class::Action => true,
            Class::Count => some(|step| step.count.is_some()),
            Class::Side => some(|step| step.side.is_some()),
            Class::Direction => {
                some(|step| step.way.is_some() || step.amount.is_some())
                    || self.returns
                    || self.forward.is_some()
                    || self.heading.is_some()
            }
            Class::Speed => some(|step| step.speed.is_some()),
            Class::Order => self.see.len() > 1,
        }
    }

    /// Evaluates a body.
    #[must_use]
    pub fn judge(&self, body: &Body) -> Verdict {
        let seen: Vec<Vec<Sighting>> =
            self.see.iter().map(|step| step.deed.sightings(body)).collect();
        let mut findings = Vec::new();
        findings.push(Finding { class: Class::Action, result: alive(body) });
        if !self.ongoing {
            let result = self.see.iter().zip(&seen).try_for_each(|(step, seen)| {
                let whole = seen.iter().any(|sighting| sighting.frames.len() + 1 >= body.len());
                expect(!whole || step.deed.is_steady(), || {
                    format!("{:?} has neither a start nor an end", step.deed)
                })
            });
            findings.push(Finding { class: Class::Action, result });
        }
        for (place, step) in self.see.iter().enumerate() {
            let alone = self.see.iter().filter(|other| other.deed == step.deed).count() == 1;
            Watch { step, seen: &seen[place], alone, only: self.see.len() == 1 }
                .report(body, &mut findings);
        }
        if self.see.len() > 1 && !self.loose {
            let chosen: Vec<Vec<&Sighting>> =
                self.see.iter().zip(&seen).map(|(step, seen)| fitting(step, seen)).collect();
            let result = if self.together { overlap(&chosen) } else { in_order(&chosen) };
            findings.push(Finding { class: Class::Order, result });
        }
        self.report_place(body, &mut findings);
        Verdict { findings }
    }

    fn report_place(&self, body: &Body, findings: &mut Vec<Finding>) {
        let (left, forward) = body.travelled(body.len() - 1);
        let away = left.hypot(forward);
        let mut add = |class, result| findings.push(Finding { class, result });
        if self.stays {
            add(Class::Action, within("metres away from the start", away, [0.0, PLACE_M]));
        }
        if self.stands {
            add(Class::Action, stands(body));
        }
        if self.returns {
            let share = away / body.way_m().max(0.1);
            add(
                Class::Direction,
                within(
                    "remaining distance as a share of the distance travelled",
                    share,
                    [0.0, 0.3],
                ),
            );
        }
        if let Some(wanted) = self.forward {
            add(Class::Direction, within("metres forward", forward, wanted));
        }
        if let Some(wanted) = self.heading {
            let headings = body.headings();
            let turned = (headings[headings.len() - 1] - headings[0]).to_degrees();
            let turned = if self.either { turned.abs() } else { turned };
            add(Class::Direction, within("degrees of turn in total", turned, wanted));
        }
    }
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The aspect that was checked.
    pub class: Class,
    /// `Err` describes what was seen instead.
    pub result: Result<(), String>,
}

/// The results of all checks of a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// In the order of the steps.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// Whether all checks passed.
    #[must_use]
    pub fn is_obeyed(&self) -> bool {
        self.findings.iter().all(|finding| finding.result.is_ok())
    }

    /// Descriptions of the checks that failed.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().filter_map(|finding| finding.result.as_ref().err().map(String::as_str))
    }

    /// Whether all checks of one aspect passed; `None` if there were none.
    #[must_use]
    pub fn of(&self, class: Class) -> Option<bool> {
        let mut own = self.findings.iter().filter(|finding| finding.class == class).peekable();
        own.peek()?;
        Some(own.all(|finding| finding.result.is_ok()))
    }
}

fn expect(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Checks that the body moves at all.
fn alive(body: &Body) -> Result<(), String> {
    let ends = [HumanBone::Head, HumanBone::LeftHand, HumanBone::RightHand, HumanBone::Chest];
    let way = |bone| -> f32 {
        (1..body.len()).map(|frame| body.at(bone, frame).distance(body.at(bone, frame - 1))).sum()
    };
    let seconds = body.len() as f32 / body.fps;
    let fastest = ends.map(|bone| way(bone) / seconds).into_iter().fold(0.0, f32::max);
    expect(fastest > LIFE_M_S, || format!("the body does not move: {fastest:.4} m/s"))
}

/// Checks that the body is upright on both feet in every frame.
fn stands(body: &Body) -> Result<(), String> {
    let lowest = (0..body.len()).map(|frame| body.height_share(frame)).fold(9.0, f32::min);
    let lifted =
        |side| (0..body.len()).map(|frame| body.foot_height(side, frame)).fold(0.0, f32::max);
    let highest = Side::BOTH.map(lifted).into_iter().fold(0.0, f32::max);
    let away = body.travelled(body.len() - 1);
    within("lowest hips as a share of standing", lowest, [0.8, 2.0])?;
    within("metres away from the start", away.0.hypot(away.1), [0.0, PLACE_M])?;
    within("highest foot", highest, [0.0, 0.1])
}

fn within(what: &str, seen: f32, [from, to]: [f32; 2]) -> Result<(), String> {
    expect((from..=to).contains(&seen), || {
        format!("{what}: {seen:.2}, expected {from:.2} to {to:.2}")
    })
}

/// The sightings that match a step's side and direction where both are known.
fn fitting<'a>(step: &Step, seen: &'a [Sighting]) -> Vec<&'a Sighting> {
    let side = step.side.and_then(Limb::side);
    seen.iter()
        .filter(|sighting| side.is_none_or(|side| sighting.side.is_none_or(|seen| seen == side)))
        .filter(|sighting| step.way.is_none_or(|way| sighting.way.is_none_or(|seen| seen == way)))
        .collect()
}

/// Checks that one sighting per step can be chosen so that they follow each other.
fn in_order(steps: &[Vec<&Sighting>]) -> Result<(), String> {
    let mut last = None;
    for (place, seen) in steps.iter().enumerate() {
        let next =
            seen.iter().map(|s| s.frames.start).filter(|at| last.is_none_or(|last| *at > last));
        last = next.min();
        expect(last.is_some(), || {
            format!("step {} was not detected after the previous one", place + 1)
        })?;
    }
    Ok(())
}

/// Checks that the sightings of the steps overlap in time.
fn overlap(steps: &[Vec<&Sighting>]) -> Result<(), String> {
    let spans: Vec<Option<(usize, usize)>> = steps
        .iter()
        .map(|seen| {
            let from = seen.iter().map(|sighting| sighting.frames.start).min()?;
            Some((from, seen.iter().map(|sighting| sighting.frames.end).max()?))
        })
        .collect();
    let from = spans.iter().map(|span| span.map_or(usize::MAX, |span| span.0)).max();
    let to = spans.iter().map(|span| span.map_or(0, |span| span.1)).min();
    expect(from < to, || "the steps were not detected at the same time".to_owned())
}

/// A step and the sightings of its action.
struct Watch<'a> {
    step: &'a Step,
    seen: &'a [Sighting],
    /// Whether no other step has the same action.
    alone: bool,
    /// Whether it is the only step.
    only: bool,
}

impl Watch<'_> {
    fn report(&self, body: &Body, findings: &mut Vec<Finding>) {
        let deed = self.step.deed;
        let mut add = |class, result| findings.push(Finding { class, result });
        add(Class::Action, expect(!self.seen.is_empty(), || format!("no {deed:?} was detected")));
        if let Some(count) = self.step.count {
            add(Class::Count, self.count(count));
        }
        if let Some(limb) = self.step.side {
            add(Class::Side, self.side(limb));
        }
        if let Some(way) = self.step.way {
            add(Class::Direction, self.way(way));
        }
        if let Some(amount) = self.step.amount {
            add(Class::Direction, self.amount(amount));
        }
        if let Some(speed) = self.step.speed {
            add(Class::Speed, self.speed(body, speed));
        }
    }

    fn count(&self, wanted: Count) -> Result<(), String> {
        let seen = fitting(self.step, self.seen).len();
        expect(wanted.holds(seen), || {
            format!("{:?} was detected {seen} times, expected {wanted:?}", self.step.deed)
        })
    }

    fn side(&self, limb: Limb) -> Result<(), String> {
        let with = |side| -> usize {
            self.seen.iter().filter(|s| s.side == Some(side)).map(|s| s.frames.len()).sum()
        };
        let [left, right] = Side::BOTH.map(with);
        let open = self.seen.iter().any(|sighting| sighting.side.is_none());
        let (this, other) = match limb {
            Limb::Left => (left, right),
            Limb::Right => (right, left),
            Limb::Both => {
                return expect(open || (left > 0 && right > 0), || {
                    format!("{left} frames left and {right} frames right, expected both")
                });
            }
        };
        let clearly = match (self.alone, self.only) {
            (true, true) => this > 2 * other,
            (true, false) => this > 0 && this >= other,
            (false, _) => this > 0,
        };
        expect(clearly, || {
            format!("{left} frames left and {right} frames right, expected {limb:?}")
        })
    }

    fn way(&self, wanted: Direction) -> Result<(), String> {
        let frames = |way: Option<Direction>| -> usize {
            self.seen.iter().filter(|s| s.way == way).map(|s| s.frames.len()).sum()
        };
        let this = frames(Some(wanted));
        let known: usize =
            self.seen.iter().filter(|s| s.way.is_some()).map(|s| s.frames.len()).sum();
        let clearly = if self.alone { 10 * this >= 6 * known } else { true };
        expect(this > 0 && clearly, || {
            let ways: Vec<Option<Direction>> =
                self.seen.iter().map(|sighting| sighting.way).collect();
            format!("{:?} goes {ways:?}, expected {wanted:?}", self.step.deed)
        })
    }

    fn amount(&self, wanted: [f32; 2]) -> Result<(), String> {
        let amounts = fitting(self.step, self.seen).into_iter().map(|sighting| sighting.amount);
        let seen = if self.step.deed == DetectedAction::Turn && self.alone {
            amounts.sum()
        } else {
            amounts.fold(0.0, |most: f32, next| if next.abs() > most.abs() { next } else { most })
        };
        within(&format!("amount of {:?}", self.step.deed), seen, wanted)
    }

    fn speed(&self, body: &Body, wanted: [f32; 2]) -> Result<(), String> {
        let all = body.speeds();
        let frames = self.seen.iter().flat_map(|sighting| sighting.frames.clone());
        let mut speeds: Vec<f32> = frames.filter_map(|frame| all.get(frame).copied()).collect();
        speeds.sort_by(f32::total_cmp);
        let median = speeds.get(speeds.len() / 2).copied().unwrap_or(0.0);
        within("median speed in m/s", median, wanted)
    }
}
