import {
  type AppError,
  type ClipDetails,
  type ClipPart,
  type ClipView,
  type CorrectionLayer,
  type Draft,
  type EditRequest,
  type ExportOutcome,
  type ExportRequest,
  type Host,
  type JobView,
  type JobState,
  type KeyPressed,
  type Language,
  type LanguageChoice,
  type LanguageModelEntry,
  type LanguageModelReading,
  type LinkOutcome,
  type Listener,
  type MailView,
  type MailText,
  type PromptDraft,
  type PromptRequest,
  type RenderRequest,
  type SaveFormat,
  type Saved,
  type ServerCheck,
  type ServerEntry,
  type SessionState,
  type SettingsView,
  type Snapshot,
  type StartStep,
  type Span,
  type StorageView,
  type StudioState,
  type Theme,
  type TimelineRate,
  type MessageView,
  type ViewerLayer,
} from "./host";
import { changeKindOf } from "../shared/change-kind";
import { detailsOf, editedClip, loopGapOf, newJob, writtenFiles } from "./fake-editing";
import { FakeAccounts, type FakeAccountsContext } from "./fake-accounts";
import { FakeCharacters } from "./fake-characters";
import { FakeCorrections } from "./fake-corrections";
import { dancingFigure, exampleClip, figure } from "./fake-examples";
import { fail, sentence } from "./fake-failure";
import { backdrops, videoJob, still } from "./fake-videos";
import { FakeLanguageModel } from "./fake-language-model";
import { exampleCheck, vocabulary } from "./fake-prompts";
import { exampleServerCheck, exampleStorage } from "./fake-settings";
import { FakeViewer } from "./fake-viewer";

/**
 * A host that runs in any browser, for designing screens and for tests: it keeps everything in
 * memory and behaves like the app, but faster. `?clips=0` starts without clips, `?failed` with a
 * studio that does not start, `?signedIn` past the first screen (`?signedIn=ada@example.com` with
 * an account), `?server` with a server that offers more sign-in methods, `?full` signed in with the
 * data of weeks, `?theme=light` (or `contrast`) in that theme, `?credits=5` with that balance,
 * `?dragging` with files dragged over the window.
 */
export class FakeHost implements Host {
  /** How long anything that takes time takes, in milliseconds. */
  pace: number;
  readonly played: string[][] = [];
  /** Requests received, for tests. */
  readonly edits: EditRequest[] = [];
  readonly exports: ExportRequest[] = [];
  readonly drafts = new Map<string, Draft | null>();
  readonly correctionStore = new FakeCorrections();
  readonly videoRequests: RenderRequest[] = [];
  /** Why videos cannot be saved to the chosen place; null if they can. */
  saveError: AppError | null = null;
  readonly fakeCharacters: FakeCharacters;
  /** Problems from before the page loaded. */
  problems: Snapshot["problems"] = [];
  /** The prompt draft, as saved last. */
  promptDraft: PromptDraft = { text: "", characterId: null, seconds: 0, variants: 1, seed: "" };
  private favouritePrompts: string[] = [];
  private readonly isDragged: boolean;
  /** The balance; null if nothing costs anything. */
  credits: number | null = null;
  private trash: ClipView[] = [];
  private listener: Listener | null = null;
  private readonly viewer = new FakeViewer((shown) => this.listener?.viewer(shown));
  private studio: StudioState = { state: "starting", steps: steps(0) };
  private session: SessionState = { state: "unknown" };
  private settings: SettingsView = {
    theme: "dark",
    language: "system",
    spoken: "en",
    place: "thisComputer",
    server: null,
    timelineRate: "own",
    shortcuts: {},
    secretsKept: true,
  };
  private jobList: JobView[] = [];
  /** Submits the requests of jobs again. */
  private readonly retries = new Map<string, { price: () => Promise<number>; submit: (agreed: number) => Promise<JobView> }>();
  private clipList: ClipView[] = [];
  private mailList: MailView[] = [];
  /** What the links in mails do. */
  private readonly mailLinks = new Map<string, { words: string; follow: () => LinkOutcome }>();
  readonly accounts: FakeAccounts;
  readonly model = new FakeLanguageModel();
  private count = 0;

