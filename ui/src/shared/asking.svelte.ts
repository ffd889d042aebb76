import { untrack } from "svelte";
import { shownError, type AppError } from "../host";

/** One thing asked for at a time: whether it is under way, and why it failed. */
export class Asking {
  busy = $state(false);
  error = $state.raw<AppError | null>(null);

  /** Answers whether it worked. */
  async do(work: () => Promise<void>): Promise<boolean> {
    // an effect that asks must not ask again because it has been answered
    if (untrack(() => this.busy)) return false;
    this.busy = true;
    this.error = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = shownError(thrown);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
