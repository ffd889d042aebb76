import type {
  AppError,
  ClipDetails,
  ClipPart,
  ClipView,
  ErrorCode,
  ExportOutcome,
  ExportProgress,
  ExportRequest,
  Host,
  JobView,
  KeyPressed,
  LinkOutcome,
  MailView,
  PromptRequest,
  ProviderView,
  SaveFormat,
  Saved,
  SessionState,
  SettingsView,
  StorageView,
  StudioState,
  ViewerLayer,
  ViewerView,
} from "../host";
import { toAppError } from "../host";
import { isActive } from "../features/jobs/job-state";
import { LibraryView } from "../features/library/library-view.svelte";
import { PromptForm } from "../features/prompt/prompt-form.svelte";
import { Latest, merged, UpdateTracker } from "../shared/latest";
import { afterSaves } from "../shared/auto-saver";
import { CharacterStore } from "./character-store.svelte";
import { applyClipChanges } from "./clips";
import { confirmCancelAfterMs, ProcessingTimer, addJob } from "./jobs";
import { Toasts, type ToastAction, type ToastContent, type Toast } from "./toasts.svelte";
import { messageText, language, t, type Language, type LanguageChoice } from "../texts";

/** The pages in the order of the navigation rail. */
export const pages = ["studio", "library", "characters", "queue", "account", "settings"] as const;
export type PageId = (typeof pages)[number];

/** What is open at the start: a page, the clip at this index in the editor, the language. */
export type StartOptions = { page?: PageId; edit?: number; language?: LanguageChoice };

/** A clip with the trim that was set for it. */
export type TrimmedClip = { clip: ClipView; part: ClipPart };
/** What the export dialog was opened for. */
export type ExportSelection = { clips: TrimmedClip[]; inPlace: boolean };

function trimmedPart(id: string, { draft }: ClipDetails): ClipPart {
  return { id, trimLeft: draft?.trimLeft ?? 0, trimRight: draft?.trimRight ?? 0 };
}

/** Errors caused by an unavailable studio. */
const studioUnavailableCodes: ReadonlySet<ErrorCode> = new Set(["studioNotReady", "studioFailed", "serviceUnreachable"]);

/** Limits parallel requests for details when thousands of clips are exported. */
const maxParallelDetails = 32;

/** The state of the interface, kept in sync with the host. */
export class AppState {
  readonly host: Host;
  private readonly start: StartOptions;
  studio = $state<StudioState>({ state: "starting", steps: [] });
  session = $state<SessionState>({ state: "unknown" });
  settings = $state<SettingsView>({
    theme: "dark",
    language: "system",
    spoken: "en",
    timelineRate: "own",
    shortcuts: {},
    place: "thisComputer",
    server: null,
    secretsKept: true,
  });
  version = $state("");
  /** Whether the settings above have been loaded. */
  settingsLoaded = $state(false);
  page = $state<PageId>("studio");
  jobs = $state<JobView[]>([]);
  clips = $state.raw<ClipView[]>([]);
  mails = $state<MailView[]>([]);
  readonly toasts = new Toasts();
  /** The clip that the viewer is about to show. */
  opening = $state<string | null>(null);
  viewer = $state.raw<ViewerView | null>(null);
  /** Called for keys pressed in the viewer window that belong to this window. */
  onpressed: (key: KeyPressed) => void = () => {};
  /** The layers that the viewer shows, or will show when it opens. */
  layers = $state.raw<readonly ViewerLayer[]>(["skin", "grid"]);
  /** The provider whose page is open in the browser. */
  pendingProvider = $state.raw<ProviderView | null>(null);
  exporting = $state.raw<ExportSelection | null>(null);
  /** Progress of the current export; null before its first file. */
  exportProgress = $state.raw<ExportProgress | null>(null);
  /** The clip or part for which the video dialog is open. */
  videoPart = $state.raw<TrimmedClip | null>(null);
  /** The clip that is open in the editor, in place of the page. */
  editing = $state<string | null>(null);
  /** Whether the library is open without a session. */
  browsingSignedOut = $state(false);
  /** Whether the library shows the trash. */
  inTrash = $state(false);
  /** The job whose cancellation needs confirmation. */
  cancelRequestedFor = $state<string | null>(null);
  /** Incremented when the trash is emptied. */
  private timesEmptied = $state(0);
  /** Search, filters and order of the library. */
  readonly libraryView = new LibraryView();
  readonly edited = $derived(this.clips.find((clip) => clip.id === this.editing) ?? null);
  readonly isLocal = $derived(this.settings.place === "thisComputer");
  readonly unread = $derived(this.mails.filter((mail) => mail.unread).length);

