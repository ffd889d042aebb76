//! The files in `assets/characters` are what the program writes.

use limber_characters::{build::STOCK, file_of};

use crate::{committed, folder};

#[test]
fn the_committed_files_are_fresh_and_small() {
    let written: Vec<_> = std::thread::scope(|scope| {
        let making: Vec<_> = STOCK.iter().map(|build| scope.spawn(|| file_of(build))).collect();
        making.into_iter().map(|one| one.join().expect("modelling succeeds")).collect()
    });
    let mut together = 0;
    for (build, written) in STOCK.iter().zip(written) {
        let name = format!("{}.glb", build.file_stem);
        let committed = committed(build);
        assert!(
            committed == written.expect("stock characters can be written"),
            "{name} is not what the program writes; run `cargo run -p limber-characters`"
        );
        assert!(committed.len() <= 900_000, "{name}: {} bytes", committed.len());
        together += committed.len();
    }
    assert!(together <= 5_500_000, "{together} bytes");
}

#[test]
fn modelling_twice_gives_the_same_bytes() {
    let [first, again] =
        [1, 2].map(|_| file_of(&STOCK[0]).expect("stock characters can be written"));
    assert!(again == first);
}

#[test]
fn every_file_has_a_record_of_its_origin() {
    let records = std::fs::read_to_string(folder().join("PROVENANCE.toml"))
        .expect("the folder has its records");
    for build in &STOCK {
        assert!(records.contains(&format!("path = \"{}.glb\"", build.file_stem)));
    }
}
