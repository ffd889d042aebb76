//! Entry point of child processes: reads the settings, serves, and stops when the parent does.

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

/// After this time without a clean shutdown the process exits; shorter than the parent's grace
/// period, so that it exits before being killed. The guard has `guard::BIRTH` in addition.
const GOODBYE: Duration = Duration::from_secs(4);
/// Size limit of the settings, which have a few kilobytes.
const LONGEST_SETTINGS_BYTES: u64 = 64 << 10;

/// Setting that admits every client if it is `everybody`; otherwise only those with the secret.
const ADMIT: &str = "LIMBER_ADMIT";
const EVERYBODY: &str = "everybody";

type Variables = BTreeMap<String, String>;

/// Parts of the studio that run as child processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// The identity service: accounts and sessions.
    Identity,
    /// The motion service: jobs and files over HTTP.
    Motion,
    /// The worker that runs jobs.
    Worker,
    /// Stops the database server if the app died without doing so.
    Guard,
    /// Parses one untrusted file for the motion service.
    Reader,
}

impl Service {
    /// Returns the name on the command line.
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

    /// Parses the name from the command line.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Identity, Self::Motion, Self::Worker, Self::Guard, Self::Reader];
        all.into_iter().find(|service| service.word() == word)
    }
}

/// Runs a child process from start to end. The first line of standard input contains the settings
/// as JSON; the end of standard input, for whatever reason, stops the service.
#[must_use]
pub fn service_main(service: Service) -> ExitCode {
    if service == Service::Reader {
        // receives a request instead of settings, and must stay single-threaded
        return limber_motion_service::reader_main();
    }
    let done = settings()
        .and_then(|variables| {
            tokio::runtime::Runtime::new()
                .context("the async runtime could not be started")
                .map(|r| (r, variables))
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
    serde_json::from_str(&line).context("the settings on standard input cannot be parsed")
}

/// Returns the secret that clients must present. Without one nothing is served, because every user
/// of this computer could connect, except in tests that simulate a team server and say so.
fn app_secret(variables: &Variables) -> anyhow::Result<Option<SecretString>> {
    if variables.get(ADMIT).is_some_and(|admitted| admitted == EVERYBODY) {
        return Ok(None);
    }
    let secret = variables.get(APP_SECRET).filter(|secret| !secret.is_empty());
    let secret = secret.context("the secret that identifies the app is missing")?;
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
        Service::Reader => anyhow::bail!("the reader accepts no settings"),
    }
}

/// Signals when the parent is gone, and ends this process at most `goodbye` later. Uses a thread,
/// because a blocking read of standard input cannot be cancelled.
fn watch_parent(goodbye: Duration) -> io::Result<watch::Receiver<bool>> {
    let (gone, heard) = watch::channel(false);
    std::thread::Builder::new().name("parent".to_owned()).spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = gone.send(true);
        std::thread::sleep(goodbye);
        tracing::warn!("the service did not stop in time");
        std::process::exit(1);
    })?;
    Ok(heard)
}

/// Completes when the parent is gone.
async fn gone(mut parent: watch::Receiver<bool>) {
    let _ = parent.wait_for(|gone| *gone).await;
}
