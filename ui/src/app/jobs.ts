import { isOpen } from "../features/jobs/words";
import type { JobShown } from "../host";

/** The most jobs listed, as many as the app's journal keeps. */
export const mostJobs = 500;

/**
 * Adds a job before the others, newest first; beyond {@link mostJobs}, the oldest that have ended
 * go.
 */
export function withNew(jobs: readonly JobShown[], job: JobShown): JobShown[] {
  const all = [job, ...jobs];
  for (let at = all.length - 1; at > 0 && all.length > mostJobs; at -= 1) {
    const one = all[at];
    if (one && !isOpen(one.state)) all.splice(at, 1);
  }
  return all;
}

/** Cancelling a job needs confirmation if more work than this would be lost, in milliseconds. */
export const dearWorkMs = 10_000;

/** Measures how long jobs have been processed, as far as this window has seen. */
export class WorkClock {
  private readonly waited = new Set<string>();
  private readonly began = new Map<string, number>();

  /** Notes the state of a job. */
  saw({ id, madeAt, state }: JobShown, nowMs: number): void {
    if (!isOpen(state)) {
      this.waited.delete(id);
      this.began.delete(id);
    } else if (state.state === "waiting") {
      this.waited.add(id);
    } else if (state.state !== "retrying" && !this.began.has(id)) {
      // a job that was never seen waiting may have been in progress since it was submitted
      this.began.set(id, this.waited.has(id) ? nowMs : Date.parse(madeAt));
    }
  }

  /** Processing time so far; 0 for a job that is still waiting. */
  workedMs(id: string, nowMs: number): number {
    const began = this.began.get(id);
    return began === undefined ? 0 : Math.max(0, nowMs - began);
  }
}
