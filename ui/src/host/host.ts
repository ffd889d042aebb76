import type { AccountHost } from "./account-host";
import type {
  Backdrop,
  CharacterView,
  ClipDetails,
  ClipPart,
  ClipView,
  CorrectionLayer,
  Draft,
  EditRequest,
  ErrorCode,
  ExportOutcome,
  ExportProgress,
  ExportRequest,
  JobView,
  KeyPressed,
  Language,
  LanguageChoice,
  LanguageModelEntry,
  LanguageModelReading,
  LinkOutcome,
  LoopGap,
  MailView,
  MailText,
  Picture,
  PromptCheck,
  PromptDraft,
  PromptRequest,
  RenderRequest,
  RigView,
  SaveFormat,
  Saved,
  ServerCheck,
  ServerEntry,
  SessionState,
  SettingsView,
  Snapshot,
  Span,
  StorageView,
  StudioState,
  Theme,
  TimelineRate,
  MessageView,
  UploadView,
  ViewerLayer,
  ViewerView,
  Vocabulary,
} from "./bindings";
import { t, type MessageText } from "../texts";

export type * from "./account-host";
export type * from "./bindings";

/** An error to be shown: the app's, or one of the window itself. */
export interface AppError {
  code: ErrorCode;
  message: MessageText;
  detail?: string | null;
}

/** Events that the app sends to the window. */
export interface Listener {
  studio(state: StudioState): void;
  session(state: SessionState): void;
  job(job: JobView): void;
  /** The clips with these ids were added, deleted or changed. */
  library(ids: string[]): void;
  mail(): void;
  /** What the viewer window shows; null if it is closed. */
  viewer(shown: ViewerView | null): void;
  /** A shortcut of this window was pressed in the viewer. */
  pressed(key: KeyPressed): void;
  /** A link opened the app. */
  link(outcome: LinkOutcome): void;
  /** Something started outside the window, such as a link, failed. */
  problem(error: AppError): void;
  /** An upload changed. On `done`, call `characters()` again. */
  upload(upload: UploadView): void;
  /**
   * Files are dragged over the window (true), or no longer (false). The app itself uploads dropped
   * files: the window shows the drop target while `true`, and receives `upload` afterwards.
   */
  dragging(over: boolean): void;
  /** An export starts its next file. */
  exporting(progress: ExportProgress): void;
  /** A video was saved. */
  saved(video: Saved): void;
  /** A video could not be saved to the chosen place; `showPlace` shows where it is instead. */
  stranded(error: AppError, place: number): void;
}

