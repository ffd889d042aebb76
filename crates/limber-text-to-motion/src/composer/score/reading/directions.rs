//! Converts directions and foot targets from their file format.

use glam::Vec3;

use super::{DirectionSpec, FURTHEST_M, Footing};
use crate::composer::score::notation::{WrittenFoot, WrittenWay};

impl DirectionSpec {
    pub(super) fn of(written: &WrittenWay) -> Result<Self, String> {
        let sum = match written {
            WrittenWay::Vector(way) => Vec3::from_array(*way),
            WrittenWay::Words(words) if words == "along" => return Ok(Self::Along),
            WrittenWay::Words(words) if words == "aim" => return Ok(Self::Aim),
            WrittenWay::Words(words) => {
                let mut sum = Vec3::ZERO;
                for word in words.split('-') {
                    sum += way(word).ok_or_else(|| format!("\"{word}\" is not a direction"))?;
                }
                sum
            }
        };
        sum.try_normalize().map(Self::Vector).ok_or_else(|| "a direction leads nowhere".to_owned())
    }
}

fn way(word: &str) -> Option<Vec3> {
    Some(match word {
        "out" => Vec3::X,
        "in" => Vec3::NEG_X,
        "up" => Vec3::Y,
        "down" => Vec3::NEG_Y,
        "ahead" => Vec3::Z,
        "back" => Vec3::NEG_Z,
        _ => return None,
    })
}

pub(super) fn footing(written: &WrittenFoot, faults: &mut Vec<String>) -> Option<Footing> {
    let turn = written.turn.to_radians();
    let told = usize::from(written.home)
        + usize::from(written.step.is_some())
        + usize::from(written.lift.is_some())
        + usize::from(written.heel.is_some());
    if told != 1 {
        faults.push("a foot needs one of `step`, `lift`, `heel` and `home`".to_owned());
    }
    if let Some(heel) = written.heel {
        return Some(Footing::Rise(heel.clamp(0.0, 50.0).to_radians()));
    }
    if let Some([out, up, ahead]) = written.lift {
        let place = Vec3::new(out, up, ahead) / 100.0;
        if up < 0.0 || place.length() > FURTHEST_M {
            faults.push("a `lift` is in centimetres above the floor".to_owned());
        }
        return Some(Footing::Lift(place, turn, written.toes.to_radians()));
    }
    Some(Footing::Step(written.step.unwrap_or_default().map(|cm| cm / 100.0), turn))
}
