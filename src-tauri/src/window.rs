//! The window, from opening to closing.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::Context;
use limber_app::{App, CLIP_SCHEME, Folders, PICTURE_SCHEME, Studio, Surroundings};
use tauri::{AppHandle, Manager, RunEvent, WindowEvent};
use tauri_plugin_deep_link::DeepLinkExt;
use tokio::sync::Notify;

use crate::{
    Keychain, SystemChance, SystemClock, ViewerProcess,
    attention::Attention,
    clips,
    desktop::NativeDesktop,
    dragging,
    events::{WindowEvents, interface},
    pictures,
};

/// The studio may take this long to end in order; then the program ends anyway.
const GOODBYE: Duration = Duration::from_secs(15);

/// So long a page may take to hand over what was begun in it.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Hears when the page has handed over what was begun in it.
#[derive(Debug, Default)]
pub(crate) struct LastWords(Notify);

impl LastWords {
    /// Only whoever waits hears it: a page says it as well when it is loaded anew.
    pub(crate) fn said(&self) {
        self.0.notify_waiters();
    }
}

/// What to do when something has happened.
pub type Listener = Box<dyn Fn() + Send + Sync>;

/// What `main` hands in.
pub struct Opening {
    /// Where everything of this person lies.
    pub data_folder: PathBuf,
    /// The studio on this computer.
    pub studio: Arc<dyn Studio>,
    /// Called with what to do when the studio received a mail.
    pub on_mail: Box<dyn FnOnce(Listener) + Send>,
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Opening").finish_non_exhaustive()
    }
}

/// Shows the window and returns when it was closed and the studio has ended.
///
/// # Errors
/// When there is no desktop to show a window on, or the data folder cannot be used.
pub fn open(opening: Opening) -> anyhow::Result<()> {
    let interface = interface();
    let opening = Mutex::new(Some(opening));
    let window = tauri::Builder::default()
        // first, because plugins run in this order and a second start must end here
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
            let opening = opening.lock().unwrap_or_else(PoisonError::into_inner).take();
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
                // inside, because a timer can only be made where there is a runtime
                let stopping = tokio::time::timeout(GOODBYE, app.stop());
                stopping.await
            });
        }
    });
    Ok(())
}

/// Ends in order when the system asks, as it does when a person logs out of the desktop, or presses
/// Ctrl-C in the terminal that started Limber.
fn end_when_asked(handle: AppHandle) {
    tauri::async_runtime::spawn(async move {
        limber_system::stop::asked().await;
        end(handle);
    });
}

/// Ends the program once the page has handed over what it was about to keep.
fn end(handle: AppHandle) {
    tauri::async_runtime::spawn(async move {
        if let Some(window) = handle.get_webview_window("main") {
            let last_words = handle.state::<LastWords>();
            // before it is asked, because it may answer at once
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
    let around = Surroundings {
        studio: opening.studio,
        secrets: Arc::new(Keychain::of(&opening.data_folder)),
        desktop: Arc::new(NativeDesktop {
            handle: handle.clone(),
            viewer: ViewerProcess::default(),
        }),
        events: Arc::new(WindowEvents { handle: handle.clone(), attention: Attention::default() }),
        clock: Arc::new(SystemClock),
        chance: Arc::new(SystemChance),
    };
    let app = App::open(Folders::new(opening.data_folder), around);
    let told = app.clone();
    (opening.on_mail)(Box::new(move || told.mail_came()));
    handle.manage(app.clone());
    take_links(handle, &app);
    // tasks of the app belong to Tauri's runtime, which this thread is not part of
    tauri::async_runtime::spawn(async move { app.start() });
}

/// Brings the window forward, as a second start does with that of the first.
pub(crate) fn show_first(handle: &AppHandle) {
    if let Some(window) = handle.get_webview_window("main") {
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// Links of the form `limber://auth/callback…`: those that come later, and the one that may have
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
