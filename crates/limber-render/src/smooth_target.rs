//! An anti-aliased render target: 4× multisampling where bodies are.

use three_d::{
    ClearState, Context, CoreError, DepthTest, DepthTexture2D, Interpolation, Program,
    RenderStates, RenderTarget, RenderTargetMultisample, ScissorBox, Texture2D, Viewport, Wrapping,
    WriteMask, f24,
};

use crate::{PictureSize, RenderError, Scene, Stage, cover::Cover};

const SAMPLES: u32 = 4;
/// The multisampled area grows in steps of this many pixels.
const STEP: u32 = 64;

type Samples = RenderTargetMultisample<[u8; 4], f24>;

/// An anti-aliased render target with 4× multisampling where bodies are. Floor and backdrop have no
/// hard edges and are drawn once, which saves most of the work in software rendering.
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
    /// Creates a target of this size.
    ///
    /// # Errors
    /// [`RenderError::Driver`] if the driver refuses.
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

    /// Returns the size in pixels.
    #[must_use]
    pub fn size(&self) -> PictureSize {
        PictureSize::new(self.color.width(), self.color.height())
    }

    /// Draws a scene and returns the resolved image.
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
        // the multisampled area will be overwritten, so the floor is not drawn there
        for strip in around(bodies, all) {
            target.clear_partially(strip, NOTHING).write_partially(strip, || {
                stage.paint_studio(scene, &prepared, all);
                Ok::<(), CoreError>(())
            })?;
        }
        let (Some(part), context) = (bodies, &self.context) else { return Ok(&self.color) };
        let samples = with_room(&mut self.samples, context, part);
        // Draw the whole scene, shifted so that the area lies in the corner of the multisampled
        // target.
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

    /// Draws a scene and reads it back; rows from the top.
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

    /// Draws a scene and copies it to a part of the screen, which should have the same size.
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

/// Returns the strips below, above, left and right of a part of `all`; all of it if there is no
/// part.
fn around(part: Option<Viewport>, all: Viewport) -> Vec<ScissorBox> {
    let Some(part) = part else { return vec![ScissorBox::from(all)] };
    let (right, top) = (part.x + part.width as i32, part.y + part.height as i32);
    let strip = |x: i32, y: i32, right: i32, top: i32| ScissorBox {
        x,
        y,
        width: u32::try_from(right - x).unwrap_or(0),
        height: u32::try_from(top - y).unwrap_or(0),
    };
    let (width, height) = (all.width as i32, all.height as i32);
    let strips = [
        strip(0, 0, width, part.y),
        strip(0, top, width, height),
        strip(0, part.y, part.x, top),
        strip(right, part.y, width, top),
    ];
    strips.into_iter().filter(|strip| strip.width > 0 && strip.height > 0).collect()
}

/// Returns a multisampled target that holds at least this part. It is kept across frames for as
/// long as it is large enough.
fn with_room<'a>(kept: &'a mut Option<Samples>, context: &Context, part: Viewport) -> &'a Samples {
    let [width, height] = [part.width, part.height].map(|side| side.next_multiple_of(STEP));
    let fits = |old: &Samples| old.width() >= width && old.height() >= height;
    let old = kept.take().filter(fits);
    kept.insert(old.unwrap_or_else(|| Samples::new(context, width, height, SAMPLES)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_the_part_they_leave_out_are_the_whole_picture() {
        let all = Viewport::new_at_origo(40, 30);
        let part = |x, y, width, height| Viewport { x, y, width, height };
        for part in [part(10, 5, 8, 9), part(0, 0, 40, 30), part(0, 20, 40, 10), part(32, 0, 8, 30)]
        {
            let strips = around(Some(part), all);
            for (x, y) in (0..40).flat_map(|x| (0..30).map(move |y| (x, y))) {
                let inside = |left: i32, bottom: i32, width: u32, height: u32| {
                    (left..left + width as i32).contains(&x)
                        && (bottom..bottom + height as i32).contains(&y)
                };
                let covers =
                    |strip: &&ScissorBox| inside(strip.x, strip.y, strip.width, strip.height);
                let times = strips.iter().filter(covers).count()
                    + usize::from(inside(part.x, part.y, part.width, part.height));
                assert_eq!(times, 1, "{x} {y} of {part:?}");
            }
        }
        assert_eq!(around(None, all).len(), 1);
    }
}