  constructor(options: { pace?: number; query?: string } = {}) {
    this.pace = options.pace ?? 350;
    const query = new URLSearchParams(options.query ?? location.search);
    const theme = query.get("theme");
    if (theme === "light" || theme === "contrast") this.settings.theme = theme;
    this.fakeCharacters = new FakeCharacters(() => this.pace, (upload) => this.listener?.upload(upload));
    if (query.has("credits")) this.credits = Number(query.get("credits"));
    if (query.has("full")) this.fill();
    this.isDragged = query.has("dragging");
    this.glbUrl = query.get("glb");
    const clips = Number(query.get("clips") ?? (query.has("signedIn") ? 5 : 0));
    for (let index = 0; index < clips; index += 1) this.clipList.push(exampleClip(index));
    const onServer = query.has("server");
    if (onServer) this.settings.place = "server";
    this.accounts = new FakeAccounts(this.accountsContext(), onServer);
    if (query.has("signedIn")) {
      this.studio = { state: "ready" };
      this.session = this.accounts.begin(query.get("signedIn") || null);
    } else {
      void this.start(query.has("failed"));
    }
  }

  private fill(): void {
    this.fakeCharacters.fill();
    this.favouritePrompts = ["Dances happily", "Kicks with the left leg, then bows"];
    for (let index = 5; index < 8; index += 1) this.trash.push(exampleClip(index));
    this.jobList = [exampleClip(0), exampleClip(2)].map((clip) => ({
      ...videoJob(clip.jobId, clip),
      change: null,
      state: { state: "done" },
    }));
  }

  async snapshot(): Promise<Snapshot> {
    return {
      studio: this.studio,
      session: this.session,
      settings: this.settings,
      desk: this.promptDraft,
      version: "0.1.0",
      problems: this.problems,
    };
  }

  async startStudio(): Promise<void> {
    void this.start(false);
  }

  async characters() {
    await this.wait();
    return this.fakeCharacters.characters();
  }

  pickCharacters = async () => this.fakeCharacters.add(["hero.fbx", "villain.glb"]);
  uploads = async () => this.fakeCharacters.uploads();
  pauseUpload = async (id: string) => this.fakeCharacters.pause(id);
  resumeUpload = async (id: string) => this.fakeCharacters.resume(id);
  dismissUpload = async (id: string) => this.fakeCharacters.dismiss(id);
  renameCharacter = async (id: string, name: string) => this.fakeCharacters.rename(id, name);
  deleteCharacter = async (id: string) => this.fakeCharacters.delete(id);
  characterRig = async (id: string) => this.fakeCharacters.rig(id);
  mapCharacter = async (id: string, joints: Record<string, string | null>) => this.fakeCharacters.map(id, joints);
  testCharacter = async (id: string) => void this.fakeCharacters.tested.push(id);

  /** Simulates files dragged over the window. */
  drag(over: boolean): void {
    this.listener?.dragging(over);
  }

  checkPrompt = async (request: PromptRequest) => exampleCheck(request, this.priced(2));
  vocabulary = async () => vocabulary;
  favourites = async () => [...this.favouritePrompts];
  keepDesk = async (draft: PromptDraft) => void (this.promptDraft = draft);
  balance = async () => this.credits;

  async setFavourite(prompt: string, favourite: boolean): Promise<string[]> {
    this.favouritePrompts = this.favouritePrompts.filter((each) => each !== prompt);
    if (favourite) this.favouritePrompts.unshift(prompt);
    return [...this.favouritePrompts];
  }

  /** The price if something is charged, otherwise 0. */
  private priced(credits: number): number {
    return this.credits === null ? 0 : credits;
  }

  private checkPrice(price: number, agreed: number): void {
    if (price > agreed) fail("dearerThanAgreed", `This costs ${price} credits. Nothing was charged yet. Press again to confirm.`);
  }

