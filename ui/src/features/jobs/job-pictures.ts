import type { ClipView, JobView } from "../../host";

/** The clips that illustrate a job. */
export interface JobPicture {
  picture: ClipView | null;
  /** The first clip it made. */
  result: ClipView | null;
}

/** The picture of each job: its first result, or its source until there is one. */
export function jobPictures(jobs: readonly JobView[], clips: readonly ClipView[]): Map<string, JobPicture> {
  const wanted = new Set(jobs.flatMap((job) => [job.id, ...job.madeFrom]));
  const results = new Map<string, ClipView>();
  const sources = new Map<string, ClipView>();
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
