//! The anatomy: the body modelled once on the canonical skeleton in T-pose, in metres.
//!
//! Cross-sections follow the measurements of an adult of 1.75 m, averaged over both sexes and
//! smoothed like a mannequin.

mod arm;
mod face;
mod hair;
mod head;
mod leg;
mod robot;
mod torso;

use glam::{Vec2, Vec3};

use crate::build::{Frame, Hair};
use crate::field::{Axis, Ellipsoid, Field, Loft, Ring, RoundCone};
use crate::fit::{Fit, Region};

/// A body as distance fields, before meshing.
#[derive(Debug)]
pub struct Sculpture {
    /// Body and hair together.
    pub whole: Field,
    /// The body without hair.
    pub bare: Field,
    /// Only the hair and brows; `None` for a body without either.
    pub hair: Option<Field>,
}

/// Models the whole body as distance fields.
#[must_use]
pub fn sculpt(fit: &Fit) -> Sculpture {
    let mut clay = Clay { fit, field: Field::default() };
    match fit.build().frame {
        Frame::Flesh => {
            torso::add(&mut clay);
            head::add(&mut clay);
            leg::add(&mut clay);
            arm::add(&mut clay);
        }
        Frame::Shells => robot::add(&mut clay),
    }
    let bare = clay.field;
    let hair = (fit.build().hair != Hair::Bald).then(|| {
        let mut clay = Clay { fit, field: Field::default() };
        hair::add(&mut clay, &bare);
        clay.field
    });
    let whole = match &hair {
        Some(hair) => bare.clone().with(hair::BLEND_M, hair.clone()),
        None => bare.clone(),
    };
    Sculpture { whole, bare, hair }
}

/// Returns the point on the front of the face at x and y, in metres of the canonical head.
#[must_use]
pub fn front_of_face(fit: &Fit, field: &Field, x: f32, y: f32) -> Vec3 {
    let mut at = Vec3::new(x, y, 0.16);
    for _ in 0..24 {
        at.z -= 0.8 * field.distance(fit.place(Region::Head, at)) / fit.build().head_scale;
    }
    at
}

/// A distance field under construction. Shapes are given in metres of the canonical body and fitted
/// to the build when added.
struct Clay<'a> {
    fit: &'a Fit,
    field: Field,
}

/// A ring of a limb: position along the axis; radii towards +u, −u, +v, −v; centre u and v.
type Row = [f32; 7];

impl Clay<'_> {
    fn muscle(&self) -> f32 {
        self.fit.build().muscle
    }

    fn ellipsoid(&self, region: Region, centre: [f32; 3], radii: [f32; 3]) -> Ellipsoid {
        let centre = Vec3::from(centre);
        let radii = Vec3::from(radii) * self.fit.stretch(region, centre);
        Ellipsoid::new(self.fit.place(region, centre), radii)
    }

    fn blend(&self, region: Region, centre: [f32; 3], blend_m: f32) -> f32 {
        blend_m * self.fit.stretch(region, Vec3::from(centre)).element_sum() / 3.0
    }

    fn ball(&mut self, region: Region, blend_m: f32, centre: [f32; 3], radii: [f32; 3]) {
        let shape = self.ellipsoid(region, centre, radii);
        self.field.add(self.blend(region, centre, blend_m), shape);
    }

    fn turned_ball(
        &mut self,
        region: Region,
        blend_m: f32,
        centre: [f32; 3],
        radii: [f32; 3],
        up: [f32; 3],
    ) {
        let front = if up[2].abs() < 0.9 { Vec3::Z } else { Vec3::Y };
        let shape = self.ellipsoid(region, centre, radii).turned(Vec3::from(up), front);
        self.field.add(self.blend(region, centre, blend_m), shape);
    }

    fn hollow(&mut self, region: Region, blend_m: f32, centre: [f32; 3], radii: [f32; 3]) {
        let shape = self.ellipsoid(region, centre, radii);
        self.field.carve(self.blend(region, centre, blend_m), shape);
    }

    fn bar(&mut self, region: Region, blend_m: f32, from: [f32; 4], to: [f32; 4]) {
        let [a, b] = [from, to].map(|end| Vec3::new(end[0], end[1], end[2]));
        let [ra, rb] = [(a, from[3]), (b, to[3])]
            .map(|(place, radius)| radius * self.fit.stretch(region, place).element_sum() / 3.0);
        let shape = RoundCone::new(self.fit.place(region, a), ra, self.fit.place(region, b), rb);
        self.field.add(self.blend(region, a.into(), blend_m), shape);
    }

    fn limb(&mut self, region: Region, axis: Axis, blend_m: f32, squareness: f32, rows: &[Row]) {
        let rings = rows.iter().map(|row| self.ring(region, axis, row)).collect();
        let first = axis_point(axis, rows[0][0], rows[0][5], rows[0][6]);
        let blend_m = self.blend(region, first.into(), blend_m);
        self.field.add(blend_m, Loft::new(axis, squareness, rings));
    }

    fn ring(&self, region: Region, axis: Axis, row: &Row) -> Ring {
        let [along, plus_u, minus_u, plus_v, minus_v, u, v] = *row;
        let centre = axis_point(axis, along, u, v);
        let place = self.fit.place(region, centre);
        let stretch = self.fit.stretch(region, centre);
        let (along, centre, stretch) = match axis {
            Axis::X => (place.x, Vec2::new(place.z, place.y), Vec2::new(stretch.z, stretch.y)),
            Axis::Y => (place.y, Vec2::new(place.x, place.z), Vec2::new(stretch.x, stretch.z)),
            Axis::Z => (place.z, Vec2::new(place.x, place.y), Vec2::new(stretch.x, stretch.y)),
        };
        Ring {
            along,
            centre,
            plus: Vec2::new(plus_u, plus_v) * stretch,
            minus: Vec2::new(minus_u, minus_v) * stretch,
        }
    }
}

fn axis_point(axis: Axis, along: f32, u: f32, v: f32) -> Vec3 {
    match axis {
        Axis::X => Vec3::new(along, v, u),
        Axis::Y => Vec3::new(u, along, v),
        Axis::Z => Vec3::new(u, v, along),
    }
}
