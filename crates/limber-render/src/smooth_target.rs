//! A picture with smooth outlines: four samples to the pixel, averaged.

use three_d::{
    ClearState, Context, CoreError, DepthTest, Program, RenderStates, RenderTarget,
    RenderTargetMultisample, ScissorBox, Texture2D, Viewport, WriteMask, f24,
};

use crate::{PictureSize, RenderError, Scene, Stage, cover::Cover};

const SAMPLES: u32 = 4;

/// A picture with smooth outlines: four samples to the pixel, averaged.
pub struct SmoothTarget {
    samples: RenderTargetMultisample<[u8; 4], f24>,
    copy: Program,
    cover: Cover,
}

impl std::fmt::Debug for SmoothTarget {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (width, height) = (self.samples.width(), self.samples.height());
        write!(formatter, "SmoothTarget({width} × {height})")
    }
}

impl SmoothTarget {
    /// Makes room for a picture of this size.
    ///
    /// # Errors
    /// [`RenderError::Driver`] when the driver refuses.
    pub fn new(context: &Context, size: PictureSize) -> Result<Self, RenderError> {
        let copy = Program::from_source(
            context,
            include_str!("shaders/backdrop.vert"),
            include_str!("shaders/copy.frag"),
        )?;
        let samples =
            RenderTargetMultisample::new(context, size.width.max(1), size.height.max(1), SAMPLES);
        Ok(Self { samples, copy, cover: Cover::new(context) })
    }

    /// Its size in pixels.
    #[must_use]
    pub fn size(&self) -> PictureSize {
        PictureSize::new(self.samples.width(), self.samples.height())
    }

    /// Draws a scene and averages the samples.
    ///
    /// # Errors
    /// See [`Stage::prepare`].
    pub fn draw(&self, stage: &mut Stage, scene: &Scene<'_>) -> Result<Texture2D, RenderError> {
        let prepared = stage.prepare(scene, self.size().aspect())?;
        let viewport = self.samples.viewport();
        self.samples.clear(ClearState::color_and_depth(0.0, 0.0, 0.0, 1.0, 1.0)).write(|| {
            stage.paint(scene, &prepared, viewport);
            Ok::<(), CoreError>(())
        })?;
        Ok(self.samples.resolve_color())
    }

    /// Draws a scene and shows it on a part of the screen, which should be as large.
    ///
    /// # Errors
    /// See [`Stage::prepare`].
    pub fn show(
        &self,
        stage: &mut Stage,
        scene: &Scene<'_>,
        screen: &RenderTarget<'_>,
        part: Viewport,
    ) -> Result<(), RenderError> {
        let picture = self.draw(stage, scene)?;
        screen.write_partially(ScissorBox::from(part), || {
            self.copy.use_texture("picture", &picture);
            let states = RenderStates {
                depth_test: DepthTest::Always,
                write_mask: WriteMask::COLOR,
                ..RenderStates::default()
            };
            self.cover.draw(&self.copy, states, part);
            Ok::<(), CoreError>(())
        })?;
        Ok(())
    }
}
