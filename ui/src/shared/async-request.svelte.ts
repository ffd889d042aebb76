import { untrack } from "svelte";
import { toAppError, type AppError } from "../host";

/** Runs one request at a time; exposes whether it is in progress, and its error. */
export class AsyncRequest {
  busy = $state(false);
  error = $state.raw<AppError | null>(null);

  /** Returns whether it succeeded. */
  async run(work: () => Promise<void>): Promise<boolean> {
    // not tracked, so that an effect does not ask again after the answer
    if (untrack(() => this.busy)) return false;
    this.busy = true;
    this.error = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = toAppError(thrown);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
