//! Events from the app to the interface, and the TypeScript bindings of commands and events.

use limber_app::{
    App, AppError, Events,
    views::{
        ExportProgress, JobView, KeyPressed, LinkOutcome, Saved, SessionState, StudioState,
        UploadView, ViewerView,
    },
};
use serde::Serialize;
use tauri::{AppHandle, Manager};
use tauri_specta::{Builder, Event, collect_commands, collect_events};

use crate::{attention::Attention, commands, window};

/// The studio's state changed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct StudioChanged(StudioState);

/// The session's state changed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct SessionChanged(SessionState);

/// A job changed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct JobChanged(JobView);

/// Clips were added, removed or changed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct LibraryChanged {
    ids: Vec<String>,
}

/// An email arrived.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct MailCame;

/// The viewer's state changed; `None` when it was closed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct ViewerChanged {
    shown: Option<ViewerView>,
}

/// A key that the page handles was pressed in the viewer's window.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct PressedInViewer(KeyPressed);

/// An upload changed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct UploadChanged(UploadView);

/// Files are being dragged over the window, or no longer.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct FilesDragged {
    pub(crate) over: bool,
}

/// An export started its next file.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct ExportAdvanced(ExportProgress);

/// A video was saved.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct VideoSaved(Saved);

/// A video could not be saved at the chosen location, and is elsewhere.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct VideoStranded {
    error: AppError,
    place: u32,
}

/// A link into the app was followed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct LinkFollowed(LinkOutcome);

/// Something started outside the window, such as a link, failed.
#[derive(Debug, Clone, Serialize, specta::Type, Event)]
pub(crate) struct ProblemMet(AppError);

/// Forwards the app's events to the window. While the window is closing nobody listens, which is
/// not an error.
#[derive(Debug)]
pub(crate) struct WindowEvents {
    pub(crate) handle: AppHandle,
    pub(crate) attention: Attention,
}

impl Events for WindowEvents {
    fn studio(&self, state: &StudioState) {
        let _ = StudioChanged(state.clone()).emit(&self.handle);
    }

    fn session(&self, state: &SessionState) {
        let _ = SessionChanged(state.clone()).emit(&self.handle);
    }

    fn job(&self, job: &JobView) {
        let language = self.handle.try_state::<App>().map(|app| app.spoken()).unwrap_or_default();
        self.attention.job(&self.handle, job, language);
        let _ = JobChanged(job.clone()).emit(&self.handle);
    }

    fn library(&self, ids: &[String]) {
        let _ = LibraryChanged { ids: ids.to_vec() }.emit(&self.handle);
    }

    fn upload(&self, upload: &UploadView) {
        let _ = UploadChanged(upload.clone()).emit(&self.handle);
    }

    fn exporting(&self, progress: &ExportProgress) {
        let _ = ExportAdvanced(progress.clone()).emit(&self.handle);
    }

    fn saved(&self, video: &Saved) {
        let _ = VideoSaved(video.clone()).emit(&self.handle);
    }

    fn stranded(&self, error: &AppError, place: u32) {
        let _ = VideoStranded { error: error.clone(), place }.emit(&self.handle);
    }

    fn mail(&self) {
        let _ = MailCame.emit(&self.handle);
    }

    fn viewer(&self, shown: Option<&ViewerView>) {
        let _ = ViewerChanged { shown: shown.cloned() }.emit(&self.handle);
    }

    fn pressed(&self, key: &KeyPressed) {
        // the export dialog opens in the main window
        if key.key == "e" {
            window::show_first(&self.handle);
        }
        let _ = PressedInViewer(key.clone()).emit(&self.handle);
    }

    fn link(&self, outcome: LinkOutcome) {
        let _ = LinkFollowed(outcome).emit(&self.handle);
    }

    fn problem(&self, error: &AppError) {
        let _ = ProblemMet(error.clone()).emit(&self.handle);
    }
}

