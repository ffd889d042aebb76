import { FakeAccounts } from "./fake-accounts";
import { FakeCharacters } from "./fake-characters";
import { loopGapOf } from "./fake-editing";
import { FakeExports } from "./fake-exports";
import { fail } from "./fake-failure";
import { backdrops, still } from "./fake-films";
import { FakeJobs } from "./fake-jobs";
import { FakeLanguageModel } from "./fake-language-model";
import { FakeLibrary } from "./fake-library";
import { FakeMailbox } from "./fake-mailbox";
import { FakeFavourites, understand, vocabulary } from "./fake-prompts";
import { FakeRuntime } from "./fake-runtime";
import { FakeSettings, probe } from "./fake-settings";
import { FakeStudio } from "./fake-studio";
import { FakeViewer } from "./fake-viewer";
import type { Desk, Host, KeyPressed, LinkOutcome, Listener, SaveFormat, SessionState, Snapshot } from "./host";

/**
 * A host that runs in any browser, for designing screens and for tests: it keeps everything in
 * memory and behaves as the app does, in fast motion. `?clips=0` starts without any clip,
 * `?failed` with a studio that does not start, `?signedIn` behind the first screen
 * (`?signedIn=ada@example.com` with an account), `?server` with a server that offers more ways in,
 * `?full` signed in with what gathers over weeks, `?theme=light` (or `contrast`) in that look, `?credits=5` with that
 * much to spend, `?dragging` with files held over the window.
 */
export class FakeHost implements Host {
  private readonly runtime = new FakeRuntime();
  private readonly studio = new FakeStudio(this.runtime);
  private readonly settings = new FakeSettings();
  private readonly mailbox = new FakeMailbox(this.runtime);
  private readonly marked = new FakeFavourites();
  private readonly library = new FakeLibrary(this.runtime);
  private readonly viewer = new FakeViewer((shown) => this.runtime.listener?.viewer(shown));
  readonly accounts: FakeAccounts;
  readonly cast = new FakeCharacters(
    () => this.pace,
    (upload) => this.runtime.listener?.upload(upload),
  );
  readonly model = new FakeLanguageModel();
  readonly queue = new FakeJobs(this.runtime, this.library, (id) => this.cast.nameOf(id));
  readonly exporter = new FakeExports(this.runtime, this.library);
  private session: SessionState = { state: "unknown" };
  private readonly isDragged: boolean;

  // what was asked for, for tests to look at
  readonly edits = this.queue.edits;
  readonly films = this.queue.films;
  readonly exports = this.exporter.requests;
  readonly drafts = this.library.drafts;
  readonly played: string[][] = [];
  /** What was last handed to the pointer. */
  dragged: { ids: string[]; format: SaveFormat } | null = null;
  /** The look that the viewer was last told of. */
  viewerLight: boolean | null = null;
  /** What went wrong before the page asked. */
  problems: Snapshot["problems"] = [];
  /** What stands in the prompt box, as it was kept last. */
  desk: Desk = { text: "", characterId: null, seconds: 0, variants: 1, seed: "" };

  constructor(options: { pace?: number; query?: string } = {}) {
    if (options.pace !== undefined) this.pace = options.pace;
    const query = new URLSearchParams(options.query ?? location.search);
    const theme = query.get("theme");
    if (theme === "light" || theme === "contrast") this.settings.change({ theme });
    if (query.has("credits")) this.runtime.credits = Number(query.get("credits"));
    if (query.has("full")) for (const part of [this.cast, this.marked, this.queue]) part.fill();
    if (query.has("full")) this.library.fillBin();
    this.library.fill(Number(query.get("clips") ?? (query.has("signedIn") ? 5 : 0)));
    this.isDragged = query.has("dragging");
    const onServer = query.has("server");
    if (onServer) this.settings.change({ place: "server" });
    this.accounts = this.begunAccounts(onServer);
    if (query.has("signedIn")) {
      this.studio.state = { state: "ready" };
      this.session = this.accounts.begin(query.get("signedIn") || null);
    } else {
      void this.start(query.has("failed"));
    }
  }

  /** How long the fake takes for anything that takes time, in milliseconds. */
  get pace(): number {
    return this.runtime.pace;
  }

  set pace(pace: number) {
    this.runtime.pace = pace;
  }

  /** What the person does with files over the window. */
  drag(over: boolean): void {
    this.runtime.listener?.dragging(over);
  }