  async submitPrompt(request: PromptRequest, agreed: number): Promise<JobView> {
    await this.wait();
    this.checkPrice(this.priced(2) * request.variants, agreed);
    if (!/walk|run|jump|wave|dance|sneak|kick|bow|sit/i.test(request.prompt)) {
      fail("unknownAction", `“${request.prompt}” is not a motion I know. The nearest are walk, wave and jump.`);
    }
    const { prompt, characterId, variants } = request;
    const characterName = this.fakeCharacters.characters().find(({ id }) => id === characterId)?.name ?? "";
    const job = newJob(this.id("job"), { prompt, characterId, characterName, variants, asked: request });
    this.jobList.unshift(job);
    const price = async () => this.priced(2) * variants;
    this.retries.set(job.id, { price, submit: (agreed) => this.submitPrompt(request, agreed) });
    void this.work(job, () => ({ ...exampleClip(1), told: exampleCheck(request, 0).warnings }));
    return job;
  }

  editPrice = async (request: EditRequest) => this.priced(request.change.kind === "cut" ? 0 : 1.5 * request.variants);

  async editClip(request: EditRequest, agreed: number): Promise<JobView> {
    await this.wait();
    this.checkPrice(await this.editPrice(request), agreed);
    this.edits.push(request);
    const clip = this.clipOf(request.clip.id);
    const second = request.change.kind === "join" || request.change.kind === "overlap" ? this.clipOf(request.change.second.id) : null;
    const made = editedClip(clip, second, request);
    const job = newJob(this.id("job"), {
      ...made,
      variants: request.variants,
      change: changeKindOf(request.change),
    });
    this.jobList.unshift(job);
    const price = () => this.editPrice(request);
    this.retries.set(job.id, { price, submit: (agreed) => this.editClip(request, agreed) });
    void this.work(job, () => made);
    return job;
  }

  backdrops = async () => backdrops();
  videoStill = async (request: RenderRequest, frame: number) =>
    still(request, this.clipOf(request.clip.id), frame);
  videoPrice = async () => this.priced(3);

  async renderVideo(request: RenderRequest, agreed: number): Promise<JobView | null> {
    await this.wait();
    this.checkPrice(this.priced(3), agreed);
    this.videoRequests.push(request);
    const job = videoJob(this.id("job"), this.clipOf(request.clip.id));
    this.jobList.unshift(job);
    void this.work(job, null).then(() => {
      if (this.saveError) this.listener?.stranded(this.saveError, 4);
      else this.listener?.saved({ name: `video.${request.container}`, place: 3 });
    });
    return job;
  }

  async clipDetails(id: string): Promise<ClipDetails> {
    await this.wait();
    return detailsOf(this.clipOf(id), this.drafts.get(id) ?? null, this.glbUrl);
  }

  loopGap = async (part: ClipPart) => loopGapOf(this.clipOf(part.id), part);

  async keepDraft(id: string, draft: Draft | null): Promise<void> {
    this.drafts.set(id, draft);
  }

  corrections = async (id: string): Promise<CorrectionLayer[]> => this.correctionStore.of(this.clipOf(id));

  async keepCorrections(id: string, layers: CorrectionLayer[]): Promise<MessageView[]> {
    const lacking = this.correctionStore.save(this.clipOf(id), layers);
    const corrected = layers.some(({ muted, keys }) => !muted && keys.length > 0);
    this.clipList = this.clipList.map((clip) => (clip.id === id ? { ...clip, corrected } : clip));
    this.listener?.library([id]);
    return lacking;
  }

  /** URL of the GLB used for every clip, if clips are shown in 3D. */
  glbUrl: string | null = null;

  /** What an export waits for at each file, so that tests can observe its progress. */
  beforeExportedFile: (done: number) => Promise<void> = () => this.wait();
  /** How many exported files fit on the disk. */
  maxFiles = Infinity;
  private exportCancelled = false;

