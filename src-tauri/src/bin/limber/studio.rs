//! Connects the window with the local studio. The only file that knows both the app and the
//! services.

use std::{process::ExitCode, sync::Arc};

use async_trait::async_trait;
use limber_app::{
    ConnectionPolicy, ErrorCode, Mail, MailStore, Notice, Studio, StudioAddresses, StudioFailure,
    views::{DownloadView, StartStep},
};
use limber_local::{LocalError, LocalStudio, Mailbox, Message, Service, Step};

use crate::{MISUSE, data_folder, start_log};

/// Opens the window and returns when it is closed.
pub(crate) fn window() -> ExitCode {
    limber_system::console::let_go();
    choose_cryptography();
    let Some(data_folder) = data_folder() else {
        eprintln!("limber: this account has no home folder; set LIMBER_DATA to a data folder");
        return ExitCode::FAILURE;
    };
    // problems with the data folder are reported in the window
    let folders = limber_app::Folders::new(&data_folder);
    start_log(folders.close_to_others().and_then(|()| limber_app::open_log(&folders)).ok());
    let studio = Arc::new(LocalStudio::new(&data_folder));
    let mailbox = studio.mailbox();
    let opened = limber_desktop::open(limber_desktop::Opening {
        data_folder,
        studio: Arc::new(Here { studio }),
        on_mail: Box::new(move |listener| mailbox.on_arrival(listener)),
    });
    match opened {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("limber: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one service of the local studio.
pub(crate) fn service(name: &str) -> ExitCode {
    choose_cryptography();
    match Service::parse(name) {
        Some(service) => limber_local::service_main(service),
        None => {
            eprintln!("limber: there is no service {name}");
            ExitCode::from(MISUSE)
        }
    }
}

/// Selects the TLS implementation, which rustls requires before the first connection.
fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Adapter from [`LocalStudio`] to the app's port.
struct Here {
    studio: Arc<LocalStudio>,
}

#[async_trait]
impl Studio for Here {
    async fn start(
        &self,
        report: Box<dyn Fn(Vec<StartStep>) + Send + Sync>,
    ) -> Result<StudioAddresses, StudioFailure> {
        let tell = move |steps: Vec<Step>| report(steps.iter().map(shown_step).collect());
        let addresses = self.studio.start(Box::new(tell)).await.map_err(|error| failure(&error))?;
        let url = |text: &str| text.parse().map_err(|_| failure(&LocalError::Service("studio")));
        Ok(StudioAddresses {
            identity: url(&addresses.identity)?,
            motion: url(&addresses.motion)?,
            client_id: addresses.client_id,
            client_secret: addresses.client_secret,
            connection: ConnectionPolicy {
                app_secret: Some(addresses.app_secret),
                ..ConnectionPolicy::default()
            },
        })
    }

    async fn stop(&self) {
        self.studio.stop().await;
    }

    fn stored_bytes(&self) -> u64 {
        self.studio.stored_bytes()
    }

    fn mail(&self) -> Arc<dyn MailStore> {
        Arc::new(HereMail { mailbox: self.studio.mailbox() })
    }
}

fn shown_step(step: &Step) -> StartStep {
    use limber_app::views::StepState as Shown;
    StartStep {
        id: step.id.to_owned(),
        words: step.words.to_owned(),
        state: match step.state {
            limber_local::StepState::Waiting => Shown::Waiting,
            limber_local::StepState::Working => Shown::Working,
            limber_local::StepState::Done => Shown::Done,
        },
        download: step
            .download
            .map(|fetching| DownloadView { bytes: fetching.bytes, of_bytes: fetching.of_bytes }),
    }
}

fn failure(error: &LocalError) -> StudioFailure {
    tracing::error!(?error, "the studio did not start");
    let code = match error {
        LocalError::FolderNotWritable(_) => ErrorCode::FolderNotWritable,
        LocalError::DiskFull => ErrorCode::DiskFull,
        LocalError::AlreadyOpen => ErrorCode::AlreadyOpen,
        LocalError::DatabaseVersion { .. } => ErrorCode::DatabaseVersion,
        LocalError::DatabaseMissing
        | LocalError::DatabaseOffline(_)
        | LocalError::DatabaseDownload(_) => ErrorCode::DatabaseMissing,
        LocalError::Database(_) | LocalError::Service(_) | LocalError::System(_) => {
            ErrorCode::StudioFailed
        }
    };
    let notice = match error {
        LocalError::FolderNotWritable(_) => Notice::FolderNotWritable,
        LocalError::DiskFull => Notice::NoRoomForStudio,
        LocalError::AlreadyOpen => Notice::AlreadyOpen,
        LocalError::DatabaseVersion { version } => {
            Notice::DatabaseVersion { version: version.clone() }
        }
        LocalError::DatabaseMissing => Notice::DatabaseMissing,
        LocalError::DatabaseOffline(_) => Notice::DatabaseOffline,
        LocalError::DatabaseDownload(_) => Notice::DatabaseDownload,
        LocalError::Database(_) => Notice::DatabaseNotStarted,
        LocalError::Service(part) => Notice::PartNotStarted { part: (*part).to_owned() },
        LocalError::System(cause) => Notice::ComputerRefuses { why: cause.to_string() },
    };
    StudioFailure { code, message: notice.into() }
}

/// Adapter from [`Mailbox`] to the app's port.
struct HereMail {
    mailbox: Arc<Mailbox>,
}

impl MailStore for HereMail {
    fn list(&self) -> std::io::Result<Vec<Mail>> {
        Ok(self.mailbox.list()?.into_iter().map(mail).collect())
    }

    fn open(&self, id: &str) -> std::io::Result<Option<Mail>> {
        Ok(self.mailbox.open(id)?.map(mail))
    }
}

fn mail(message: Message) -> Mail {
    Mail {
        id: message.id,
        from: message.from,
        to: message.to,
        subject: message.subject,
        received_at: message.received_at,
        unread: message.unread,
        text: message.text,
        links: message.links,
    }
}
