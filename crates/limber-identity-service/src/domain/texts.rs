//! Sends codes by text message: the resend timer, the hourly limit, the code, and its stored hash.

use limber_api::identity::ErrorCode;
use secrecy::ExposeSecret;
use sqlx::PgConnection;

use super::credentials::SignUp;
use super::messages::asked_by;
use super::timers::{self, Purpose};
use crate::config::fill;
use crate::instance::{Instance, RequestContext};
use crate::refusal::{BAD_CHANNEL, Outcome, Refusal, RequestError, refuse};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::texts::{Channel, SendPermit, TextError};

/// What a code sent by text message proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// That the user can read the account's number: confirms it and signs in.
    Phone,
    /// That the user can read the account's new number.
    PhoneChange,
    /// That the signed-in user can read the account's messages.
    Reauthentication,
}

impl TextKind {
    /// Returns the name under which the code is stored.
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
        let (status, code) = match error {
            TextError::NoCarrier | TextError::Refused(_) => (422, ErrorCode::SmsSendFailed),
            // The caller is not at fault, and may succeed later.
            TextError::Busy
            | TextError::TimedOut
            | TextError::Unreachable
            | TextError::Failing(_)
            | TextError::Unreadable => (503, ErrorCode::UnexpectedFailure),
        };
        Refusal::with_text(status, code, text).into()
    }
}

/// Parses the channel, which defaults to `sms`.
pub(crate) fn read_channel(instance: &Instance, word: Option<&str>) -> Outcome<Channel> {
    let channel = match word {
        None | Some("" | "sms") => Channel::Sms,
        Some("whatsapp") => Channel::Whatsapp,
        Some(_) => return refuse(BAD_CHANNEL),
    };
    if instance.texts.can(channel) { Ok(channel) } else { refuse(BAD_CHANNEL) }
}

/// Starts the resend timer for `number`, known or not. Refuses while an earlier one is running.
pub(crate) async fn start_timer(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: TextKind,
    number: &str,
    context: &RequestContext,
) -> Outcome<()> {
    let to = (number, instance.config.texts.max_frequency);
    match timers::try_start(instance, conn, kind.timer(), to, context).await? {
        None => Ok(()),
        Some(seconds) => refuse(Refusal::too_soon_for_texts(seconds)),
    }
}

/// Creates, stores and sends a code to `number`, and returns the SMS provider's message id, if it
/// gave one. On error, the caller must roll back the transaction.
pub(crate) async fn send_code(
    instance: &Instance,
    conn: &mut PgConnection,
    permit: &SendPermit,
    row: &AccountRow,
    to: (TextKind, &str, Channel),
    context: &RequestContext,
) -> Outcome<Option<String>> {
    send_code_of(instance, conn, permit, row, to, None, context).await
}

/// Like [`send_code`], for a code that confirms a sign-up.
pub(crate) async fn send_code_of(
    instance: &Instance,
    conn: &mut PgConnection,
    permit: &SendPermit,
    row: &AccountRow,
    (kind, number, channel): (TextKind, &str, Channel),
    sign_up: Option<&SignUp>,
    context: &RequestContext,
) -> Outcome<Option<String>> {
    let fixed = instance.config.texts.test_code(number, instance.now());
    let code = match fixed {
        Some(code) => code.expose_secret().to_owned(),
        None => instance.random.digits(instance.config.texts.code_length),
    };
    let mut token = OneTimeTokenRow {
        id: instance.random.uuid(),
        account_id: row.id,
        kind: kind.as_str().to_owned(),
        token_hash: Vec::new(),
        sent_to: number.to_owned(),
        flow_id: None,
        wrong_attempts: 0,
        created_at: instance.now(),
        sign_up: sign_up.map(serde_json::to_value).transpose()?,
        asked_by: match kind {
            TextKind::Phone | TextKind::PhoneChange => asked_by(instance, context),
            TextKind::Reauthentication => Vec::new(),
        },
    };
    token.token_hash = hash(instance, &token, &code).to_vec();
    store::one_time_tokens::put(conn, &token).await?;
    if fixed.is_some() {
        return Ok(None);
    }
    send(instance, permit, (number, channel), &code, context).await
}

/// Sends a code that the caller stores.
pub(crate) async fn send(
    instance: &Instance,
    permit: &SendPermit,
    (number, channel): (&str, Channel),
    code: &str,
    context: &RequestContext,
) -> Outcome<Option<String>> {
    count_text(instance, context)?;
    let text = fill(&instance.config.texts.template, code).unwrap_or_else(|| code.to_owned());
    Ok(instance.texts.send(permit, number, &text, channel).await?)
}

/// Returns the hash of a code, bound to its account, purpose and number. The binding matters
/// because test numbers have the same code everywhere, and text messages contain no link.
pub(crate) fn hash(instance: &Instance, token: &OneTimeTokenRow, code: &str) -> [u8; 32] {
    let address = format!("{} {} {}", token.account_id, token.kind, token.sent_to);
    instance.code_key.of_code(&address, code)
}

/// Counts one text message, sent or only pretended, against the limits of the instance and of the
/// caller.
pub(crate) fn count_text(instance: &Instance, context: &RequestContext) -> Outcome<()> {
    Ok(instance.rate_limiter.count_text(context.rate_limit_key.as_deref(), instance.now())?)
}

/// Tells whether the code was sent to a phone, in which case its address consists of digits.
pub(crate) fn is_text(token: &OneTimeTokenRow) -> bool {
    token.sent_to.bytes().all(|b| b.is_ascii_digit())
}
