//! Reads and writes the file formats of characters and clips.
//!
//! Each format is a pair of pure functions between values and bytes:
//!
//! - [`glb`]: glTF 2.0 in one file. Writes mesh, skin, morph targets, materials, images and one
//!   named animation; reads any ordinary skinned GLB.
//! - [`fbx`]: Autodesk's FBX, binary 7.4: mesh, skin, materials, images, one named animation.
//! - [`read_model`]: GLB, self-contained glTF, VRM 0.x and 1.0, and FBX of every version, as a
//!   [`model::Model`] that is not mapped to bones yet.
//! - [`bvh`]: skeleton and rotations as text, in centimetres, with a standing rest pose.
//! - [`motion`]: motion capture from BVH, FBX, GLB, and ASF with AMC ([`acclaim`]).
//! - [`vrma`]: VRM animation: only the motion of the human bones, for any VRM character.
//! - [`canonical`]: the clip that every output is derived from: versioned, checksummed, bit-exact.
//!
//! In addition, [`humanoid`] maps the joints of any rig to human bones.
//!
//! **Input:** values of [`limber_animation`], or untrusted bytes: sizes and counts are limited,
//! references are checked, nothing outside the file is opened, and damaged files give an error that
//! says what is wrong. **Output:** bytes or values; the same input gives the same bytes on every
//! machine.
//!
//! **Out of scope:** paths, URIs, jobs, how a clip was made and where it will be shown.
//!
//! # Adding an export format
//!
//! These places have to know a format that clips are exported to. The compiler reports those that
//! do not know it yet, except for those marked †.
//!
//! 1. This crate: a module that writes it, with tests in `tests/formats`.
//! 2. [`preset`]: `PresetFile`, and `Preset` with its rules and `ALL`†.
//! 3. `limber-pipeline`, `options.rs`: `FileKind`, `Options::for_preset`, `parse_formats`† and the
//!    messages of `UnknownFormat`†.
//! 4. `limber-pipeline`: a module in `stages/` that does nothing unless the format is asked for†;
//!    `derive` in `pipeline.rs` calls it and collects its file†.
//! 5. `limber-api`: `FileKind` in `motion/request.rs`, the format's name in the motion protocol;
//!    the comment of `preset` in `motion/edit.rs`† lists the presets.
//! 6. `limber-motion-service`, `jobs/parameters`: `formats` in `check.rs`†, `asked_as` in
//!    `finish.rs`.
//! 7. `limber-motion-service`, `pipeline.rs`: `options`† and `artifact_kind`.
//! 8. `limber-motion-service`: the order of links in `http/download.rs`† (a kind that is not in it
//!    gets no link), the media type in `files/media.rs`†, and `save_code` in
//!    `worker/attempt/variants.rs`.
//! 9. `limber-app`: `ExportPreset` in `views/editing.rs`†, its `kind` and `suffix` in
//!    `app/export.rs`. Then regenerate `ui/src/host/bindings.ts`.
//! 10. `ui/src`: `features/export/presets.ts`†, `texts/en/exports.ts`, `texts/de/exports.ts`
//!     and `endings` in `host/fake-editing.ts`.
//! 11. The help of `limber say` (`src-tauri/src/bin/limber/say.rs`)†, and the pages
//!     `command-line.md`, `motion-http.md` and `other-programs.md` in `docs/src`†.
//!
//! If cards should also save and drag it, it needs a `SaveFormat` in `limber-app` (`views.rs`),
//! which `library.rs`†, `library/corrections.rs` and `FILES` in `app/jobs/fetch.rs`† know, and a
//! name in the save dialog (`src-tauri/src/desktop.rs`)†.
#![warn(missing_docs)]

pub mod acclaim;
mod any;
mod avatar;
pub mod bvh;
pub mod canonical;
pub mod face;
pub mod fbx;
pub mod glb;
pub mod humanoid;
pub mod import;
mod influences;
mod keyed;
mod keys;
pub mod model;
pub mod motion;
mod normals;
mod pictures;
pub mod preset;
pub mod vrma;
mod zip;

pub use any::read_model;
pub use keyed::RootTrack;
