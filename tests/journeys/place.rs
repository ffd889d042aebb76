//! Where the studio runs: on this computer, or on a server.

use crate::{home::Home, server::Server, window::Window};

pub(crate) enum Place {
    ThisComputer,
    Server(Box<Server>),
}

impl Place {
    /// Starts a server with a worker; `None` if it cannot be run.
    pub(crate) async fn server(home: &Home) -> Option<Self> {
        let mut server = Server::start(&home.path().join("server")).await?;
        server.work();
        Some(Self::Server(Box::new(server)))
    }

    /// Signs in as a user who may use the studio.
    pub(crate) async fn enter(&self, window: &Window) {
        match self {
            Self::ThisComputer => window.press("Continue on this computer").await,
            Self::Server(server) => {
                server.connect(window).await;
                server.sign_in_by_phone(window).await;
            }
        }
    }

    /// Stops all work on jobs until [`Self::worker_goes_on`].
    pub(crate) async fn halt_worker(&self, home: &Home) {
        match self {
            Self::ThisComputer => home.halt_worker().await,
            Self::Server(server) => server.halt_worker(),
        }
    }

    pub(crate) fn worker_goes_on(&self, home: &Home) {
        match self {
            Self::ThisComputer => home.worker_goes_on(),
            Self::Server(server) => server.worker_goes_on(),
        }
    }

    /// Returns the file name of a screenshot; those of the local studio are used in the
    /// documentation.
    pub(crate) fn picture(&self, name: &str) -> String {
        match self {
            Self::ThisComputer => name.to_owned(),
            Self::Server(_) => format!("{name}-of-a-server"),
        }
    }
}
