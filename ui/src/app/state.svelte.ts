import type {
  AppError,
  ClipDetails,
  ClipPart,
  ClipShown,
  ErrorCode,
  ExportOutcome,
  ExportProgress,
  ExportRequest,
  Host,
  JobShown,
  KeyPressed,
  LinkOutcome,
  MailShown,
  PromptRequest,
  ProviderShown,
  SaveFormat,
  Saved,
  SessionState,
  SettingsShown,
  StorageShown,
  StudioState,
  ViewerLayer,
  ViewerShown,
} from "../host";
import { shownError } from "../host";
import { isOpen } from "../features/jobs/words";
import { LibraryView } from "../features/library/view.svelte";
import { PromptDesk } from "../features/prompt/desk.svelte";
import { Latest, merged, Told } from "../shared/answers";
import { afterSaves } from "../shared/auto-saver";
import { Cast } from "./cast.svelte";
import { withChanged } from "./clips";
import { dearWorkMs, WorkClock, withNew } from "./jobs";
import { Toasts, type Offer, type Telling, type Toast } from "./toasts.svelte";
import { inWords, language, t, type Language, type LanguageChoice } from "../texts";

/** The rooms in the order of the rail. */
export const rooms = ["studio", "library", "characters", "queue", "account", "settings"] as const;
export type Room = (typeof rooms)[number];

/** What is open at the start: a room, the clip at this index in the editor, the language. */
export type Start = { room?: Room; edit?: number; language?: LanguageChoice };

/** A clip with the trim that was set for it. */
export type Cut = { clip: ClipShown; part: ClipPart };
/** What the export dialog was opened for. */
export type Exporting = { clips: Cut[]; inPlace: boolean };

function trimmed(id: string, { draft }: ClipDetails): ClipPart {
  return { id, trimLeft: draft?.trimLeft ?? 0, trimRight: draft?.trimRight ?? 0 };
}

/** Errors caused by an unavailable studio. */
const awayCodes: ReadonlySet<ErrorCode> = new Set(["studioNotReady", "studioFailed", "serviceUnreachable"]);

/** Limits parallel requests for details when thousands of clips are exported. */
const detailsAtOnce = 32;

