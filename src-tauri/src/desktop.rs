//! The app's desktop port: dialogs, the viewer and the file manager.

use std::{ffi::OsStr, path::PathBuf, process::Stdio};

use async_trait::async_trait;
use limber_api::viewer::ViewerCommand;
use limber_app::{
    AppError, Desktop, ErrorCode, Notice, SaveAs, Showing, ViewerListener, character_endings,
};
use tauri::{AppHandle, Url};

use crate::{ViewerProcess, dragging};

/// The desktop environment, as Tauri and the system provide it.
#[derive(Debug)]
pub(crate) struct NativeDesktop {
    pub(crate) handle: AppHandle,
    pub(crate) viewer: ViewerProcess,
}

#[async_trait]
impl Desktop for NativeDesktop {
    async fn ask_where_to_save(&self, question: SaveAs) -> Option<PathBuf> {
        // tests cannot drive native dialogs, so debug builds accept the answer here
        if cfg!(debug_assertions)
            && let Some(answer) = std::env::var_os("LIMBER_SAVE_DIALOG_PATH")
        {
            return Some(answer.into());
        }
        let ending = question.ending;
        let words = match ending {
            "glb" => "glTF binary",
            "fbx" => "Autodesk FBX",
            "bvh" => "Biovision hierarchy",
            "mp4" => "MP4 video",
            "gif" => "Animated GIF",
            "zip" => "ZIP archive of images",
            _ => "Text",
        };
        let (answer, asked) = tokio::sync::oneshot::channel();
        // toolkits require dialogs to be created on the main thread; waiting happens elsewhere
        let made = self.handle.run_on_main_thread(move || {
            let dialog = rfd::AsyncFileDialog::new()
                .set_title("Save")
                .set_file_name(question.file_name)
                .add_filter(words, &[ending])
                .save_file();
            tauri::async_runtime::spawn(async move { answer.send(dialog.await) });
        });
        made.ok()?;
        Some(asked.await.ok()??.path().to_owned())
    }

    async fn ask_for_folder(&self) -> Option<PathBuf> {
        if cfg!(debug_assertions)
            && let Some(answer) = std::env::var_os("LIMBER_FOLDER_DIALOG_PATH")
        {
            return Some(answer.into());
        }
        let (answer, asked) = tokio::sync::oneshot::channel();
        let made = self.handle.run_on_main_thread(move || {
            let dialog = rfd::AsyncFileDialog::new().set_title("Export to").pick_folder();
            tauri::async_runtime::spawn(async move { answer.send(dialog.await) });
        });
        made.ok()?;
        Some(asked.await.ok()??.path().to_owned())
    }

    async fn ask_for_characters(&self) -> Vec<PathBuf> {
        if cfg!(debug_assertions)
            && let Some(answer) = std::env::var_os("LIMBER_OPEN_DIALOG_PATHS")
        {
            return std::env::split_paths(&answer).collect();
        }
        let (answer, asked) = tokio::sync::oneshot::channel();
        let made = self.handle.run_on_main_thread(move || {
            let dialog = rfd::AsyncFileDialog::new()
                .set_title("Add characters")
                .add_filter("Characters", &character_endings())
                .pick_files();
            tauri::async_runtime::spawn(async move { answer.send(dialog.await) });
        });
        let Ok(()) = made else { return vec![] };
        let files = asked.await.ok().flatten().unwrap_or_default();
        files.into_iter().map(|file| file.path().to_owned()).collect()
    }

    async fn play(&self, showing: Showing, listener: ViewerListener) -> Result<(), AppError> {
        self.viewer.show(&showing, listener).await
    }

    async fn steer(&self, command: ViewerCommand) -> bool {
        self.viewer.steer(&command).await
    }

    async fn drag(&self, files: Vec<PathBuf>) -> Result<(), AppError> {
        let handle = self.handle.clone();
        let (answer, asked) = tokio::sync::oneshot::channel();
        let made = self.handle.run_on_main_thread(move || {
            // the caller may be gone
            let _ = answer.send(dragging::begin(&handle, files));
        });
        let begun = made.is_ok() && asked.await.unwrap_or(false);
        begun.then_some(()).ok_or_else(|| AppError::new(ErrorCode::Internal, Notice::NotHandedOver))
    }

    async fn open_page(&self, address: Url) -> Result<(), AppError> {
        hand_over(address.as_str().as_ref())
            .map_err(|_| AppError::new(ErrorCode::Internal, Notice::NoBrowser))
    }

    async fn show_folder(&self, folder: PathBuf) -> Result<(), AppError> {
        hand_over(folder.as_os_str())
            .map_err(|_| AppError::new(ErrorCode::DiskRefused, Notice::NoFileManager))
    }
}

/// Opens a folder or page with the program that the desktop has registered for it.
fn hand_over(what: &OsStr) -> std::io::Result<()> {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut process = std::process::Command::new(opener)
        .arg(what)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    std::thread::spawn(move || drop(process.wait()));
    Ok(())
}
