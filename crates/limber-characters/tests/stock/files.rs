//! The files in `assets/characters` are what the program writes.

use limber_characters::{build::STOCK, file_of};

use crate::{committed, folder};

#[test]
fn the_committed_files_are_up_to_date_and_small() {
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
            "{name} is out of date; run `cargo run -p limber-characters`"
        );
        assert!(committed.len() <= 900_000, "{name}: {} bytes", committed.len());
        together += committed.len();
    }
    assert!(together <= 5_500_000, "{together} bytes");
}

#[test]
fn generation_is_deterministic() {
    let [first, again] =
        [1, 2].map(|_| file_of(&STOCK[0]).expect("stock characters can be written"));
    assert!(again == first);
}

#[test]
fn every_file_has_a_provenance_record() {
    let records = std::fs::read_to_string(folder().join("PROVENANCE.toml"))
        .expect("the folder contains provenance records");
    for build in &STOCK {
        assert!(records.contains(&format!("path = \"{}.glb\"", build.file_stem)));
    }
}
