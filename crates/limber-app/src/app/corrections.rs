//! Manual corrections of clips: rotated joints and moved hands and feet, in layers that can be
//! muted.

use limber_pipeline::corrections::Corrections;
use serde_json::{Value, json};

use super::App;
use crate::{
    AppError, ErrorCode, MessageView, Notice,
    library::{CANONICAL, ClipId},
    views::{
        Correction, CorrectionEase, CorrectionKey, CorrectionLayer, CorrectionOffset,
        CorrectionRotation, PulledLimb,
    },
};

impl App {
    /// Returns the correction layers of a clip, topmost last.
    ///
    /// # Errors
    /// If the clip no longer exists, or the stored corrections cannot be read.
    pub async fn corrections(&self, id: &str) -> Result<Vec<CorrectionLayer>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.on_disk(move |app| Ok(view(&app.inner.library.corrections(&clip.id)?))).await
    }

    /// Replaces a clip's correction layers, and returns warnings about corrections that the clip's
    /// character cannot show. The clip itself is unchanged; stills, files and videos show the
    /// corrections from now on.
    ///
    /// # Errors
    /// [`ErrorCode::BadInput`] with the position of an invalid value; also if the clip no longer
    /// exists, was made by a version that stored no canonical motion, or a disk operation fails.
    pub async fn keep_corrections(
        &self,
        id: &str,
        layers: Vec<CorrectionLayer>,
    ) -> Result<Vec<MessageView>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        if !clip.files.contains_key(CANONICAL) {
            return Err(AppError::new(ErrorCode::NotFound, Notice::NotCorrectable));
        }
        let wrong =
            |why: String| AppError::new(ErrorCode::BadInput, Notice::CorrectionsDoNotFit { why });
        let corrections = read(&layers).map_err(|error| wrong(error.to_string()))?;
        corrections.check_within(clip.frames).map_err(|error| wrong(error.to_string()))?;
        let lacking = self
            .on_disk(move |app| {
                app.inner.library.keep_corrections(&clip, corrections)?;
                app.inner.library.lacking(&clip)
            })
            .await?;
        self.inner.environment.events.library(&[id.to_owned()]);
        Ok(lacking.iter().map(MessageView::from).collect())
    }
}

/// Parses the layers through their public JSON form, so that error positions are the documented
/// ones.
fn read(
    layers: &[CorrectionLayer],
) -> Result<Corrections, limber_pipeline::corrections::CorrectionsError> {
    let layer = |layer: &CorrectionLayer| {
        let keys: Vec<Value> = layer.keys.iter().map(key).collect();
        json!({ "name": layer.name, "muted": layer.muted, "keys": keys })
    };
    let layers: Vec<Value> = layers.iter().map(layer).collect();
    Corrections::from_value(&json!({ "layers": layers }))
}

fn key(key: &CorrectionKey) -> Value {
    let what = match &key.what {
        Correction::Rotate { joint, rotation: CorrectionRotation { x, y, z, w } } => {
            json!({ "rotate": { "joint": joint, "rotation": [x, y, z, w] } })
        }
        Correction::Pull { limb, offset: CorrectionOffset { left, up, forward } } => {
            json!({ "pull": { "limb": limb, "offset": [left, up, forward] } })
        }
    };
    json!({
        "frame": key.frame, "what": what, "before": key.before, "after": key.after, "ease": key.ease,
    })
}

