const pauseMs = 400;

/** What is being kept right now, by all keepers. */
const underWay = new Set<Promise<unknown>>();

/** Something is being kept until `keeping` is over, whatever becomes of it. */
export function beingKept(keeping: Promise<unknown>): void {
  underWay.add(keeping);
  const done = () => void underWay.delete(keeping);
  void keeping.then(done, done);
}

/** Until nothing is being kept any more, whatever became of it. */
export async function allKept(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}

/** Does something with clips once all is kept: an editor that was just closed may still be keeping what was done there. */
export async function onceKept<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  await allKept();
  return work();
}

/**
 * Keeps what somebody works on: the first change at once, what follows on its heels a moment later, and
 * whatever is still waiting when asked. So a drag is not written frame by frame, nor a sentence letter by
 * letter, and a change right before the window closes is not lost.
 */
export class Keeper<State> {
  private readonly keep: (state: State) => unknown;
  private kept: string;
  private waiting: { state: State } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `keep` answers with a promise when it takes time. */
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
