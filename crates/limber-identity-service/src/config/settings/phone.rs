//! Settings of text messages.

settings! {
    "SMS_AUTOCONFIRM" Flag "false" "Phone numbers need no confirmation.";
    "SMS_PROVIDER" Text "" "`twilio`, `messagebird`, `textlocal` or `vonage`.";
    "SMS_MAX_FREQUENCY" Duration "60s" "Minimum time between two text messages to the same person.";
    "SMS_OTP_EXP" Duration "60s" "Lifetime of a texted code.";
    "SMS_OTP_LENGTH" Number "6" "Number of digits in a texted code, 6 to 10; anything else means 6.";
    "SMS_TEMPLATE" Text "Your code is {{ .Code }}" "Text of the message.";
    "SMS_TEST_OTP" List "" "`number:code,…`: fixed codes for test numbers. Nothing is sent to these numbers." .secret();
    "SMS_TEST_OTP_VALID_UNTIL" Text "" "RFC 3339 time after which the test codes are no longer valid." .otherwise("no expiry");
    "SMS_TWILIO_ACCOUNT_SID" Text "" "Twilio: account SID.";
    "SMS_TWILIO_AUTH_TOKEN" Text "" "Twilio: auth token." .secret();
    "SMS_TWILIO_MESSAGE_SERVICE_SID" Text "" "Twilio: messaging service, or a sender's number.";
    "SMS_MESSAGEBIRD_ACCESS_KEY" Text "" "MessageBird: access key." .secret();
    "SMS_MESSAGEBIRD_ORIGINATOR" Text "" "MessageBird: sender, a number with `+` or a company name.";
    "SMS_TEXTLOCAL_API_KEY" Text "" "Textlocal: API key." .secret();
    "SMS_TEXTLOCAL_SENDER" Text "" "Textlocal: sender.";
    "SMS_VONAGE_API_KEY" Text "" "Vonage: API key." .secret();
    "SMS_VONAGE_API_SECRET" Text "" "Vonage: API secret." .secret();
    "SMS_VONAGE_FROM" Text "" "Vonage: sender.";
    "SMS_<SERVICE>_URL" Address "" "Base URL of the provider, for tests." .each(&["TWILIO", "MESSAGEBIRD", "TEXTLOCAL", "VONAGE"]).otherwise("the public URL");
}
