//! Everything that the app tells by itself, with its English words.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::Told;

/// What the app tells: what happened, to what, what now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "the sentence of each says what it tells")]
pub enum Notice {
    // the account
    #[error(
        "This account is protected by a factor that Limber cannot ask for. Sign in on the web and add an authenticator app."
    )]
    FactorNotAskable,
    #[error("This is not part of your account any more.")]
    NotOfAccount,
    #[error("The account service did not say what the authenticator needs. Try again.")]
    NoAuthenticatorDetails,
    #[error("You are signed out. Sign in to go on.")]
    SignedOut,
    #[error(
        "Your session has ended: you were signed out from elsewhere, or it became too old. Sign in to go on. What you made is still here."
    )]
    SessionEnded,
    #[error("The sign-in did not work. Begin it again here.")]
    SignInFailed,
    #[error("{said} Begin it again here.")]
    SignInRefusedElsewhere { said: String },
    #[error("The email or the password is wrong. Check both, or create an account.")]
    WrongCredentials,
    #[error("This address is not confirmed yet. Open the link in the mail we sent, then sign in.")]
    AddressNotConfirmed,
    #[error("This link or code is wrong, was used before or is too old. Ask for a new one.")]
    LinkOrCodeSpent,
    #[error("Nobody with this address has an account here. Check it, or create an account.")]
    NoSuchAccount,
    #[error("This studio makes accounts by invitation only. Ask its operator for one.")]
    InvitationOnly,
    #[error("This account is blocked. Ask the operator of the studio.")]
    AccountBlocked,
    #[error("This address belongs to another account. Sign in with it, or use another address.")]
    AddressTaken,
    #[error("This number belongs to another account. Sign in with it, or use another number.")]
    NumberTaken,
    #[error("This is the password you have already. Choose another one.")]
    SamePassword,
    #[error("The password you have now is another one. Try again.")]
    WrongCurrentPassword,
    #[error("This code is wrong or too old. Change the password again to get a new one.")]
    PasswordCodeSpent,
    #[error("This sign-in took too long or was finished before. Begin it again here.")]
    SignInOver,
    #[error(
        "The other service does not vouch for your address. Open the link in the mail we sent, then sign in again."
    )]
    AddressNotVouchedFor,
    #[error("This studio does not let accounts be linked. Ask its operator to switch it on.")]
    LinkingOff,
    #[error(
        "That account is linked already, to this account or another one. Sign in with it instead."
    )]
    AlreadyLinked,
    #[error("This is the only way into your account. Add another one before you remove it.")]
    OnlyWayIn,
    #[error("The text message could not be sent. Check the number and try again.")]
    TextNotSent,
    #[error("This code is wrong. Wait for the next one and try again.")]
    WrongCode,
    #[error("This code came too late. Write the next one.")]
    CodeTooLate,
    #[error("This code is not the one of the newest message. Check it, or have another one sent.")]
    NotNewestCode,
    #[error("This code came too late. Have another one sent.")]
    TextedCodeTooLate,
    #[error("This code was used before, or asked for from another network. Have another one sent.")]
    TextedCodeSpent,
    #[error("Limber does not wait for a code of this phone any more. Have another one sent.")]
    NothingTexted,
    #[error(
        "This studio sends no codes for second factors any more. Ask its operator to let you in."
    )]
    NoFactorCodes,
    #[error(
        "Your account is protected by a second factor. Sign out, sign in with its code, and try again."
    )]
    FactorWanted,
    #[error("This studio takes no phones as second factors. Use an authenticator app.")]
    NoPhoneFactors,
    #[error("This number protects your account already. Use another number.")]
    NumberProtectsAlready,
    #[error("Your account has as many second factors as this studio allows. Remove one first.")]
    MostFactors,
    #[error("The account service named a page that is not on the web. Ask its operator.")]
    PageNotOnTheWeb,
    #[error(
        "This link belongs to another account than the one that is signed in. Sign out first, then open it again."
    )]
    OtherAccountsLink,
    #[error(
        "Limber asks about another invitation already. Answer that first, then open this link again."
    )]
    InvitationPending,
    #[error(
        "This link belongs to no sign-in that was begun here: it is too old, was used before, or comes from somewhere else. Nothing was changed. Begin the sign-in again."
    )]
    UnexpectedLink,
    #[error("Write the number with its country, like +49 170 1234567.")]
    NumberWithoutCountry,
    #[error("A code has six digits. Write them as they are shown.")]
    CodeHasSixDigits,
    #[error("This link does not lead to Limber. Open the link of the newest mail.")]
    LinkElsewhere,
    #[error(
        "This desktop has no browser that Limber can open. Install one, or sign in another way."
    )]
    NoBrowser,
    #[error("This mail is not on this computer any more.")]
    MailGone,
    #[error("The mail could not be read. Try again.")]
    MailUnreadable,
    // services
    #[error(
        "The account service cannot be reached. Check the network connection and the server's address."
    )]
    AccountServiceUnreachable,
    #[error("The account service did not answer in time. Try again in a moment.")]
    AccountServiceSilent,
    #[error("The account service is asked too much just now. Try again in a moment.")]
    AccountServiceBusy,
    #[error("The account service refused the request.")]
    AccountServiceRefuses,
    #[error("The account service has a problem (status {status}). Try again in a moment.")]
    AccountServiceFails { status: u16 },
    #[error(
        "The answer could not be understood ({what}). Check that the address belongs to an account service."
    )]
    NoAccountService { what: String },
    #[error(
        "The address of the account service must begin with http:// or https://. Correct it in the settings."
    )]
    AccountServiceAddress,
    #[error(
        "The address of the account service begins with http://, so everybody on the way could read passwords and tokens. Use https://, or allow it for this server in the settings."
    )]
    AccountServiceUnencrypted,
    #[error("No secure connection can be made on this computer: its TLS set-up failed.")]
    NoTls,
    #[error(
        "The motion service cannot be reached; check that it runs and that its address is right."
    )]
    MotionServiceUnreachable,
    #[error("The motion service took too long to answer; try again in a moment.")]
    MotionServiceSilent,
    #[error("The motion service rejected the client id and secret; check both in the settings.")]
    MotionServiceRejectsClient,
    #[error("The motion service is asked too much just now; try again in a moment.")]
    MotionServiceBusy,
    #[error("The motion service has a problem (status {status}); try again in a moment.")]
    MotionServiceFails { status: u16 },
    #[error("The answer (status {status}) is not one a motion service gives; check the address.")]
    NoMotionService { status: u16 },
    #[error("The answer is not one a motion service gives; check the address and its version.")]
    NoMotionServiceVersion,
    #[error(
        "The address of the motion service is not a web address; it looks like https://studio.example."
    )]
    MotionServiceAddress,
    #[error(
        "The address of the motion service begins with http://, so everybody on the way could read the client secret; use https://, or allow it for this server in the settings."
    )]
    MotionServiceUnencrypted,
    #[error(
        "The server gave out an address on which others may listen; ask its operator for https, or allow \
         unencrypted connections to it in the settings."
    )]
    UnencryptedLink,
    #[error("The file is larger than the {most_mib} MiB that are allowed.")]
    FileTooLarge { most_mib: u64 },
    #[error("The file arrived damaged; fetch it again.")]
    FileArrivedDamaged,
    #[error("The identity service answers.")]
    IdentityServiceAnswers,
    #[error("The motion service answers, and knows the client id and secret.")]
    MotionServiceAnswers,
    #[error("The client id is missing. Your operator gave it to you with the secret.")]
    ClientIdMissing,
    #[error(
        "This computer's keychain is locked, and it holds the client secret of your server. Unlock the keychain and try again."
    )]
    KeychainLockedForServer,
    #[error(
        "This computer's keychain is locked, so Limber cannot tell who was signed in. Unlock it and start Limber again, or sign in. What you made is still here."
    )]
    KeychainLocked,
    #[error(
        "Limber may not write in its data folder, or may not close it to other people. Give your account a folder of its own, and start Limber with it in LIMBER_DATA."
    )]
    FolderNotClosed,
    #[error(
        "The client secret of your server is not known on this computer. Open Settings and enter it."
    )]
    SecretUnknown,
    #[error(
        "The address of the {service} is not a web address. It looks like https://studio.example."
    )]
    NoWebAddress {
        #[serde(serialize_with = "as_told")]
        service: ServiceName,
    },
    #[error(
        "The address of the {service} begins with http://, so everybody on the way could read passwords and tokens. Use https://, or allow unencrypted connections to this server."
    )]
    UnencryptedAddress {
        #[serde(serialize_with = "as_told")]
        service: ServiceName,
    },
    #[error("This server tells nothing of skeletons. Ask its operator for a newer version.")]
    NoSkeletonsTold,
    #[error("Something went wrong, and nobody said what.")]
    NothingSaid,
    // the studio on this computer
    #[error("The studio is still starting. Try again when it is ready.")]
    StudioStarting,
    #[error(
        "Limber may not write in its data folder. Give your account the right to write there, or start Limber with another one in LIMBER_DATA."
    )]
    FolderNotWritable,
    #[error("The disk is full. Free at least 200 MB and try again.")]
    NoRoomForStudio,
    #[error("Limber is already running with this data folder. Use its window, or close it first.")]
    AlreadyOpen,
    #[error(
        "Your studio was made with PostgreSQL {version}, which is not installed here. Install the package `postgresql-{version}` and try again. Nothing was changed; your clips are safe."
    )]
    DatabaseVersion { version: String },
    #[error("PostgreSQL is missing. Install the package `postgresql` and try again.")]
    DatabaseMissing,
    #[error("The database did not start. Try again; if it keeps failing, restart the computer.")]
    DatabaseNotStarted,
    #[error("The {part} did not start. Try again; its log in Limber's folder says why.")]
    PartNotStarted { part: String },
    #[error("This computer refused what the studio needs: {why}. Try again, or restart it.")]
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
    #[error("The disk did not let Limber {doing}. Check it and try again.")]
    DiskRefuses {
        #[serde(serialize_with = "as_told")]
        doing: Doing,
    },
    #[error("Limber failed at the disk. Nothing was lost; try again.")]
    DiskWorkStopped,
    // prompts and jobs
    #[error("This costs {price} credits, and nothing was charged yet. Press again to agree.")]
    Dearer { price: String },
    #[error("Write what the character should do, for example “walks, then waves”.")]
    NoPrompt,
    #[error("The prompt is longer than {most} characters. Shorten it.")]
    PromptTooLong { most: usize },
    #[error("Choose 1 to {most} variants.")]
    Variants { most: u32 },
    #[error("Choose a character for this prompt.")]
    NoCharacter,
    #[error("A seed is a whole number below 18,446,744,073,709,551,616.")]
    NoSeed,
    #[error("Limber cannot read the steps as you changed them ({why}). Take the changes back.")]
    ChangedSteps { why: String },
    #[error("This job is not known any more.")]
    JobUnknown,
    #[error("The studio removed the files of this job before they arrived. Generate it again.")]
    JobFilesGone,
    #[error("The studio does not know this job any more. Generate it again.")]
    JobUnknownToStudio,
    #[error("What this job was asked for is not known any more. Begin it anew.")]
    JobForgotten,
    #[error("These prompts are too long to be kept. Shorten them.")]
    PromptsTooLong,
    // clips and edits
    #[error("This clip is not in the library.")]
    ClipUnknown,
    #[error("This clip is not in the library any more.")]
    ClipGone,
    #[error("This clip was deleted for good.")]
    ClipDeleted,
    #[error("This clip has no {kind} file.")]
    NoSuchFile { kind: String },
    #[error(
        "The file of this clip was changed or damaged on the disk. Generate the clip again with the same prompt and seed to get it back."
    )]
    ClipDamaged,
    #[error("The picture of this clip is no picture of it.")]
    NoPictureOfClip,
    #[error("This computer could not draw the picture. The clip itself is as good as ever.")]
    ClipNotDrawn,
    #[error(
        "The studio in use does not have this clip, so it cannot change it. Generate it again with the same prompt and seed, or go back to the studio that made it."
    )]
    ClipNotInStudio,
    #[error("A part of fewer than two frames cannot go round. Move the trim handles apart.")]
    TooShortToLoop,
    #[error(
        "This clip cannot be measured: its movement cannot be read. Generate it again with the same prompt and seed."
    )]
    ClipNotMeasured,
    #[error("An overlap has one result.")]
    OverlapHasOneResult,
    #[error("Clips overlap by 2 frames to 5 seconds.")]
    OverlapLength,
    #[error("The overlap is longer than one of the clips. Shorten it, or cut less.")]
    OverlapTooLong,
    #[error("Nothing would be left of the clip. Move the trim handles apart.")]
    NothingLeft,
    #[error("A cut has one result.")]
    CutHasOneResult,
    #[error("Write what shall happen in the painted part.")]
    NoPaintedPrompt,
    #[error("Choose the clip that follows.")]
    NoSecondClip,
    #[error("A clip can go round 1 to {most} times.")]
    Rounds { most: u32 },
    #[error("Choose how different it may be, from 0 to 1.")]
    HowDifferent,
    #[error("A bridge lasts 0 to 10 seconds.")]
    BridgeLength,
    #[error("Paint the part of the clip that shall change.")]
    NothingPainted,
    #[error("A painted part lies outside of the trimmed clip. Move it inside.")]
    PaintedOutside,
    #[error("A tag has 1 to {most} letters.")]
    TagLength { most: usize },
    #[error("A clip has at most {most} tags. Take one away first.")]
    MostTags { most: usize },
    // exports, films and the viewer
    #[error("Limber does not remember where this was put. Save it once more.")]
    PlaceForgotten,
    #[error("Choose at least one program to export for.")]
    NoProgram,
    #[error("Choose 1 to {most} clips to export.")]
    HowManyToExport { most: usize },
    #[error(
        "This clip was made before Limber kept what exports are made of. Save it as GLB, FBX or BVH from its card, or generate it again."
    )]
    NotExportable,
    #[error(
        "The character of this clip cannot be read any more. Generate the clip again with the same prompt and seed."
    )]
    CharacterUnreadable,
    #[error("The file could not be made: {why}.")]
    FileNotMade { why: String },
    #[error(
        "The folder is not there any more. Bring it back or choose another one, then export again."
    )]
    FolderGone,
    #[error("The studio removed this film before it arrived. Render it again.")]
    FilmRemoved,
    #[error("{why} Until then it lies in Limber's folder, among the films.")]
    FilmStays {
        #[schemars(with = "String")]
        why: Box<Told>,
    },
    #[error("A colour is written as #rrggbb, for example #8fb8ff.")]
    NoColour,
    #[error("This computer could not draw the picture. The film itself may still work.")]
    FilmNotDrawn,
    #[error(
        "The studio in use does not have this clip any more. Generate it again, then render it."
    )]
    FilmedClipGone,
    #[error(
        "This desktop did not let Limber hand the clip over. Save it, and open it in the other program."
    )]
    NotHandedOver,
    #[error(
        "This desktop has no program that shows folders. Look for the file where you save files."
    )]
    NoFileManager,
    #[error("Choose 1 to {most} clips to play.")]
    HowManyToPlay { most: usize },
    #[error("Choose a part to play that has at least one frame.")]
    NothingToPlay,
    #[error(
        "The viewer could not open its window. Update the graphics driver, or save the clip and open it in another program."
    )]
    ViewerNotOpened,
    // characters
    #[error("A name has 1 to {most} characters.")]
    LongName { most: usize },
    #[error("This character is not in the studio any more, or it is not yours to change.")]
    CharacterGone,
    #[error("Nothing has moved for ten minutes. Check the connection, then resume.")]
    UploadStalled,
    #[error("The file is not where it was. Put it back and try again, or add it anew.")]
    UploadedFileGone,
    #[error("The file cannot be read. Check that you may open it, then try again.")]
    UploadedFileClosed,
    #[error("The file cannot be read. Check that it is there and that you may open it.")]
    CharacterFileUnreadable,
    #[error("Characters come as FBX, GLB, glTF or VRM files. Export it as one of these.")]
    CharacterFormats,
    #[error("The file is empty. Export the character again.")]
    CharacterFileEmpty,
    #[error("{most} uploads are as many as Limber keeps. Take ended ones off the list first.")]
    MostUploads { most: usize },
    #[error("This upload is not in the list any more.")]
    UploadGone,
    #[error("The upload was cancelled.")]
    UploadCancelled,
    #[error(
        "The upload had to begin anew too often; check that no program is still writing the file, then try again."
    )]
    UploadRestless,
}