fn view(corrections: &Corrections) -> Vec<CorrectionLayer> {
    use limber_pipeline::corrections as kept;
    let what = |what: &kept::Correction| match what {
        kept::Correction::Rotate { joint, rotation } => {
            let [x, y, z, w] = rotation.get();
            let rotation = CorrectionRotation { x, y, z, w };
            Correction::Rotate { joint: joint.as_str().to_owned(), rotation }
        }
        kept::Correction::Pull { limb, offset } => Correction::Pull {
            limb: match limb {
                kept::PulledLimb::LeftHand => PulledLimb::LeftHand,
                kept::PulledLimb::RightHand => PulledLimb::RightHand,
                kept::PulledLimb::LeftFoot => PulledLimb::LeftFoot,
                kept::PulledLimb::RightFoot => PulledLimb::RightFoot,
            },
            offset: {
                let [left, up, forward] = offset.get();
                CorrectionOffset { left, up, forward }
            },
        },
    };
    let key = |key: &kept::CorrectionKey| CorrectionKey {
        frame: key.frame,
        what: what(&key.what),
        before: key.before,
        after: key.after,
        ease: match key.ease {
            kept::Ease::Smooth => CorrectionEase::Smooth,
            kept::Ease::Gentle => CorrectionEase::Gentle,
            kept::Ease::Hold => CorrectionEase::Hold,
        },
    };
    let layers = corrections.layers().iter().map(|layer| CorrectionLayer {
        name: layer.name.clone(),
        muted: layer.muted,
        keys: layer.keys.iter().map(key).collect(),
    });
    layers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        folders,
        library::{Clip, ClipFile, clip},
        testing,
    };
    use limber_domain::hex;
    use sha2::{Digest, Sha256};

    /// Adds a clip of 90 frames that has files with these extensions.
    fn keep(app: &App, endings: &[&str]) -> String {
        let files = endings.iter().map(|ending| {
            let path = app.inner.library.path(&clip(1).id, ending);
            folders::replace(&path, b"glTF").expect("arrived");
            let sha256 = hex(&Sha256::digest(b"glTF"));
            ((*ending).to_owned(), ClipFile { bytes: 4, sha256 })
        });
        let clip = Clip { files: files.collect(), ..clip(1) };
        let id = clip.id.to_string();
        app.inner.library.add(clip).expect("added");
        id
    }

    fn layer(frame: u32) -> CorrectionLayer {
        let rotation = CorrectionRotation { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        let turn = Correction::Rotate { joint: "head".into(), rotation };
        let offset = CorrectionOffset { left: 0.0, up: 0.25, forward: -0.125 };
        let pull = Correction::Pull { limb: PulledLimb::RightFoot, offset };
        let key = |what, ease| CorrectionKey { frame, what, before: 4, after: 0, ease };
        CorrectionLayer {
            name: "Größer".into(),
            muted: true,
            keys: vec![key(turn, CorrectionEase::Smooth), key(pull, CorrectionEase::Hold)],
        }
    }

    #[tokio::test]
    async fn layers_survive_a_round_trip() {
        let home = tempfile::tempdir().expect("a folder");
        let app = testing::app(home.path());
        let id = keep(&app, &["glb", CANONICAL]);
        assert_eq!(app.corrections(&id).await.expect("there are none"), []);
        app.keep_corrections(&id, vec![layer(3), layer(9)]).await.expect("saved");
        assert_eq!(app.corrections(&id).await.expect("saved"), [layer(3), layer(9)]);
        app.keep_corrections(&id, vec![]).await.expect("saved");
        assert_eq!(app.corrections(&id).await.expect("none again"), []);
    }

    #[tokio::test]
    async fn invalid_corrections_are_reported_and_saved_ones_stay() {
        let home = tempfile::tempdir().expect("a folder");
        let app = testing::app(home.path());
        let id = keep(&app, &["glb", CANONICAL]);
        app.keep_corrections(&id, vec![layer(3)]).await.expect("saved");
        let error = app.keep_corrections(&id, vec![layer(3), layer(90)]).await.expect_err("beyond");
        assert_eq!(error.code, ErrorCode::BadInput);
        let told = "layers[1].keys[0].frame: 90 is past the clip's last frame 89";
        assert!(error.message.text.contains(told), "{error}");
        assert_eq!(app.corrections(&id).await.expect("saved"), [layer(3)]);
    }

    #[tokio::test]
    async fn a_clip_without_stored_motion_cannot_be_corrected() {
        let home = tempfile::tempdir().expect("a folder");
        let app = testing::app(home.path());
        let id = keep(&app, &["glb"]);
        let error = app.keep_corrections(&id, vec![layer(3)]).await.expect_err("nothing to do");
        assert_eq!(error.message.code, "not-correctable");
    }
}
