import type { AccountHost } from "./account-host";
import type {
  AppError,
  CharacterShown,
  ClipDetails,
  ClipShown,
  Draft,
  EditRequest,
  ExportOutcome,
  ExportRequest,
  JobShown,
  LinkOutcome,
  MailShown,
  MailText,
  Picture,
  PromptRequest,
  SaveFormat,
  ServerEntry,
  SessionState,
  SettingsShown,
  Snapshot,
  StudioState,
  Theme,
  ViewerShown,
} from "./bindings";

export type * from "./account-host";
export type * from "./bindings";

/** What the app tells the screen without being asked. */
export interface Listener {
  studio(state: StudioState): void;
  session(state: SessionState): void;
  job(job: JobShown): void;
  library(): void;
  mail(): void;
  /** What the viewer window shows; null when it is closed. */
  viewer(shown: ViewerShown | null): void;
  /** A link led into the app. */
  link(outcome: LinkOutcome): void;
  /** Something that was begun outside the window, such as a link, did not work. */
  problem(error: AppError): void;
}

/** Everything the interface asks of what it runs in: the desktop window, or a fake in a browser. */
export interface Host {
  snapshot(): Promise<Snapshot>;
  /** Starts the studio again after a failure. */
  startStudio(): Promise<void>;
  readonly accounts: AccountHost;
  characters(): Promise<CharacterShown[]>;
  submitPrompt(request: PromptRequest): Promise<JobShown>;
  cancelJob(id: string): Promise<void>;
  /** Agrees to the price of the results and has them brought in. */
  payForJob(id: string): Promise<void>;
  jobs(): Promise<JobShown[]>;
  clips(): Promise<ClipShown[]>;
  clipPicture(id: string): Promise<Picture | null>;
  playClips(ids: string[]): Promise<void>;
  /** Answers the name the clip was saved under, or null when the dialog was closed. */
  saveClip(id: string, format: SaveFormat): Promise<string | null>;
  editClip(request: EditRequest): Promise<JobShown>;
  clipDetails(id: string): Promise<ClipDetails>;
  /** Keeps with the clip what somebody began to change; null forgets it. */
  keepDraft(id: string, draft: Draft | null): Promise<void>;
  /** Asks for a folder and writes into it; null when the dialog was closed. */
  exportClips(request: ExportRequest): Promise<ExportOutcome | null>;
  /** Shows the folder of the last export in the file manager. */
  showExported(): Promise<void>;
  /** Into the bin, out of which `restoreClips` brings them back. */
  deleteClips(ids: string[]): Promise<void>;
  restoreClips(ids: string[]): Promise<void>;
  viewerSeek(frame: number): Promise<void>;
  viewerPlay(playing: boolean): Promise<void>;
  /** 0.1 to 2; 1 is the clip's own. */
  viewerSpeed(factor: number): Promise<void>;
  viewerLoop(enabled: boolean): Promise<void>;
  promptHistory(): Promise<string[]>;
  mails(): Promise<MailShown[]>;
  readMail(id: string): Promise<MailText>;
  openMailLink(id: string, index: number): Promise<LinkOutcome>;
  setTheme(theme: Theme): Promise<SettingsShown>;
  workHere(): Promise<SettingsShown>;
  workOnServer(entry: ServerEntry): Promise<SettingsShown>;
  openFolder(): Promise<void>;
  listen(listener: Listener): Promise<() => void>;
}

/** A failure the app described: what happened, to what, what now. */
export class HostError extends Error {
  readonly code: AppError["code"];
  readonly detail: string | null;

  constructor(error: AppError) {
    super(error.message);
    this.code = error.code;
    this.detail = error.detail ?? null;
  }
}

/** Any thrown thing as an error that can be shown. */
export function shownError(thrown: unknown): AppError {
  if (thrown instanceof HostError) {
    return { code: thrown.code, message: thrown.message, detail: thrown.detail };
  }
  return {
    code: "internal",
    message: "Something in Limber went wrong. Nothing you made was lost. Try again, or restart Limber.",
    detail: thrown instanceof Error ? thrown.message : String(thrown),
  };
}
