//! The main window, from opening to closing.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::Context;
use limber_app::{App, CLIP_SCHEME, Environment, Folders, PICTURE_SCHEME, Studio};
use limber_domain::{
    environment::{SystemClock, SystemRandom},
    lock,
};
use tauri::{AppHandle, Manager, RunEvent, WindowEvent};
use tauri_plugin_deep_link::DeepLinkExt;
use tokio::sync::Notify;

use crate::{
    Keychain, ViewerProcess,
    attention::Attention,
    clips,
    desktop::NativeDesktop,
    dragging,
    events::{WindowEvents, interface},
    pictures,
};

/// Time that the studio has for a clean stop before the program exits anyway.
const GOODBYE: Duration = Duration::from_secs(15);

/// Time that the page has to hand over unsaved input.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Notified when the page has handed over its unsaved input.
#[derive(Debug, Default)]
pub(crate) struct LastWords(Notify);

impl LastWords {
    /// Wakes current waiters only, because a page also says this when it is reloaded.
    pub(crate) fn said(&self) {
        self.0.notify_waiters();
    }
}

/// Callback without arguments.
pub type Listener = Box<dyn Fn() + Send + Sync>;

/// Parameters that `main` passes in.
pub struct Opening {
    /// The user's data folder.
    pub data_folder: PathBuf,
    /// The local studio.
    pub studio: Arc<dyn Studio>,
    /// Receives the callback to call when the studio receives an email.
    pub on_mail: Box<dyn FnOnce(Listener) + Send>,
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Opening").finish_non_exhaustive()
    }
}

/// Shows the window and returns when it has been closed and the studio has stopped.
///
/// # Errors
/// If there is no desktop to show a window on, or the data folder cannot be used.
pub fn open(opening: Opening) -> anyhow::Result<()> {
    let interface = interface();
    let opening = Mutex::new(Some(opening));
    let window = tauri::Builder::default()
        // first, because plugins run in order and a second instance must exit here
        .plugin(tauri_plugin_single_instance::init(|handle, _, _| show_first(handle)))
        .plugin(tauri_plugin_deep_link::init())
        .invoke_handler(interface.invoke_handler())
        .manage(dragging::FilesOver::default())
        .manage(LastWords::default())
        .register_asynchronous_uri_scheme_protocol(PICTURE_SCHEME, |context, request, responder| {
            pictures::answer(context.app_handle(), &request, responder);
        })
        .register_asynchronous_uri_scheme_protocol(CLIP_SCHEME, |context, request, responder| {
            clips::answer(context.app_handle(), &request, responder);
        })
        .on_window_event(|window, event| match event {
            WindowEvent::DragDrop(event) => dragging::hear(window.app_handle(), event),
            WindowEvent::CloseRequested { api, .. } => {
                api.prevent_close();
                end(window.app_handle().clone());
            }
            _ => {}
        })
        .setup(move |tauri| {
            interface.mount_events(tauri);
            let opening = lock(&opening).take();
            let opening = opening.context("the window is set up once")?;
            set_up(tauri.handle(), opening);
            Ok(())
        })
        .build(tauri::generate_context!())
        .context("the window cannot be shown; is there a desktop on this computer?")?;
    window.run(|handle, event| {
        if let RunEvent::Exit = event
            && let Some(app) = handle.try_state::<App>()
        {
            let _ = tauri::async_runtime::block_on(async {
                // inside the runtime, which timers require
                let stopping = tokio::time::timeout(GOODBYE, app.stop());
                stopping.await
            });
        }
    });
    Ok(())
}

/// Exits cleanly when the system asks, for example when the user logs out, or presses Ctrl-C in the
/// terminal that started Limber.
fn end_when_asked(handle: AppHandle) {
    tauri::async_runtime::spawn(async move {
        limber_system::stop::asked().await;
        end(handle);
    });
}

/// Exits once the page has handed over its unsaved input.
fn end(handle: AppHandle) {
    tauri::async_runtime::spawn(async move {
        if let Some(window) = handle.get_webview_window("main") {
            let last_words = handle.state::<LastWords>();
            // registered before asking, because the page may answer at once
            let said = last_words.0.notified();
            if window.eval("window.dispatchEvent(new Event('pagehide'))").is_ok() {
                let _ = tokio::time::timeout(LAST_WORDS, said).await;
            }
        }
        handle.exit(0);
    });
}

fn set_up(handle: &AppHandle, opening: Opening) {
    end_when_asked(handle.clone());
    let environment = Environment {
        studio: opening.studio,
        secrets: Arc::new(Keychain::of(&opening.data_folder)),
        desktop: Arc::new(NativeDesktop {
            handle: handle.clone(),
            viewer: ViewerProcess::default(),
        }),
        events: Arc::new(WindowEvents { handle: handle.clone(), attention: Attention::default() }),
        clock: Arc::new(SystemClock),
        random: Arc::new(SystemRandom),
    };
    let app = App::open(Folders::new(opening.data_folder), environment);
    let told = app.clone();
    (opening.on_mail)(Box::new(move || told.mail_came()));
    handle.manage(app.clone());
    take_links(handle, &app);
    // tasks of the app need Tauri's runtime, which this thread is not part of
    tauri::async_runtime::spawn(async move { app.start() });
}

/// Brings the window to the front, also when a second instance is started.
pub(crate) fn show_first(handle: &AppHandle) {
    if let Some(window) = handle.get_webview_window("main") {
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// Handles links of the form `limber://auth/callback…`: later ones, and the one that may have
/// started the program.
fn take_links(handle: &AppHandle, app: &App) {
    let links = handle.deep_link();
    if cfg!(debug_assertions)
        && let Err(error) = links.register_all()
    {
        tracing::info!(%error, "links of the form limber:// are not registered");
    }
    let later = app.clone();
    links.on_open_url(move |event| follow(&later, event.urls()));
    if let Ok(Some(urls)) = links.get_current() {
        follow(app, urls);
    }
}

fn follow(app: &App, urls: Vec<tauri::Url>) {
    for url in urls {
        let app = app.clone();
        tauri::async_runtime::spawn(async move { app.follow_link(String::from(url).into()) });
    }
}
