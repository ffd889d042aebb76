//! The characters Limber brings along, made by `limber-characters`.

use std::sync::OnceLock;

use limber_animation::Character;
use limber_formats::glb;

use crate::{ErrorCode, PipelineError, Stage};

/// Which list a stock character stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// People to make films and pictures with.
    Maker,
    /// Light figures for games.
    Game,
}

impl Family {
    /// The family's name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maker => "stock_maker",
            Self::Game => "stock_game",
        }
    }
}

/// A character that is always there.
#[derive(Debug)]
pub struct StockCharacter {
    /// Never changes, whatever happens to the file: 22 digits in base 62.
    pub id: &'static str,
    /// Shown to people.
    pub name: &'static str,
    /// Which list it stands in.
    pub family: Family,
    /// The whole file.
    pub glb: &'static [u8],
    /// What [`portrait`](crate::picture::portrait) draws of it, as PNG.
    pub portrait: &'static [u8],
    read: OnceLock<Result<Character, glb::GlbError>>,
}

macro_rules! stock {
    ($($id:literal $name:literal $family:ident $stem:literal),* $(,)?) => {
        static STOCK: [StockCharacter; [$($id),*].len()] = [$(StockCharacter {
            id: $id,
            name: $name,
            family: Family::$family,
            glb: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/../../assets/characters/", $stem, ".glb"
            )),
            portrait: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/../../assets/pictures/characters/", $stem, ".png"
            )),
            read: OnceLock::new(),
        }),*];
    };
}

stock! {
    "2mLimberMannequin00001" "Mannequin" Maker "mannequin",
    "2mLimberAtlas000000001" "Atlas" Maker "atlas",
    "2mLimberNova0000000001" "Nova" Maker "nova",
    "2mLimberRowan000000001" "Rowan" Maker "rowan",
    "2mLimberMilo0000000001" "Milo" Maker "milo",
    "2mLimberPip00000000001" "Pip" Maker "pip",
    "2mLimberBolt0000000001" "Bolt" Game "bolt",
    "2mLimberFacet000000001" "Facet" Game "facet",
}

/// All stock characters; the first is the default.
#[must_use]
pub fn list() -> &'static [StockCharacter] {
    &STOCK
}

/// The stock character with this id, or this name in any spelling; `default` is the first.
#[must_use]
pub fn find(id_or_name: &str) -> Option<&'static StockCharacter> {
    let wanted = id_or_name.trim();
    if wanted.eq_ignore_ascii_case("default") {
        return STOCK.first();
    }
    STOCK.iter().find(|stock| stock.id == wanted || stock.name.eq_ignore_ascii_case(wanted))
}

impl StockCharacter {
    /// The character itself; read once and kept.
    ///
    /// # Errors
    /// Code 901 when the file that came with the program is damaged.
    pub fn character(&self) -> Result<&Character, PipelineError> {
        let read = self.read.get_or_init(|| {
            glb::read(self.glb)
                .map(|file| Character { name: self.name.to_owned(), ..file.character })
        });
        read.as_ref().map_err(|error| {
            let message = format!("the stock character {} cannot be read: {error}", self.name);
            PipelineError::at(Stage::Bake, ErrorCode::CHARACTER_MESH, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stock_characters_have_well_formed_ids_and_can_be_walked_with() {
        for stock in list() {
            assert_eq!(stock.id.len(), 22, "{}", stock.id);
            assert!(stock.id.chars().all(|c| c.is_ascii_alphanumeric()), "{}", stock.id);
            assert!(std::ptr::eq(find(stock.id).expect("by id"), stock));
            assert!(std::ptr::eq(find(&stock.name.to_uppercase()).expect("by name"), stock));
            let character = stock.character().expect("it reads");
            let bones = &limber_animation::HumanBone::REQUIRED;
            assert!(bones.iter().all(|bone| character.skeleton.find(*bone).is_some()));
            assert!(character.triangle_count() >= 1000);
        }
        for family in [Family::Maker, Family::Game] {
            let members = list().iter().filter(|stock| stock.family == family).count();
            assert!(members >= 2, "{} has {members}", family.name());
        }
        assert!(std::ptr::eq(find("default").expect("there is a default"), &list()[0]));
        assert!(find("nobody").is_none());
    }
}
