//! The native viewer, synchronised with the timeline in both directions.

use std::{
    path::PathBuf,
    sync::{Arc, Weak, atomic::Ordering},
};

use limber_api::viewer::{self, FrameRange, MAX_SPEED, MIN_SPEED, ViewerCommand, ViewerEvent};
use limber_domain::lock;

use super::{App, Inner};
use crate::{
    AppError, ErrorCode, Notice, Showing,
    library::ClipId,
    views::{Language, Span, ViewerLayer, ViewerView},
};

/// Maximum number of clips side by side in one viewer.
const MOST_SIDE_BY_SIDE: usize = 8;

impl App {
    /// Plays clips side by side in the native viewer.
    ///
    /// # Errors
    /// If a clip no longer exists or is damaged, or the viewer does not start.
    pub async fn play_clips(&self, ids: &[String]) -> Result<(), AppError> {
        if ids.is_empty() || ids.len() > MOST_SIDE_BY_SIDE {
            return Err(AppError::new(
                ErrorCode::BadInput,
                Notice::HowManyToPlay { most: MOST_SIDE_BY_SIDE },
            ));
        }
        let mut showing = self.showing(vec![], vec![]);
        for id in ids {
            let clip = self.inner.library.find(&ClipId::parse(id)?)?;
            let alone = ids.len() == 1 || clip.variants == 1;
            let number = clip.id.variant;
            let title = clip.title();
            showing.names.push(if alone { title.to_owned() } else { format!("{number}  {title}") });
            showing.files.push(self.on_disk(move |app| app.inner.library.playable(&clip)).await?);
        }
        let (app, clips) = (Arc::downgrade(&self.inner), ids.to_vec());
        let told = Arc::new(move |event| hear(&app, &clips, &event));
        let was_open = lock(&self.inner.viewer).is_some();
        let looks = lock(&self.inner.last_layers).clone();
        self.inner.environment.desktop.play(showing, told).await?;
        if let Some(looks) = looks.filter(|_| !was_open) {
            self.look_again(&looks).await;
        }
        Ok(())
    }

    /// Returns a viewer request for files, with the current theme and language.
    pub(super) fn showing(&self, files: Vec<PathBuf>, names: Vec<String>) -> Showing {
        let light = self.inner.viewer_light.load(Ordering::Relaxed);
        Showing { files, names, light, language: self.spoken() }
    }

    /// Restores the layers of the previous window, except the overlay, which has to be chosen
    /// again.
    async fn look_again(&self, looks: &[ViewerLayer]) {
        let all = viewer::ViewerLayer::NAMES.into_iter().map(|(_, layer)| layer);
        for layer in all.filter(|layer| *layer != viewer::ViewerLayer::Overlay) {
            let enabled = looks.contains(&layer.into());
            self.steer(ViewerCommand::Show { layer, enabled }).await;
        }
    }

    /// Moves the viewer to a frame. Does nothing if no viewer is open, like all functions below.
    pub async fn viewer_seek(&self, frame: u32) {
        self.steer(ViewerCommand::Seek { frame }).await;
    }

    /// Starts or pauses playback in the viewer.
    pub async fn viewer_play(&self, playing: bool) {
        let command = if playing { ViewerCommand::Play {} } else { ViewerCommand::Pause {} };
        self.steer(command).await;
    }

    /// Plays backwards in the viewer.
    pub async fn viewer_play_backwards(&self) {
        self.steer(ViewerCommand::PlayBackwards {}).await;
    }

    /// Shows or hides a layer of the viewer.
    pub async fn viewer_show(&self, layer: ViewerLayer, enabled: bool) {
        self.steer(ViewerCommand::Show { layer: layer.into(), enabled }).await;
    }

    /// Selects which of the viewer's clips is B, counted from 1; positions that do not exist are
    /// ignored.
    pub async fn viewer_compare(&self, place: u32) {
        self.steer(ViewerCommand::Compare { with: place }).await;
    }

    /// Sets the viewer's playback speed; 1 is real time.
    pub async fn viewer_speed(&self, factor: f32) {
        if factor.is_finite() {
            let factor = factor.clamp(MIN_SPEED, MAX_SPEED);
            self.steer(ViewerCommand::Speed { factor }).await;
        }
    }

    /// Sets whether the viewer loops.
    pub async fn viewer_loop(&self, enabled: bool) {
        self.steer(ViewerCommand::SetLoop { enabled }).await;
    }

    /// Sets the range of frames that the viewer plays; `None` plays everything. Loading other clips
    /// resets it.
    ///
    /// # Errors
    /// If the range is empty.
    pub async fn viewer_range(&self, part: Option<Span>) -> Result<(), AppError> {
        let range = part.map(FrameRange::try_from).transpose()?;
        self.steer(ViewerCommand::PlayRange { range }).await;
        Ok(())
    }

    /// Sets whether the viewer removes horizontal root motion.
    pub async fn viewer_in_place(&self, enabled: bool) {
        self.steer(ViewerCommand::SetInPlace { enabled }).await;
    }

    /// Sets the viewer's light or dark background, for the current and later windows.
    pub async fn viewer_theme(&self, light: bool) {
        self.inner.viewer_light.store(light, Ordering::Relaxed);
        self.steer(ViewerCommand::SetTheme { light }).await;
    }

    /// Sets the language of the viewer's window.
    pub(super) async fn viewer_language(&self, language: Language) {
        self.steer(ViewerCommand::SetLanguage { language: language.into() }).await;
    }

    /// Frames all characters with the viewer's camera.
    pub async fn viewer_frame_all(&self) {
        self.steer(ViewerCommand::FrameAll {}).await;
    }

    async fn steer(&self, command: ViewerCommand) {
        if !self.inner.environment.desktop.steer(command).await {
            self.set_viewer(None);
        }
    }

    fn set_viewer(&self, shown: Option<ViewerView>) {
        let mut viewer = lock(&self.inner.viewer);
        if *viewer != shown {
            self.inner.environment.events.viewer(shown.as_ref());
            *viewer = shown;
        }
    }
}

/// Handles an event of the viewer that shows `clips`.
fn hear(app: &Weak<Inner>, clips: &[String], event: &ViewerEvent) {
    let Some(inner) = app.upgrade() else { return };
    let app = App { inner };
    let shown = lock(&app.inner.viewer).clone();
    let next = match *event {
        ViewerEvent::Ready { frames, fps, .. } => Some(ViewerView {
            clips: clips.to_vec(),
            frames,
            fps: u32::from(fps),
            frame: 0,
            playing: true,
            backwards: false,
            layers: lock(&app.inner.last_layers).clone().unwrap_or_default(),
            compared: 1,
        }),
        ViewerEvent::Frame { index } => shown.map(|shown| ViewerView { frame: index, ..shown }),
        ViewerEvent::Playing { playing, backwards } => {
            shown.map(|shown| ViewerView { playing, backwards, ..shown })
        }
        ViewerEvent::Shows { ref layers, with } => {
            let layers: Vec<ViewerLayer> = layers.iter().copied().map(Into::into).collect();
            *lock(&app.inner.last_layers) = Some(layers.clone());
            shown.map(|shown| ViewerView { layers, compared: with, ..shown })
        }
        ViewerEvent::Pressed(ref key) => {
            app.inner.environment.events.pressed(&key.clone().into());
            shown
        }
        ViewerEvent::Closed {} => None,
        ViewerEvent::Error { .. } => shown,
    };
    app.set_viewer(next);
}
