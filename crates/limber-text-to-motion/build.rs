//! Lists the data files of actions, senses and keyframe scripts (scores), so that adding a family
//! needs no change of code.

use std::{env, fs, path::Path};

/// Name of each generated list, and the folder in `assets` whose files it contains.
const LISTS: [(&str, &str); 3] =
    [("ACTIONS", "lexicon/actions"), ("SENSES", "lexicon/senses"), ("SCORES", "scores")];

fn main() {
    let home = env::var("CARGO_MANIFEST_DIR").expect("cargo sets the package's folder");
    let out = env::var("OUT_DIR").expect("cargo sets a folder for generated files");
    let assets = Path::new(&home).join("../../assets");
    let mut source = String::new();
    for (list, folder) in LISTS {
        let folder = assets.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut names: Vec<String> = fs::read_dir(&folder)
            .expect("the folder of data files is part of the repository")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
            .filter(|name| name != "PROVENANCE")
            .collect();
        names.sort_unstable();
        source += &format!(
            "/// Family and text of each file.\npub(crate) const {list}: &[(&str, &str)] = &[\n"
        );
        for name in names {
            let file = folder.join(format!("{name}.toml"));
            let file = file.to_str().expect("the repository's path is text");
            source += &format!("    ({name:?}, include_str!({file:?})),\n");
        }
        source += "];\n";
    }
    fs::write(Path::new(&out).join("families.rs"), source).expect("cargo's folder is writable");
}
