//! Body-part movements as events and as acts.

use limber_script::{Aim, Distance, Event, Factor};

use super::{
    act::{begun, leave_the_rest},
    event::rounded,
};
use crate::{
    Act, Action, AimedAt, Amount, Body, Level, Measures, Step,
    body_language::{self, Plan},
};

/// The act of a body-part movement.
pub(super) fn act_of(
    action: Action,
    event: &Event,
    index: usize,
    leave: &mut impl FnMut(&'static str),
) -> Act {
    let mut act = begun(action, event);
    act.amount = event.seconds.map(|seconds| Amount::Seconds(seconds.get() as f32));
    act.measures = Measures {
        direction: event.direction,
        aim: event.aim.map(|aim| match aim {
            Aim::Part { part, side } => AimedAt::Part(part, side),
            Aim::Thing { thing, .. } => AimedAt::Thing(thing),
        }),
        height: level_of(event).map(|(_, level)| level),
        alternates: event.side == Some(limber_script::Side::Alternating),
        ..act.measures
    };
    if let Some(plan) = body_language::plan(&act) {
        forget_unsupported(&mut act, &plan, event, leave);
    }
    let (size, distance) = match event.aim {
        Some(Aim::Thing { size, distance_m, .. }) => (size, distance_m),
        _ => (None, None),
    };
    for (field, is_said) in [
        ("target_size", size.is_some()),
        ("target_distance_m", distance.is_some()),
        ("steps", event.steps.is_some()),
        ("meters", event.meters.is_some()),
        ("path", event.path.is_some()),
    ] {
        if is_said {
            leave(field);
        }
    }
    leave_the_rest(&mut act, event, index, leave);
    act
}

/// The height, and the field that sets it.
pub(super) fn level_of(event: &Event) -> Option<(&'static str, Level)> {
    let metres = event.height_m.map(|metres| ("height_m", Level::Metres(metres.get() as f32)));
    event.height.map(|mark| ("height", Level::Mark(mark))).or(metres)
}

/// Leaves out what the movement does not support.
fn forget_unsupported(
    act: &mut Act,
    plan: &Plan,
    event: &Event,
    leave: &mut impl FnMut(&'static str),
) {
    for field in &plan.unsupported_fields {
        match *field {
            "direction" => act.measures.direction = None,
            "target" => act.measures.aim = None,
            "height" => act.measures.height = None,
            _ => act.angle_rad = None,
        }
        leave(if *field == "height" && event.height_m.is_some() { "height_m" } else { field });
    }
}

/// Whether a movement would lift or move a foot while another act uses the legs.
pub(super) fn legs_are_busy(act: &Act, step: &Step) -> bool {
    let has_legs = |act: &Act| matches!(act.action.body(), Body::Locomotion | Body::Whole);
    let moves_feet = |act: &Act| body_language::plan(act).is_some_and(|plan| plan.moves_feet());
    std::iter::once(&step.main)
        .chain(&step.overlays)
        .any(|other| moves_feet(act) && has_legs(other) || has_legs(act) && moves_feet(other))
}

/// Sets the fields of an event that only some acts have.
pub(super) fn tell(event: &mut Event, measures: &Measures) {
    event.direction = event.direction.or(measures.direction);
    event.aim = measures.aim.map(|aim| match aim {
        AimedAt::Part(part, side) => Aim::Part { part, side },
        AimedAt::Thing(thing) => Aim::Thing { thing, size: None, distance_m: None },
    });
    match measures.height {
        None => {}
        Some(Level::Mark(mark)) => event.height = Some(mark),
        Some(Level::Metres(metres)) => event.height_m = Distance::new(rounded(metres)).ok(),
    }
    event.posture = measures.posture;
    event.force = measures.force.and_then(|force| Factor::new(rounded(force)).ok());
    event.rhythm = measures.rhythm;
    event.size = measures.size.and_then(|size| Factor::new(rounded(size)).ok());
    if measures.alternates {
        event.side = Some(limber_script::Side::Alternating);
    }
}

#[cfg(test)]
mod tests {
    use limber_script::Script;

    use crate::{MotionScript, performable, script_of};

    fn told(line: &str) -> (String, Vec<(usize, &'static str)>) {
        let (steps, left_out) = performable(&line.parse().unwrap());
        let left_out = left_out.iter().filter_map(|left| Some((left.event?, left.field))).collect();
        (steps.to_string(), left_out)
    }

    #[test]
    fn body_part_movements_survive_a_script_round_trip() {
        for line in [
            "v2 raise.elbow side:left height:chest",
            "v2 lean.upper-body direction:backward size:1.5 seconds:2",
            "v2 swing.arm side:alternating count:4 speed:0.5",
            "v2 touch.hand side:right target_part:knee target_side:left",
            "v2 reach.hand target:shelf > turn.head direction:left degrees:40",
            "v2 walk steps:4 > hold.arm side:left target_part:back while:0 | end:hold",
        ] {
            let script: Script = line.parse().unwrap();
            let (steps, left_out) = performable(&script);
            assert_eq!(left_out, [], "{line}");
            assert_eq!(script_of(&steps).unwrap().to_string(), script.to_string());
            assert_eq!(steps.to_string().parse::<MotionScript>().unwrap(), steps, "{line}");
        }
    }

    #[test]
    fn incompatible_fields_of_a_movement_are_reported() {
        let (steps, left_out) = told("v2 round.back direction:up degrees:20 height_m:1.5");
        assert_eq!(left_out, [(0, "direction"), (0, "height_m")]);
        assert!(steps.starts_with("round.back angle:"), "{steps}");
        let (_, left_out) =
            told("v2 reach.hand target:shelf target_size:large target_distance_m:3");
        assert_eq!(left_out, [(0, "target_size"), (0, "target_distance_m")]);
    }

    #[test]
    fn a_foot_is_not_lifted_while_the_legs_walk() {
        let (steps, left_out) = told("v2 walk > raise.knee side:left while:0 > shift.hips while:0");
        assert_eq!(left_out, [(1, "move")]);
        assert_eq!(steps, "walk + shift.hips");
        let (steps, left_out) = told("v2 raise.arm > raise.knee side:left while:0");
        assert_eq!((steps.as_str(), left_out.len()), ("raise.arm + raise.knee side:left", 0));
    }
}
