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
import { onceKept } from "../shared/keeper";
import { Cast } from "./cast.svelte";
import { withChanged } from "./clips";
import { dearWorkMs, WorkClock, withNew } from "./jobs";
import { Toasts, type Offer, type Telling, type Toast } from "./toasts.svelte";
import { inWords, language, t, type Language, type LanguageChoice } from "../texts";

/** The rooms of the rail, in its order. */
export const rooms = ["studio", "library", "characters", "queue", "account", "settings"] as const;
export type Room = (typeof rooms)[number];

/** What is open at the beginning: a room, the clip at this place in the editor, in which language. */
export type Start = { room?: Room; edit?: number; language?: LanguageChoice };

/** A clip, and what was left of it by the trim that was begun. */
export type Cut = { clip: ClipShown; part: ClipPart };
/** What the export dialog is open for. */
export type Exporting = { clips: Cut[]; inPlace: boolean };

function trimmed(id: string, { draft }: ClipDetails): ClipPart {
  return { id, trimLeft: draft?.trimLeft ?? 0, trimRight: draft?.trimRight ?? 0 };
}

/** What is told while the studio is away. */
const awayCodes: ReadonlySet<ErrorCode> = new Set(["studioNotReady", "studioFailed", "serviceUnreachable"]);

/** So that exporting thousands of clips does not ask for all of them in one breath. */
const detailsAtOnce = 32;

