//! Text messages.

settings! {
    "SMS_AUTOCONFIRM" Flag "false" "Phone numbers need no confirmation.";
    "SMS_PROVIDER" Text "" "`twilio`, `messagebird`, `textlocal` or `vonage`.";
    "SMS_MAX_FREQUENCY" Duration "60s" "Least time between two text messages to one person.";
    "SMS_OTP_EXP" Duration "60s" "Life of a code by text message.";
    "SMS_OTP_LENGTH" Number "6" "Its digits, 6 to 10; anything else means 6.";
    "SMS_TEMPLATE" Text "Your code is {{ .Code }}" "What the message says.";
    "SMS_TEST_OTP" List "" "`number:code,…`: fixed codes for test phones, to which nothing is sent." .secret();
    "SMS_TEST_OTP_VALID_UNTIL" Text "" "RFC 3339 time after which these codes count no more." .otherwise("for ever");
    "SMS_TWILIO_ACCOUNT_SID" Text "" "Twilio: account.";
    "SMS_TWILIO_AUTH_TOKEN" Text "" "Twilio: token." .secret();
    "SMS_TWILIO_MESSAGE_SERVICE_SID" Text "" "Twilio: messaging service, or a sender's number.";
    "SMS_MESSAGEBIRD_ACCESS_KEY" Text "" "MessageBird: key." .secret();
    "SMS_MESSAGEBIRD_ORIGINATOR" Text "" "MessageBird: sender, a number with `+` or a company's name.";
    "SMS_TEXTLOCAL_API_KEY" Text "" "Textlocal: key." .secret();
    "SMS_TEXTLOCAL_SENDER" Text "" "Textlocal: sender.";
    "SMS_VONAGE_API_KEY" Text "" "Vonage: key." .secret();
    "SMS_VONAGE_API_SECRET" Text "" "Vonage: secret." .secret();
    "SMS_VONAGE_FROM" Text "" "Vonage: sender.";
    "SMS_<SERVICE>_URL" Address "" "Another base address of the service that sends, for tests." .each(&["TWILIO", "MESSAGEBIRD", "TEXTLOCAL", "VONAGE"]).otherwise("the public one");
}
