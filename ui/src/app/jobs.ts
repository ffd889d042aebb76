import { isOpen } from "../features/jobs/words";
import type { JobShown } from "../host";

/** As many as the app's journal keeps: what has left it is not offered here for longer. */
export const mostJobs = 500;

/** Jobs, newest first, with a new one before them; beyond as many as are kept, the oldest that have ended leave. */
export function withNew(jobs: readonly JobShown[], job: JobShown): JobShown[] {
  const all = [job, ...jobs];
  for (let at = all.length - 1; at > 0 && all.length > mostJobs; at -= 1) {
    const one = all[at];
    if (one && !isOpen(one.state)) all.splice(at, 1);
  }
  return all;
}

/** Cancelling a job asks first when more work than this would be lost. */
export const dearWorkMs = 10_000;

/** For how long jobs have been worked at, as far as this window has seen it. */
export class WorkClock {
  private readonly waited = new Set<string>();
  private readonly began = new Map<string, number>();

  /** Hears how a job stands. */
  saw({ id, madeAt, state }: JobShown, nowMs: number): void {
    if (!isOpen(state)) {
      this.waited.delete(id);
      this.began.delete(id);
    } else if (state.state === "waiting") {
      this.waited.add(id);
    } else if (state.state !== "retrying" && !this.began.has(id)) {
      // one that nobody saw waiting may have been worked at since it was handed in
      this.began.set(id, this.waited.has(id) ? nowMs : Date.parse(madeAt));
    }
  }

  /** 0 of a job that still waits. */
  workedMs(id: string, nowMs: number): number {
    const began = this.began.get(id);
    return began === undefined ? 0 : Math.max(0, nowMs - began);
  }
}
