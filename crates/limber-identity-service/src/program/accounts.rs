//! `limber-identity admin`: account management from the command line, for operators.

use std::io::BufRead;

use clap::Subcommand;
use limber_api::identity::AdminAccountRequest;
use uuid::Uuid;

use crate::config::Config;
use crate::domain::address::EmailAddress;
use crate::domain::administer;
use crate::domain::audit::Actor;
use crate::error::ServiceError;
use crate::instance::Instance;
use crate::refusal::{ADMIN_UNKNOWN_ACCOUNT, Outcome, RequestError, refuse};
use crate::serving::open;
use crate::store;

#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Create an account and print its id.
    #[command(name = "createuser")]
    CreateUser {
        /// Its email address.
        email: String,
        /// Its password; read from standard input if omitted, which hides it from other users of
        /// this computer.
        password: Option<String>,
        /// Treat the address as confirmed.
        #[arg(long)]
        confirm: bool,
        /// Give it the first of the configured administrator roles.
        #[arg(long, conflicts_with = "role")]
        admin: bool,
        /// Give it this role.
        #[arg(long)]
        role: Option<String>,
        /// Audience other than the configured one.
        #[arg(long)]
        aud: Option<String>,
    },
    /// Delete an account by its address or id.
    #[command(name = "deleteuser")]
    DeleteUser {
        /// Address or id.
        account: String,
        /// Keep the id but erase the personal data.
        #[arg(long)]
        soft: bool,
        /// Audience other than the configured one.
        #[arg(long)]
        aud: Option<String>,
    },
}

pub(super) async fn run(config: Config, command: &AdminCommand) -> Result<(), ServiceError> {
    let instance = open(config).await?;
    let outcome = match command {
        AdminCommand::CreateUser { email, password, confirm, admin, role, aud } => {
            let password = password.clone().map_or_else(ask_password, Ok)?;
            let first_role = instance.config.jwt.admin_roles.first().filter(|_| *admin);
            let request = AdminAccountRequest {
                email: Some(email.clone()),
                password: Some(password),
                email_confirm: Some(*confirm),
                role: role.clone().or_else(|| first_role.cloned()),
                aud: aud.clone(),
                ..AdminAccountRequest::default()
            };
            create(&instance, request).await
        }
        AdminCommand::DeleteUser { account, soft, aud } => {
            delete(&instance, account, *soft, aud.as_deref()).await
        }
    };
    instance.pool.close().await;
    match outcome {
        Ok(line) => {
            println!("{line}");
            Ok(())
        }
        Err(RequestError::Refused(refusal)) => Err(ServiceError::Refused(refusal.message)),
        Err(RequestError::Away(cause)) => Err(ServiceError::Database(cause)),
        Err(RequestError::Failed(cause)) => Err(ServiceError::Failed(cause)),
    }
}

fn ask_password() -> Result<String, ServiceError> {
    eprintln!("Password:");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(ServiceError::Server)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn operator() -> Actor {
    Actor::administrator("command line", None)
}

async fn create(instance: &Instance, request: AdminAccountRequest) -> Outcome<String> {
    let password = request.password.clone().unwrap_or_default();
    instance.config.passwords.check(&password.into())?;
    let aud = instance.config.jwt.audience.clone();
    let account = administer::create(instance, request, &aud, &operator()).await?;
    Ok(account.id.to_string())
}

async fn delete(
    instance: &Instance,
    account: &str,
    softly: bool,
    aud: Option<&str>,
) -> Outcome<String> {
    let id = match account.parse::<Uuid>() {
        Ok(id) => id,
        Err(_) => {
            let email = EmailAddress::parse(account)?;
            let aud = aud.unwrap_or(&instance.config.jwt.audience);
            let mut conn = instance.pool.acquire().await?;
            match store::accounts::find_by_email(&mut conn, email.as_str(), aud).await? {
                Some(row) => row.id,
                None => return refuse(ADMIN_UNKNOWN_ACCOUNT),
            }
        }
    };
    administer::delete(instance, id, softly, &operator()).await?;
    Ok(format!("deleted {id}"))
}
