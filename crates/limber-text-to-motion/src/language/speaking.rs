//! Updates references between events when events move.

use limber_script::{Event, EventIndex, Script, Timing};

/// The event with its references mapped to new indices.
pub(super) fn of(event: Event, place: impl Fn(usize) -> usize) -> Event {
    let moved = |EventIndex(other): EventIndex| EventIndex(place(other));
    let timing = match event.timing {
        Timing::Then => Timing::Then,
        Timing::While(other) => Timing::While(moved(other)),
        Timing::AsSoonAs(other) => Timing::AsSoonAs(moved(other)),
        Timing::OnBeat { of, beat } => Timing::OnBeat { of: moved(of), beat },
    };
    let (until, continues) = (event.until.map(moved), event.continues.map(moved));
    Event { timing, until, continues, ..event }
}

/// The script with other events; `None` if these do not make a valid script.
pub(super) fn with_events(script: &Script, events: Vec<Event>) -> Option<Script> {
    let changed = Script::new(events).ok()?;
    Some(changed.with_ends(script.start(), script.end()).with_loop(script.is_loop()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_events_survive_reordering() {
        let script: Script =
            "v2 walk until:2 > wave while:0 > run continues:0 | loop:true".parse().unwrap();
        let moved = script.events().iter().map(|event| of(event.clone(), |place| place + 1));
        let first = Event { continues: None, ..of(script.events()[2].clone(), |_| 0) };
        let longer = with_events(&script, std::iter::once(first).chain(moved).collect()).unwrap();
        assert_eq!(
            longer.to_string(),
            "v2 run > walk until:3 > wave while:1 > run continues:1 | loop:true"
        );
    }
}
