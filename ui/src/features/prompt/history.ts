/** Where somebody is who walks through earlier prompts, newest first, as in a terminal. */
export class HistoryCursor {
  /** What is being written stands before the newest. */
  private place = -1;

  /** Something is being written again. */
  reset(): void {
    this.place = -1;
  }

  /** The next older prompt; null where there is none, or where the walk has not begun and may not begin here. */
  older(history: readonly string[], mayBegin: boolean): string | null {
    const isWalking = this.place >= 0;
    if ((!isWalking && !mayBegin) || this.place >= history.length - 1) return null;
    this.place += 1;
    return history[this.place] ?? "";
  }

  /** The next newer prompt, and nothing behind the newest; null where no walk has begun. */
  newer(history: readonly string[]): string | null {
    if (this.place < 0) return null;
    this.place -= 1;
    return history[this.place] ?? "";
  }
}