  /** Stands for a press of a key in the viewer's window. */
  pressInViewer(key: KeyPressed): void {
    this.runtime.listener?.pressed(key);
  }

  /** What the person does to the viewer's window. */
  closeViewer(): void {
    this.viewer.close();
  }

  snapshot: Host["snapshot"] = async () => ({
    studio: this.studio.state,
    session: this.session,
    settings: this.settings.now,
    desk: this.desk,
    version: "0.1.0",
    problems: this.problems,
  });
  startStudio: Host["startStudio"] = async () => void this.start(false);
  handedOver: Host["handedOver"] = async () => {};

  async listen(listener: Listener): Promise<() => void> {
    this.runtime.listener = listener;
    if (this.isDragged) listener.dragging(true);
    return () => (this.runtime.listener = null);
  }

  characters: Host["characters"] = () => this.later(() => this.cast.characters());
  pickCharacters: Host["pickCharacters"] = async () => this.cast.add(["hero.fbx", "villain.glb"]);
  uploads: Host["uploads"] = async () => this.cast.uploads();
  pauseUpload: Host["pauseUpload"] = async (id) => this.cast.pause(id);
  resumeUpload: Host["resumeUpload"] = async (id) => this.cast.resume(id);
  dismissUpload: Host["dismissUpload"] = async (id) => this.cast.dismiss(id);
  renameCharacter: Host["renameCharacter"] = async (id, name) => this.cast.rename(id, name);
  deleteCharacter: Host["deleteCharacter"] = async (id) => this.cast.delete(id);
  characterRig: Host["characterRig"] = async (id) => this.cast.rig(id);
  mapCharacter: Host["mapCharacter"] = async (id, joints) => this.cast.map(id, joints);
  testCharacter: Host["testCharacter"] = async (id) => void this.cast.tested.push(id);

  checkPrompt: Host["checkPrompt"] = async (request) => understand(request, this.queue.promptPrice());
  vocabulary: Host["vocabulary"] = async () => vocabulary;
  favourites: Host["favourites"] = async () => this.marked.all();
  setFavourite: Host["setFavourite"] = async (prompt, favourite) => this.marked.mark(prompt, favourite);
  promptHistory: Host["promptHistory"] = async () => this.queue.prompts();
  keepDesk: Host["keepDesk"] = async (desk) => void (this.desk = desk);
  balance: Host["balance"] = async () => this.runtime.credits;

  jobs: Host["jobs"] = async () => this.queue.all();
  submitPrompt: Host["submitPrompt"] = (request, agreed) => this.queue.submit(request, agreed);
  editPrice: Host["editPrice"] = async (request) => this.queue.editPrice(request);
  editClip: Host["editClip"] = (request, agreed) => this.queue.edit(request, agreed);
  retryPrice: Host["retryPrice"] = async (id) => this.queue.retryPrice(id);
  retryJob: Host["retryJob"] = async (id, agreed) => this.queue.retry(id, agreed);
  payForJob: Host["payForJob"] = (id) => this.queue.pay(id);
  cancelJob: Host["cancelJob"] = async (id) => this.queue.cancel(id);

  backdrops: Host["backdrops"] = async () => backdrops();
  filmStill: Host["filmStill"] = async (request, frame) => still(request, this.library.one(request.clip.id), frame);
  filmPrice: Host["filmPrice"] = async () => this.queue.filmPrice();
  makeFilm: Host["makeFilm"] = (request, agreed) => this.queue.film(request, agreed);

  clips: Host["clips"] = async () => this.library.all();
  clipsOf: Host["clipsOf"] = async (ids) => this.library.some(ids);
  clipStill: Host["clipStill"] = async (id) => this.library.still(id);
  clipDetails: Host["clipDetails"] = (id) => this.library.details(id);
  loopGap: Host["loopGap"] = async (part) => loopGapOf(this.library.one(part.id), part);
  keepDraft: Host["keepDraft"] = async (id, draft) => void this.drafts.set(id, draft);
  saveClip: Host["saveClip"] = (id, format) => this.library.save(id, format);
  dragClips: Host["dragClips"] = async (ids, format) => void (this.dragged = { ids, format });
  tagClips: Host["tagClips"] = async (ids, tag, wanted) => this.library.tag(ids, tag, wanted);
  deleteClips: Host["deleteClips"] = async (ids) => this.library.delete(ids);
  binnedClips: Host["binnedClips"] = async () => this.library.binned();
  restoreClips: Host["restoreClips"] = async (ids) => this.library.restore(ids);
  storage: Host["storage"] = async () => this.library.storage(this.settings.now.place === "thisComputer");
  emptyBin: Host["emptyBin"] = () =>
    this.later(() => {
      this.library.emptyBin();
      return this.storage();
    });