  async exportClips(request: ExportRequest): Promise<ExportOutcome | null> {
    this.exportCancelled = false;
    await this.wait();
    this.exports.push(request);
    const clips = request.clips.map((part) => this.clipOf(part.id));
    const wanted = clips.flatMap((clip) => writtenFiles([clip], request.presets).map((name) => ({ name, clip: clip.prompt })));
    const outcome = { folder: "Motions", files: [] as string[], all: wanted.length, failed: [], cancelled: false, place: 2 };
    for (const [done, { name, clip }] of wanted.entries()) {
      this.listener?.exporting({ done, all: wanted.length, clip });
      await this.beforeExportedFile(done);
      if (this.exportCancelled) return { ...outcome, cancelled: true };
      if (done >= this.maxFiles) {
        const message = "The disk is full, so Limber could not write the file. Free some space and try again.";
        const why = { code: "diskFull" as const, message: sentence(message), detail: null };
        return { ...outcome, failed: [{ why, files: wanted.slice(done).map((each) => each.name) }] };
      }
      outcome.files.push(name);
    }
    return outcome;
  }

  async cancelExport(): Promise<void> {
    this.exportCancelled = true;
  }

  async showPlace(_place: number): Promise<void> {
    fail("diskRefused", "A browser has no folders to show.");
  }

  /** The files last handed to the pointer. */
  dragged: { ids: string[]; format: SaveFormat } | null = null;

  async dragClips(ids: string[], format: SaveFormat): Promise<void> {
    this.dragged = { ids, format };
  }

  async deleteClips(ids: string[]): Promise<void> {
    this.trash.push(...this.clipList.filter((clip) => ids.includes(clip.id)));
    this.clipList = this.clipList.filter((clip) => !ids.includes(clip.id));
    this.listener?.library(ids);
  }

  async restoreClips(ids: string[]): Promise<void> {
    const back = this.trash.filter((clip) => ids.includes(clip.id));
    this.trash = this.trash.filter((clip) => !ids.includes(clip.id));
    this.clipList = [...this.clipList, ...back].sort((a, b) => b.madeAt.localeCompare(a.madeAt));
    this.listener?.library(ids);
  }

  async tagClips(ids: string[], tag: string, wanted: boolean): Promise<void> {
    const others = (tags: string[]) => tags.filter((each) => each.toLowerCase() !== tag.toLowerCase());
    this.clipList = this.clipList.map((clip) =>
      ids.includes(clip.id) ? { ...clip, tags: wanted ? [...others(clip.tags), tag] : others(clip.tags) } : clip,
    );
    this.listener?.library(ids);
  }

  async renameClip(id: string, name: string): Promise<void> {
    const cleaned = name.replaceAll(/\p{Cc}+/gu, " ").replaceAll(/\s+/g, " ").trim();
    if ([...cleaned].length > 120) fail("badInput", "A name has at most 120 characters.");
    this.clipOf(id);
    this.clipList = this.clipList.map((clip) => (clip.id === id ? { ...clip, name: cleaned || null } : clip));
    this.listener?.library([id]);
  }

  async viewerSeek(frame: number): Promise<void> {
    this.viewer.seek(frame);
  }

  async viewerPlay(playing: boolean): Promise<void> {
    this.viewer.play(playing);
  }

  viewerPlayBackwards = async () => this.viewer.play(true, true);
  viewerShow = async (layer: ViewerLayer, enabled: boolean) => this.viewer.look(layer, enabled);
  viewerCompare = async (place: number) => this.viewer.compare(place);

  async viewerSpeed(factor: number): Promise<void> {
    this.viewer.speed = factor;
  }

  async viewerInPlace(enabled: boolean): Promise<void> {
    this.viewer.inPlace = enabled;
  }

  viewerFrameAll = async () => {};

  /** The theme last sent to the viewer. */
  viewerLight: boolean | null = null;

  async viewerTheme(light: boolean): Promise<void> {
    this.viewerLight = light;
  }

  /** Simulates a key press in the viewer window. */
  pressInViewer(key: KeyPressed): void {
    this.listener?.pressed(key);
  }

  async viewerLoop(enabled: boolean): Promise<void> {
    this.viewer.loops = enabled;
  }

  viewerRange = async (part: Span | null) => this.viewer.playPart(part);

  /** Simulates closing the viewer window. */
  closeViewer(): void {
    this.viewer.close();
  }

  async payForJob(id: string): Promise<void> {
    await this.wait();
    this.change(id, { state: "done" });
  }

  async retryJob(id: string, agreed: number): Promise<JobView> {
    const retries = this.retries.get(id) ?? fail("notFound", "Limber no longer has the settings of this job. Start a new one.");
    return retries.submit(agreed);
  }

