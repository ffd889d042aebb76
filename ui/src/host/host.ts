import type { AccountHost } from "./account-host";
import type {
  Backdrop,
  CharacterShown,
  ClipDetails,
  ClipPart,
  ClipShown,
  CorrectionLayer,
  Draft,
  EditRequest,
  ErrorCode,
  ExportOutcome,
  ExportProgress,
  ExportRequest,
  FilmRequest,
  JobShown,
  KeyPressed,
  Language,
  LanguageChoice,
  LanguageModelEntry,
  LanguageModelReading,
  LinkOutcome,
  LoopGap,
  MailShown,
  MailText,
  Picture,
  PromptCheck,
  PromptDraft,
  PromptRequest,
  RigShown,
  SaveFormat,
  Saved,
  ServerCheck,
  ServerEntry,
  SessionState,
  SettingsShown,
  Snapshot,
  Span,
  StorageShown,
  StudioState,
  Theme,
  TimelineRate,
  Told,
  UploadShown,
  ViewerLayer,
  ViewerShown,
  Vocabulary,
} from "./bindings";
import { t, type Words } from "../texts";

export type * from "./account-host";
export type * from "./bindings";

/** A failure as it is shown: the app's, or one of the window itself. */
export interface AppError {
  code: ErrorCode;
  message: Words;
  detail?: string | null;
}

/** What the app tells the screen without being asked. */
export interface Listener {
  studio(state: StudioState): void;
  session(state: SessionState): void;
  job(job: JobShown): void;
  /** The clips with these ids came, went or are filed otherwise. */
  library(ids: string[]): void;
  mail(): void;
  /** What the viewer window shows; null when it is closed. */
  viewer(shown: ViewerShown | null): void;
  /** A key of this window's was pressed in the viewer's. */
  pressed(key: KeyPressed): void;
  /** A link led into the app. */
  link(outcome: LinkOutcome): void;
  /** Something that was begun outside the window, such as a link, did not work. */
  problem(error: AppError): void;
  /** An upload changed. `done` means: ask for `characters()` again. */
  upload(upload: UploadShown): void;
  /**
   * Files are held over the window (true), or no longer (false). Files that are let go are uploaded by
   * the app itself: the screen shows the target while `true`, and hears `upload` afterwards.
   */
  dragging(over: boolean): void;
  /** An export comes to its next file. */
  exporting(progress: ExportProgress): void;
  /** A film was saved. */
  saved(film: Saved): void;
  /** A film could not be saved where somebody wanted it; `showPlace` shows where it lies instead. */
  stranded(error: AppError, place: number): void;
}

