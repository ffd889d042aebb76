// placeholder, replaced by the generated file
export type AppError = { code: ErrorCode; message: string; detail: string | null };
export type ErrorCode =
  | "studioNotReady" | "studioFailed" | "folderNotWritable" | "alreadyOpen" | "databaseVersion" | "databaseMissing"
  | "signInRefused" | "signedOut" | "badInput" | "unknownAction" | "serviceUnreachable" | "serviceRefused"
  | "notFound" | "jobFailed" | "fileDamaged" | "diskFull" | "diskRefused" | "viewerFailed" | "internal";
export type StepState = "waiting" | "working" | "done" | "failed";
export type StartStep = { id: string; words: string; state: StepState };
export type StudioState =
  | { state: "starting"; steps: StartStep[] }
  | { state: "ready" }
  | { state: "failed"; steps: StartStep[]; error: AppError };
export type Place = "thisComputer" | "server";
export type Who = { email: string | null; anonymous: boolean };
export type SessionState =
  | { state: "unknown" }
  | { state: "signedOut" }
  | { state: "signedIn"; who: Who; remembered: boolean };
export type JobState =
  | { state: "waiting"; place: number }
  | { state: "working"; percent: number }
  | { state: "retrying"; reason: string }
  | { state: "fetching" }
  | { state: "done" }
  | { state: "failed"; error: AppError }
  | { state: "cancelled" };
export type JobShown = {
  id: string; prompt: string; characterId: string; characterName: string;
  variants: number; madeAt: string; warnings: string[]; state: JobState;
};
export type ClipShown = {
  id: string; jobId: string; variant: number; variants: number; prompt: string;
  characterId: string; characterName: string; seconds: number | null; frames: number; fps: number;
  seed: string | null; madeAt: string; formats: SaveFormat[]; hasPicture: boolean;
};
export type SaveFormat = "glb" | "bvh";
export type Picture = { dataUrl: string; columns: number; rows: number; frames: number; fps: number };
export type CharacterShown = { id: string; name: string; picture: string | null };
export type PromptRequest = {
  prompt: string; characterId: string; seconds: number | null; variants: number; seed: string | null;
};
export type MailShown = { id: string; from: string; to: string; subject: string; receivedAt: string; unread: boolean };
export type MailText = { mail: MailShown; text: string; links: MailLink[] };
export type MailLink = { index: number; words: string };
export type Theme = "system" | "dark" | "light";
export type ServerShown = { identityUrl: string; motionUrl: string; clientId: string; hasSecret: boolean };
export type SettingsShown = { theme: Theme; place: Place; server: ServerShown | null; secretsKept: boolean };
export type ServerEntry = { identityUrl: string; motionUrl: string; clientId: string; clientSecret: string | null };
export type SignUpOutcome = "signedIn" | "confirmByMail";
export type Snapshot = { studio: StudioState; session: SessionState; settings: SettingsShown; version: string };
export type Result<T, E> = { status: "ok"; data: T } | { status: "error"; error: E };
