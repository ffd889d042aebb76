//! A full-screen triangle.

use three_d::{Context, Program, RenderStates, VertexBuffer, Viewport};

/// A full-screen triangle for programs with the vertex attribute `cover`.
pub(crate) struct Cover(VertexBuffer<[f32; 2]>);

impl Cover {
    pub(crate) fn new(context: &Context) -> Self {
        Self(VertexBuffer::new_with_data(context, &[[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]]))
    }

    pub(crate) fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        program.use_vertex_attribute("cover", &self.0);
        program.draw_arrays(states, viewport, 3);
    }
}