/** Everything the interface asks of what it runs in: the desktop window, or a fake in a browser. */
export interface Host {
  snapshot(): Promise<Snapshot>;
  /** Starts the studio again after a failure. */
  startStudio(): Promise<void>;
  readonly accounts: AccountHost;
  characters(): Promise<CharacterShown[]>;
  /** Hands it in when it costs no more credits than `agreed`, as the two below. */
  submitPrompt(request: PromptRequest, agreed: number): Promise<JobShown>;
  /** Hands in once more what a job was asked for that made nothing. */
  retryJob(id: string, agreed: number): Promise<JobShown>;
  retryPrice(id: string): Promise<number>;
  cancelJob(id: string): Promise<void>;
  /** Agrees to the price of the results and has them brought in. */
  payForJob(id: string): Promise<void>;
  jobs(): Promise<JobShown[]>;
  clips(): Promise<ClipShown[]>;
  /** Those of these clips that are in the library, newest first. */
  clipsOf(ids: string[]): Promise<ClipShown[]>;
  /** One frame of a clip, large, as data URL. */
  clipStill(id: string, frame: number): Promise<string>;
  playClips(ids: string[]): Promise<void>;
  /** Asks where to save a clip; null when the dialog was closed. */
  saveClip(id: string, format: SaveFormat): Promise<Saved | null>;
  editClip(request: EditRequest, agreed: number): Promise<JobShown>;
  /** Credits that a change would cost. */
  editPrice(request: EditRequest): Promise<number>;
  clipDetails(id: string): Promise<ClipDetails>;
  /** How well a part closes when it goes round; quick enough to follow a pointer. */
  loopGap(part: ClipPart): Promise<LoopGap>;
  /** The layers of corrections by hand that a clip is seen with, the topmost last. */
  corrections(id: string): Promise<CorrectionLayer[]>;
  /** Replaces them; answers what of them the clip's character cannot show. */
  keepCorrections(id: string, layers: CorrectionLayer[]): Promise<Told[]>;
  /** Keeps with the clip what somebody began to change; null forgets it. */
  keepDraft(id: string, draft: Draft | null): Promise<void>;
  /**
   * Asks for a folder and writes into it; null when the dialog was closed. Each file is told before it
   * is begun, by the event `exporting`.
   */
  exportClips(request: ExportRequest): Promise<ExportOutcome | null>;
  /** Stops the export that was begun last, which then answers what is written already. */
  cancelExport(): Promise<void>;
  /** Shows in the file manager where something was saved or exported. */
  showPlace(place: number): Promise<void>;
  /** To be called while the pointer drags them: hands files of this format to it, for other programs. */
  dragClips(ids: string[], format: SaveFormat): Promise<void>;
  /** Into the bin, out of which `restoreClips` brings them back. */
  deleteClips(ids: string[]): Promise<void>;
  restoreClips(ids: string[]): Promise<void>;
  /** Files clips under a tag, or takes it from them. */
  tagClips(ids: string[], tag: string, wanted: boolean): Promise<void>;
  /** Calls a clip so, in the place of its prompt; without words it goes by its prompt again. */
  renameClip(id: string, name: string): Promise<void>;
  viewerSeek(frame: number): Promise<void>;
  viewerPlay(playing: boolean): Promise<void>;
  viewerPlayBackwards(): Promise<void>;
  viewerShow(layer: ViewerLayer, enabled: boolean): Promise<void>;
  /** Which of the clips in the viewer is B, from 1. */
  viewerCompare(place: number): Promise<void>;
  /** 0.1 to 2; 1 is the clip's own. */
  viewerSpeed(factor: number): Promise<void>;
  viewerInPlace(enabled: boolean): Promise<void>;
  /** Has the camera see everything. */
  viewerFrameAll(): Promise<void>;
  /** Which studio surrounds the viewer's bodies. */
  viewerTheme(light: boolean): Promise<void>;
  viewerLoop(enabled: boolean): Promise<void>;
  /** Which part the viewer plays; null for everything, as it does when it shows other clips. */
  viewerRange(part: Span | null): Promise<void>;
  promptHistory(): Promise<string[]>;
  mails(): Promise<MailShown[]>;
  readMail(id: string): Promise<MailText>;
  openMailLink(id: string, index: number): Promise<LinkOutcome>;
  setTheme(theme: Theme): Promise<SettingsShown>;
  /** What timelines count in. */
  setTimelineRate(rate: TimelineRate): Promise<SettingsShown>;
  /** Replaces the keys that somebody chose, by what they do; see `SettingsShown`. */
  setShortcuts(shortcuts: SettingsShown["shortcuts"]): Promise<SettingsShown>;
  /** Keeps which language somebody wants, and which one the window speaks for that. */
  setLanguage(wanted: LanguageChoice, spoken: Language): Promise<SettingsShown>;
  workHere(): Promise<SettingsShown>;
  workOnServer(entry: ServerEntry): Promise<SettingsShown>;
  /** Connects a language model of somebody's own, which is not contacted by that. */
  connectLanguageModel(entry: LanguageModelEntry): Promise<SettingsShown>;
  /** Forgets it and its key. */
  forgetLanguageModel(): Promise<SettingsShown>;
  /** Has it read a short sentence; keeps nothing. Null when it was stopped. */
  testLanguageModel(entry: LanguageModelEntry): Promise<LanguageModelReading | null>;
  /** Has it read a prompt, and hands nothing in. Null when it was stopped. */
  readWithLanguageModel(prompt: string): Promise<LanguageModelReading | null>;
  stopLanguageModel(): Promise<void>;
  openFolder(): Promise<void>;
  /** Says that what was begun here is kept, for a window that is about to close. */
  handedOver(): Promise<void>;
  /** Opens the file dialog (several files) and begins to upload what was chosen; [] when it was closed. */
  pickCharacters(): Promise<UploadShown[]>;
  uploads(): Promise<UploadShown[]>;
  pauseUpload(id: string): Promise<void>;
  resumeUpload(id: string): Promise<void>;
  /** Cancels one that is under way, takes an ended one off the list. */
  dismissUpload(id: string): Promise<void>;
  renameCharacter(id: string, name: string): Promise<void>;
  deleteCharacter(id: string): Promise<void>;
  characterRig(id: string): Promise<RigShown>;
  /** Bones and the joints a person chose for them, null for none; those that are left out stay as they were found. */
  mapCharacter(id: string, joints: Record<string, string | null>): Promise<RigShown>;
  /** Moves the character through a short test motion in the viewer. */
  testCharacter(id: string): Promise<void>;
  /**
   * Understands a prompt without making anything; quick enough to be asked while somebody types
   * (debounce by 250 ms).
   */
  checkPrompt(request: PromptRequest): Promise<PromptCheck>;
  /** The words prompts are made of, for builder chips. Asked once. */
  vocabulary(): Promise<Vocabulary>;
  /** Prompts somebody marked as favourites, newest first. */
  favourites(): Promise<string[]>;
  setFavourite(prompt: string, favourite: boolean): Promise<string[]>;
  /** Keeps what stands in the prompt box; the next snapshot has it, also after a restart. */
  keepDesk(desk: PromptDraft): Promise<void>;
  /** What is left on the account; null where nothing is charged (this computer). */
  balance(): Promise<number | null>;
  backdrops(): Promise<Backdrop[]>;
  /** One picture of the film, as data URL, at most 640 pixels wide. `frame` counts in the clip. */
  filmStill(request: FilmRequest, frame: number): Promise<string>;
  /** Credits that the film would cost; 0 where nothing is charged. */
  filmPrice(request: FilmRequest): Promise<number>;
  /**
   * Asks where to save, then hands the film in; null when the dialog was closed. The job stands in
   * the queue like others; when it is done the file lies where it was asked for (a toast says so by
   * the event `saved`).
   */
  makeFilm(request: FilmRequest, agreed: number): Promise<JobShown | null>;
  /** Asks both services at these addresses who they are; takes at most 10 s. */
  checkServer(entry: ServerEntry): Promise<ServerCheck>;
  storage(): Promise<StorageShown>;
  /** Removes for good what lies in the bin. */
  emptyBin(): Promise<StorageShown>;
  /**
   * Asks where to save a file that helps others to help: versions, settings, the end of the log; no
   * secrets, prompts or addresses. Null when the dialog was closed.
   */
  saveDiagnostics(): Promise<Saved | null>;
  binnedClips(): Promise<ClipShown[]>;
  listen(listener: Listener): Promise<() => void>;
}

/** A failure the app described: what happened, to what, what now. */
export class HostError extends Error {
  readonly code: AppError["code"];
  readonly detail: string | null;
  /** What happened, in whatever language is spoken when it is shown. */
  readonly told: Words;

  constructor(error: AppError) {
    super(typeof error.message === "string" ? error.message : error.message.text);
    this.code = error.code;
    this.told = error.message;
    this.detail = error.detail ?? null;
  }
}

/** Any thrown thing as an error that can be shown. */
export function shownError(thrown: unknown): AppError {
  if (thrown instanceof HostError) {
    return { code: thrown.code, message: thrown.told, detail: thrown.detail };
  }
  return {
    code: "internal",
    message: t("shared.wentWrong"),
    detail: thrown instanceof Error ? thrown.message : String(thrown),
  };
}
