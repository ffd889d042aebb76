//! Settings of text messages: the SMS provider and the message text.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use url::Url;

use super::environment::Environment;

/// Settings of text messages.
#[derive(Debug, Clone)]
pub struct TextsConfig {
    /// `SMS_PROVIDER` and its credentials. With `None`, no text message can be sent.
    pub carrier: Option<Carrier>,
    /// `SMS_MAX_FREQUENCY`: minimum interval between two texts to one number. Default 60 s.
    pub max_frequency: Duration,
    /// `SMS_OTP_EXP`: lifetime of a code. Default 60 s.
    pub code_lifetime: Duration,
    /// `SMS_OTP_LENGTH`: number of digits in a code, 6-10. Default 6.
    pub code_length: usize,
    /// `SMS_TEMPLATE`: the message text; `{{ .Code }}` is replaced by the code.
    pub template: String,
    /// `SMS_TEST_OTP`: test numbers (without `+`) and their fixed codes. Nothing is sent to these
    /// numbers.
    pub test_codes: BTreeMap<String, SecretString>,
    /// `SMS_TEST_OTP_VALID_UNTIL`: when the fixed codes stop working and the numbers are treated
    /// like any other.
    pub test_codes_until: Option<DateTime<Utc>>,
}

impl Default for TextsConfig {
    fn default() -> Self {
        Self {
            carrier: None,
            max_frequency: Duration::from_secs(60),
            code_lifetime: Duration::from_secs(60),
            code_length: 6,
            template: "Your code is {{ .Code }}".to_owned(),
            test_codes: BTreeMap::new(),
            test_codes_until: None,
        }
    }
}

impl TextsConfig {
    /// Returns the fixed code of a test number, if it is one and its code is still valid.
    #[must_use]
    pub fn test_code(&self, number: &str, now: DateTime<Utc>) -> Option<&SecretString> {
        let open = self.test_codes_until.is_none_or(|until| now < until);
        self.test_codes.get(number).filter(|_| open)
    }
}

/// An SMS provider. `base` can be overridden by `SMS_<CARRIER>_URL`, for tests.
#[derive(Debug, Clone)]
pub enum Carrier {
    /// `twilio`.
    Twilio {
        /// Base address of its API.
        base: Url,
        /// `SMS_TWILIO_ACCOUNT_SID`.
        account: String,
        /// `SMS_TWILIO_AUTH_TOKEN`.
        token: SecretString,
        /// `SMS_TWILIO_MESSAGE_SERVICE_SID`: a messaging service, or a number.
        sender: String,
    },
    /// `messagebird`.
    MessageBird {
        /// Base address of its API.
        base: Url,
        /// `SMS_MESSAGEBIRD_ACCESS_KEY`.
        key: SecretString,
        /// `SMS_MESSAGEBIRD_ORIGINATOR`: a number with `+`, or a company's name.
        originator: String,
    },
    /// `textlocal`.
    Textlocal {
        /// Base address of its API.
        base: Url,
        /// `SMS_TEXTLOCAL_API_KEY`.
        key: SecretString,
        /// `SMS_TEXTLOCAL_SENDER`: the sender's name or number.
        sender: String,
    },
    /// `vonage`.
    Vonage {
        /// Base address of its API.
        base: Url,
        /// `SMS_VONAGE_API_KEY`.
        key: String,
        /// `SMS_VONAGE_API_SECRET`.
        secret: SecretString,
        /// `SMS_VONAGE_FROM`: the sender's name or number.
        sender: String,
    },
}

impl Carrier {
    /// Returns the name used in `SMS_PROVIDER` and in `/settings`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Twilio { .. } => "twilio",
            Self::MessageBird { .. } => "messagebird",
            Self::Textlocal { .. } => "textlocal",
            Self::Vonage { .. } => "vonage",
        }
    }
}

/// Appends path segments to `base`, each percent-encoded.
pub(crate) fn join(base: &Url, segments: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

/// Reads the settings. `wanted` tells whether an enabled feature sends text messages.
pub(super) fn read(env: &mut Environment, wanted: bool) -> TextsConfig {
    let mut texts = TextsConfig::default();
    if let Some(gap) = env.duration("SMS_MAX_FREQUENCY") {
        texts.max_frequency = gap;
    }
    if let Some(lifetime) = env.duration("SMS_OTP_EXP").filter(|time| !time.is_zero()) {
        texts.code_lifetime = lifetime;
    }
    let length: usize = env.number("SMS_OTP_LENGTH");
    texts.code_length = if (6..=10).contains(&length) { length } else { 6 };
    if let Some(template) = env.text("SMS_TEMPLATE") {
        if !template.contains("{{") || fill(&template, "").is_none() {
            env.problem("AUTHSVC_SMS_TEMPLATE must contain {{ .Code }} and no other placeholder");
        }
        texts.template = template;
    }
    read_test_codes(env, &mut texts);
    texts.carrier = read_carrier(env, wanted);
    texts
}

/// Fills in the template. Returns `None` if it contains a placeholder other than `.Code`.
pub(crate) fn fill(template: &str, code: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (expression, tail) = after.split_once("}}")?;
        if expression.trim().trim_matches('-').trim() != ".Code" {
            return None;
        }
        out.push_str(before);
        out.push_str(code);
        rest = tail;
    }
    out.push_str(rest);
    Some(out)
}

