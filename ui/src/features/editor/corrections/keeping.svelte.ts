import { shownError, type AppError, type CorrectionLayer, type Host, type Told } from "../../../host";
import { beingKept, Keeper } from "../../../shared/keeper";
import { unkept } from "../unkept";
import type { Layers } from "./layers";

/** Has the app keep the corrections of one clip: one state after the other, and the newest for sure. */
export class CorrectionKeeping {
  /** Why they were not kept. */
  error = $state.raw<AppError | null>(null);
  /** What of them the character cannot show. */
  told = $state.raw<Told[]>([]);
  /**
   * Another one for each state that was kept, and unlike those of any earlier opening: web views may remember
   * what they fetched.
   */
  version = $state(Date.now());
  /** What was kept last. */
  kept = $state.raw<Layers>([]);
  private readonly id: string;
  private readonly host: Pick<Host, "keepCorrections">;
  private readonly attempt: (work: () => Promise<void>) => Promise<void>;
  private readonly keeper: Keeper<Layers>;
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
    this.keeper = new Keeper(kept, (layers) => this.keepSoon(layers));
  }

  changed(layers: Layers): void {
    this.keeper.changed(layers);
  }

  flush(): void {
    this.keeper.flush();
  }

  /** Waits until everything so far is kept; whether it is. */
  async settled(): Promise<boolean> {
    this.flush();
    await this.queue;
    return this.error === null;
  }

  /** Tries once more after a failure. */
  again(): void {
    beingKept(this.keepSoon(this.newest));
  }

  /** The editor closes: what goes wrong from now on is told outside of it. */
  leave(): void {
    this.isLeft = true;
    if (this.error) this.again();
    this.flush();
  }

  /** Commands run side by side, so the next one waits for the one before. */
  private keepSoon(layers: Layers): Promise<void> {
    this.newest = layers;
    return (this.queue = this.queue.then(() => this.keep(layers)));
  }

  private async keep(layers: Layers): Promise<void> {
    // one that has come since says all of it
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
