import { invoke } from "@tauri-apps/api/core";
import { listen, type Event } from "@tauri-apps/api/event";
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
  characterId: string; characterName: string; frames: number; fps: number;
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

async function ask<T>(name: string, args: Record<string, unknown>): Promise<Result<T, AppError>> {
  try { return { status: "ok", data: await invoke<T>(name, args) }; } catch (e) { if (e instanceof Error) throw e; return { status: "error", error: e as AppError }; }
}
export const commands = {
  snapshot: () => ask<Snapshot>("snapshot", {  }),
  startStudio: () => ask<null>("start_studio", {  }),
  continueHere: () => ask<null>("continue_here", {  }),
  signUp: (email: string, password: string) => ask<SignUpOutcome>("sign_up", { email, password }),
  signIn: (email: string, password: string) => ask<null>("sign_in", { email, password }),
  signOut: () => ask<null>("sign_out", {  }),
  characters: () => ask<CharacterShown[]>("characters", {  }),
  submitPrompt: (request: PromptRequest) => ask<JobShown>("submit_prompt", { request }),
  cancelJob: (id: string) => ask<null>("cancel_job", { id }),
  jobs: () => ask<JobShown[]>("jobs", {  }),
  clips: () => ask<ClipShown[]>("clips", {  }),
  clipPicture: (id: string) => ask<Picture | null>("clip_picture", { id }),
  playClips: (ids: string[]) => ask<null>("play_clips", { ids }),
  saveClip: (id: string, format: SaveFormat) => ask<string | null>("save_clip", { id, format }),
  promptHistory: () => ask<string[]>("prompt_history", {  }),
  mails: () => ask<MailShown[]>("mails", {  }),
  readMail: (id: string) => ask<MailText>("read_mail", { id }),
  openMailLink: (id: string, index: number) => ask<null>("open_mail_link", { id, index }),
  setTheme: (theme: Theme) => ask<SettingsShown>("set_theme", { theme }),
  workHere: () => ask<SettingsShown>("work_here", {  }),
  workOnServer: (entry: ServerEntry) => ask<SettingsShown>("work_on_server", { entry }),
  openFolder: () => ask<null>("open_folder", {  }),
};
const on = <T>(name: string) => ({ listen: (h: (e: Event<T>) => void) => listen<T>(name, h) });
export const events = {
  studioChanged: on<StudioState>("studio-changed"),
  sessionChanged: on<SessionState>("session-changed"),
  jobChanged: on<JobShown>("job-changed"),
  libraryChanged: on<null>("library-changed"),
  mailCame: on<null>("mail-came"),
  problemMet: on<AppError>("problem-met"),
};