fn read_test_codes(env: &mut Environment, texts: &mut TextsConfig) {
    for pair in env.list("SMS_TEST_OTP") {
        let read = pair.split_once([':', '=']).and_then(|(number, code)| {
            let digits = number.trim().trim_start_matches('+').to_owned();
            let is_code = !code.is_empty() && code.bytes().all(|b| b.is_ascii_digit());
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            (is_code && is_number).then(|| (digits, SecretString::from(code.to_owned())))
        });
        match read {
            Some((number, code)) => drop(texts.test_codes.insert(number, code)),
            None => env.problem("AUTHSVC_SMS_TEST_OTP must look like 41790000000:123456,…"),
        }
    }
    if let Some(text) = env.text("SMS_TEST_OTP_VALID_UNTIL") {
        match text.parse() {
            Ok(until) => texts.test_codes_until = Some(until),
            Err(_) => env.problem(
                "AUTHSVC_SMS_TEST_OTP_VALID_UNTIL must be a time such as 2030-01-31T00:00:00Z",
            ),
        }
    }
}

/// Reads the credentials of every provider, but reports missing ones only for the selected provider
/// and only if texts will be sent: migrated installations often name a provider that they never
/// use.
fn read_carrier(env: &mut Environment, wanted: bool) -> Option<Carrier> {
    let name = env.text("SMS_PROVIDER").unwrap_or_default().to_ascii_lowercase();
    let bases = env.family("SMS_<SERVICE>_URL");
    let mut text = |name: &str, chosen: bool| match env.text(name) {
        None if chosen && wanted => {
            env.problem(format!(
                "AUTHSVC_{name} is missing: set it to what your text message provider gave you"
            ));
            String::new()
        }
        value => value.unwrap_or_default(),
    };
    let twilio = name == "twilio";
    let account = text("SMS_TWILIO_ACCOUNT_SID", twilio);
    let token = text("SMS_TWILIO_AUTH_TOKEN", twilio);
    let service = text("SMS_TWILIO_MESSAGE_SERVICE_SID", twilio);
    let bird = name == "messagebird";
    let access_key = text("SMS_MESSAGEBIRD_ACCESS_KEY", bird);
    let originator = text("SMS_MESSAGEBIRD_ORIGINATOR", bird);
    let textlocal = name == "textlocal";
    let textlocal_key = text("SMS_TEXTLOCAL_API_KEY", textlocal);
    let textlocal_sender = text("SMS_TEXTLOCAL_SENDER", textlocal);
    let vonage = name == "vonage";
    let vonage_key = text("SMS_VONAGE_API_KEY", vonage);
    let vonage_secret = text("SMS_VONAGE_API_SECRET", vonage);
    let vonage_sender = text("SMS_VONAGE_FROM", vonage);
    let mut base = |public: &str| base(env, &bases, &name, public);
    Some(match name.as_str() {
        "" => return None,
        "twilio" => Carrier::Twilio {
            base: base("https://api.twilio.com"),
            account,
            token: token.into(),
            sender: service,
        },
        "messagebird" => Carrier::MessageBird {
            base: base("https://rest.messagebird.com"),
            key: access_key.into(),
            originator,
        },
        "textlocal" => Carrier::Textlocal {
            base: base("https://api.textlocal.in"),
            key: textlocal_key.into(),
            sender: textlocal_sender,
        },
        "vonage" => Carrier::Vonage {
            base: base("https://rest.nexmo.com"),
            key: vonage_key,
            secret: vonage_secret.into(),
            sender: vonage_sender,
        },
        _ => {
            env.problem(
                "AUTHSVC_SMS_PROVIDER must be one of twilio, messagebird, textlocal, vonage",
            );
            return None;
        }
    })
}