/** The interface to the host: the desktop app, or a fake in a browser. */
export interface Host {
  snapshot(): Promise<Snapshot>;
  /** Restarts the studio after a failure. */
  startStudio(): Promise<void>;
  readonly accounts: AccountHost;
  characters(): Promise<CharacterView[]>;
  /** Submits a job if it costs at most `agreed` credits, as do the other requests with `agreed`. */
  submitPrompt(request: PromptRequest, agreed: number): Promise<JobView>;
  /** Submits the request of a failed job again. */
  retryJob(id: string, agreed: number): Promise<JobView>;
  retryPrice(id: string): Promise<number>;
  cancelJob(id: string): Promise<void>;
  /** Accepts the price of the results and fetches them. */
  payForJob(id: string): Promise<void>;
  jobs(): Promise<JobView[]>;
  clips(): Promise<ClipView[]>;
  /** Those of these clips that are in the library, newest first. */
  clipsOf(ids: string[]): Promise<ClipView[]>;
  /** A large image of one frame of a clip, as data URL. */
  clipStill(id: string, frame: number): Promise<string>;
  playClips(ids: string[]): Promise<void>;
  /** Asks where to save a clip; null if the dialog was cancelled. */
  saveClip(id: string, format: SaveFormat): Promise<Saved | null>;
  editClip(request: EditRequest, agreed: number): Promise<JobView>;
  /** The price of an edit in credits. */
  editPrice(request: EditRequest): Promise<number>;
  clipDetails(id: string): Promise<ClipDetails>;
  /** How well a part of a clip loops; fast enough to be called during a drag. */
  loopGap(part: ClipPart): Promise<LoopGap>;
  /** The correction layers of a clip, the topmost last. */
  corrections(id: string): Promise<CorrectionLayer[]>;
  /** Replaces them; returns messages about what the clip's character cannot show. */
  keepCorrections(id: string, layers: CorrectionLayer[]): Promise<MessageView[]>;
  /** Saves the draft of a clip; null deletes it. */
  keepDraft(id: string, draft: Draft | null): Promise<void>;
  /**
   * Asks for a folder and exports into it; null if the dialog was cancelled. The event `exporting`
   * announces each file.
   */
  exportClips(request: ExportRequest): Promise<ExportOutcome | null>;
  /** Stops the current export, which then returns what is already written. */
  cancelExport(): Promise<void>;
  /** Shows in the file manager where something was saved or exported. */
  showPlace(place: number): Promise<void>;
  /** Hands files of this format to the pointer for other programs; call it during a drag. */
  dragClips(ids: string[], format: SaveFormat): Promise<void>;
  /** Moves clips to the trash, from which `restoreClips` restores them. */
  deleteClips(ids: string[]): Promise<void>;
  restoreClips(ids: string[]): Promise<void>;
  /** Adds or removes a tag. */
  tagClips(ids: string[], tag: string, wanted: boolean): Promise<void>;
  /** Renames a clip; an empty name restores its prompt as title. */
  renameClip(id: string, name: string): Promise<void>;
  viewerSeek(frame: number): Promise<void>;
  viewerPlay(playing: boolean): Promise<void>;
  viewerPlayBackwards(): Promise<void>;
  viewerShow(layer: ViewerLayer, enabled: boolean): Promise<void>;
  /** Selects which of the clips in the viewer is compared, by index from 1. */
  viewerCompare(place: number): Promise<void>;
  /** 0.1 to 2; 1 is the clip's own speed. */
  viewerSpeed(factor: number): Promise<void>;
  viewerInPlace(enabled: boolean): Promise<void>;
  /** Moves the camera so that everything is visible. */
  viewerFrameAll(): Promise<void>;
  /** Switches the viewer between the light and the dark studio. */
  viewerTheme(light: boolean): Promise<void>;
  viewerLoop(enabled: boolean): Promise<void>;
  /** Limits playback to a part; null for everything, the default when other clips are shown. */
  viewerRange(part: Span | null): Promise<void>;
  promptHistory(): Promise<string[]>;
  mails(): Promise<MailView[]>;
  readMail(id: string): Promise<MailText>;
  openMailLink(id: string, index: number): Promise<LinkOutcome>;
  setTheme(theme: Theme): Promise<SettingsView>;
  /** Sets the frame rate in which timelines count. */
  setTimelineRate(rate: TimelineRate): Promise<SettingsView>;
  /** Replaces the custom shortcuts, by command; see `SettingsView`. */
  setShortcuts(shortcuts: SettingsView["shortcuts"]): Promise<SettingsView>;
  /** Saves the chosen language, and the one that the window uses as a result. */
  setLanguage(wanted: LanguageChoice, spoken: Language): Promise<SettingsView>;
  workHere(): Promise<SettingsView>;
  workOnServer(entry: ServerEntry): Promise<SettingsView>;
  /** Connects the user's own language model, without contacting it. */
  connectLanguageModel(entry: LanguageModelEntry): Promise<SettingsView>;
  /** Removes it and its key. */
  forgetLanguageModel(): Promise<SettingsView>;
  /** Lets it read a short sentence, without saving anything. Null if it was stopped. */
  testLanguageModel(entry: LanguageModelEntry): Promise<LanguageModelReading | null>;
  /** Lets it read a prompt, without submitting anything. Null if it was stopped. */
  readWithLanguageModel(prompt: string): Promise<LanguageModelReading | null>;
  stopLanguageModel(): Promise<void>;
  openFolder(): Promise<void>;
  /** Confirms that everything is saved, for a window that is about to close. */
  handedOver(): Promise<void>;
  /** Opens the file dialog (several files) and starts to upload; empty if it was cancelled. */
  pickCharacters(): Promise<UploadView[]>;
  uploads(): Promise<UploadView[]>;
  pauseUpload(id: string): Promise<void>;
  resumeUpload(id: string): Promise<void>;
  /** Cancels an upload in progress, removes an ended one from the list. */
  dismissUpload(id: string): Promise<void>;
  renameCharacter(id: string, name: string): Promise<void>;
  deleteCharacter(id: string): Promise<void>;
  characterRig(id: string): Promise<RigView>;
  /** Maps bones to joints, null for none; bones that are left out keep their mapping. */
  mapCharacter(id: string, joints: Record<string, string | null>): Promise<RigView>;
  /** Plays a short test motion with the character in the viewer. */
  testCharacter(id: string): Promise<void>;
  /**
   * Reads a prompt without generating anything; fast enough to be called while typing (debounce by
   * 250 ms).
   */
  checkPrompt(request: PromptRequest): Promise<PromptCheck>;
  /** The vocabulary of prompts for builder chips. Loaded once. */
  vocabulary(): Promise<Vocabulary>;
  /** Favourite prompts, newest first. */
  favourites(): Promise<string[]>;
  setFavourite(prompt: string, favourite: boolean): Promise<string[]>;
  /** Saves the prompt draft, which the next snapshot contains, also after a restart. */
  keepDesk(draft: PromptDraft): Promise<void>;
  /** The account's balance; null if nothing is charged (this computer). */
  balance(): Promise<number | null>;
  backdrops(): Promise<Backdrop[]>;
  /**
   * A preview image of the video, as data URL, at most 640 pixels wide. `frame` is that of the
   * clip.
   */
  videoStill(request: RenderRequest, frame: number): Promise<string>;
  /** The price of the video in credits; 0 if nothing is charged. */
  videoPrice(request: RenderRequest): Promise<number>;
  /**
   * Asks where to save, then submits the video job; null if the dialog was cancelled. The job is
   * queued like others; when it is done, the file is at the chosen place and the event `saved` is
   * sent.
   */
  renderVideo(request: RenderRequest, agreed: number): Promise<JobView | null>;
  /** Asks both services at these addresses to identify themselves; takes at most 10 s. */
  checkServer(entry: ServerEntry): Promise<ServerCheck>;
  storage(): Promise<StorageView>;
  /** Deletes the contents of the trash permanently. */
  emptyBin(): Promise<StorageView>;
  /**
   * Asks where to save a diagnostics file: versions, settings and the end of the log, without
   * secrets, prompts or addresses. Null if the dialog was cancelled.
   */
  saveDiagnostics(): Promise<Saved | null>;
  binnedClips(): Promise<ClipView[]>;
  listen(listener: Listener): Promise<() => void>;
}

/** An error described by the app: what happened, to what, and what to do now. */
export class HostError extends Error {
  readonly code: AppError["code"];
  readonly detail: string | null;
  /** The message, translated when it is shown. */
  readonly userMessage: MessageText;

  constructor(error: AppError) {
    super(typeof error.message === "string" ? error.message : error.message.text);
    this.code = error.code;
    this.userMessage = error.message;
    this.detail = error.detail ?? null;
  }
}

/** Converts anything thrown to an error that can be shown. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof HostError) {
    return { code: thrown.code, message: thrown.userMessage, detail: thrown.detail };
  }
  return {
    code: "internal",
    message: t("shared.wentWrong"),
    detail: thrown instanceof Error ? thrown.message : String(thrown),
  };
}
