//! Names a rig for lists, and identifies rigs by their joint names.

use std::collections::BTreeSet;

use limber_domain::hex;
use limber_formats::import::{FileFormat, Imported};
use sha2::{Digest, Sha256};

/// Number of hash digits in a slug.
const DIGITS: usize = 12;

/// Returns a name for the skeleton's naming convention: `mixamo`, `vrm1`, `ue5`, …, or `custom-`
/// plus the beginning of `joints` if it follows none, so that rigs with equal joint names share a
/// slug.
pub(super) fn slug(imported: &Imported, joints: &str) -> String {
    match (imported.report.convention.as_str(), imported.format) {
        ("declared", FileFormat::Vrm0) => "vrm0".to_owned(),
        ("declared" | "VRM", _) => "vrm1".to_owned(),
        ("Unreal 4", _) => "ue4".to_owned(),
        ("Unreal 5", _) => "ue5".to_owned(),
        ("part names" | "shape", _) => {
            format!("custom-{}", joints.get(..DIGITS).unwrap_or(joints))
        }
        (named, _) => named.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "-"),
    }
}

/// Returns the SHA-256, in hexadecimal, of the joint names.
pub(super) fn joints_hash(names: &BTreeSet<&str>) -> String {
    let mut hash = Sha256::new();
    for name in names {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use limber_formats::{humanoid::conventions, import::import};

    use super::*;

    fn slug_of(convention: &str, format: FileFormat) -> String {
        let stock = limber_pipeline::stock::list()[0].glb;
        let mut imported = import(stock, &Default::default()).expect("a character");
        imported.report.convention = convention.to_owned();
        imported.format = format;
        slug(&imported, "0123456789abcdef")
    }

    #[test]
    fn every_rig_has_a_url_safe_slug() {
        let others = ["declared", "part names", "shape"];
        for convention in conventions().chain(others) {
            let slug = slug_of(convention, FileFormat::Glb);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(!slug.is_empty() && slug.chars().all(plain), "{convention}: {slug}");
        }
    }

    #[test]
    fn known_rigs_have_common_names_and_others_a_joint_hash() {
        assert_eq!(slug_of("Mixamo", FileFormat::Fbx { version: 7400 }), "mixamo");
        assert_eq!(slug_of("Unreal 5", FileFormat::Fbx { version: 7400 }), "ue5");
        assert_eq!(slug_of("declared", FileFormat::Vrm0), "vrm0");
        assert_eq!(slug_of("declared", FileFormat::Vrm1), "vrm1");
        assert_eq!(slug_of("Ready Player Me", FileFormat::Glb), "ready-player-me");
        assert_eq!(slug_of("shape", FileFormat::Glb), "custom-0123456789ab");
        assert_eq!(slug_of("part names", FileFormat::Gltf), "custom-0123456789ab");
    }

    #[test]
    fn joint_names_split_differently_have_another_hash() {
        let hash = |names: &[&str]| joints_hash(&names.iter().copied().collect());
        assert_eq!(hash(&["hips", "spine"]), hash(&["spine", "hips"]));
        assert_ne!(hash(&["hips", "spine"]), hash(&["hip", "sspine"]));
    }
}
