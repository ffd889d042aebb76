import type { ClipShown, JobShown } from "../../host";

/** What there is to see of a job. */
export interface JobPicture {
  picture: ClipShown | null;
  /** The first clip it made. */
  result: ClipShown | null;
}

/** What is to be seen of each job: its first result, before that what it starts from. */
export function pictures(jobs: readonly JobShown[], clips: readonly ClipShown[]): Map<string, JobPicture> {
  const wanted = new Set(jobs.flatMap((job) => [job.id, ...job.madeFrom]));
  const results = new Map<string, ClipShown>();
  const sources = new Map<string, ClipShown>();
  for (const clip of clips) {
    if (wanted.has(clip.id)) sources.set(clip.id, clip);
    if (!wanted.has(clip.jobId)) continue;
    const known = results.get(clip.jobId);
    if (!known || clip.variant < known.variant) results.set(clip.jobId, clip);
  }
  return new Map(
    jobs.map((job) => {
      const result = results.get(job.id) ?? null;
      const [source = null] = job.madeFrom.flatMap((id) => sources.get(id) ?? []);
      return [job.id, { picture: result ?? source, result }];
    }),
  );
}