  exportClips: Host["exportClips"] = (request) => this.exporter.write(request);
  cancelExport: Host["cancelExport"] = async () => this.exporter.cancel();
  showPlace: Host["showPlace"] = async () => noFolders();
  openFolder: Host["openFolder"] = async () => noFolders();
  saveDiagnostics: Host["saveDiagnostics"] = async () => ({ name: "limber-diagnostics.zip", place: 0 });

  async playClips(ids: string[]): Promise<void> {
    this.played.push(ids);
    this.viewer.open(ids, this.library.one(ids[0] ?? ""));
  }

  viewerSeek: Host["viewerSeek"] = async (frame) => this.viewer.seek(frame);
  viewerPlay: Host["viewerPlay"] = async (playing) => this.viewer.play(playing);
  viewerPlayBackwards: Host["viewerPlayBackwards"] = async () => this.viewer.play(true, true);
  viewerShow: Host["viewerShow"] = async (layer, enabled) => this.viewer.look(layer, enabled);
  viewerCompare: Host["viewerCompare"] = async (place) => this.viewer.compare(place);
  viewerSpeed: Host["viewerSpeed"] = async (factor) => void (this.viewer.speed = factor);
  viewerInPlace: Host["viewerInPlace"] = async (enabled) => void (this.viewer.inPlace = enabled);
  viewerFrameAll: Host["viewerFrameAll"] = async () => {};
  viewerTheme: Host["viewerTheme"] = async (light) => void (this.viewerLight = light);
  viewerLoop: Host["viewerLoop"] = async (enabled) => void (this.viewer.loops = enabled);
  viewerRange: Host["viewerRange"] = async (part) => this.viewer.playPart(part);

  mails: Host["mails"] = async () => this.mailbox.all();
  readMail: Host["readMail"] = async (id) => this.mailbox.read(id);
  openMailLink: Host["openMailLink"] = (id) => this.mailbox.follow(id);

  setTheme: Host["setTheme"] = async (theme) => this.settings.change({ theme });
  setTimelineRate: Host["setTimelineRate"] = async (timelineRate) => this.settings.change({ timelineRate });
  setLanguage: Host["setLanguage"] = async (language, spoken) => this.settings.change({ language, spoken });
  workHere: Host["workHere"] = async () => this.settings.change({ place: "thisComputer" });
  checkServer: Host["checkServer"] = (entry) => this.later(() => probe(entry));
  workOnServer: Host["workOnServer"] = (entry) =>
    this.later(() => this.settings.change({ place: "server", server: { ...entry, hasSecret: true } }));

  connectLanguageModel: Host["connectLanguageModel"] = (entry) =>
    this.later(() => this.settings.change({ languageModel: this.model.shown(entry) }));
  forgetLanguageModel: Host["forgetLanguageModel"] = async () => this.settings.change({ languageModel: null });
  testLanguageModel: Host["testLanguageModel"] = () => this.later(() => this.model.read("walks, then waves"));
  readWithLanguageModel: Host["readWithLanguageModel"] = (prompt) => this.later(() => this.model.read(prompt));
  stopLanguageModel: Host["stopLanguageModel"] = async () => this.model.stop();

  private async later<Answer>(answer: () => Answer): Promise<Awaited<Answer>> {
    await this.runtime.wait();
    return await answer();
  }

  private async start(failing: boolean): Promise<void> {
    if (!(await this.studio.start(failing))) return;
    this.session = { state: "signedOut" };
    this.studio.tell({ state: "ready" });
    this.runtime.listener?.session(this.session);
  }

  private begunAccounts(onServer: boolean): FakeAccounts {
    const around = {
      wait: () => this.runtime.wait(),
      session: (state: SessionState) => {
        this.session = state;
        this.runtime.listener?.session(state);
      },
      link: (outcome: LinkOutcome) => this.runtime.listener?.link(outcome),
      post: (...mail: Parameters<FakeMailbox["post"]>) => this.mailbox.post(...mail),
    };
    return new FakeAccounts(around, onServer);
  }
}

function noFolders(): never {
  fail("diskRefused", "A browser has no folders to show.");
}
