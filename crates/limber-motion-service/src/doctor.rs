//! `doctor`: tests every part of an installation and says how to fix what fails.

use std::process::ExitCode;

use limber_pipeline::message;

use crate::{
    Config, Environment, ServiceError,
    command::slips,
    files::FileStore,
    pipeline::{NotUnderstood, Pipeline},
    store::{Store, workers::WorkerRow},
};

/// Prints the settings and the result of each check. Fails if any check fails.
pub(crate) async fn examine(config: &Config) -> ExitCode {
    println!("{config}\n");
    for slip in slips() {
        println!("note  {slip}");
    }
    let mut checks = vec![database(config).await, files(config).await, pipeline(config)];
    if checks[0].1.is_ok() {
        checks.push(workers(config).await);
        checks.push(one_store(config).await);
    }
    let mut good = true;
    for (what, result) in checks {
        match result {
            Ok(text) => println!("ok    {what}: {text}"),
            Err(text) => {
                good = false;
                println!("FAIL  {what}: {text}");
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

type Check = (&'static str, Result<String, String>);

async fn database(config: &Config) -> Check {
    let look = async {
        let store = Store::connect(&config.database_url, 1).await?;
        let (done, known) = store.migrations().await?;
        let accounts = if done == known { store.account_count().await? } else { 0 };
        Ok::<_, crate::StoreError>((done, known, accounts))
    };
    let result = match look.await {
        Ok((done, known, accounts)) if done == known => {
            Ok(format!("responds, {accounts} account(s)"))
        }
        Ok((done, known, _)) => {
            Err(format!("has {done} of {known} migrations; run `limber-motion migrate`"))
        }
        Err(_) => {
            Err("does not respond; check MOTIONSVC_DATABASE_URL and that PostgreSQL is running"
                .to_owned())
        }
    };
    ("database", result)
}

async fn files(config: &Config) -> Check {
    let mark = Environment::system().token(16);
    let result = match FileStore::at(&config.store).await {
        Ok(files) => files.try_out(&mark).await,
        Err(error) => Err(error),
    };
    (
        "files",
        result.map(|()| "is readable and writable".to_owned()).map_err(|error| error.to_string()),
    )
}

/// Counts the workers. Having none is not an error: the server may be checked before workers start.
async fn workers(config: &Config) -> Check {
    let count = async { Store::connect(&config.database_url, 1).await?.worker_count().await };
    let result = match count.await {
        Ok(0) => {
            Ok("none is connected, so jobs wait; start `limber-motion work` on this or another \
                     machine"
                .to_owned())
        }
        Ok(1) => Ok("1 is connected".to_owned()),
        Ok(count) => Ok(format!("{count} are connected")),
        Err(error) => Err(format!("cannot be counted: {error}")),
    };
    ("workers", result)
}

/// Checks that the servers and all workers use the file store that these settings name.
async fn one_store(config: &Config) -> Check {
    let look = async {
        let files = FileStore::at(&config.store).await?;
        let store = Store::connect(&config.database_url, 1).await?;
        let (here, servers) = (files.store_id().await?, store.file_store().await?);
        Ok::<_, ServiceError>((here, servers, store.workers().await?))
    };
    let result = match look.await {
        Ok((_, None, _)) => {
            Ok("no server has started yet, so it is not known which file store is the right one"
                .to_owned())
        }
        Ok((here, Some(servers), workers)) => {
            let here = here.is_some_and(|here| here.as_str() == servers);
            let is_other =
                |worker: &&WorkerRow| worker.store.as_ref().is_some_and(|s| *s != servers);
            let others: Vec<&str> =
                workers.iter().filter(is_other).map(|worker| worker.name.as_str()).collect();
            same_files(here, &others)
        }
        Err(error) => Err(format!("cannot be compared: {error}")),
    };
    ("one store", result)
}

fn same_files(here: bool, others: &[&str]) -> Result<String, String> {
    if !here {
        return Err(
            "MOTIONSVC_STORE points to a different file store here than on the servers; use the \
             same one for servers, workers and doctor"
                .to_owned(),
        );
    }
    if !others.is_empty() {
        let names = others.join(", ");
        return Err(format!(
            "these workers use a different file store than the servers and take no jobs: {names}; \
             start them with the servers' MOTIONSVC_STORE"
        ));
    }
    Ok("servers and workers use the same file store".to_owned())
}

fn pipeline(config: &Config) -> Check {
    let understands =
        Pipeline::of(config).map_err(|error| error.to_string()).and_then(|pipeline| {
            let refused = |refusal: NotUnderstood| message::sentences(&refusal.messages);
            let ends = limber_pipeline::ClipEnds::default();
            pipeline.understand("a person walks forward", ends).map_err(refused)
        });
    let characters = limber_pipeline::stock::list().len();
    let read =
        limber_pipeline::stock::list().iter().try_for_each(|stock| stock.character().map(drop));
    let result = match (understands, read) {
        (Ok(_), Ok(())) => Ok(format!("understands prompts, {characters} stock characters")),
        (Err(told), _) => Err(told),
        (_, Err(error)) => Err(error.to_string()),
    };
    ("pipeline", result)
}