/// Returns the base address of a provider's API: its public one, unless a test overrides it.
fn base(env: &mut Environment, bases: &[(String, String)], name: &str, public: &str) -> Url {
    let own = bases.iter().find(|(word, _)| word.eq_ignore_ascii_case(name));
    let address = own.map_or(public, |(_, address)| address);
    if let Some(url) = Url::parse(address).ok().filter(Url::has_host) {
        return url;
    }
    let name = name.to_uppercase();
    env.problem(format!("AUTHSVC_SMS_{name}_URL must be an address such as https://sms.example"));
    Url::parse(public).expect("a constant address parses")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    /// Returns the problems reported for the required settings plus `pairs`.
    fn problems(pairs: &[(&str, &str)]) -> String {
        let least = [
            ("SITE_URL", "https://site.example"),
            ("API_EXTERNAL_URL", "https://id.example"),
            ("DB_DRIVER", "postgres"),
            ("DATABASE_URL", "postgres://u:p@h/d"),
            ("JWT_SECRET", "s3cret of more than thirty-two bytes"),
            ("SMTP_ADMIN_EMAIL", "admin@site.example"),
        ];
        let all = least.iter().chain(pairs);
        let all = all.map(|(name, value)| (format!("AUTHSVC_{name}"), (*value).to_owned()));
        Config::from_env(all).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn missing_settings_of_a_text_provider_are_reported() {
        let carriers: [(&str, &[&str]); 4] = [
            ("Twilio", &["ACCOUNT_SID", "AUTH_TOKEN", "MESSAGE_SERVICE_SID"]),
            ("messagebird", &["ACCESS_KEY", "ORIGINATOR"]),
            ("textlocal", &["API_KEY", "SENDER"]),
            ("vonage", &["API_KEY", "API_SECRET", "FROM"]),
        ];
        for (carrier, needs) in carriers {
            let needs: Vec<String> =
                needs.iter().map(|n| format!("SMS_{}_{n}", carrier.to_uppercase())).collect();
            let on = ("EXTERNAL_PHONE_ENABLED", "true");
            let missing = problems(&[("SMS_PROVIDER", carrier), on]);
            assert!(needs.iter().all(|n| missing.contains(&format!("AUTHSVC_{n} is missing"))));
            assert_eq!(missing.lines().count(), 1 + needs.len(), "{missing}");
            let mut full = vec![("SMS_PROVIDER", carrier), ("EXTERNAL_PHONE_ENABLED", "true")];
            full.extend(needs.iter().map(|name| (name.as_str(), "x")));
            assert_eq!(problems(&full), "");
            let unused: Vec<_> = needs.iter().map(|name| (name.as_str(), "")).collect();
            assert_eq!(problems(&[&[("SMS_PROVIDER", carrier)][..], &unused].concat()), "");
        }
        assert!(problems(&[("SMS_PROVIDER", "pigeon")]).contains("must be one of twilio"));
    }

    #[test]
    fn phone_features_without_a_text_provider_prevent_the_start() {
        for name in ["EXTERNAL_PHONE_ENABLED", "MFA_PHONE_ENROLL_ENABLED"] {
            assert!(problems(&[(name, "true")]).contains("AUTHSVC_SMS_PROVIDER"), "{name}");
        }
        for other in [("SMS_AUTOCONFIRM", "true"), ("SMS_TEST_OTP", "+41790000000:123456")] {
            assert_eq!(problems(&[("EXTERNAL_PHONE_ENABLED", "true"), other]), "");
        }
    }

    #[test]
    fn invalid_text_settings_are_reported() {
        for (name, value) in [
            ("SMS_TEMPLATE", "no code in it"),
            ("SMS_TEMPLATE", "{{ .Secret }}"),
            ("SMS_TEST_OTP", "41790000000"),
            ("SMS_TEST_OTP", "x:123456"),
            ("SMS_TEST_OTP_VALID_UNTIL", "tomorrow"),
            ("SECURITY_CAPTCHA_ENABLED", "true"),
        ] {
            let text = problems(&[(name, value)]);
            assert!(text.contains(name.trim_end_matches("ENABLED")), "{name}={value}: {text}");
        }
        let captcha = |provider| {
            problems(&[
                ("SECURITY_CAPTCHA_ENABLED", "true"),
                ("SECURITY_CAPTCHA_PROVIDER", provider),
                ("SECURITY_CAPTCHA_SECRET", "x"),
            ])
        };
        assert_eq!((captcha("hCaptcha"), captcha("Turnstile")), (String::new(), String::new()));
        assert!(captcha("recaptcha").contains("must be hcaptcha or turnstile"));
    }

    #[test]
    fn text_messages_follow_the_template() {
        assert_eq!(fill("Your code is {{ .Code }}", "12").as_deref(), Some("Your code is 12"));
        assert_eq!(fill("{{.Code}}: {{ .Code }}.", "1").as_deref(), Some("1: 1."));
        for odd in ["{{ .Secret }}", "{{ .Code", "{{ if .Code }}"] {
            assert_eq!(fill(odd, "1"), None, "{odd}");
        }
    }

    #[test]
    fn test_codes_expire_at_the_configured_time() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("a valid time");
        let mut texts = TextsConfig::default();
        texts.test_codes.insert("417".into(), "123456".into());
        assert!(texts.test_code("417", at(5)).is_some() && texts.test_code("418", at(5)).is_none());
        texts.test_codes_until = Some(at(5));
        assert!(texts.test_code("417", at(4)).is_some() && texts.test_code("417", at(5)).is_none());
    }

    #[test]
    fn url_path_segments_are_escaped() {
        let base = Url::parse("https://sms.example/base/").expect("a valid address");
        let url = join(&base, &["Accounts", "../x?y#z", "Messages.json"]);
        assert_eq!(url.as_str(), "https://sms.example/base/Accounts/..%2Fx%3Fy%23z/Messages.json");
    }
}
