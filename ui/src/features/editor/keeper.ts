import type { Draft } from "../../host";

const pauseMs = 400;

/**
 * Keeps a draft: the first change at once, what follows on its heels a moment later, and whatever
 * is still waiting when asked. So a drag is not written frame by frame, and a change right before
 * the window closes is not lost.
 */
export class Keeper {
  private readonly keep: (draft: Draft | null) => void;
  private kept: string;
  private waiting: { draft: Draft | null } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(kept: Draft | null, keep: (draft: Draft | null) => void) {
    this.keep = keep;
    this.kept = JSON.stringify(kept);
  }

  changed(draft: Draft | null): void {
    this.waiting = JSON.stringify(draft) === this.kept ? null : { draft };
    if (this.waiting && this.timer === undefined) this.flush();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.waiting) return;
    const { draft } = this.waiting;
    this.waiting = null;
    this.kept = JSON.stringify(draft);
    this.timer = setTimeout(() => this.flush(), pauseMs);
    this.keep(draft);
  }
}
