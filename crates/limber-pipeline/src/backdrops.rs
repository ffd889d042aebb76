//! The backdrops of videos.

use std::sync::Arc;

use limber_animation::Fps;
use limber_render::{Painting, PictureSize, Scenery, ShotKind, VideoRenderer, VideoSettings};

use crate::{
    picture::{PictureError, standing, to_png},
    stock,
};

/// The only backdrop with a floor.
pub(crate) const STUDIO: &str = "studio";
/// Size of thumbnails.
const THUMB: PictureSize = PictureSize::new(320, 180);

/// A backdrop.
#[derive(Debug)]
pub struct Backdrop {
    /// The name used in the API.
    pub name: &'static str,
    /// Whether it is painted, without a floor.
    pub is_flat: bool,
    /// Its thumbnail as PNG, made by [`paint_thumb`].
    pub thumb: &'static [u8],
}

macro_rules! backdrops {
    ($($name:literal $is_flat:literal),* $(,)?) => {
        static ALL: [Backdrop; [$($name),*].len()] = [$(Backdrop {
            name: $name,
            is_flat: $is_flat,
            thumb: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/../../assets/pictures/backdrops/", $name, ".png"
            )),
        }),*];
    };
}

backdrops! {
    "studio" false,
    "Checker_Cloudscape" true,
    "Golden_Age_Glitz" true,
    "Inferno_Stage" true,
    "Jungle_Grove" true,
    "Mystic_Brick" true,
    "Mystic_Concrete" true,
    "Rainbow_Spotlight" true,
    "Red_Carpet" true,
    "Retro_Revue" true,
    "Sakura_Dreamscape" true,
    "Spotlit_Stage" true,
    "Timbered_Retreat" true,
    "Urban_Rooftop" true,
}

/// Returns all backdrops in the order in which menus show them.
#[must_use]
pub fn list() -> &'static [Backdrop] {
    &ALL
}

/// Finds a backdrop by name, ignoring case and surrounding spaces.
#[must_use]
pub fn find(name: &str) -> Option<&'static Backdrop> {
    ALL.iter().find(|known| known.name.eq_ignore_ascii_case(name.trim()))
}

pub(crate) fn painting(name: &str) -> Option<Painting> {
    Painting::ALL.into_iter().find(|painting| painting.name() == name)
}

/// Renders a [`Backdrop::thumb`].
///
/// # Errors
/// If this computer cannot render it.
pub fn paint_thumb(backdrop: &Backdrop) -> Result<Vec<u8>, PictureError> {
    if let Some(painting) = painting(backdrop.name) {
        return to_png(&painting.paint(THUMB));
    }
    let stock =
        stock::list().first().ok_or_else(|| PictureError::new("there is no room to stand"))?;
    let character = stock.character().map_err(PictureError::new)?;
    let clip = standing(character)?;
    let settings = VideoSettings {
        size: THUMB,
        fps: Fps::DEFAULT,
        frames: 1,
        camera: ShotKind::Fixed,
        angle: 0.3,
        scenery: Scenery::Studio([0.78; 3]),
        shadow: true,
    };
    to_png(&VideoRenderer::new(&Arc::new(character.clone()), clip, settings)?.picture(0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_painted_backdrop_has_standing_room() {
        let flat: Vec<_> = list().iter().filter(|backdrop| backdrop.is_flat).collect();
        assert_eq!(flat.len() + 1, list().len());
        let names = Painting::ALL.map(Painting::name);
        assert!(flat.iter().map(|backdrop| backdrop.name).eq(names), "{flat:?}");
        assert_eq!(find(" STUDIO ").map(|found| found.name), Some(STUDIO));
        assert!(find("nowhere").is_none());
    }
}