  retryPrice = async (id: string) => (await this.retries.get(id)?.price()) ?? 0;

  async cancelJob(id: string): Promise<void> {
    this.change(id, { state: "cancelled" });
  }

  async jobs(): Promise<JobView[]> {
    return this.jobList;
  }

  async clips(): Promise<ClipView[]> {
    return [...this.clipList];
  }

  clipsOf = async (ids: string[]) => this.clipList.filter((clip) => ids.includes(clip.id));

  clipStill = async (id: string) =>
    figure(this.clipOf(id).characterName === "Bruno" ? "#8fb8ff" : "#ffb088");

  async playClips(ids: string[]): Promise<void> {
    this.played.push(ids);
    this.viewer.open(ids, this.clipOf(ids[0] ?? ""));
  }

  async saveClip(id: string, format: SaveFormat): Promise<Saved | null> {
    await this.wait();
    const clip = this.clipList.find((each) => each.id === id);
    return { name: `${clip?.prompt.slice(0, 20).toLowerCase() ?? "clip"}.${format}`, place: 1 };
  }

  async promptHistory(): Promise<string[]> {
    return [...new Set(this.jobList.map((job) => job.prompt))];
  }

  async mails(): Promise<MailView[]> {
    return this.mailList;
  }

  async readMail(id: string): Promise<MailText> {
    const mail = this.mailList.find((mail) => mail.id === id);
    if (!mail) fail("notFound", "This email is no longer on this computer.");
    mail.unread = false;
    const words = this.mailLinks.get(id)?.words ?? "Open";
    return { mail, text: `Follow this link:\n[${words}]`, links: [{ index: 0, words }] };
  }

  async openMailLink(id: string): Promise<LinkOutcome> {
    await this.wait();
    const link = this.mailLinks.get(id) ?? fail("notFound", "This email is no longer on this computer.");
    return link.follow();
  }

  async setTheme(theme: Theme): Promise<SettingsView> {
    this.settings = { ...this.settings, theme };
    return this.settings;
  }

  async setTimelineRate(timelineRate: TimelineRate): Promise<SettingsView> {
    this.settings = { ...this.settings, timelineRate };
    return this.settings;
  }

  async setShortcuts(shortcuts: SettingsView["shortcuts"]): Promise<SettingsView> {
    this.settings = { ...this.settings, shortcuts };
    return this.settings;
  }

  async setLanguage(language: LanguageChoice, spoken: Language): Promise<SettingsView> {
    this.settings = { ...this.settings, language, spoken };
    return this.settings;
  }

  async workHere(): Promise<SettingsView> {
    this.settings = { ...this.settings, place: "thisComputer" };
    return this.settings;
  }

  async workOnServer(entry: ServerEntry): Promise<SettingsView> {
    await this.wait();
    this.settings = { ...this.settings, place: "server", server: { ...entry, hasSecret: true } };
    return this.settings;
  }

  async checkServer(entry: ServerEntry): Promise<ServerCheck> {
    await this.wait();
    return exampleServerCheck(entry);
  }

  async storage(): Promise<StorageView> {
    return exampleStorage(this.clipList.length, this.trash.length, this.settings.place === "thisComputer");
  }

  async emptyBin(): Promise<StorageView> {
    await this.wait();
    this.trash = [];
    return this.storage();
  }

  binnedClips = async () => [...this.trash];
  saveDiagnostics = async (): Promise<Saved | null> => ({ name: "limber-diagnostics.zip", place: 0 });

  async connectLanguageModel(entry: LanguageModelEntry): Promise<SettingsView> {
    await this.wait();
    this.settings = { ...this.settings, languageModel: this.model.shown(entry) };
    return this.settings;
  }

  async forgetLanguageModel(): Promise<SettingsView> {
    this.settings = { ...this.settings, languageModel: null };
    return this.settings;
  }

  async testLanguageModel(_entry: LanguageModelEntry): Promise<LanguageModelReading | null> {
    await this.wait();
    return this.model.read("walks, then waves");
  }