/// What Limber was about to do on a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words of each say it all")]
pub enum Doing {
    #[error("bring the clip back")]
    BringBackClip,
    #[error("copy the clip")]
    CopyClip,
    #[error("delete the clip")]
    DeleteClip,
    #[error("empty the bin")]
    EmptyBin,
    #[error("keep the clip")]
    KeepClip,
    #[error("keep the settings")]
    KeepSettings,
    #[error("keep what you began")]
    KeepDraft,
    #[error("keep the tag")]
    KeepTag,
    #[error("note the job")]
    NoteJob,
    #[error("note the upload")]
    NoteUpload,
    #[error("pack the character")]
    PackCharacter,
    #[error("read the clip")]
    ReadClip,
    #[error("read the mail")]
    ReadMail,
    #[error("save the clip")]
    SaveClip,
    #[error("save the diagnostics")]
    SaveDiagnostics,
    #[error("save the film there")]
    SaveFilm,
    #[error("write the file")]
    WriteFile,
}

/// One of the two services that a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words of each say it all")]
pub enum ServiceName {
    #[error("identity service")]
    IdentityService,
    #[error("motion service")]
    MotionService,
}

impl From<Doing> for Told {
    fn from(doing: Doing) -> Self {
        Self::coded(&doing, doing.to_string())
    }
}

impl From<ServiceName> for Told {
    fn from(service: ServiceName) -> Self {
        Self::coded(&service, service.to_string())
    }
}

/// Words that stand in a sentence are told as it is: every language has its own.
fn as_told<S: Serializer>(
    words: &(impl Copy + Into<Told>),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let told: Told = (*words).into();
    told.serialize(serializer)
}
