import { isActive } from "../features/jobs/job-state";
import type { JobView } from "../host";

/** The most jobs listed, as many as the app's journal keeps. */
export const maxJobs = 500;

/**
 * Adds a job before the others, newest first; beyond {@link maxJobs}, the oldest that have ended
 * go.
 */
export function addJob(jobs: readonly JobView[], job: JobView): JobView[] {
  const all = [job, ...jobs];
  for (let at = all.length - 1; at > 0 && all.length > maxJobs; at -= 1) {
    const one = all[at];
    if (one && !isActive(one.state)) all.splice(at, 1);
  }
  return all;
}

/** Cancelling a job needs confirmation if more work than this would be lost, in milliseconds. */
export const confirmCancelAfterMs = 10_000;

/** Measures how long jobs have been processed, as far as this window has seen. */
export class ProcessingTimer {
  private readonly waited = new Set<string>();
  private readonly began = new Map<string, number>();

  /** Notes the state of a job. */
  update({ id, madeAt, state }: JobView, nowMs: number): void {
    if (!isActive(state)) {
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
  processedMs(id: string, nowMs: number): number {
    const began = this.began.get(id);
    return began === undefined ? 0 : Math.max(0, nowMs - began);
  }
}