  /** Incremented on every change of the session, so that the account is loaded again. */
  sessionRevision = $state(0);
  private readonly processingTimer = new ProcessingTimer();
  private readonly updates = new UpdateTracker();
  private readonly latestJobs = new Latest();
  private readonly latestMails = new Latest();
  /** Reads the library sequentially, so that no answer overtakes a newer one. */
  private libraryQueue = Promise.resolve();
  /** The toast of the link that was followed last. */
  private linkToast: number | null = null;
  readonly characters: CharacterStore;
  readonly prompt: PromptForm;

  constructor(host: Host, start: StartOptions = {}) {
    this.host = host;
    this.start = start;
    this.page = start.page ?? "studio";
    this.prompt = new PromptForm(host, (thrown) => this.notify("bad", toAppError(thrown)));
    language.choose(start.language ?? "system");
    this.characters = new CharacterStore(host, {
      attempt: (work) => this.attempt(work),
      notify: (tone, words) => this.notify(tone, words),
      isPageOpen: () => this.page === "characters" && this.editing === null,
      openPage: () => this.enter("characters"),
    });
  }

  /**
   * Subscribes to events before loading the snapshot, so that none is missed. Events that arrive
   * before the snapshot are newer than it.
   */
  async open(): Promise<() => void> {
    const received = { studio: false, session: false, problems: new Set<string>() };
    const stop = await this.host.listen({
      studio: (studio) => {
        received.studio = true;
        this.studio = studio;
      },
      session: (session) => {
        received.session = true;
        this.sessionChanged(session);
      },
      job: (job) => this.jobChanged(job),
      library: (ids) => this.libraryChanged(ids),
      mail: () => void this.attempt(() => this.loadMail()),
      viewer: (shown) => this.viewerChanged(shown),
      pressed: (key) => this.onpressed(key),
      link: (outcome) => this.linkFollowed(outcome),
      problem: (error) => {
        received.problems.add(messageText(error.message));
        this.pendingProvider = null;
        this.notifyError(error);
      },
      upload: (upload) => this.characters.changed(upload),
      dragging: (over) => (this.characters.dragging = over),
      exporting: (progress) => (this.exportProgress = progress),
      saved: ({ name, place }) =>
        this.notify("good", { message: t("app.toast.videoSaved", { name }), action: this.showInFolder(place) }),
      stranded: (error, place) => this.notify("bad", { ...error, action: this.showInFolder(place) }),
    });
    await this.attempt(async () => {
      const snapshot = await this.host.snapshot();
      this.version = snapshot.version;
      this.settings = snapshot.settings;
      this.prompt.restore(snapshot.desk);
      if (!this.start.language) language.choose(snapshot.settings.language);
      this.settingsLoaded = true;
      if (!received.studio) this.studio = snapshot.studio;
      for (const error of snapshot.problems) if (!received.problems.has(messageText(error.message))) this.notifyError(error);
      await this.loadClips();
      this.editing = this.clips[this.start.edit ?? -1]?.id ?? null;
      if (!received.session) this.sessionChanged(snapshot.session);
    });
    return stop;
  }

  /** Leaves the editor and opens a page. */
  enter(page: PageId): void {
    this.editing = null;
    this.inTrash = false;
    this.page = page;
  }

  /** Opens the library without a session. */
  browse(): void {
    this.enter("library");
    this.browsingSignedOut = true;
  }

  edit(id: string): void {
    this.editing = id;
  }

  /** Closes the newest message, or the trash. Returns whether either was open. */
  closeTopmost(): boolean {
    if (this.toasts.dismissNewest()) return true;
    const wasInTrash = this.inTrash;
    this.inTrash = false;
    return wasInTrash;
  }

  /** Jobs submitted to change this clip, newest first. */
  jobsOf(clip: string): JobView[] {
    return this.jobs.filter((job) => job.madeFrom.includes(clip));
  }

  /** Runs an action of the user; shows a message if it fails. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.notifyError(toAppError(thrown));
    }
  }

  notify(tone: Toast["tone"], received: ToastContent): number {
    return this.toasts.show(tone, received);
  }

  /** Shows why something failed. Failures due to an absent studio disappear once it is ready. */
  private notifyError(error: AppError): void {
    const wasUnavailable = this.studio.state !== "ready" && studioUnavailableCodes.has(error.code);
    this.notify("bad", { ...error, isRelevant: () => !wasUnavailable || this.studio.state !== "ready" });
  }

  async submit(request: PromptRequest, agreed: number): Promise<void> {
    this.jobSubmitted(await this.host.submitPrompt(request, agreed));
    this.prompt.submitted(request.prompt);
  }

  /** Accepts the price of a job's results. */
  pay(id: string): void {
    void this.attempt(() => this.host.payForJob(id));
  }

