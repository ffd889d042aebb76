import { toAppError, type CharacterView, type Host, type UploadView } from "../host";
import { Latest, UpdateTracker } from "../shared/latest";
import type { ToastContent } from "./toasts.svelte";
import { messageText, t } from "../texts";

/** Confidence from which a skeleton needs no review. */
const reviewBelowConfidence = 0.9;

type StoreContext = {
  attempt: (work: () => Promise<void>) => Promise<void>;
  notify: (tone: "good" | "bad", content: ToastContent) => void;
  /** Whether the characters page is open; `openPage` opens it. */
  isPageOpen: () => boolean;
  openPage: () => void;
};

/** The characters, and the uploads that become characters. */
export class CharacterStore {
  all = $state<CharacterView[]>([]);
  /** The list is still being loaded. */
  loading = $state(true);
  uploads = $state<UploadView[]>([]);
  /** Files are being dragged over the window. */
  dragging = $state(false);
  /** The character that was added last, to be highlighted. */
  lastAdded = $state<string | null>(null);
  /** The character whose bones are being reviewed. */
  reviewed = $state<string | null>(null);
  readonly activeUploads = $derived(
    this.uploads.filter(({ state }) => ["waiting", "sending", "interrupted", "checking"].includes(state.state)).length,
  );
  private readonly host: Host;
  private readonly context: StoreContext;
  private readonly updates = new UpdateTracker();
  /** Uploads that became characters. */
  private readonly converted = new Set<string>();
  private readonly characterRequests = new Latest();

  constructor(host: Host, context: StoreContext) {
    this.host = host;
    this.context = context;
  }

  async load(): Promise<void> {
    try {
      await this.loadCharacters();
    } finally {
      this.loading = false;
    }
    await this.applyUploads(() => this.host.uploads());
  }

  /** Applies an update of one upload. */
  changed(upload: UploadView): void {
    this.updates.markUpdated(upload.id);
    const at = this.uploads.findIndex((known) => known.id === upload.id);
    if (upload.state.state === "done") {
      this.uploads = this.uploads.filter((known) => known.id !== upload.id);
      // an answer requested before the upload left the list may still contain it
      if (this.converted.has(upload.id)) return;
      this.converted.add(upload.id);
      void this.context.attempt(() => this.uploadDone(upload, upload.state));
    } else if (at >= 0) {
      this.uploads[at] = upload;
    } else {
      this.uploads = [upload, ...this.uploads];
      if (upload.state.state === "waiting" && !this.context.isPageOpen()) this.notifyUploading(upload);
    }
  }

  pick(): void {
    void this.context.attempt(() => this.applyUploads(() => this.host.pickCharacters()));
  }

  pause(id: string): void {
    void this.context.attempt(() => this.host.pauseUpload(id));
  }

  resume(id: string): void {
    void this.context.attempt(() => this.host.resumeUpload(id));
  }

  dismiss(id: string): void {
    void this.context.attempt(async () => {
      await this.host.dismissUpload(id);
      this.updates.markUpdated(id);
      this.uploads = this.uploads.filter((known) => known.id !== id);
    });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.host.renameCharacter(id, name);
    await this.loadCharacters();
  }

  async delete(id: string): Promise<void> {
    await this.host.deleteCharacter(id);
    await this.loadCharacters();
  }

  /** Applies a list of uploads, oldest first, except those updated while it was on its way. */
  private async applyUploads(request: () => Promise<UploadView[]>): Promise<void> {
    const { answer, newer } = await this.updates.during(request);
    for (const upload of answer) if (!newer.has(upload.id)) this.changed(upload);
  }

  private loadCharacters(): Promise<void> {
    return this.characterRequests.run(() => this.host.characters(), (characters) => (this.all = characters));
  }

  private notifyUploading(upload: UploadView): void {
    const action = { words: t("app.toast.showUploads"), run: this.context.openPage };
    const isRelevant = (): boolean => this.uploads.some((each) => each.id === upload.id);
    this.context.notify("good", { message: t("app.toast.uploading", { name: upload.name }), action, isRelevant });
  }

  private async uploadDone(upload: UploadView, state: UploadView["state"]): Promise<void> {
    if (state.state !== "done") return;
    const id = state.characterId;
    await this.loadCharacters();
    this.lastAdded = id;
    await this.host.dismissUpload(upload.id);
    const name = this.all.find((each) => each.id === id)?.name ?? upload.name;
    await this.notifyAdded(id, name);
  }

  /**
   * Reports the confidence in the skeleton; if that cannot be read, only that the character
   * arrived.
   */
  private async notifyAdded(id: string, name: string): Promise<void> {
    try {
      const { confidence } = await this.host.characterRig(id);
      if (confidence < reviewBelowConfidence) {
        const message = t("app.toast.addedGuessed", { name });
        const run = (): void => void (this.reviewed = id);
        const isRelevant = (): boolean => this.all.some((each) => each.id === id);
        this.context.notify("good", { message, action: { words: t("app.toast.reviewBones"), run }, isRelevant });
        return;
      }
      this.context.notify("good", { message: t("app.toast.added", { name }) });
    } catch (thrown) {
      const { message } = toAppError(thrown);
      this.context.notify("good", { message: t("app.toast.added", { name }), detail: messageText(message) });
    }
  }
}
