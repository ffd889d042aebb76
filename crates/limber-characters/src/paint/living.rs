//! Paints a person's clothes, hair and face.

use glam::Vec3;

use super::within;
use crate::anatomy::Sculpture;
use crate::build::dressed::{HAIR, LIPS, MOUTH, SKIN};
use crate::face::Layout;
use crate::fit::{Fit, Region};
use crate::garment::{self, HEM_M};
use crate::skin::{ANY, Skin};

pub(super) fn paint(skin: &mut Skin, sculpture: &Sculpture, fit: &Fit) {
    let build = fit.build();
    let field = &sculpture.whole;
    let left = |point: Vec3| Vec3::new(point.x.abs(), point.y, point.z);
    for piece in build.outfit {
        let outline = |point| garment::outline(fit, piece.cut, left(point));
        skin.paint_region(field, ANY, piece.surface, false, outline);
        if !build.grain.flat && piece.thickness_m > 0.0 {
            // A second cut where the hem reaches its full thickness, without changing the paint.
            let inner = |point| outline(point) + HEM_M;
            skin.paint_region(field, piece.surface, piece.surface, false, inner);
        }
    }
    if let Some(hair) = &sculpture.hair {
        let outline = |point| hair.distance(point) - sculpture.bare.distance(point);
        skin.paint_region(field, SKIN, HAIR, true, outline);
    }
    let Some(layout) = Layout::of(build) else { return };
    let at = |point| fit.canonical(Region::Head, left(point));
    skin.paint_region(field, SKIN, MOUTH, false, |point| inside(&layout, at(point)));
    skin.paint_region(field, SKIN, LIPS, false, |point| lips(&layout, at(point)));
    skin.paint_region(field, SKIN, HAIR, true, |point| lash(&layout, at(point)));
}

/// The mouth cavity behind the lips.
fn inside(layout: &Layout, at: Vec3) -> f32 {
    let mouth = layout.mouth;
    let across = (at.x / 0.026).powi(2) + ((at.y - mouth.height) / 0.020).powi(2);
    within(across < 1.0 && at.z > 0.02, at.z - (mouth.front - 0.0115) + 6.0 * at.x * at.x)
}

fn lips(layout: &Layout, at: Vec3) -> f32 {
    let mouth = layout.mouth;
    let around = at.x / (mouth.half_width + 0.001);
    let taper = 1.0 - around * around;
    let rise = at.y - mouth.height;
    // The cupid's bow: a dip in the middle of the upper lip.
    let dip = 0.0012 * (1.0 - (at.x / 0.006).powi(2)).max(0.0);
    let high = (mouth.parted + 0.0066 * mouth.lips) * taper.max(-1.0) - dip;
    let low = (mouth.parted + 0.0082 * mouth.lips) * taper.max(-1.0);
    within(at.z > 0.055 && at.y > 1.54, (rise - high).max(-low - rise))
}

/// The edge of the upper lid.
fn lash(layout: &Layout, at: Vec3) -> f32 {
    let eye = layout.eye;
    let (x, y) = (at.x - eye.centre.x, at.y - eye.centre.y - eye.raised);
    let (wide, high) = (eye.half_width * 1.04, eye.half_height * 1.0 + 0.0019);
    let reach = (x / wide).powi(2) + (y / high).powi(2);
    within(at.z > 0.03, (0.5 * (reach - 1.0) * high).max(0.0006 - y))
}
