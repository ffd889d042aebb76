//! A proxy between the app and a server that can misbehave.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, copy_bidirectional},
    net::{TcpListener, TcpStream},
    sync::watch,
};

use crate::window::until;

/// What happens to requests.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mood {
    /// They reach the server.
    Good,
    /// They reach the server until this many bytes have been sent; from then on as [`Self::Cut`].
    CutsAfter(u64),
    /// Connections are closed without a response.
    Cut,
    /// Each gets this response.
    Says(&'static str),
    /// Each gets a response with an endless body.
    Floods,
    /// Each gets a response at one byte per second.
    Drips,
}

/// A proxy, running for as long as the runtime of its test.
pub(crate) struct Wire {
    /// Address that the app uses for the server.
    pub(crate) address: String,
    mood: watch::Sender<Mood>,
    /// Number of connections that the current mood has affected.
    met: Arc<AtomicU64>,
}

impl Wire {
    /// Starts a proxy to the server at this address.
    pub(crate) async fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is available");
        let address =
            format!("http://{}", listener.local_addr().expect("the socket has an address"));
        let server = server.trim_start_matches("http://").to_owned();
        let mood = watch::Sender::new(Mood::Good);
        let (of_all, carried) = (mood.clone(), Arc::new(AtomicU64::new(0)));
        let met = Arc::new(AtomicU64::new(0));
        let meeting = met.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (server, of_all, carried) = (server.clone(), of_all.clone(), carried.clone());
                meeting.fetch_add(1, Relaxed);
                tokio::spawn(async move {
                    let mut told = of_all.subscribe();
                    let mood = *told.borrow_and_update();
                    tokio::select! {
                        _ = forward(socket, &server, mood, &carried) => {
                            if matches!(mood, Mood::CutsAfter(most) if carried.load(Relaxed) >= most) {
                                of_all.send_replace(Mood::Cut);
                            }
                        }
                        // a change of mood closes existing connections
                        _ = told.changed() => {}
                    }
                });
            }
        });
        Self { address, mood, met }
    }

    pub(crate) fn set_mood(&self, mood: Mood) {
        self.mood.send_replace(mood);
        self.met.store(0, Relaxed);
    }

    /// Waits until the current mood has affected enough connections for the app to have noticed.
    pub(crate) async fn wait_until_noticed(&self) {
        until("connections", async || (self.met.load(Relaxed) >= NOTICED).then_some(())).await;
    }
}

async fn forward(
    mut socket: TcpStream,
    server: &str,
    mood: Mood,
    carried: &AtomicU64,
) -> std::io::Result<()> {
    let mut question = [0; 64 << 10];
    match mood {
        Mood::Good => {
            let mut server = TcpStream::connect(server).await?;
            copy_bidirectional(&mut socket, &mut server).await?;
        }
        Mood::CutsAfter(most) => {
            let mut server = TcpStream::connect(server).await?;
            let (mut answers, mut questions) = server.split();
            let (mut from, mut to) = socket.split();
            let there = async {
                while carried.load(Relaxed) < most {
                    match from.read(&mut question).await? {
                        0 => return questions.shutdown().await,
                        count => {
                            questions.write_all(&question[..count]).await?;
                            carried.fetch_add(count as u64, Relaxed);
                        }
                    }
                }
                Err(std::io::ErrorKind::ConnectionAborted.into())
            };
            tokio::try_join!(there, async { copy(&mut answers, &mut to).await.map(drop) })?;
        }
        Mood::Cut => {}
        Mood::Says(answer) => {
            let _ = socket.read(&mut question).await?;
            socket.write_all(answer.as_bytes()).await?;
        }
        Mood::Floods => {
            let _ = socket.read(&mut question).await?;
            socket.write_all(ENDLESS.as_bytes()).await?;
            loop {
                socket.write_all(&[b'9'; 64 << 10]).await?;
            }
        }
        Mood::Drips => {
            let _ = socket.read(&mut question).await?;
            for letter in ENDLESS.bytes().chain(std::iter::repeat(b'9')) {
                socket.write_all(&[letter]).await?;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
    Ok(())
}

/// The app retries by itself: any one of its requests may be missed, but not all of them.
const NOTICED: u64 = 3;

/// The start of a response that ends with the connection.
const ENDLESS: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
