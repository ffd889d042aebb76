//! Deciding that a code goes out by text message: the timer, the hourly total, the code, and
//! what is kept of it.

use limber_api::identity::ErrorCode;
use secrecy::ExposeSecret;
use sqlx::PgConnection;

use super::credentials::SignUp;
use super::messages::asked_by;
use super::timers::{self, Purpose};
use crate::config::fill;
use crate::instance::{Asker, Instance};
use crate::refusal::{BAD_CHANNEL, Outcome, Refusal, RequestError, refuse};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::texts::{Channel, Place, TextError};

/// What a code sent by text message proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// That somebody reads the account's number: confirms it and signs in.
    Phone,
    /// The same of the number that is to be.
    PhoneChange,
    /// That whoever is signed in reads the account's messages.
    Reauthentication,
}

impl TextKind {
    /// Under which name the code is kept.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::PhoneChange => "phone_change",
            Self::Reauthentication => "reauthentication",
        }
    }

    fn timer(self) -> Purpose {
        match self {
            Self::Phone => Purpose::Confirmation,
            Self::PhoneChange => Purpose::PhoneChange,
            Self::Reauthentication => Purpose::Reauthentication,
        }
    }
}

impl From<TextError> for RequestError {
    fn from(error: TextError) -> Self {
        let text = format!("Error sending confirmation OTP to provider: {error}");
        Refusal::with_text(422, ErrorCode::SmsSendFailed, text).into()
    }
}

/// `sms` unless the request says otherwise.
pub(crate) fn read_channel(instance: &Instance, word: Option<&str>) -> Outcome<Channel> {
    let channel = match word {
        None | Some("" | "sms") => Channel::Sms,
        Some("whatsapp") => Channel::Whatsapp,
        Some(_) => return refuse(BAD_CHANNEL),
    };
    if instance.texts.can(channel) { Ok(channel) } else { refuse(BAD_CHANNEL) }
}

/// Starts the timer of texts to `number`, known or not; refuses while an earlier one runs.
pub(crate) async fn start_timer(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: TextKind,
    number: &str,
    asker: &Asker,
) -> Outcome<()> {
    let to = (number, instance.config.texts.max_frequency);
    match timers::try_start(instance, conn, kind.timer(), to, asker).await? {
        None => Ok(()),
        Some(seconds) => refuse(Refusal::too_soon_for_texts(seconds)),
    }
}

/// Makes a code, remembers it and sends it to `number`. The id the carrier gave the message, if
/// it gave one. When the text does not leave, the caller's transaction must not stay.
pub(crate) async fn send_code(
    instance: &Instance,
    conn: &mut PgConnection,
    place: &Place,
    row: &AccountRow,
    to: (TextKind, &str, Channel),
    asker: &Asker,
) -> Outcome<Option<String>> {
    send_code_of(instance, conn, place, row, to, None, asker).await
}

/// The same for a code that confirms a sign-up.
pub(crate) async fn send_code_of(
    instance: &Instance,
    conn: &mut PgConnection,
    place: &Place,
    row: &AccountRow,
    (kind, number, channel): (TextKind, &str, Channel),
    sign_up: Option<&SignUp>,
    asker: &Asker,
) -> Outcome<Option<String>> {
    let fixed = instance.config.texts.test_code(number, instance.now());
    let code = match fixed {
        Some(code) => code.expose_secret().to_owned(),
        None => instance.chance.digits(instance.config.texts.code_length),
    };
    let mut token = OneTimeTokenRow {
        id: instance.chance.uuid(),
        account_id: row.id,
        kind: kind.as_str().to_owned(),
        token_hash: Vec::new(),
        sent_to: number.to_owned(),
        flow_id: None,
        wrong_attempts: 0,
        created_at: instance.now(),
        sign_up: sign_up.map(serde_json::to_value).transpose()?,
        asked_by: match kind {
            TextKind::Phone | TextKind::PhoneChange => asked_by(instance, asker),
            TextKind::Reauthentication => Vec::new(),
        },
    };
    token.token_hash = hash(instance, &token, &code).to_vec();
    store::one_time_tokens::put(conn, &token).await?;
    if fixed.is_some() {
        return Ok(None);
    }
    send(instance, place, (number, channel), &code, asker).await
}

/// Sends a code that the caller remembers.
pub(crate) async fn send(
    instance: &Instance,
    place: &Place,
    (number, channel): (&str, Channel),
    code: &str,
    asker: &Asker,
) -> Outcome<Option<String>> {
    instance.counters.count_text(asker.counted_as.as_deref(), instance.now())?;
    let text = fill(&instance.config.texts.template, code).unwrap_or_else(|| code.to_owned());
    Ok(instance.texts.send(place, number, &text, channel).await?)
}

/// The stored form of a code: of use for this account, purpose and number alone. Nothing links
/// to it, and test numbers have the same code everywhere.
pub(crate) fn hash(instance: &Instance, token: &OneTimeTokenRow, code: &str) -> [u8; 32] {
    let address = format!("{} {} {}", token.account_id, token.kind, token.sent_to);
    instance.code_key.of_code(&address, code)
}

/// For a number nobody waits at: refuses where a text would be refused, and takes away from the
/// caller alone.
pub(crate) fn refuse_as_if_sent(instance: &Instance, asker: &Asker) -> Outcome<()> {
    Ok(instance.counters.may_text(asker.counted_as.as_deref(), instance.now())?)
}

/// True for a code that was sent to a phone: its address is a number.
pub(crate) fn is_text(token: &OneTimeTokenRow) -> bool {
    token.sent_to.bytes().all(|b| b.is_ascii_digit())
}
