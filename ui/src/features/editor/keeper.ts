import type { Draft } from "../../host";

const delayMs = 400;

/** Keeps the newest state of a draft a moment after the last change, and at once when asked. */
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
    clearTimeout(this.timer);
    this.waiting = JSON.stringify(draft) === this.kept ? null : { draft };
    if (this.waiting) this.timer = setTimeout(() => this.flush(), delayMs);
  }

  flush(): void {
    clearTimeout(this.timer);
    if (!this.waiting) return;
    const { draft } = this.waiting;
    this.waiting = null;
    this.kept = JSON.stringify(draft);
    this.keep(draft);
  }
}
