//! Operator commands for accounts: create, list, revoke, set plans and grant credits.

use anyhow::bail;
use chrono::DateTime;
use clap::Subcommand;
use limber_domain::limits::MAX_VARIANTS;
use secrecy::{ExposeSecret, SecretString};

use crate::{
    Config, Environment,
    accounts::Accounts,
    credits::credits as shown,
    store::{Store, accounts::Client},
};

#[derive(Debug, Subcommand)]
pub(super) enum Clients {
    /// Creates an account and prints its id and secret. The secret cannot be shown again.
    Create {
        /// Name of the account, for the operator.
        name: String,
    },
    /// Lists all accounts, oldest first.
    List,
    /// Revokes an account: ends its sessions at once and cancels its unfinished jobs. Its finished
    /// clips stay until their retention period ends.
    Revoke {
        /// The account's client id.
        client: String,
    },
    /// Replaces an account's secret and prints the new one. The old secret and all sessions stop
    /// working at once.
    Rotate {
        /// The account's client id.
        client: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Plans {
    /// Puts an account on a plan, effective immediately. Credits left from the previous plan are
    /// replaced.
    Set {
        /// The account's client id.
        client: String,
        /// Name of the plan.
        #[arg(long)]
        name: String,
        /// Credits granted each calendar month, with at most one decimal place.
        #[arg(long, value_parser = tenths)]
        credits: i64,
        /// Maximum number of variants per job, 1 to 8. Default: the limit of the service.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_VARIANTS)))]
        variants: Option<u32>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Credits {
    /// Grants credits that do not expire.
    Grant {
        /// The account's client id.
        client: String,
        /// Number of credits, with at most one decimal place; a negative number removes credits.
        #[arg(allow_negative_numbers = true, value_parser = tenths)]
        amount: i64,
    },
}

/// Parses a number of credits and returns it in tenths.
fn tenths(text: &str) -> Result<i64, String> {
    let wrong = || "must be a number of credits with at most one decimal place".to_owned();
    let tenths = text.parse::<f64>().map_err(|_| wrong())? * 10.0;
    let sound = tenths.abs() <= 1e12 && (tenths - tenths.round()).abs() < 1e-6;
    if sound { Ok(tenths.round() as i64) } else { Err(wrong()) }
}

pub(super) async fn clients(config: &Config, order: Clients) -> anyhow::Result<()> {
    crate::migrate(config).await?;
    let store = Store::connect(&config.database_url, 1).await?;
    match order {
        Clients::Create { name } => {
            let accounts = Accounts::new(store, Environment::system());
            let (id, secret) = accounts.create(&name).await?;
            println!("client id      {id}");
            tell(&secret);
        }
        Clients::List => {
            for client in store.clients().await? {
                println!("{}", line(&client));
            }
        }
        Clients::Revoke { client } => {
            if !store.revoke_account(&client).await? {
                bail!("there is no active client {client}; see `clients list`");
            }
            println!("{client} has been revoked");
        }
        Clients::Rotate { client } => {
            let accounts = Accounts::new(store, Environment::system());
            let Some(secret) = accounts.rotate(&client).await? else {
                bail!("there is no active client {client}; see `clients list`");
            };
            tell(&secret);
        }
    }
    Ok(())
}

fn tell(secret: &SecretString) {
    println!("client secret  {}", secret.expose_secret());
    eprintln!("The secret is not stored and cannot be shown again.");
}

/// Formats one account: id, creation date, revocation state, job and credit counts, name.
fn line(client: &Client) -> String {
    let day = |ms: i64| {
        DateTime::from_timestamp_millis(ms)
            .map_or_else(|| "-".to_owned(), |time| time.format("%Y-%m-%d").to_string())
    };
    let credits = client.tenths.map_or_else(|| "-".to_owned(), |left| shown(left).to_string());
    let state = client.revoked_ms.map_or_else(
        || "in use            ".to_owned(),
        |revoked| format!("revoked {}", day(revoked)),
    );
    // the operator chose the name, but control characters must not reach the terminal
    let name: String = client.name.chars().filter(|c| !c.is_control()).collect();
    format!(
        "{:<24} {} {state} {:>7} jobs {credits:>9} credits  {name}",
        client.id,
        day(client.created_ms),
        client.jobs
    )
}

pub(super) async fn workers(config: &Config) -> anyhow::Result<()> {
    crate::migrate(config).await?;
    let store = Store::connect(&config.database_url, 1).await?;
    let now_ms = Environment::system().clock.now_ms();
    for worker in store.workers().await? {
        let started = DateTime::from_timestamp_millis(worker.started_ms).unwrap_or_default();
        let silent_s = (now_ms - worker.seen_ms).max(0) / 1000;
        println!(
            "{:<24} {:<8} {:<10} since {} last seen {silent_s} s ago",
            worker.name,
            worker.state,
            worker.version,
            started.format("%Y-%m-%d %H:%M:%S")
        );
    }
    Ok(())
}

pub(super) async fn plans(config: &Config, order: Plans) -> anyhow::Result<()> {
    crate::migrate(config).await?;
    let Plans::Set { client, name, credits, variants } = order;
    let Ok(tenths) = u32::try_from(credits) else {
        bail!("a plan cannot grant fewer than 0 credits")
    };
    let spendable = crate::set_plan(config, &client, (&name, tenths, variants)).await?;
    say_balance(config, &client, spendable)
}

pub(super) async fn credits(config: &Config, order: Credits) -> anyhow::Result<()> {
    crate::migrate(config).await?;
    let Credits::Grant { client, amount } = order;
    say_balance(config, &client, crate::grant_credits(config, &client, amount).await?)
}

fn say_balance(config: &Config, client: &str, spendable: Option<f64>) -> anyhow::Result<()> {
    let Some(spendable) = spendable else {
        bail!("there is no client {client}; see `clients list`");
    };
    println!("{client} can spend {spendable} credits");
    if config.billing.is_none() {
        eprintln!("Billing is off: nothing is charged until MOTIONSVC_BILLING is on.");
    }
    Ok(())
}
