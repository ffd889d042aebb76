//! Motion trails: the path of a joint, drawn as a line.

use glam::{Mat4, Vec3};
use limber_animation::Side;
use three_d::{
    Blend, Context, Cull, DepthTest, InstanceBuffer, Program, RenderStates, VertexBuffer, Viewport,
    WriteMask,
};

use crate::{RenderError, conversion, overlay};

/// Half the width of the past part, in pixels of an image 720 pixels tall.
const GONE: f32 = 2.2;
/// Half the width of the future part.
const COMING: f32 = 1.1;
/// Half the width of the current point.
const NOW: f32 = 5.0;
/// Outline of the current point, so that it stands out from any body.
const EDGE: [f32; 4] = [0.05, 0.06, 0.08, 1.0];
/// Opacity where a trail is hidden by something.
const HIDDEN: f32 = 0.30;

/// The path of a joint: wide where it was, narrow where it will be, with a dot at its current
/// position. Left is a solid cyan line, right is dashed orange, the middle is white.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trail {
    /// Positions in time order at equal intervals, in metres.
    pub points: Vec<Vec3>,
    /// Index of the current point.
    pub now: usize,
    /// Which side of the body the joint belongs to, if any.
    pub side: Option<Side>,
}

/// Instance data of line segments: (start, half the width), end, colour.
#[derive(Default)]
struct Pieces {
    starts: Vec<[f32; 4]>,
    ends: Vec<[f32; 3]>,
    tints: Vec<[f32; 4]>,
}

impl Pieces {
    fn add_way(&mut self, trail: &Trail, pixel: f32) {
        let tint = overlay::tint(trail.side);
        for (place, pair) in trail.points.windows(2).enumerate() {
            // dashes: two segments drawn, two skipped
            let left_out = trail.side == Some(Side::Right) && place % 4 >= 2;
            if !left_out {
                let width = if place < trail.now { GONE } else { COMING };
                self.push([pair[0], pair[1]], width * pixel, tint);
            }
        }
    }

    fn add_now(&mut self, trail: &Trail, pixel: f32) {
        if let Some(here) = trail.points.get(trail.now) {
            self.push([*here, *here], (NOW + 1.5) * pixel, EDGE);
            self.push([*here, *here], NOW * pixel, overlay::tint(trail.side));
        }
    }

    fn push(&mut self, [start, end]: [Vec3; 2], width: f32, tint: [f32; 4]) {
        if start.is_finite() && end.is_finite() {
            self.starts.push(start.extend(width).to_array());
            self.ends.push(end.to_array());
            self.tints.push(tint);
        }
    }
}

/// Draws trails.
pub(crate) struct DrawnTrails {
    program: Program,
    corners: VertexBuffer<[f32; 2]>,
    context: Context,
}

impl DrawnTrails {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let (vertex, fragment) =
            (include_str!("shaders/trail.vert"), include_str!("shaders/trail.frag"));
        Ok(Self {
            program: Program::from_source(context, vertex, fragment)?,
            corners: VertexBuffer::new_with_data(context, &overlay::SQUARE),
            context: context.clone(),
        })
    }

    pub(crate) fn draw(&self, trails: &[Trail], view_projection: Mat4, viewport: Viewport) {
        let (mut ways, mut nows) = (Pieces::default(), Pieces::default());
        let pixel = (viewport.height as f32 / 720.0).max(0.5);
        for trail in trails {
            ways.add_way(trail, pixel);
            nows.add_now(trail, pixel);
        }
        let program = &self.program;
        program.use_uniform("viewProjection", conversion::mat4(view_projection));
        let size = glam::Vec2::new(viewport.width as f32, viewport.height as f32);
        program.use_uniform("pictureSize", conversion::vec2(size));
        self.put(&ways, (DepthTest::Greater, HIDDEN), viewport);
        self.put(&ways, (DepthTest::LessOrEqual, 1.0), viewport);
        // ignore depth: joints are inside bodies
        self.put(&nows, (DepthTest::Always, 1.0), viewport);
    }

    fn put(&self, pieces: &Pieces, (depth_test, shown): (DepthTest, f32), viewport: Viewport) {
        let count = pieces.starts.len() as u32;
        if count == 0 {
            return;
        }
        let program = &self.program;
        program.use_uniform("shown", shown);
        program.use_vertex_attribute("corner", &self.corners);
        let starts = InstanceBuffer::new_with_data(&self.context, &pieces.starts);
        let ends = InstanceBuffer::new_with_data(&self.context, &pieces.ends);
        let tints = InstanceBuffer::new_with_data(&self.context, &pieces.tints);
        program.use_instance_attribute("start", &starts);
        program.use_instance_attribute("end", &ends);
        program.use_instance_attribute("tint", &tints);
        let states = RenderStates {
            depth_test,
            write_mask: WriteMask { alpha: false, ..WriteMask::COLOR },
            blend: Blend::STANDARD_TRANSPARENCY,
            cull: Cull::None,
        };
        program.draw_arrays_instanced(states, viewport, overlay::SQUARE.len() as u32, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(side: Option<Side>) -> Pieces {
        let points = (0..9).map(|at| Vec3::X * at as f32).collect();
        let mut pieces = Pieces::default();
        let trail = Trail { points, now: 4, side };
        pieces.add_way(&trail, 1.0);
        pieces.add_now(&trail, 1.0);
        pieces
    }

    #[test]
    fn the_past_trail_is_wider_and_now_is_a_point() {
        let left = pieces(Some(Side::Left));
        assert_eq!(left.starts.len(), 8 + 2);
        assert!(left.starts[3][3] > left.starts[4][3]);
        assert_eq!((left.starts[8][0], left.ends[8][0]), (4.0, 4.0));
    }

    #[test]
    fn the_right_side_is_dashed() {
        assert_eq!(pieces(Some(Side::Right)).starts.len(), 4 + 2);
        assert_eq!(pieces(None).starts.len(), 8 + 2);
    }
}
