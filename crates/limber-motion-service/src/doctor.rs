//! `doctor`: tries every part of an installation and says what to do about what fails.

use std::process::ExitCode;

use crate::{Config, Surroundings, files::FileStore, road::Road, store::Store};

/// Prints the settings and one line per check. Fails when a check does.
pub(crate) async fn examine(config: &Config) -> ExitCode {
    println!("{config}\n");
    let mut checks = vec![database(config).await, files(config).await, pipeline()];
    if checks[0].1.is_ok() {
        checks.push(workers(config).await);
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
            Ok(format!("answers, {accounts} account(s)"))
        }
        Ok((done, known, _)) => {
            Err(format!("has {done} of {known} table versions; run `limber-motion migrate`"))
        }
        Err(_) => {
            Err("does not answer; check MOTIONSVC_DATABASE_URL and that PostgreSQL runs".to_owned())
        }
    };
    ("database", result)
}

async fn files(config: &Config) -> Check {
    let mark = Surroundings::of_this_computer().token(16);
    let result = match FileStore::at(&config.store).await {
        Ok(files) => files.try_out(&mark).await,
        Err(error) => Err(error),
    };
    (
        "files",
        result.map(|()| "can be written and read".to_owned()).map_err(|error| error.to_string()),
    )
}

/// That there is none is no fault: a server may be looked at before its workers are started.
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

fn pipeline() -> Check {
    let result = Road::with_composer().understand("a person walks forward");
    let characters = limber_pipeline::stock::list().len();
    let read =
        limber_pipeline::stock::list().iter().try_for_each(|stock| stock.character().map(drop));
    let result = match (result, read) {
        (Ok(_), Ok(())) => Ok(format!("understands prompts, {characters} stock characters")),
        (Err(refusal), _) => Err(refusal.message),
        (_, Err(error)) => Err(error.to_string()),
    };
    ("pipeline", result)
}
