const pauseMs = 400;

/** Saves in progress, of all auto-savers. */
const savesInProgress = new Set<Promise<unknown>>();

/** Registers a save until it ends, successfully or not. */
export function trackSave(save: Promise<unknown>): void {
  savesInProgress.add(save);
  const done = () => void savesInProgress.delete(save);
  void save.then(done, done);
}

/** Waits until no save is in progress, successful or not. */
export async function allSaved(): Promise<void> {
  while (savesInProgress.size > 0) await Promise.allSettled(savesInProgress);
}

/** Runs `work` after all saves: an editor that was just closed may still be saving. */
export async function afterSaves<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  await allSaved();
  return work();
}

/**
 * Saves a changing state: the first change at once, further ones after a short pause, and pending
 * ones on `flush`. So a drag is not saved frame by frame, nor a sentence letter by letter, and a
 * change right before the window closes is not lost.
 */
export class AutoSaver<State> {
  private readonly save: (state: State) => unknown;
  private saved: string;
  private waiting: { state: State } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `save` returns a promise if it takes time. */
  constructor(saved: State, save: (state: State) => unknown) {
    this.save = save;
    this.saved = JSON.stringify(saved);
  }

  changed(state: State): void {
    this.waiting = JSON.stringify(state) === this.saved ? null : { state };
    if (this.waiting && this.timer === undefined) this.flush();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.waiting) return;
    const { state } = this.waiting;
    this.waiting = null;
    this.saved = JSON.stringify(state);
    this.timer = setTimeout(() => this.flush(), pauseMs);
    trackSave(Promise.resolve(this.save(state)));
  }
}