  /** Cancels a job, after confirmation if much work would be lost. */
  cancel(id: string): void {
    if (this.processingTimer.processedMs(id, Date.now()) > confirmCancelAfterMs) this.cancelRequestedFor = id;
    else void this.attempt(() => this.host.cancelJob(id));
  }

  /**
   * The job to be confirmed for cancellation, while it can be cancelled, with its processing time.
   */
  readonly cancelConfirmation = $derived.by(() => {
    const job = this.jobs.find((each) => each.id === this.cancelRequestedFor);
    return job && isActive(job.state) ? { job, processedMs: this.processingTimer.processedMs(job.id, Date.now()) } : null;
  });

  play(ids: string[]): void {
    if (this.opening !== null) return;
    this.opening = ids[0] ?? null;
    void this.attempt(() => afterSaves(() => this.host.playClips(ids))).then(() => (this.opening = null));
  }

  save(id: string, format: SaveFormat): void {
    void this.attempt(async () => {
      this.notifySaved(await afterSaves(() => this.host.saveClip(id, format)));
    });
  }

  showPlace(place: number): void {
    void this.attempt(() => this.host.showPlace(place));
  }

  private notifySaved(saved: Saved | null): void {
    if (!saved) return;
    this.notify("good", { message: t("app.toast.saved", { name: saved.name }), action: this.showInFolder(saved.place) });
  }

  private showInFolder(place: number): ToastAction {
    return { words: t("shared.showInFolder"), icon: "folder", run: () => this.showPlace(place), expires: true };
  }

  /** Hands files to the pointer while it drags clips. */
  drag(ids: string[], format: SaveFormat): void {
    void this.attempt(() => afterSaves(() => this.host.dragClips(ids, format)));
  }

  /** Opens the export dialog for clips, each with its current trim. */
  async export(ids: string[]): Promise<void> {
    await this.attempt(async () => {
      const parts: ClipPart[] = [];
      let inPlace = true;
      for (let at = 0; at < ids.length; at += maxParallelDetails) {
        const some = ids.slice(at, at + maxParallelDetails);
        const details = await afterSaves(() => Promise.all(some.map((id) => this.host.clipDetails(id))));
        details.forEach((detail, place) => {
          parts.push(trimmedPart(some[place] ?? "", detail));
          inPlace &&= detail.draft?.inPlace ?? false;
        });
      }
      this.exportParts(parts, inPlace);
    });
  }

  exportParts(parts: ClipPart[], inPlace: boolean): void {
    const clips = parts.flatMap((part) => {
      const clip = this.clips.find((each) => each.id === part.id);
      return clip ? [{ clip, part }] : [];
    });
    if (clips.length) this.exporting = { clips, inPlace };
  }

  writeExport(request: ExportRequest): Promise<ExportOutcome | null> {
    this.exportProgress = null;
    return this.host.exportClips(request);
  }

  showTrash(): void {
    this.enter("library");
    this.inTrash = true;
  }

  chooseLanguage(wanted: LanguageChoice): void {
    language.choose(wanted);
    void this.attempt(async () => {
      this.settings = await this.host.setLanguage(wanted, language.now);
    });
  }

  /** Tells the app the language of the window, for texts that it shows itself. */
  reportLanguage(spoken: Language): void {
    if (!this.settingsLoaded || this.settings.spoken === spoken) return;
    void this.attempt(async () => {
      this.settings = await this.host.setLanguage(language.choice, spoken);
    });
  }

  saveDiagnostics(): void {
    void this.attempt(async () => {
      this.notifySaved(await this.host.saveDiagnostics());
    });
  }

  /** Opens the video dialog for a clip with its current trim. */
  async openVideoDialog(id: string): Promise<void> {
    await this.attempt(async () => this.openVideoDialogFor(trimmedPart(id, await afterSaves(() => this.host.clipDetails(id)))));
  }

  openVideoDialogFor(part: ClipPart): void {
    const clip = this.clips.find((each) => each.id === part.id);
    this.videoPart = clip ? { clip, part } : null;
  }

  videoSubmitted(job: JobView): void {
    this.videoPart = null;
    this.jobSubmitted(job);
    const action = { words: t("app.toast.showQueue"), run: () => this.enter("queue") };
    const isRelevant = () => this.jobs.some((each) => each.id === job.id && isActive(each.state));
    this.notify("good", { message: t("app.toast.videoStarted"), action, isRelevant });
  }

