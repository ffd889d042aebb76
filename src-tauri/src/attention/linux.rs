//! Linux: the D-Bus signal that docks and taskbars listen to; the library that Tauri would use for
//! it is rarely installed.

use std::{collections::HashMap, sync::Mutex};

use limber_domain::lock;
use notify_rust::{Hint, Notification};
use tauri::AppHandle;

pub(super) fn sign(notification: &mut Notification) {
    notification.hint(Hint::DesktopEntry("Limber".to_owned()));
}

pub(super) fn show_progress(_: &AppHandle, share: Option<f64>) {
    use zbus::zvariant::Value;
    let told = || -> zbus::Result<()> {
        let bus = session_bus()?;
        let properties: HashMap<&str, Value<'_>> = HashMap::from([
            ("progress", Value::from(share.unwrap_or_default())),
            ("progress-visible", Value::from(share.is_some())),
        ]);
        bus.emit_signal(
            None::<&str>,
            "/app/limber/studio",
            "com.canonical.Unity.LauncherEntry",
            "Update",
            &("application://Limber.desktop", properties),
        )
    };
    if let Err(error) = told() {
        tracing::debug!(%error, "this desktop does not show progress");
    }
}

/// Returns the session bus connection, kept open because desktops drop the progress of a client
/// that disconnects.
fn session_bus() -> zbus::Result<zbus::blocking::Connection> {
    static BUS: Mutex<Option<zbus::blocking::Connection>> = Mutex::new(None);
    let mut bus = lock(&BUS);
    if let Some(bus) = &*bus {
        return Ok(bus.clone());
    }
    Ok(bus.insert(zbus::blocking::Connection::session()?).clone())
}
