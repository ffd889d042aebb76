//! The clip in the editor's 3D view.

use image::RgbImage;

use crate::{
    display::{changed_pixels, light_pixels},
    window::{Window, until},
};

/// The canvas, once it shows the clip. Before that it is hidden behind a still image.
const CANVAS: &str = ".stage canvas.live";

/// Waits until a character is rendered and nothing covers the editor.
pub(crate) async fn see_character(window: &Window) -> RgbImage {
    until("the character in the 3D view", async || {
        let picture = window.picture_of(CANVAS).await?;
        let is_alone = window.count("dialog").await == 0;
        (is_alone && light_pixels(&picture) > 3000).then_some(picture)
    })
    .await
}

/// Waits until the viewport shows something clearly different that is still a character.
pub(crate) async fn see_change(window: &Window, what: &str, before: &RgbImage) -> RgbImage {
    until(what, async || {
        let picture = see_character(window).await;
        let is_same_size = picture.dimensions() == before.dimensions();
        (is_same_size && changed_pixels(before, &picture) > 300).then_some(picture)
    })
    .await
}