  async readWithLanguageModel(prompt: string): Promise<LanguageModelReading | null> {
    await this.wait();
    return this.model.read(prompt);
  }

  stopLanguageModel = async (): Promise<void> => this.model.stop();

  async openFolder(): Promise<void> {
    fail("diskRefused", "A browser has no folders to show.");
  }

  handedOver = async (): Promise<void> => {};

  async listen(listener: Listener): Promise<() => void> {
    this.listener = listener;
    if (this.isDragged) listener.dragging(true);
    return () => (this.listener = null);
  }

  private async start(failing: boolean): Promise<void> {
    for (let done = 0; done < 4; done += 1) {
      this.setStudio({ state: "starting", steps: steps(done) });
      await this.wait();
      if (failing && done === 1) {
        const error = {
          code: "databaseMissing" as const,
          message: sentence("PostgreSQL is missing. Install the package `postgresql` and try again."),
          detail: null,
        };
        const failed = steps(done).map((step, at) =>
          at === done ? { ...step, state: "failed" as const } : step,
        );
        this.setStudio({ state: "failed", steps: failed, error });
        return;
      }
    }
    this.session = { state: "signedOut" };
    this.setStudio({ state: "ready" });
    this.listener?.session(this.session);
  }

  private setStudio(state: StudioState): void {
    this.studio = state;
    this.listener?.studio(state);
  }

  private async work(job: JobView, made: (() => ClipView) | null): Promise<void> {
    for (let percent = 0; percent <= 100; percent += 10) {
      await this.wait();
      const variant = Math.min(Math.floor((percent * job.variants) / 100) + 1, job.variants);
      const share = (percent * job.variants) % 100;
      const stage = share < 2 ? "preparing" : share < 52 ? "moving" : share < 70 ? "grounding" : "writing";
      if (!this.change(job.id, { state: "working", percent, stage, variant })) return;
    }
    for (let variant = made ? job.variants : 0; made && variant >= 1; variant -= 1) {
      this.clipList.unshift({
        ...made(),
        id: `${job.id}.${variant}`,
        jobId: job.id,
        variant,
        variants: job.variants,
        prompt: job.prompt,
        characterName: job.characterName,
        madeAt: new Date().toISOString(),
      });
    }
    this.change(job.id, { state: "done" });
    this.listener?.library(this.clipList.filter((clip) => clip.jobId === job.id).map((clip) => clip.id));
  }

  /** Updates a job. Returns false if it had been cancelled. */
  private change(id: string, state: JobState): boolean {
    const at = this.jobList.findIndex((job) => job.id === id);
    const job = this.jobList[at];
    if (!job || job.state.state === "cancelled") return false;
    const hasNoResult = state.state === "failed" || state.state === "cancelled";
    this.jobList[at] = { ...job, state, canRetry: hasNoResult && this.retries.has(id) };
    this.listener?.job(this.jobList[at]);
    return true;
  }

  private accountsContext(): FakeAccountsContext {
    return {
      wait: () => this.wait(),
      session: (state) => {
        this.session = state;
        this.listener?.session(state);
      },
      link: (outcome) => this.listener?.link(outcome),
      post: (to, subject, words, follow) => {
        const id = this.id("mail");
        const receivedAt = new Date().toISOString();
        this.mailLinks.set(id, { words, follow });
        this.mailList.unshift({ id, from: "studio@limber.localhost", to, subject, receivedAt, unread: true });
        this.listener?.mail();
      },
    };
  }

  private clipOf(id: string): ClipView {
    return (
      this.clipList.find((clip) => clip.id === id) ??
      fail("notFound", "This clip is no longer in the library.")
    );
  }

  private id(kind: string): string {
    this.count += 1;
    return `${kind}-${String(this.count).padStart(16, "0")}`;
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.pace));
  }
}

function steps(done: number): StartStep[] {
  const words = {
    folder: "Opening your data folder",
    database: "Starting the database",
    services: "Starting the account and motion services",
    worker: "Starting the engine",
  };
  return Object.entries(words).map(([id, each], at) => ({
    id,
    words: each,
    state: at < done ? "done" : at === done ? "working" : "waiting",
    download: null,
  }));
}
