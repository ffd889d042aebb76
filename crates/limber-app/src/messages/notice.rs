//! All messages that originate in the app, with their English text.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    MessageView,
    phrases::{Doing, ServiceName, as_told},
};

/// A message from the app: what happened, to what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "each message is its documentation")]
pub enum Notice {
    // the account
    #[error(
        "This account is protected by a factor that Limber cannot ask for. Sign in on the web and add an authenticator app."
    )]
    FactorNotAskable,
    #[error("This is no longer part of your account.")]
    NotOfAccount,
    #[error("The account service did not say what the authenticator needs. Try again.")]
    NoAuthenticatorDetails,
    #[error("You are signed out. Sign in to continue.")]
    SignedOut,
    #[error(
        "Your session has ended: you were signed out on another device, or the session expired. Sign in to continue. Your clips are still here."
    )]
    SessionEnded,
    #[error("The sign-in failed. Start it again here.")]
    SignInFailed,
    #[error("{said} Start it again here.")]
    SignInRefusedElsewhere { said: String },
    #[error("The email or password is wrong. Check both, or create an account.")]
    WrongCredentials,
    #[error("This address is not confirmed yet. Open the link in the email we sent, then sign in.")]
    AddressNotConfirmed,
    #[error("This link or code is wrong, already used or expired. Request a new one.")]
    LinkOrCodeSpent,
    #[error("There is no account with this address here. Check the address, or create an account.")]
    NoSuchAccount,
    #[error("This studio creates accounts by invitation only. Ask its operator for an invitation.")]
    InvitationOnly,
    #[error("This account is blocked. Ask the operator of the studio.")]
    AccountBlocked,
    #[error("This address belongs to another account. Sign in with it, or use another address.")]
    AddressTaken,
    #[error("This number belongs to another account. Sign in with it, or use another number.")]
    NumberTaken,
    #[error("This is already your password. Choose another one.")]
    SamePassword,
    #[error("Your current password is wrong. Try again.")]
    WrongCurrentPassword,
    #[error("This code is wrong or expired. Change the password again to get a new one.")]
    PasswordCodeSpent,
    #[error("This sign-in took too long or was already completed. Start it again here.")]
    SignInOver,
    #[error(
        "The other service has not verified your address. Open the link in the email we sent, then sign in again."
    )]
    AddressNotVouchedFor,
    #[error("This studio does not allow linked accounts. Ask its operator to turn them on.")]
    LinkingOff,
    #[error(
        "That account is already linked, to this account or to another one. Sign in with it instead."
    )]
    AlreadyLinked,
    #[error(
        "This is the only sign-in method of your account. Add another one before you remove it."
    )]
    OnlyWayIn,
    #[error("The text message could not be sent. Check the number and try again.")]
    TextNotSent,
    #[error("This code is wrong. Wait for the next one and try again.")]
    WrongCode,
    #[error("This code has expired. Enter the next one.")]
    CodeTooLate,
    #[error("This code is not from the newest message. Check it, or request a new one.")]
    NotNewestCode,
    #[error("This code has expired. Request a new one.")]
    TextedCodeTooLate,
    #[error("This code was already used, or requested from another network. Request a new one.")]
    TextedCodeSpent,
    #[error("Limber is no longer waiting for a code from this phone. Request a new one.")]
    NothingTexted,
    #[error(
        "This studio no longer sends codes for second factors. Ask its operator to let you in."
    )]
    NoFactorCodes,
    #[error(
        "Your account is protected by a second factor. Sign out, sign in with its code, and try again."
    )]
    FactorWanted,
    #[error("This studio does not accept phones as second factors. Use an authenticator app.")]
    NoPhoneFactors,
    #[error("This number already protects your account. Use another number.")]
    NumberProtectsAlready,
    #[error("Your account has as many second factors as this studio allows. Remove one first.")]
    MostFactors,
    #[error("The account service returned a page that is not a web page. Ask its operator.")]
    PageNotOnTheWeb,
    #[error(
        "This link belongs to a different account from the one that is signed in. Sign out first, then open the link again."
    )]
    OtherAccountsLink,
    #[error(
        "Limber is already asking about another invitation. Answer that one first, then open this link again."
    )]
    InvitationPending,
    #[error(
        "This link does not belong to a sign-in started here: it has expired, was already used, or comes from somewhere else. Nothing was changed. Start the sign-in again."
    )]
    UnexpectedLink,
    #[error("Enter the number with its country code, such as +49 170 1234567.")]
    NumberWithoutCountry,
    #[error("A code has six digits. Enter them as shown.")]
    CodeHasSixDigits,
    #[error("This link does not lead to Limber. Open the link in the newest email.")]
    LinkElsewhere,
    #[error(
        "Limber found no browser to open on this computer. Install one, or sign in another way."
    )]
    NoBrowser,
    #[error("This email is no longer on this computer.")]
    MailGone,
    #[error("The email could not be read. Try again.")]
    MailUnreadable,
    // services
    #[error(
        "Can't reach the account service. Check the network connection and the server's address."
    )]
    AccountServiceUnreachable,
    #[error("The account service did not answer in time. Try again in a moment.")]
    AccountServiceSilent,
    #[error("The account service is overloaded. Try again in a moment.")]
    AccountServiceBusy,
    #[error("The account service refused the request.")]
    AccountServiceRefuses,
    #[error("The account service has a problem (status {status}). Try again in a moment.")]
    AccountServiceFails { status: u16 },
    #[error(
        "Limber could not read the response ({what}). Check that the address belongs to an account service."
    )]
    NoAccountService { what: String },
    #[error(
        "The address of the account service must start with http:// or https://. Correct it in the settings."
    )]
    AccountServiceAddress,
    #[error(
        "The address of the account service starts with http://, so others on the network could read passwords and tokens. Use https://, or allow it for this server in the settings."
    )]
    AccountServiceUnencrypted,
    #[error("Limber cannot make secure connections on this computer: setting up TLS failed.")]
    NoTls,
    #[error(
        "Can't reach the motion service; check that it is running and that its address is right."
    )]
    MotionServiceUnreachable,
    #[error("The motion service took too long to answer; try again in a moment.")]
    MotionServiceSilent,
    #[error("The motion service rejected the client ID and secret; check both in the settings.")]
    MotionServiceRejectsClient,
    #[error("The motion service is overloaded; try again in a moment.")]
    MotionServiceBusy,
    #[error("The motion service has a problem (status {status}); try again in a moment.")]
    MotionServiceFails { status: u16 },
    #[error("The response (status {status}) is not from a motion service; check the address.")]
    NoMotionService { status: u16 },
    #[error(
        "The response is not from a motion service; check the address and the version of the service."
    )]
    NoMotionServiceVersion,
    #[error(
        "The address of the motion service is not a web address; it must look like https://studio.example."
    )]
    MotionServiceAddress,
    #[error(
        "The address of the motion service starts with http://, so others on the network could read the client secret; use https://, or allow it for this server in the settings."
    )]
    MotionServiceUnencrypted,
    #[error(
        "The server gave out an address on which others may listen; ask its operator for https, or allow \
         unencrypted connections to it in the settings."
    )]
    UnencryptedLink,
    #[error("The file is larger than the allowed {most_mib} MiB.")]
    FileTooLarge { most_mib: u64 },
    #[error("The downloaded file is damaged; download it again.")]
    FileArrivedDamaged,
    #[error("The account service answers.")]
    IdentityServiceAnswers,
    #[error("The motion service answers and accepts the client ID and secret.")]
    MotionServiceAnswers,
    #[error("The client ID is missing. Your studio's operator gave it to you with the secret.")]
    ClientIdMissing,
    #[error(
        "This computer's keychain is locked, and it holds the client secret of your server. Unlock the keychain and try again."
    )]
    KeychainLockedForServer,
    #[error(
        "This computer's keychain is locked, so Limber cannot tell who was signed in. Unlock it and restart Limber, or sign in. Your clips are still here."
    )]
    KeychainLocked,
    #[error(
        "Limber cannot write to its data folder, or cannot make it private. Choose a folder that belongs to your user account, and set LIMBER_DATA to it when you start Limber."
    )]
    FolderNotClosed,
    #[error(
        "The client secret of your server is not stored on this computer. Enter it in Settings."
    )]
    SecretUnknown,
    #[error(
        "The address of the {service} is not a web address. It must look like https://studio.example."
    )]
    NoWebAddress {
        #[serde(serialize_with = "as_told")]
        service: ServiceName,
    },
    #[error(
        "The address of the {service} starts with http://, so others on the network could read passwords and tokens. Use https://, or allow unencrypted connections to this server."
    )]
    UnencryptedAddress {
        #[serde(serialize_with = "as_told")]
        service: ServiceName,
    },
    #[error("This server does not provide skeletons. Ask its operator to install a newer version.")]
    SkeletonsUnavailable,
    #[error("Something went wrong, and the cause is unknown.")]
    NothingSaid,
    // the local studio
    #[error("The studio is still starting. Try again when it is ready.")]
    StudioStarting,
    #[error(
        "Limber cannot write to its data folder. Give your user account write access, or set LIMBER_DATA to another folder when you start Limber."
    )]
    FolderNotWritable,
    #[error("The disk is full. Free at least 300 MB and try again.")]
    NoRoomForStudio,
    #[error("Limber is already running with this data folder. Use its window, or close it first.")]
    AlreadyOpen,
    #[error(
        "Your studio was created with PostgreSQL {version}, which is not installed here. Install the package `postgresql-{version}` and try again. Nothing was changed; your clips are safe."
    )]
    DatabaseVersion { version: String },
    #[error("PostgreSQL is missing. Install the package `postgresql` and try again.")]
    DatabaseMissing,
    #[error(
        "PostgreSQL is not installed, and it could not be downloaded. Connect this computer to the internet and try again, or install PostgreSQL yourself."
    )]
    DatabaseOffline,
    #[error(
        "The download is not the PostgreSQL that Limber expects, so it was deleted. Try again later, or install PostgreSQL yourself."
    )]
    DatabaseDownload,
    #[error("The database did not start. Try again; if it keeps failing, restart the computer.")]
    DatabaseNotStarted,
    #[error("The {part} did not start. Try again; its log in Limber's folder says why.")]
    PartNotStarted { part: String },
    #[error(
        "The system refused a request of the studio: {why}. Try again, or restart the computer."
    )]
    ComputerRefuses { why: String },
    // the disk
    #[error("The disk is full, so Limber could not {doing}. Free some space and try again.")]
    DiskFull {
        #[serde(serialize_with = "as_told")]
        doing: Doing,
    },
    #[error("Limber may not write there, so it could not {doing}. Choose another folder.")]
    NoRightToWrite {
        #[serde(serialize_with = "as_told")]
        doing: Doing,
    },
    #[error("A disk error occurred, so Limber could not {doing}. Check the disk and try again.")]
    DiskRefuses {
        #[serde(serialize_with = "as_told")]
        doing: Doing,
    },
    #[error("A disk operation failed. Nothing was lost; try again.")]
    DiskWorkStopped,
    // prompts and jobs
    #[error("This costs {price} credits. Nothing was charged yet. Press again to confirm.")]
    Dearer { price: String },
    #[error("Describe what the character should do, for example “walks, then waves”.")]
    NoPrompt,
    #[error("The prompt is longer than {most} characters. Shorten it.")]
    PromptTooLong { most: usize },
    #[error("Choose 1 to {most} variants.")]
    Variants { most: u32 },
    #[error("Choose a character for this prompt.")]
    NoCharacter,
    #[error("A seed is a whole number below 18,446,744,073,709,551,616.")]
    NoSeed,
    #[error("Limber cannot read the steps as you changed them ({why}). Undo the changes.")]
    ChangedSteps { why: String },
    #[error("This job no longer exists.")]
    JobUnknown,
    #[error(
        "The studio deleted the files of this job before Limber could download them. Generate it again."
    )]
    JobFilesGone,
    #[error("The studio no longer has this job. Generate it again.")]
    JobUnknownToStudio,
    #[error("Limber no longer has the settings of this job. Start a new one.")]
    JobForgotten,
    #[error("These prompts are too long to be saved. Shorten them.")]
    PromptsTooLong,
    // clips and edits
    #[error("This clip is not in the library.")]
    ClipUnknown,
    #[error("This clip is no longer in the library.")]
    ClipGone,
    #[error("This clip was permanently deleted.")]
    ClipDeleted,
    #[error("This clip has no {kind} file.")]
    NoSuchFile { kind: String },
    #[error(
        "The file of this clip was changed or damaged on disk. Generate the clip again with the same prompt and seed to get it back."
    )]
    ClipDamaged,
    #[error("The image of this clip is not valid.")]
    NoPictureOfClip,
    #[error("This computer could not render the image. The clip itself is not affected.")]
    ClipNotDrawn,
    #[error(
        "The current studio does not have this clip, so it cannot edit it. Generate it again with the same prompt and seed, or switch back to the studio that made it."
    )]
    ClipNotInStudio,
    #[error(
        "This clip was made by a version of Limber that did not store its motion, so it cannot be corrected. Generate it again with the same prompt and seed."
    )]
    NotCorrectable,
    #[error("The corrections do not fit this clip: {why}.")]
    CorrectionsDoNotFit { why: String },
    #[error("A part shorter than two frames cannot loop. Move the trim handles apart.")]
    TooShortToLoop,
    #[error(
        "This clip cannot be measured: its motion cannot be read. Generate it again with the same prompt and seed."
    )]
    ClipNotMeasured,
    #[error("An overlap has only one result.")]
    OverlapHasOneResult,
    #[error("Choose an overlap from 2 frames to 5 seconds.")]
    OverlapLength,
    #[error("The overlap is longer than one of the clips. Shorten it, or trim less.")]
    OverlapTooLong,
    #[error("Nothing would be left of the clip. Move the trim handles apart.")]
    NothingLeft,
    #[error("Trimming has only one result.")]
    CutHasOneResult,
    #[error("Enter a prompt for the marked interval.")]
    NoPaintedPrompt,
    #[error("Select the next clip.")]
    NoSecondClip,
    #[error("A clip can loop 1 to {most} times.")]
    Rounds { most: u32 },
    #[error("Choose a variation from 0 to 1.")]
    HowDifferent,
    #[error("Choose a bridge length from 0 to 10 seconds.")]
    BridgeLength,
    #[error("Mark the part of the clip to regenerate.")]
    NothingPainted,
    #[error("A marked interval lies outside the trimmed clip. Move it inside.")]
    PaintedOutside,
    #[error("A tag has 1 to {most} characters.")]
    TagLength { most: usize },
    #[error("A name has at most {most} characters.")]
    NameLength { most: usize },
    #[error("A clip has at most {most} tags. Remove one first.")]
    MostTags { most: usize },
    // exports, videos and the viewer
    #[error("Limber no longer knows where this was saved. Save it again.")]
    PlaceForgotten,
    #[error("Select at least one program to export for.")]
    NoProgram,
    #[error("Select 1 to {most} clips to export.")]
    HowManyToExport { most: usize },
    #[error(
        "This clip was made by a version of Limber that did not store the data for exports. Save it as GLB, FBX or BVH from its card, or generate it again."
    )]
    NotExportable,
    #[error(
        "The character of this clip can no longer be read. Generate the clip again with the same prompt and seed."
    )]
    CharacterUnreadable,
    #[error("The file could not be created: {why}.")]
    FileNotMade { why: String },
    #[error("The folder no longer exists. Restore it or choose another one, then export again.")]
    FolderGone,
    #[error("The studio deleted this video before Limber could download it. Render it again.")]
    VideoRemoved,
    #[error("{why} Until then, the video stays in Limber's folder, under films.")]
    VideoStays {
        #[schemars(with = "String")]
        why: Box<MessageView>,
    },
    #[error("Enter a colour as #rrggbb, for example #8fb8ff.")]
    NoColour,
    #[error("This computer could not render the preview. Rendering the video may still work.")]
    VideoPreviewNotRendered,
    #[error("The current studio no longer has this clip. Generate it again, then render it.")]
    VideoSourceGone,
    #[error(
        "The desktop did not let Limber pass on the clip. Save it, and open it in the other program."
    )]
    NotHandedOver,
    #[error(
        "Limber found no file manager on this computer. Open the folder where you saved the file yourself."
    )]
    NoFileManager,
    #[error("Select 1 to {most} clips to play.")]
    HowManyToPlay { most: usize },
    #[error("Choose a part with at least one frame to play.")]
    NothingToPlay,
    #[error(
        "The viewer could not open its window. Update the graphics driver, or save the clip and open it in another program."
    )]
    ViewerNotOpened,
    // characters
    #[error("A name has 1 to {most} characters.")]
    LongName { most: usize },
    #[error("This character is no longer in the studio, or you may not change it.")]
    CharacterGone,
    #[error("The upload made no progress for ten minutes. Check the connection, then resume.")]
    UploadStalled,
    #[error("The file is no longer where it was. Put it back and try again, or add it again.")]
    UploadedFileGone,
    #[error("The file cannot be read. Check that you are allowed to open it, then try again.")]
    UploadedFileClosed,
    #[error("The file cannot be read. Check that it exists and that you are allowed to open it.")]
    CharacterFileUnreadable,
    #[error(
        "Characters must be FBX, GLB, glTF or VRM files. Export yours in one of these formats."
    )]
    CharacterFormats,
    #[error("The file is empty. Export the character again.")]
    CharacterFileEmpty,
    #[error("The list is limited to {most} uploads. Remove finished ones first.")]
    MostUploads { most: usize },
    #[error("This upload is no longer in the list.")]
    UploadGone,
    #[error("The upload was cancelled.")]
    UploadCancelled,
    #[error(
        "The upload had to restart too often; check that no program is still writing the file, then try again."
    )]
    UploadRestless,
}
