const pauseMs = 400;

/**
 * Keeps what somebody works on: the first change at once, what follows on its heels a moment later, and
 * whatever is still waiting when asked. So a drag is not written frame by frame, nor a sentence letter by
 * letter, and a change right before the window closes is not lost.
 */
export class Keeper<State> {
  private readonly keep: (state: State) => void;
  private kept: string;
  private waiting: { state: State } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(kept: State, keep: (state: State) => void) {
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
    this.keep(state);
  }
}
