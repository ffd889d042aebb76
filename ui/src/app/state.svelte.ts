import type {
  AppError,
  CharacterShown,
  ClipPart,
  ClipShown,
  Host,
  JobShown,
  LinkOutcome,
  MailShown,
  Picture,
  PromptRequest,
  ProviderShown,
  SaveFormat,
  SessionState,
  SettingsShown,
  StudioState,
  ViewerShown,
} from "../host";
import { shownError } from "../host";

/** The rooms of the rail, in its order. */
export const rooms = ["studio", "library", "characters", "queue", "account", "settings"] as const;
export type Room = (typeof rooms)[number];

/** What is open at the beginning: a room, and the clip at this place in the editor. */
export type Start = { room?: Room; edit?: number };

export type Toast = {
  id: number;
  tone: "good" | "bad";
  message: string;
  detail: string | null;
  /** What the toast offers to do; it stays until that is done or it is closed. */
  offer: Offer | null;
};
export type Offer = { words: string; take: () => void };

/** What the export dialog is open for. */
export type Exporting = { clips: { clip: ClipShown; part: ClipPart }[]; inPlace: boolean };

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
    place: "thisComputer",
    server: null,
    secretsKept: true,
  });
  version = $state("");
  room = $state<Room>("studio");
  jobs = $state<JobShown[]>([]);
  clips = $state.raw<ClipShown[]>([]);
  characters = $state<CharacterShown[]>([]);
  character = $state<string | null>(null);
  mails = $state<MailShown[]>([]);
  history = $state<string[]>([]);
  text = $state("");
  toasts = $state<Toast[]>([]);
  /** The clip that the viewer is about to show. */
  opening = $state<string | null>(null);
  viewer = $state.raw<ViewerShown | null>(null);
  /** The service whose page is open in the browser. */
  waiting = $state.raw<ProviderShown | null>(null);
  exporting = $state.raw<Exporting | null>(null);
  /** The clip that is open in the editor, in place of the room. */
  editing = $state<string | null>(null);
  readonly edited = $derived(this.clips.find((clip) => clip.id === this.editing) ?? null);
  readonly here = $derived(this.settings.place === "thisComputer");
  readonly unread = $derived(this.mails.filter((mail) => mail.unread).length);

  private readonly pictures = new Map<string, Promise<Picture | null>>();
  /** Grows with every change of the session, so that the account is asked for anew. */
  newest = $state(0);
  private nextToast = 1;

  constructor(host: Host, start: Start = {}) {
    this.host = host;
    this.start = start;
    this.room = start.room ?? "studio";
  }

  /** Listens first and asks second, so that nothing told in between is missed. */
  async open(): Promise<() => void> {
    const stop = await this.host.listen({
      studio: (studio) => (this.studio = studio),
      session: (session) => this.sessionChanged(session),
      job: (job) => this.jobChanged(job),
      library: () => void this.attempt(() => this.loadClips()),
      mail: () => void this.attempt(() => this.loadMail()),
      viewer: (shown) => (this.viewer = shown),
      link: (outcome) => this.linkFollowed(outcome),
      problem: (error) => {
        this.waiting = null;
        this.tell("bad", error);
      },
    });
    await this.attempt(async () => {
      const snapshot = await this.host.snapshot();
      this.version = snapshot.version;
      this.settings = snapshot.settings;
      this.studio = snapshot.studio;
      await this.loadClips();
      this.editing = this.clips[this.start.edit ?? -1]?.id ?? null;
      this.sessionChanged(snapshot.session);
    });
    return stop;
  }

  /** Goes to a room, out of the editor. */
  enter(room: Room): void {
    this.editing = null;
    this.room = room;
  }

  edit(id: string): void {
    this.editing = id;
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
      this.tell("bad", shownError(thrown));
    }
  }

  tell(
    tone: Toast["tone"],
    words: Pick<AppError, "message"> & { detail?: string | null; offer?: Offer },
  ): void {
    const { message, detail = null, offer = null } = words;
    const toast = { id: this.nextToast, tone, message, detail, offer };
    this.nextToast += 1;
    this.toasts = [...this.toasts.slice(-2), toast];
    if (tone === "good" && !offer) setTimeout(() => this.dismiss(toast.id), 5000);
  }

  /** Does what the newest toast offers. Answers whether one offers anything. */
  takeOffer(): boolean {
    const toast = [...this.toasts].reverse().find((each) => each.offer);
    toast?.offer?.take();
    if (toast) this.dismiss(toast.id);
    return toast !== undefined;
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
  }

  async submit(request: PromptRequest): Promise<void> {
    const job = await this.host.submitPrompt(request);
    this.jobChanged(job);
    this.history = [request.prompt, ...this.history.filter((each) => each !== request.prompt)];
    this.text = "";
  }

  /** Agrees to the price of a job's results. */
  pay(id: string): void {
    void this.attempt(() => this.host.payForJob(id));
  }

  cancel(id: string): void {
    void this.attempt(() => this.host.cancelJob(id));
  }

  /** Cancels the newest job that is still open. Answers whether there was one. */
  cancelNewest(isOpen: (job: JobShown) => boolean): boolean {
    const job = this.jobs.find(isOpen);
    if (job) this.cancel(job.id);
    return job !== undefined;
  }

  play(ids: string[]): void {
    if (this.opening !== null) return;
    this.opening = ids[0] ?? null;
    void this.attempt(() => this.host.playClips(ids)).then(() => (this.opening = null));
  }

  save(id: string, format: SaveFormat): void {
    void this.attempt(async () => {
      const name = await this.host.saveClip(id, format);
      if (name !== null) this.tell("good", { message: `Saved as ${name}.` });
    });
  }

  /** Opens the export dialog for clips, each with the trim that was begun for it. */
  async export(ids: string[]): Promise<void> {
    await this.attempt(async () => {
      const parts: ClipPart[] = [];
      let inPlace = true;
      for (let at = 0; at < ids.length; at += detailsAtOnce) {
        const some = ids.slice(at, at + detailsAtOnce);
        const details = await Promise.all(some.map((id) => this.host.clipDetails(id)));
        details.forEach(({ draft }, place) => {
          const { trimLeft = 0, trimRight = 0 } = draft ?? {};
          parts.push({ id: some[place] ?? "", trimLeft, trimRight });
          inPlace &&= draft?.inPlace ?? false;
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

  /** Puts clips into the bin and offers to take them out again. */
  async delete(ids: string[]): Promise<void> {
    await this.attempt(async () => {
      await this.host.deleteClips(ids);
      const message = ids.length === 1 ? "1 clip was deleted." : `${ids.length} clips were deleted.`;
      const take = () => void this.attempt(() => this.host.restoreClips(ids));
      this.tell("good", { message, offer: { words: "Undo", take } });
    });
  }

  reuse(job: JobShown): void {
    this.text = job.prompt;
    this.character = job.characterId;
    this.enter("studio");
  }

  /** Pictures never change, so each is asked for once. */
  loadPicture = (id: string): Promise<Picture | null> => {
    const known = this.pictures.get(id);
    if (known) return known;
    const asked = this.host.clipPicture(id);
    this.pictures.set(id, asked);
    asked.catch(() => this.pictures.delete(id));
    return asked;
  };

  async loadMail(): Promise<void> {
    if (this.here) this.mails = await this.host.mails();
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
    const words: Record<LinkOutcome, string> = {
      signedIn: "You are signed in.",
      newPassword: "Choose a new password now.",
      confirmed: "It is confirmed.",
      oneMoreConfirmation: "Confirmed. Now open the link that went to the other address, too.",
    };
    this.tell("good", { message: words[outcome] });
  }

  private sessionChanged(session: SessionState): void {
    const inside = session.state === "signedIn";
    // after a start without the server nothing could be asked yet
    const entered = inside && (this.session.state !== "signedIn" || !this.characters.length);
    this.session = session;
    if (inside || session.state === "signedOut") this.newest += 1;
    void this.attempt(() => this.loadMail());
    if (entered) void this.attempt(() => this.loadRooms());
    if (session.state === "signedOut") this.enter("studio");
  }

  private async loadRooms(): Promise<void> {
    const [jobs, history] = await Promise.all([this.host.jobs(), this.host.promptHistory()]);
    this.jobs = jobs;
    this.history = history;
    this.characters = await this.host.characters();
  }

  private async loadClips(): Promise<void> {
    this.clips = await this.host.clips();
  }

  jobChanged(job: JobShown): void {
    const at = this.jobs.findIndex((known) => known.id === job.id);
    if (at < 0) this.jobs = [job, ...this.jobs];
    else this.jobs[at] = job;
  }
}
