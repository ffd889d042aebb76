import type {
  AppError,
  CharacterShown,
  ClipShown,
  JobShown,
  MailShown,
  MailText,
  Picture,
  PromptRequest,
  SaveFormat,
  ServerEntry,
  SessionState,
  SettingsShown,
  SignUpOutcome,
  Snapshot,
  StudioState,
  Theme,
} from "./bindings";

export type * from "./bindings";

/** What the app tells the screen without being asked. */
export interface Listener {
  studio(state: StudioState): void;
  session(state: SessionState): void;
  job(job: JobShown): void;
  library(): void;
  mail(): void;
  /** Something that was begun outside the window, such as a link, did not work. */
  problem(error: AppError): void;
}

/** Everything the interface asks of what it runs in: the desktop window, or a fake in a browser. */
export interface Host {
  snapshot(): Promise<Snapshot>;
  /** Starts the studio again after a failure. */
  startStudio(): Promise<void>;
  continueHere(): Promise<void>;
  signUp(email: string, password: string): Promise<SignUpOutcome>;
  signIn(email: string, password: string): Promise<void>;
  signOut(): Promise<void>;
  characters(): Promise<CharacterShown[]>;
  submitPrompt(request: PromptRequest): Promise<JobShown>;
  cancelJob(id: string): Promise<void>;
  jobs(): Promise<JobShown[]>;
  clips(): Promise<ClipShown[]>;
  clipPicture(id: string): Promise<Picture | null>;
  playClips(ids: string[]): Promise<void>;
  /** Answers the name the clip was saved under, or null when the dialog was closed. */
  saveClip(id: string, format: SaveFormat): Promise<string | null>;
  promptHistory(): Promise<string[]>;
  mails(): Promise<MailShown[]>;
  readMail(id: string): Promise<MailText>;
  openMailLink(id: string, index: number): Promise<void>;
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
