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
