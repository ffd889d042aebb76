//! What every stock character must be: closed, well bound, able to bend, and the file it came as.

mod bending;
mod body;
mod face;
mod files;
mod poses;
mod section;
mod touching;

use std::sync::LazyLock;

use limber_animation::Character;
use limber_characters::{build::STOCK, model};

/// Every stock character, modelled once for all tests.
static CHARACTERS: LazyLock<Vec<Character>> = LazyLock::new(|| {
    std::thread::scope(|scope| {
        let making: Vec<_> =
            STOCK.iter().map(|build| scope.spawn(|| model::model(build))).collect();
        making.into_iter().map(|one| one.join().expect("modelling succeeds")).collect()
    })
});
