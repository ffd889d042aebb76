//! What a child process does: reads its settings, serves, and ends when its parent does.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Read},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context;
use secrecy::SecretString;
use tokio::sync::watch;

use crate::{plan::APP_SECRET, port::listener};

pub(crate) mod guard;
mod identity;
mod motion;
#[cfg(all(test, unix))]
mod tests;

/// After so long without an orderly end the process ends itself; the guard may have to wait before it.
const GOODBYE: Duration = Duration::from_secs(4);
/// The settings of all services have a few kilobytes.
const LONGEST_SETTINGS_BYTES: u64 = 64 << 10;

/// Who is answered: those who show the secret, unless this says everybody.
const ADMIT: &str = "LIMBER_ADMIT";
const EVERYBODY: &str = "everybody";

type Variables = BTreeMap<String, String>;

/// The parts of the studio that run as children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Accounts and sessions.
    Identity,
    /// Jobs and files, over HTTP.
    Motion,
    /// Does the jobs.
    Worker,
    /// Stops the database when the app is gone without having done so.
    Guard,
    /// Reads one file of a stranger for the motion service.
    Reader,
}

impl Service {
    /// How the command line calls it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Motion => "motion",
            Self::Worker => "worker",
            Self::Guard => "guard",
            Self::Reader => "reader",
        }
    }

    /// Reads the word of the command line.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Identity, Self::Motion, Self::Worker, Self::Guard, Self::Reader];
        all.into_iter().find(|service| service.word() == word)
    }
}

/// The whole life of a child. The first line of standard input holds its settings as JSON; the end
/// of standard input, however it comes about, is the end of the service.
#[must_use]
pub fn service_main(service: Service) -> ExitCode {
    if service == Service::Reader {
        // has an order instead of settings, and wants no threads
        return limber_motion_service::reader_main();
    }
    let done = settings()
        .and_then(|variables| {
            tokio::runtime::Runtime::new().context("no threads").map(|r| (r, variables))
        })
        .and_then(|(runtime, variables)| runtime.block_on(serve(service, variables)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn settings() -> anyhow::Result<Variables> {
    let mut line = String::new();
    io::stdin().lock().take(LONGEST_SETTINGS_BYTES).read_line(&mut line)?;
    serde_json::from_str(&line).context("the settings on standard input are not readable")
}

/// What whoever asks has to show. Without one nothing is served, because everybody on this computer could
/// ask; but for tests that stand in for a team's server, and say so.
fn app_secret(variables: &Variables) -> anyhow::Result<Option<SecretString>> {
    if variables.get(ADMIT).is_some_and(|admitted| admitted == EVERYBODY) {
        return Ok(None);
    }
    let secret = variables.get(APP_SECRET).filter(|secret| !secret.is_empty());
    let secret = secret.context("there is no secret to know the app by")?;
    Ok(Some(secret.clone().into()))
}

async fn serve(service: Service, variables: Variables) -> anyhow::Result<()> {
    let wait = if service == Service::Guard { guard::BIRTH } else { Duration::ZERO };
    let parent = watch_parent(wait + GOODBYE)?;
    match service {
        Service::Identity => identity::serve(variables, parent, listener).await,
        Service::Motion => motion::serve(&variables, parent, listener).await,
        Service::Worker => motion::work(&variables, parent).await,
        Service::Guard => guard::keep_watch(&variables, parent, guard::BIRTH).await,
        Service::Reader => anyhow::bail!("a reader has no settings"),
    }
}

/// Turns true when the parent is gone, and lets this process live no longer than `goodbye` after that.
/// A thread waits for it, because a read of standard input cannot be given up.
fn watch_parent(goodbye: Duration) -> io::Result<watch::Receiver<bool>> {
    let (gone, heard) = watch::channel(false);
    std::thread::Builder::new().name("parent".to_owned()).spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = gone.send(true);
        std::thread::sleep(goodbye);
        tracing::warn!("the service did not end in time");
        std::process::exit(1);
    })?;
    Ok(heard)
}

/// Completes when the parent is gone.
async fn gone(mut parent: watch::Receiver<bool>) {
    let _ = parent.wait_for(|gone| *gone).await;
}
