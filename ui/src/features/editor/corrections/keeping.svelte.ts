import { shownError, type AppError, type CorrectionLayer, type Host, type Told } from "../../../host";
import { AutoSaver, trackSave } from "../../../shared/auto-saver";
import { unkept } from "../unkept";
import type { Layers } from "./layers";

/** Saves the corrections of a clip: one state at a time, and the newest in any case. */
export class CorrectionKeeping {
  /** Why they could not be saved. */
  error = $state.raw<AppError | null>(null);
  /** Messages about corrections that the character cannot show. */
  told = $state.raw<Told[]>([]);
  /**
   * Version of the saved state, distinct from those of earlier openings because web views may cache
   * what they loaded.
   */
  version = $state(Date.now());
  /** The last saved state. */
  kept = $state.raw<Layers>([]);
  private readonly id: string;
  private readonly host: Pick<Host, "keepCorrections">;
  private readonly attempt: (work: () => Promise<void>) => Promise<void>;
  private readonly saver: AutoSaver<Layers>;
  private newest: Layers;
  private queue: Promise<void> = Promise.resolve();
  private isLeft = false;

  constructor(
    id: string,
    kept: Layers,
    host: Pick<Host, "keepCorrections">,
    attempt: (work: () => Promise<void>) => Promise<void>,
  ) {
    this.id = id;
    this.host = host;
    this.attempt = attempt;
    this.newest = this.kept = kept;
    this.saver = new AutoSaver(kept, (layers) => this.keepSoon(layers));
  }

  changed(layers: Layers): void {
    this.saver.changed(layers);
  }

  flush(): void {
    this.saver.flush();
  }

  /** Waits until everything so far is saved. Returns whether that succeeded. */
  async settled(): Promise<boolean> {
    this.flush();
    await this.queue;
    return this.error === null;
  }

  /** Retries after a failure. */
  again(): void {
    trackSave(this.keepSoon(this.newest));
  }

  /** Called when the editor closes; later failures are reported outside of it. */
  leave(): void {
    this.isLeft = true;
    if (this.error) this.again();
    this.flush();
  }

  /** Queues a save, because commands may run concurrently. */
  private keepSoon(layers: Layers): Promise<void> {
    this.newest = layers;
    return (this.queue = this.queue.then(() => this.keep(layers)));
  }

  private async keep(layers: Layers): Promise<void> {
    // a newer state supersedes this one
    if (layers !== this.newest) return;
    try {
      this.told = await unkept.corrections.keep(this.id, layers, () => this.host.keepCorrections(this.id, layers as CorrectionLayer[]));
      this.error = null;
      this.kept = layers;
      this.version += 1;
    } catch (thrown) {
      if (this.isLeft) await this.attempt(() => Promise.reject(thrown));
      else this.error = shownError(thrown);
    }
  }
}