/// Lists all commands and events.
pub(crate) fn interface() -> Builder<tauri::Wry> {
    Builder::<tauri::Wry>::new()
        .commands(collect_commands![
            commands::snapshot,
            commands::start_studio,
            commands::continue_here,
            commands::sign_up,
            commands::sign_in,
            commands::sign_out,
            commands::sign_in_options,
            commands::mail_link,
            commands::enter_mailed_code,
            commands::text_code,
            commands::enter_texted_code,
            commands::open_provider,
            commands::stop_waiting,
            commands::accept_invitation,
            commands::decline_invitation,
            commands::recover,
            commands::enter_code,
            commands::text_factor,
            commands::enter_factor_code,
            commands::change_password,
            commands::keep_password,
            commands::account,
            commands::change_email,
            commands::change_phone,
            commands::confirm_phone,
            commands::begin_factor,
            commands::confirm_factor,
            commands::begin_phone_factor,
            commands::confirm_phone_factor,
            commands::remove_factor,
            commands::unlink,
            commands::end_session,
            commands::characters,
            commands::pick_characters,
            commands::uploads,
            commands::pause_upload,
            commands::resume_upload,
            commands::dismiss_upload,
            commands::rename_character,
            commands::delete_character,
            commands::character_rig,
            commands::map_character,
            commands::test_character,
            commands::check_prompt,
            commands::vocabulary,
            commands::favourites,
            commands::set_favourite,
            commands::keep_desk,
            commands::balance,
            commands::backdrops,
            commands::video_still,
            commands::video_price,
            commands::render_video,
            commands::check_server,
            commands::storage,
            commands::empty_bin,
            commands::binned_clips,
            commands::save_diagnostics,
            commands::submit_prompt,
            commands::retry_job,
            commands::retry_price,
            commands::cancel_job,
            commands::pay_for_job,
            commands::jobs,
            commands::clips,
            commands::clips_of,
            commands::clip_still,
            commands::play_clips,
            commands::save_clip,
            commands::edit_clip,
            commands::edit_price,
            commands::clip_details,
            commands::loop_gap,
            commands::corrections,
            commands::keep_corrections,
            commands::keep_draft,
            commands::export_clips,
            commands::cancel_export,
            commands::show_place,
            commands::drag_clips,
            commands::delete_clips,
            commands::restore_clips,
            commands::tag_clips,
            commands::rename_clip,
            commands::viewer_seek,
            commands::viewer_play,
            commands::viewer_play_backwards,
            commands::viewer_show,
            commands::viewer_compare,
            commands::viewer_speed,
            commands::viewer_in_place,
            commands::viewer_frame_all,
            commands::viewer_theme,
            commands::viewer_loop,
            commands::viewer_range,
            commands::prompt_history,
            commands::mails,
            commands::read_mail,
            commands::open_mail_link,
            commands::set_theme,
            commands::set_timeline_rate,
            commands::set_shortcuts,
            commands::set_language,
            commands::work_here,
            commands::work_on_server,
            commands::connect_language_model,
            commands::forget_language_model,
            commands::test_language_model,
            commands::read_with_language_model,
            commands::stop_language_model,
            commands::open_folder,
            commands::handed_over,
        ])
        .events(collect_events![
            StudioChanged,
            SessionChanged,
            JobChanged,
            LibraryChanged,
            MailCame,
            UploadChanged,
            FilesDragged,
            ExportAdvanced,
            VideoSaved,
            VideoStranded,
            ViewerChanged,
            PressedInViewer,
            LinkFollowed,
            ProblemMet,
        ])
}

/// Writes `ui/src/host/bindings.ts`.
///
/// # Errors
/// If a type has no TypeScript equivalent, or the file cannot be written.
pub fn write_typescript(path: &std::path::Path) -> Result<(), specta_typescript::Error> {
    interface().export(specta_typescript::Typescript::default(), path)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    /// With `LIMBER_WRITE_BINDINGS=1` this writes the file instead of failing.
    #[test]
    fn bindings_match_the_commands_and_events() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/host/bindings.ts"));
        if std::env::var_os("LIMBER_WRITE_BINDINGS").is_some() {
            write_typescript(path).expect("the file is writable");
        }
        let place = tempfile::tempdir().expect("a folder");
        let fresh = place.path().join("bindings.ts");
        write_typescript(&fresh).expect("every type has a TypeScript equivalent");
        assert!(
            fs::read(path).expect("is there") == fs::read(fresh).expect("was written"),
            "ui/src/host/bindings.ts is out of date; regenerate it with LIMBER_WRITE_BINDINGS=1 \
             cargo test -p limber --lib"
        );
    }
}