/** The state of the interface, kept in sync with the host. */
export class AppState {
  readonly host: Host;
  private readonly start: Start;
  studio = $state<StudioState>({ state: "starting", steps: [] });
  session = $state<SessionState>({ state: "unknown" });
  settings = $state<SettingsShown>({
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
  known = $state(false);
  room = $state<Room>("studio");
  jobs = $state<JobShown[]>([]);
  clips = $state.raw<ClipShown[]>([]);
  mails = $state<MailShown[]>([]);
  readonly toasts = new Toasts();
  /** The clip that the viewer is about to show. */
  opening = $state<string | null>(null);
  viewer = $state.raw<ViewerShown | null>(null);
  /** Called for keys pressed in the viewer window that belong to this window. */
  onpressed: (key: KeyPressed) => void = () => {};
  /** The layers that the viewer shows, or will show when it opens. */
  layers = $state.raw<readonly ViewerLayer[]>(["skin", "grid"]);
  /** The provider whose page is open in the browser. */
  waiting = $state.raw<ProviderShown | null>(null);
  exporting = $state.raw<Exporting | null>(null);
  /** Progress of the current export; null before its first file. */
  exportProgress = $state.raw<ExportProgress | null>(null);
  /** The clip or part for which the video dialog is open. */
  filming = $state.raw<Cut | null>(null);
  /** The clip that is open in the editor, in place of the room. */
  editing = $state<string | null>(null);
  /** Whether the library is open without a session. */
  browsing = $state(false);
  /** Whether the library shows the trash. */
  inBin = $state(false);
  /** The job whose cancellation needs confirmation. */
  cancelling = $state<string | null>(null);
  /** Incremented when the trash is emptied. */
  private emptied = $state(0);
  /** Search, filters and order of the library. */
  readonly libraryView = new LibraryView();
  readonly edited = $derived(this.clips.find((clip) => clip.id === this.editing) ?? null);
  readonly here = $derived(this.settings.place === "thisComputer");
  readonly unread = $derived(this.mails.filter((mail) => mail.unread).length);

  /** Incremented on every change of the session, so that the account is loaded again. */
  newest = $state(0);
  private readonly clock = new WorkClock();
  private readonly told = new Told();
  private readonly jobList = new Latest();
  private readonly mailbox = new Latest();
  /** Reads the library sequentially, so that no answer overtakes a newer one. */
  private reading = Promise.resolve();
  /** The toast of the link that was followed last. */
  private greeting: number | null = null;
  readonly cast: Cast;
  readonly prompt: PromptDesk;

  constructor(host: Host, start: Start = {}) {
    this.host = host;
    this.start = start;
    this.room = start.room ?? "studio";
    this.prompt = new PromptDesk(host, (thrown) => this.tell("bad", shownError(thrown)));
    language.choose(start.language ?? "system");
    this.cast = new Cast(host, {
      attempt: (work) => this.attempt(work),
      tell: (tone, words) => this.tell(tone, words),
      isShown: () => this.room === "characters" && this.editing === null,
      show: () => this.enter("characters"),
    });
  }

  /**
   * Subscribes to events before loading the snapshot, so that none is missed. Events that arrive
   * before the snapshot are newer than it.
   */
  async open(): Promise<() => void> {
    const told = { studio: false, session: false, problems: new Set<string>() };
    const stop = await this.host.listen({
      studio: (studio) => {
        told.studio = true;
        this.studio = studio;
      },
      session: (session) => {
        told.session = true;
        this.sessionChanged(session);
      },
      job: (job) => this.jobChanged(job),
      library: (ids) => this.libraryChanged(ids),
      mail: () => void this.attempt(() => this.loadMail()),
      viewer: (shown) => this.viewerChanged(shown),
      pressed: (key) => this.onpressed(key),
      link: (outcome) => this.linkFollowed(outcome),
      problem: (error) => {
        told.problems.add(inWords(error.message));
        this.waiting = null;
        this.tellFailure(error);
      },
      upload: (upload) => this.cast.changed(upload),
      dragging: (over) => (this.cast.dragging = over),
      exporting: (progress) => (this.exportProgress = progress),
      saved: ({ name, place }) =>
        this.tell("good", { message: t("app.toast.filmSaved", { name }), offer: this.showing(place) }),
      stranded: (error, place) => this.tell("bad", { ...error, offer: this.showing(place) }),
    });
    await this.attempt(async () => {
      const snapshot = await this.host.snapshot();
      this.version = snapshot.version;
      this.settings = snapshot.settings;
      this.prompt.restore(snapshot.desk);
      if (!this.start.language) language.choose(snapshot.settings.language);
      this.known = true;
      if (!told.studio) this.studio = snapshot.studio;
      for (const error of snapshot.problems) if (!told.problems.has(inWords(error.message))) this.tellFailure(error);
      await this.loadClips();
      this.editing = this.clips[this.start.edit ?? -1]?.id ?? null;
      if (!told.session) this.sessionChanged(snapshot.session);
    });
    return stop;
  }

  /** Leaves the editor and opens a room. */
  enter(room: Room): void {
    this.editing = null;
    this.inBin = false;
    this.room = room;
  }

  /** Opens the library without a session. */
  browse(): void {
    this.enter("library");
    this.browsing = true;
  }

  edit(id: string): void {
    this.editing = id;
  }

  /** Closes the newest message, or the trash. Returns whether either was open. */
  closeSomething(): boolean {
    if (this.toasts.dismissNewest()) return true;
    const wasInBin = this.inBin;
    this.inBin = false;
    return wasInBin;
  }

  /** Jobs submitted to change this clip, newest first. */
  jobsOf(clip: string): JobShown[] {
    return this.jobs.filter((job) => job.madeFrom.includes(clip));
  }

  /** Runs an action of the user; shows a message if it fails. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.tellFailure(shownError(thrown));
    }
  }

  tell(tone: Toast["tone"], told: Telling): number {
    return this.toasts.tell(tone, told);
  }

  /** Shows why something failed. Failures due to an absent studio disappear once it is ready. */
  private tellFailure(error: AppError): void {
    const wasAway = this.studio.state !== "ready" && awayCodes.has(error.code);
    this.tell("bad", { ...error, holds: () => !wasAway || this.studio.state !== "ready" });
  }

  async submit(request: PromptRequest, agreed: number): Promise<void> {
    this.jobBegun(await this.host.submitPrompt(request, agreed));
    this.prompt.submitted(request.prompt);
  }

  /** Accepts the price of a job's results. */
  pay(id: string): void {
    void this.attempt(() => this.host.payForJob(id));
  }

  /** Cancels a job, after confirmation if much work would be lost. */
  cancel(id: string): void {
    if (this.clock.workedMs(id, Date.now()) > dearWorkMs) this.cancelling = id;
    else void this.attempt(() => this.host.cancelJob(id));
  }

  /**
   * The job to be confirmed for cancellation, while it can be cancelled, with its processing time.
   */
  readonly doubted = $derived.by(() => {
    const job = this.jobs.find((each) => each.id === this.cancelling);
    return job && isOpen(job.state) ? { job, workedMs: this.clock.workedMs(job.id, Date.now()) } : null;
  });

  play(ids: string[]): void {
    if (this.opening !== null) return;
    this.opening = ids[0] ?? null;
    void this.attempt(() => afterSaves(() => this.host.playClips(ids))).then(() => (this.opening = null));
  }

  save(id: string, format: SaveFormat): void {
    void this.attempt(async () => {
      this.tellSaved(await afterSaves(() => this.host.saveClip(id, format)));
    });
  }

  showPlace(place: number): void {
    void this.attempt(() => this.host.showPlace(place));
  }

  private tellSaved(saved: Saved | null): void {
    if (!saved) return;
    this.tell("good", { message: t("app.toast.saved", { name: saved.name }), offer: this.showing(saved.place) });
  }

  private showing(place: number): Offer {
    return { words: t("shared.showInFolder"), icon: "folder", take: () => this.showPlace(place), passes: true };
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
      for (let at = 0; at < ids.length; at += detailsAtOnce) {
        const some = ids.slice(at, at + detailsAtOnce);
        const details = await afterSaves(() => Promise.all(some.map((id) => this.host.clipDetails(id))));
        details.forEach((detail, place) => {
          parts.push(trimmed(some[place] ?? "", detail));
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

  showBin(): void {
    this.enter("library");
    this.inBin = true;
  }

  chooseLanguage(wanted: LanguageChoice): void {
    language.choose(wanted);
    void this.attempt(async () => {
      this.settings = await this.host.setLanguage(wanted, language.now);
    });
  }

  /** Tells the app the language of the window, for texts that it shows itself. */
  speaks(spoken: Language): void {
    if (!this.known || this.settings.spoken === spoken) return;
    void this.attempt(async () => {
      this.settings = await this.host.setLanguage(language.choice, spoken);
    });
  }

  saveDiagnostics(): void {
    void this.attempt(async () => {
      this.tellSaved(await this.host.saveDiagnostics());
    });
  }

  /** Opens the video dialog for a clip with its current trim. */
  async film(id: string): Promise<void> {
    await this.attempt(async () => this.filmPart(trimmed(id, await afterSaves(() => this.host.clipDetails(id)))));
  }

  filmPart(part: ClipPart): void {
    const clip = this.clips.find((each) => each.id === part.id);
    this.filming = clip ? { clip, part } : null;
  }

  filmBegun(job: JobShown): void {
    this.filming = null;
    this.jobBegun(job);
    const offer = { words: t("app.toast.showQueue"), take: () => this.enter("queue") };
    const holds = () => this.jobs.some((each) => each.id === job.id && isOpen(each.state));
    this.tell("good", { message: t("app.toast.filmBegun"), offer, holds });
  }

  /** Moves clips to the trash and offers to undo that. */
  async delete(ids: string[]): Promise<void> {
    await this.attempt(async () => {
      await this.host.deleteClips(ids);
      const message = t("app.toast.deleted", { count: ids.length });
      const take = () => void this.attempt(() => this.host.restoreClips(ids));
      this.tell("good", { message, offer: { words: t("app.toast.undo"), take, undoes: true }, holds: this.lieInBin(ids) });
    });
  }

  /** Whether clips that were just deleted can still be restored. */
  private lieInBin(ids: string[]): () => boolean {
    const emptied = this.emptied;
    // the list is updated later
    let haveGone = false;
    return () => {
      const there = new Set(this.clips.map((clip) => clip.id));
      const gone = ids.filter((id) => !there.has(id));
      haveGone ||= gone.length === ids.length;
      return this.emptied === emptied && (!haveGone || gone.length > 0);
    };
  }

  async emptyBin(): Promise<StorageShown> {
    const left = await this.host.emptyBin();
    this.emptied += 1;
    return left;
  }

  /** Submits a job again. Returns the price if it is higher than what was agreed to. */
  async retry(id: string, agreed: number): Promise<number> {
    let price = agreed;
    await this.attempt(async () => {
      price = await this.host.retryPrice(id);
      if (price <= agreed) this.jobBegun(await this.host.retryJob(id, agreed));
    });
    return price;
  }

  /** Puts a job's prompt and options into the prompt box. */
  reuse(job: JobShown): void {
    this.prompt.reuse(job);
    this.enter("studio");
  }

  async loadMail(): Promise<void> {
    if (this.here) await this.mailbox.take(() => this.host.mails(), (mails) => (this.mails = mails));
  }

  /** Opens a provider's page in the browser and waits for the result. */
  async openProvider(provider: ProviderShown): Promise<void> {
    this.waiting = provider;
    await this.attempt(async () => {
      try {
        await this.host.accounts.openProvider(provider.id);
      } catch (thrown) {
        this.waiting = null;
        throw thrown;
      }
    });
  }

  stopWaiting(): void {
    this.waiting = null;
    void this.attempt(() => this.host.accounts.stopWaiting());
  }

  linkFollowed(outcome: LinkOutcome): void {
    this.waiting = null;
    // the question is on the screen already
    if (outcome === "asked") return;
    this.greeting = this.tell("good", { message: t(`app.toast.${outcome}`) });
  }

  private viewerChanged(shown: ViewerShown | null): void {
    this.viewer = shown;
    // an empty list means that nothing was reported yet: something is always shown
    if (shown?.layers.length) this.layers = shown.layers;
  }

  private sessionChanged(session: SessionState): void {
    const inside = session.state === "signedIn";
    // after a start without the server, nothing has been loaded yet
    const entered = inside && (this.session.state !== "signedIn" || !this.cast.characters.length);
    // no greeting stays for a session that has ended
    const left = !inside && this.session.state === "signedIn";
    if (left && this.greeting !== null) this.toasts.dismiss(this.greeting);
    this.session = session;
    if (inside || session.state === "signedOut") this.newest += 1;
    void this.attempt(() => this.loadMail());
    if (inside || session.state === "invited") this.browsing = false;
    if (entered) void this.attempt(() => this.loadRooms());
    if (session.state === "signedOut" && !this.browsing) this.enter("studio");
  }

  private async loadRooms(): Promise<void> {
    const ask = () => this.told.since(() => this.host.jobs());
    await this.jobList.take(ask, (answered) => (this.jobs = merged(this.jobs, answered)));
    for (const job of this.jobs) this.clock.saw(job, Date.now());
    void this.attempt(() => this.prompt.load());
    await this.cast.load();
  }

  private loadClips(): Promise<void> {
    return this.readLibrary(async () => {
      this.clips = await this.host.clips();
    });
  }

  private libraryChanged(ids: string[]): void {
    void this.readLibrary(async () => {
      this.clips = withChanged(this.clips, ids, await this.host.clipsOf(ids));
    });
  }

  private readLibrary(work: () => Promise<void>): Promise<void> {
    this.reading = this.reading.then(() => this.attempt(work));
    return this.reading;
  }

  /** Shows a job that was just submitted, unless an update of it arrived first. */
  jobBegun(job: JobShown): void {
    if (!this.jobs.some((known) => known.id === job.id)) this.jobChanged(job);
  }

  private jobChanged(job: JobShown): void {
    this.told.heard(job.id);
    this.clock.saw(job, Date.now());
    const at = this.jobs.findIndex((known) => known.id === job.id);
    if (at < 0) this.jobs = withNew(this.jobs, job);
    else this.jobs[at] = job;
  }
}
