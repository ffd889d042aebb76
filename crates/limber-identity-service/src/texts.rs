//! Text messages through SMS providers (carriers): the request each one expects, and the
//! interpretation of its response.
//!
//! A text is sent while the request that caused it waits, because the answer must say whether it
//! was sent, and because a code that is valid for a minute would be worthless after an hour in a
//! queue. The caller's transaction stays open meanwhile, so that nothing remains of a text that was
//! not sent. Two things bound this: a time limit, and [`SendPermit`]s, which limit the number of
//! concurrent texts. A permit is taken *before* the transaction begins, so that a slow carrier
//! cannot hold all database connections.

mod answer;
mod messagebird;
mod textlocal;
mod twilio;
mod vonage;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use limber_domain::environment::Clock;
use limber_domain::lock;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use self::answer::{CarrierAnswer, read_answer};
use crate::config::{Carrier, TextsConfig};

/// Time limit of the whole exchange with a carrier; shorter than that of a request.
const TIMEOUT: Duration = Duration::from_secs(7);
/// How long a request waits for a permit.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(2);

/// How a message is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Sms,
    Whatsapp,
}

/// Why a text was not sent. The messages contain no secrets and at most what the carrier said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TextError {
    #[error("no provider is configured")]
    NoCarrier,
    #[error("too many messages are waiting")]
    Busy,
    #[error("the provider did not answer in time")]
    TimedOut,
    #[error("the provider cannot be reached")]
    Unreachable,
    /// The carrier's servers fail or take no more messages for now.
    #[error("the provider answered with status {0}")]
    Failing(u16),
    #[error("the provider's answer cannot be read")]
    Unreadable,
    /// The carrier's own message, truncated.
    #[error("{0}")]
    Refused(String),
}

/// A permit to send one text.
#[derive(Debug)]
pub(crate) struct SendPermit(
    #[expect(dead_code, reason = "dropping it releases the permit")] OwnedSemaphorePermit,
);

/// Sends texts through the configured carrier.
#[derive(Debug)]
pub(crate) struct TextSender {
    carrier: Option<Carrier>,
    client: Option<Client>,
    permits: Arc<Semaphore>,
    clock: Arc<dyn Clock>,
    /// How long sending the last text took.
    last: Mutex<Duration>,
}

impl TextSender {
    /// Creates a sender that sends at most `permits` texts at once.
    pub(crate) fn new(
        config: &TextsConfig,
        permits: usize,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, reqwest::Error> {
        let client = match &config.carrier {
            None => None,
            // A redirect would disclose the credentials.
            Some(_) => Some(Client::builder().timeout(TIMEOUT).redirect(Policy::none()).build()?),
        };
        Ok(Self {
            carrier: config.carrier.clone(),
            client,
            permits: Arc::new(Semaphore::new(permits.max(1))),
            clock,
            last: Mutex::default(),
        })
    }

    /// Returns the carrier's name, or an empty string if there is none.
    pub(crate) fn name(&self) -> &'static str {
        self.carrier.as_ref().map_or("", Carrier::name)
    }

    /// Tells whether the carrier supports the channel. Only Twilio supports WhatsApp.
    pub(crate) fn can(&self, channel: Channel) -> bool {
        channel == Channel::Sms || matches!(self.carrier, Some(Carrier::Twilio { .. }))
    }

    /// Waits for a permit. Call this before beginning a transaction.
    pub(crate) async fn acquire_permit(&self) -> Result<SendPermit, TextError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        match tokio::time::timeout(PERMIT_TIMEOUT, permit).await {
            Ok(Ok(permit)) => Ok(SendPermit(permit)),
            Ok(Err(_)) | Err(_) => Err(TextError::Busy),
        }
    }

    /// Sends `text` to `number` (digits without `+`) and returns the carrier's message id, if it
    /// gave one.
    pub(crate) async fn send(
        &self,
        _: &SendPermit,
        number: &str,
        text: &str,
        channel: Channel,
    ) -> Result<Option<String>, TextError> {
        let (Some(carrier), Some(client)) = (&self.carrier, &self.client) else {
            return Err(TextError::NoCarrier);
        };
        let begun = self.clock.now();
        let request = prepare(client, carrier, number, text, channel);
        let outcome = match read_answer(request).await {
            Ok(answer) => interpret(carrier, &answer),
            Err(error) => Err(error),
        };
        let took = (self.clock.now() - begun).to_std().unwrap_or_default().min(TIMEOUT);
        *lock(&self.last) = took;
        if let Err(error) = &outcome {
            tracing::warn!(carrier = carrier.name(), %error, "a text message could not be sent");
        }
        outcome
    }

    /// Sends nothing but takes as long as the last text, so that timing does not reveal whether a
    /// number is known.
    pub(crate) async fn pretend(&self, _: &SendPermit) {
        let last = *lock(&self.last);
        // Timers fire up to a millisecond late.
        tokio::time::sleep(last.saturating_sub(Duration::from_millis(1))).await;
    }
}

fn prepare(
    client: &Client,
    carrier: &Carrier,
    number: &str,
    text: &str,
    channel: Channel,
) -> RequestBuilder {
    match carrier {
        Carrier::Twilio { base, account, token, sender } => {
            twilio::request(client, (base, account, token, sender), number, text, channel)
        }
        Carrier::MessageBird { base, key, originator } => {
            messagebird::request(client, (base, key, originator), number, text)
        }
        Carrier::Textlocal { base, key, sender } => {
            textlocal::request(client, (base, key, sender), number, text)
        }
        Carrier::Vonage { base, key, secret, sender } => {
            vonage::request(client, (base, key, secret, sender), number, text)
        }
    }
}

fn interpret(carrier: &Carrier, answer: &CarrierAnswer) -> Result<Option<String>, TextError> {
    match carrier {
        Carrier::Twilio { .. } => twilio::interpret(answer),
        Carrier::MessageBird { .. } => messagebird::interpret(answer),
        Carrier::Textlocal { .. } => textlocal::interpret(answer),
        Carrier::Vonage { .. } => vonage::interpret(answer),
    }
}