/** What the screen shows, kept in step with what the host tells. */
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
  /** The settings above are those that are kept. */
  known = $state(false);
  room = $state<Room>("studio");
  jobs = $state<JobShown[]>([]);
  clips = $state.raw<ClipShown[]>([]);
  mails = $state<MailShown[]>([]);
  readonly toasts = new Toasts();
  /** The clip that the viewer is about to show. */
  opening = $state<string | null>(null);
  viewer = $state.raw<ViewerShown | null>(null);
  /** Hears of keys that were pressed in the viewer's window and are meant for this one. */
  onpressed: (key: KeyPressed) => void = () => {};
  /** What it shows of clips, or will show when it opens again. */
  layers = $state.raw<readonly ViewerLayer[]>(["skin", "grid"]);
  /** The service whose page is open in the browser. */
  waiting = $state.raw<ProviderShown | null>(null);
  exporting = $state.raw<Exporting | null>(null);
  /** How far the export under way is; null before its first file. */
  exportProgress = $state.raw<ExportProgress | null>(null);
  /** What is about to be filmed. */
  filming = $state.raw<Cut | null>(null);
  /** The clip that is open in the editor, in place of the room. */
  editing = $state<string | null>(null);
  /** The library is open although nobody is signed in. */
  browsing = $state(false);
  /** The library shows what was deleted from it. */
  inBin = $state(false);
  /** The job of which is asked whether to cancel it. */
  cancelling = $state<string | null>(null);
  /** Grows when the bin is emptied. */
  private emptied = $state(0);
  /** How the library is looked at. */
  readonly libraryView = new LibraryView();
  readonly edited = $derived(this.clips.find((clip) => clip.id === this.editing) ?? null);
  readonly here = $derived(this.settings.place === "thisComputer");
  readonly unread = $derived(this.mails.filter((mail) => mail.unread).length);

  /** Grows with every change of the session, so that the account is asked for anew. */
  newest = $state(0);
  private readonly clock = new WorkClock();
  private readonly told = new Told();
  private readonly jobList = new Latest();
  private readonly mailbox = new Latest();
  /** The library is asked one thing after the other, so that no answer overtakes a newer one. */
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
   * Listens first and asks second, so that nothing told in between is missed; and what was told by then
   * is newer than the answer.
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

  /** Goes to a room, out of the editor. */
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

  /** Closes the newest message, or the bin. Answers whether either was open. */
  closeSomething(): boolean {
    if (this.toasts.dismissNewest()) return true;
    const wasInBin = this.inBin;
    this.inBin = false;
    return wasInBin;
  }

  /** What was handed in to change this clip, newest first. */
  jobsOf(clip: string): JobShown[] {
    return this.jobs.filter((job) => job.madeFrom.includes(clip));
  }

  /** Does something for the person; when it fails, says so. */
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

  /** Says why something did not work, until the studio that was not there is there. */
  private tellFailure(error: AppError): void {
    const wasAway = this.studio.state !== "ready" && awayCodes.has(error.code);
    this.tell("bad", { ...error, holds: () => !wasAway || this.studio.state !== "ready" });
  }

  async submit(request: PromptRequest, agreed: number): Promise<void> {
    this.jobBegun(await this.host.submitPrompt(request, agreed));
    this.prompt.submitted(request.prompt);
  }

  /** Agrees to the price of a job's results. */
  pay(id: string): void {
    void this.attempt(() => this.host.payForJob(id));
  }

  /** Cancels a job; asks first when much work would be lost. */
  cancel(id: string): void {
    if (this.clock.workedMs(id, Date.now()) > dearWorkMs) this.cancelling = id;
    else void this.attempt(() => this.host.cancelJob(id));
  }

  /** The job of which was asked whether to cancel it, while it can be, and how long it was worked at. */
  readonly doubted = $derived.by(() => {
    const job = this.jobs.find((each) => each.id === this.cancelling);
    return job && isOpen(job.state) ? { job, workedMs: this.clock.workedMs(job.id, Date.now()) } : null;
  });

  play(ids: string[]): void {
    if (this.opening !== null) return;
    this.opening = ids[0] ?? null;
    void this.attempt(() => onceKept(() => this.host.playClips(ids))).then(() => (this.opening = null));
  }

  save(id: string, format: SaveFormat): void {
    void this.attempt(async () => {
      this.tellSaved(await onceKept(() => this.host.saveClip(id, format)));
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

  /** While the pointer drags them. */
  drag(ids: string[], format: SaveFormat): void {
    void this.attempt(() => onceKept(() => this.host.dragClips(ids, format)));
  }

  /** Opens the export dialog for clips, each with the trim that was begun for it. */
  async export(ids: string[]): Promise<void> {
    await this.attempt(async () => {
      const parts: ClipPart[] = [];
      let inPlace = true;
      for (let at = 0; at < ids.length; at += detailsAtOnce) {
        const some = ids.slice(at, at + detailsAtOnce);
        const details = await onceKept(() => Promise.all(some.map((id) => this.host.clipDetails(id))));
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

  /** Tells the app which language the window speaks, for what it says without the window. */
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

  /** Opens the dialog for a film of a clip, with the trim that was begun for it. */
  async film(id: string): Promise<void> {
    await this.attempt(async () => this.filmPart(trimmed(id, await onceKept(() => this.host.clipDetails(id)))));
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

  /** Puts clips into the bin and offers to take them out again. */
  async delete(ids: string[]): Promise<void> {
    await this.attempt(async () => {
      await this.host.deleteClips(ids);
      const message = t("app.toast.deleted", { count: ids.length });
      const take = () => void this.attempt(() => this.host.restoreClips(ids));
      this.tell("good", { message, offer: { words: t("app.toast.undo"), take, undoes: true }, holds: this.lieInBin(ids) });
    });
  }

  /** Whether clips that were just deleted can still be brought back. */
  private lieInBin(ids: string[]): () => boolean {
    const emptied = this.emptied;
    // the list hears of it later
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

  /** Hands a job in once more. Answers what it would cost when that is more than was agreed to. */
  async retry(id: string, agreed: number): Promise<number> {
    let price = agreed;
    await this.attempt(async () => {
      price = await this.host.retryPrice(id);
      if (price <= agreed) this.jobBegun(await this.host.retryJob(id, agreed));
    });
    return price;
  }

  /** Puts the words of a job into the prompt box, with all that was chosen for them. */
  reuse(job: JobShown): void {
    this.prompt.reuse(job);
    this.enter("studio");
  }

  async loadMail(): Promise<void> {
    if (this.here) await this.mailbox.take(() => this.host.mails(), (mails) => (this.mails = mails));
  }

  /** Opens the browser at a service and waits for what it brings. */
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
    // an empty list was not told yet: something is always shown
    if (shown?.layers.length) this.layers = shown.layers;
  }

  private sessionChanged(session: SessionState): void {
    const inside = session.state === "signedIn";
    // after a start without the server nothing could be asked yet
    const entered = inside && (this.session.state !== "signedIn" || !this.cast.characters.length);
    // nobody is told to be signed in who no longer is
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

  /** Shows a job that was just handed in; what was told of it by now is newer. */
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
