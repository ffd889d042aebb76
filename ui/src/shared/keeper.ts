const pauseMs = 400;

/** Saves in progress, of all keepers. */
const underWay = new Set<Promise<unknown>>();

/** Registers a save until it ends, successfully or not. */
export function beingKept(keeping: Promise<unknown>): void {
  underWay.add(keeping);
  const done = () => void underWay.delete(keeping);
  void keeping.then(done, done);
}

/** Waits until no save is in progress, successful or not. */
export async function allKept(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}

/** Runs `work` after all saves: an editor that was just closed may still be saving. */
export async function onceKept<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  await allKept();
  return work();
}

/**
 * Saves a changing state: the first change at once, further ones after a short pause, and pending
 * ones on `flush`. So a drag is not saved frame by frame, nor a sentence letter by letter, and a
 * change right before the window closes is not lost.
 */
export class Keeper<State> {
  private readonly keep: (state: State) => unknown;
  private kept: string;
  private waiting: { state: State } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `keep` returns a promise if it takes time. */
  constructor(kept: State, keep: (state: State) => unknown) {
    this.keep = keep;
    this.kept = JSON.stringify(kept);
  }

  changed(state: State): void {
    this.waiting = JSON.stringify(state) === this.kept ? null : { state };
    if (this.waiting && this.timer === undefined) this.flush();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.waiting) return;
    const { state } = this.waiting;
    this.waiting = null;
    this.kept = JSON.stringify(state);
    this.timer = setTimeout(() => this.flush(), pauseMs);
    beingKept(Promise.resolve(this.keep(state)));
  }
}
