//! A picture with smooth outlines: four samples to the pixel where bodies are.

use three_d::{
    ClearState, Context, CoreError, DepthTest, DepthTexture2D, Interpolation, Program,
    RenderStates, RenderTarget, RenderTargetMultisample, ScissorBox, Texture2D, Viewport, Wrapping,
    WriteMask, f24,
};

use crate::{PictureSize, RenderError, Scene, Stage, cover::Cover};

const SAMPLES: u32 = 4;
/// The part with samples grows in steps of this many pixels.
const STEP: u32 = 64;

type Samples = RenderTargetMultisample<[u8; 4], f24>;

/// A picture with smooth outlines: four samples to the pixel where bodies are. Floor and backdrop
/// have no outlines and are drawn once, which is most of the work saved where the processor draws.
pub struct SmoothTarget {
    color: Texture2D,
    depth: DepthTexture2D,
    samples: Option<Samples>,
    copy: Program,
    cover: Cover,
    context: Context,
}

impl std::fmt::Debug for SmoothTarget {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let PictureSize { width, height } = self.size();
        write!(formatter, "SmoothTarget({width} × {height})")
    }
}

impl SmoothTarget {
    /// Makes room for a picture of this size.
    ///
    /// # Errors
    /// [`RenderError::Driver`] when the driver refuses.
    pub fn new(context: &Context, size: PictureSize) -> Result<Self, RenderError> {
        let (width, height) = (size.width.max(1), size.height.max(1));
        let copy = Program::from_source(
            context,
            include_str!("shaders/backdrop.vert"),
            include_str!("shaders/copy.frag"),
        )?;
        let (nearest, clamp) = (Interpolation::Nearest, Wrapping::ClampToEdge);
        Ok(Self {
            color: Texture2D::new_empty::<[u8; 4]>(
                context, width, height, nearest, nearest, None, clamp, clamp,
            ),
            depth: DepthTexture2D::new::<f24>(context, width, height, clamp, clamp),
            samples: None,
            copy,
            cover: Cover::new(context),
            context: context.clone(),
        })
    }

    /// Its size in pixels.
    #[must_use]
    pub fn size(&self) -> PictureSize {
        PictureSize::new(self.color.width(), self.color.height())
    }

    /// Draws a scene.
    ///
    /// # Errors
    /// See [`Stage::draw`].
    pub fn draw(
        &mut self,
        stage: &mut Stage,
        scene: &Scene<'_>,
    ) -> Result<&Texture2D, RenderError> {
        let prepared = stage.prepare(scene, self.size().aspect())?;
        let all = Viewport::new_at_origo(self.color.width(), self.color.height());
        let bodies = prepared.outline(all);
        let target =
            RenderTarget::new(self.color.as_color_target(None), self.depth.as_depth_target());
        target.clear(NOTHING).write(|| {
            stage.paint_studio(scene, &prepared, all);
            Ok::<(), CoreError>(())
        })?;
        let (Some(part), context) = (bodies, &self.context) else { return Ok(&self.color) };
        let samples = with_room(&mut self.samples, context, part);
        // The whole scene, moved so that the part lies in the corner of the samples.
        let moved = Viewport { x: -part.x, y: -part.y, ..all };
        samples.clear(NOTHING).write(|| {
            stage.paint(scene, &prepared, moved);
            Ok::<(), CoreError>(())
        })?;
        let smooth = samples.resolve_color();
        let corner = Viewport { width: smooth.width(), height: smooth.height(), ..part };
        target.write_partially(ScissorBox::from(part), || {
            self.put(&smooth, corner);
            Ok::<(), CoreError>(())
        })?;
        Ok(&self.color)
    }

    /// Draws a scene and reads it back, rows from the top.
    ///
    /// # Errors
    /// See [`Stage::draw`].
    pub fn read(
        &mut self,
        stage: &mut Stage,
        scene: &Scene<'_>,
    ) -> Result<image::RgbaImage, RenderError> {
        let PictureSize { width, height } = self.size();
        let pixels: Vec<[u8; 4]> = self.draw(stage, scene)?.as_color_target(None).read();
        image::RgbaImage::from_raw(width, height, pixels.into_flattened())
            .ok_or_else(|| RenderError::Driver("it returned too few pixels".into()))
    }

    /// Draws a scene and shows it on a part of the screen, which should be as large.
    ///
    /// # Errors
    /// See [`Stage::draw`].
    pub fn show(
        &mut self,
        stage: &mut Stage,
        scene: &Scene<'_>,
        screen: &RenderTarget<'_>,
        part: Viewport,
    ) -> Result<(), RenderError> {
        self.draw(stage, scene)?;
        screen.write_partially(ScissorBox::from(part), || {
            self.put(&self.color, part);
            Ok::<(), CoreError>(())
        })?;
        Ok(())
    }

    fn put(&self, picture: &Texture2D, place: Viewport) {
        self.copy.use_texture("picture", picture);
        let states = RenderStates {
            depth_test: DepthTest::Always,
            write_mask: WriteMask::COLOR,
            ..RenderStates::default()
        };
        self.cover.draw(&self.copy, states, place);
    }
}

const NOTHING: ClearState = ClearState::color_and_depth(0.0, 0.0, 0.0, 1.0, 1.0);

/// Samples for at least this part; kept from frame to frame while it fits.
fn with_room<'a>(kept: &'a mut Option<Samples>, context: &Context, part: Viewport) -> &'a Samples {
    let [width, height] = [part.width, part.height].map(|side| side.next_multiple_of(STEP));
    let fits = |old: &Samples| old.width() >= width && old.height() >= height;
    let old = kept.take().filter(fits);
    kept.insert(old.unwrap_or_else(|| Samples::new(context, width, height, SAMPLES)))
}
