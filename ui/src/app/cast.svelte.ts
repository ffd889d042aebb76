import { shownError, type CharacterShown, type Host, type UploadShown } from "../host";
import { Latest, Told } from "../shared/answers";
import type { Telling } from "./toasts.svelte";
import { inWords, t } from "../texts";

/** Confidence from which a skeleton needs no review. */
const sureEnough = 0.9;

type Surroundings = {
  attempt: (work: () => Promise<void>) => Promise<void>;
  tell: (tone: "good" | "bad", told: Telling) => void;
  /** Whether the characters room is open; `show` opens it. */
  isShown: () => boolean;
  show: () => void;
};

/** The characters, and the uploads that become characters. */
export class Cast {
  characters = $state<CharacterShown[]>([]);
  /** The list is still being loaded. */
  loading = $state(true);
  uploads = $state<UploadShown[]>([]);
  /** Files are being dragged over the window. */
  dragging = $state(false);
  /** The character that was added last, to be highlighted. */
  fresh = $state<string | null>(null);
  /** The character whose bones are being reviewed. */
  reviewed = $state<string | null>(null);
  readonly underWay = $derived(
    this.uploads.filter(({ state }) => ["waiting", "sending", "interrupted", "checking"].includes(state.state)).length,
  );
  private readonly host: Host;
  private readonly around: Surroundings;
  private readonly told = new Told();
  /** Uploads that became characters. */
  private readonly settled = new Set<string>();
  private readonly who = new Latest();

  constructor(host: Host, around: Surroundings) {
    this.host = host;
    this.around = around;
  }

  async load(): Promise<void> {
    try {
      await this.askWho();
    } finally {
      this.loading = false;
    }
    await this.ask(() => this.host.uploads());
  }

  /** Applies an update of one upload. */
  changed(upload: UploadShown): void {
    this.told.heard(upload.id);
    const at = this.uploads.findIndex((known) => known.id === upload.id);
    if (upload.state.state === "done") {
      this.uploads = this.uploads.filter((known) => known.id !== upload.id);
      // an answer requested before the upload left the list may still contain it
      if (this.settled.has(upload.id)) return;
      this.settled.add(upload.id);
      void this.around.attempt(() => this.arrived(upload, upload.state));
    } else if (at >= 0) {
      this.uploads[at] = upload;
    } else {
      this.uploads = [upload, ...this.uploads];
      if (upload.state.state === "waiting" && !this.around.isShown()) this.sayComing(upload);
    }
  }

  pick(): void {
    void this.around.attempt(() => this.ask(() => this.host.pickCharacters()));
  }

  pause(id: string): void {
    void this.around.attempt(() => this.host.pauseUpload(id));
  }

  resume(id: string): void {
    void this.around.attempt(() => this.host.resumeUpload(id));
  }

  dismiss(id: string): void {
    void this.around.attempt(async () => {
      await this.host.dismissUpload(id);
      this.told.heard(id);
      this.uploads = this.uploads.filter((known) => known.id !== id);
    });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.host.renameCharacter(id, name);
    await this.askWho();
  }

  async delete(id: string): Promise<void> {
    await this.host.deleteCharacter(id);
    await this.askWho();
  }

  /** Applies a list of uploads, oldest first, except those updated while it was on its way. */
  private async ask(question: () => Promise<UploadShown[]>): Promise<void> {
    const { answer, newer } = await this.told.since(question);
    for (const upload of answer) if (!newer.has(upload.id)) this.changed(upload);
  }

  private askWho(): Promise<void> {
    return this.who.take(() => this.host.characters(), (characters) => (this.characters = characters));
  }

  private sayComing(upload: UploadShown): void {
    const offer = { words: t("app.toast.showUploads"), take: this.around.show };
    const holds = (): boolean => this.uploads.some((each) => each.id === upload.id);
    this.around.tell("good", { message: t("app.toast.uploading", { name: upload.name }), offer, holds });
  }

  private async arrived(upload: UploadShown, state: UploadShown["state"]): Promise<void> {
    if (state.state !== "done") return;
    const id = state.characterId;
    await this.askWho();
    this.fresh = id;
    await this.host.dismissUpload(upload.id);
    const name = this.characters.find((each) => each.id === id)?.name ?? upload.name;
    await this.sayArrived(id, name);
  }

  /**
   * Reports the confidence in the skeleton; if that cannot be read, only that the character
   * arrived.
   */
  private async sayArrived(id: string, name: string): Promise<void> {
    try {
      const { confidence } = await this.host.characterRig(id);
      if (confidence < sureEnough) {
        const message = t("app.toast.addedGuessed", { name });
        const take = (): void => void (this.reviewed = id);
        const holds = (): boolean => this.characters.some((each) => each.id === id);
        this.around.tell("good", { message, offer: { words: t("app.toast.reviewBones"), take }, holds });
        return;
      }
      this.around.tell("good", { message: t("app.toast.added", { name }) });
    } catch (thrown) {
      const { message } = shownError(thrown);
      this.around.tell("good", { message: t("app.toast.added", { name }), detail: inWords(message) });
    }
  }
}
