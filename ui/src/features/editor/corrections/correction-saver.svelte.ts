import { toAppError, type AppError, type CorrectionLayer, type Host, type MessageView } from "../../../host";
import { AutoSaver, trackSave } from "../../../shared/auto-saver";
import { unsaved } from "../unsaved";
import type { Layers } from "./layers";

/** Saves the corrections of a clip: one state at a time, and the newest in any case. */
export class CorrectionSaver {
  /** Why they could not be saved. */
  error = $state.raw<AppError | null>(null);
  /** Messages about corrections that the character cannot show. */
  messages = $state.raw<MessageView[]>([]);
  /**
   * Version of the saved state, distinct from those of earlier openings because web views may cache
   * what they loaded.
   */
  version = $state(Date.now());
  /** The last saved state. */
  saved = $state.raw<Layers>([]);
  private readonly id: string;
  private readonly host: Pick<Host, "keepCorrections">;
  private readonly attempt: (work: () => Promise<void>) => Promise<void>;
  private readonly autoSaver: AutoSaver<Layers>;
  private newest: Layers;
  private queue: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    id: string,
    saved: Layers,
    host: Pick<Host, "keepCorrections">,
    attempt: (work: () => Promise<void>) => Promise<void>,
  ) {
    this.id = id;
    this.host = host;
    this.attempt = attempt;
    this.newest = this.saved = saved;
    this.autoSaver = new AutoSaver(saved, (layers) => this.enqueueSave(layers));
  }

  changed(layers: Layers): void {
    this.autoSaver.changed(layers);
  }

  flush(): void {
    this.autoSaver.flush();
  }

  /** Waits until everything so far is saved. Returns whether that succeeded. */
  async waitUntilSaved(): Promise<boolean> {
    this.flush();
    await this.queue;
    return this.error === null;
  }

  /** Retries after a failure. */
  retry(): void {
    trackSave(this.enqueueSave(this.newest));
  }

  /** Called when the editor closes; later failures are reported outside of it. */
  close(): void {
    this.isClosed = true;
    if (this.error) this.retry();
    this.flush();
  }

  /** Queues a save, because commands may run concurrently. */
  private enqueueSave(layers: Layers): Promise<void> {
    this.newest = layers;
    return (this.queue = this.queue.then(() => this.save(layers)));
  }

  private async save(layers: Layers): Promise<void> {
    // a newer state supersedes this one
    if (layers !== this.newest) return;
    try {
      this.messages = await unsaved.corrections.save(this.id, layers, () => this.host.keepCorrections(this.id, layers as CorrectionLayer[]));
      this.error = null;
      this.saved = layers;
      this.version += 1;
    } catch (thrown) {
      if (this.isClosed) await this.attempt(() => Promise.reject(thrown));
      else this.error = toAppError(thrown);
    }
  }
}