  /** Moves clips to the trash and offers to undo that. */
  async delete(ids: string[]): Promise<void> {
    await this.attempt(async () => {
      await this.host.deleteClips(ids);
      const message = t("app.toast.deleted", { count: ids.length });
      const run = () => void this.attempt(() => this.host.restoreClips(ids));
      this.notify("good", { message, action: { words: t("app.toast.undo"), run, undoes: true }, isRelevant: this.canStillRestore(ids) });
    });
  }

  /** Whether clips that were just deleted can still be restored. */
  private canStillRestore(ids: string[]): () => boolean {
    const timesEmptied = this.timesEmptied;
    // the list is updated later
    let haveGone = false;
    return () => {
      const there = new Set(this.clips.map((clip) => clip.id));
      const gone = ids.filter((id) => !there.has(id));
      haveGone ||= gone.length === ids.length;
      return this.timesEmptied === timesEmptied && (!haveGone || gone.length > 0);
    };
  }

  async emptyTrash(): Promise<StorageView> {
    const left = await this.host.emptyBin();
    this.timesEmptied += 1;
    return left;
  }

  /** Submits a job again. Returns the price if it is higher than what was agreed to. */
  async retry(id: string, agreed: number): Promise<number> {
    let price = agreed;
    await this.attempt(async () => {
      price = await this.host.retryPrice(id);
      if (price <= agreed) this.jobSubmitted(await this.host.retryJob(id, agreed));
    });
    return price;
  }

  /** Puts a job's prompt and options into the prompt box. */
  reuse(job: JobView): void {
    this.prompt.reuse(job);
    this.enter("studio");
  }

  async loadMail(): Promise<void> {
    if (this.isLocal) await this.latestMails.run(() => this.host.mails(), (mails) => (this.mails = mails));
  }

  /** Opens a provider's page in the browser and waits for the result. */
  async openProvider(provider: ProviderView): Promise<void> {
    this.pendingProvider = provider;
    await this.attempt(async () => {
      try {
        await this.host.accounts.openProvider(provider.id);
      } catch (thrown) {
        this.pendingProvider = null;
        throw thrown;
      }
    });
  }

  stopWaiting(): void {
    this.pendingProvider = null;
    void this.attempt(() => this.host.accounts.stopWaiting());
  }

  linkFollowed(outcome: LinkOutcome): void {
    this.pendingProvider = null;
    // the question is on the screen already
    if (outcome === "asked") return;
    this.linkToast = this.notify("good", { message: t(`app.toast.${outcome}`) });
  }

  private viewerChanged(shown: ViewerView | null): void {
    this.viewer = shown;
    // an empty list means that nothing was reported yet: something is always shown
    if (shown?.layers.length) this.layers = shown.layers;
  }

  private sessionChanged(session: SessionState): void {
    const inside = session.state === "signedIn";
    // after a start without the server, nothing has been loaded yet
    const entered = inside && (this.session.state !== "signedIn" || !this.characters.all.length);
    // no greeting stays for a session that has ended
    const left = !inside && this.session.state === "signedIn";
    if (left && this.linkToast !== null) this.toasts.dismiss(this.linkToast);
    this.session = session;
    if (inside || session.state === "signedOut") this.sessionRevision += 1;
    void this.attempt(() => this.loadMail());
    if (inside || session.state === "invited") this.browsingSignedOut = false;
    if (entered) void this.attempt(() => this.loadUserData());
    if (session.state === "signedOut" && !this.browsingSignedOut) this.enter("studio");
  }

  private async loadUserData(): Promise<void> {
    const ask = () => this.updates.during(() => this.host.jobs());
    await this.latestJobs.run(ask, (answered) => (this.jobs = merged(this.jobs, answered)));
    for (const job of this.jobs) this.processingTimer.update(job, Date.now());
    void this.attempt(() => this.prompt.load());
    await this.characters.load();
  }

  private loadClips(): Promise<void> {
    return this.readLibrary(async () => {
      this.clips = await this.host.clips();
    });
  }

  private libraryChanged(ids: string[]): void {
    void this.readLibrary(async () => {
      this.clips = applyClipChanges(this.clips, ids, await this.host.clipsOf(ids));
    });
  }

  private readLibrary(work: () => Promise<void>): Promise<void> {
    this.libraryQueue = this.libraryQueue.then(() => this.attempt(work));
    return this.libraryQueue;
  }

  /** Shows a job that was just submitted, unless an update of it arrived first. */
  jobSubmitted(job: JobView): void {
    if (!this.jobs.some((known) => known.id === job.id)) this.jobChanged(job);
  }

  private jobChanged(job: JobView): void {
    this.updates.markUpdated(job.id);
    this.processingTimer.update(job, Date.now());
    const at = this.jobs.findIndex((known) => known.id === job.id);
    if (at < 0) this.jobs = addJob(this.jobs, job);
    else this.jobs[at] = job;
  }
}
