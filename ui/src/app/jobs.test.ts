import { expect, test } from "vitest";
import type { JobView, JobState } from "../host";
import { maxJobs, addJob, ProcessingTimer } from "./jobs";

const job = (id: string, state: JobState): JobView => ({
  id,
  prompt: "a person walks",
  characterId: "mannequin",
  characterName: "Mannequin",
  variants: 1,
  madeFrom: [],
  madeAt: "2026-01-01T00:00:00.000Z",
  warnings: [],
  canRetry: false,
  state,
});
const done: JobState = { state: "done" };
const waiting: JobState = { state: "waiting", place: 1 };
const ids = (jobs: JobView[]): string[] => jobs.map(({ id }) => id);

test("adds a new job first", () => {
  expect(ids(addJob([job("b", done), job("a", done)], job("c", waiting)))).toEqual(["c", "b", "a"]);
});

test("keeps no more jobs than the journal", () => {
  let jobs: JobView[] = [];
  for (let at = 0; at < maxJobs + 20; at += 1) jobs = addJob(jobs, job(String(at), done));
  expect(jobs.length).toBe(maxJobs);
  expect([jobs[0]?.id, jobs.at(-1)?.id]).toEqual([String(maxJobs + 19), "20"]);
});

test("keeps active jobs, however old", () => {
  const ended = Array.from({ length: maxJobs - 1 }, (_, at) => job(String(at), done));
  const remaining = ids(addJob([...ended, job("old", waiting)], job("new", waiting)));
  expect(remaining.length).toBe(maxJobs);
  expect([remaining[0], remaining.at(-1), remaining.at(-2)]).toEqual(["new", "old", String(maxJobs - 3)]);
});

const working: JobState = { state: "working", percent: 10, stage: "moving", variant: 1 };
const submittedAt = Date.parse("2026-01-01T00:00:00.000Z");

test("measures from the start of processing, not of waiting", () => {
  const clock = new ProcessingTimer();
  clock.update(job("a", waiting), submittedAt);
  expect(clock.processedMs("a", submittedAt + 60_000)).toBe(0);
  clock.update(job("a", working), submittedAt + 60_000);
  clock.update(job("a", { state: "fetching" }), submittedAt + 62_000);
  expect(clock.processedMs("a", submittedAt + 65_000)).toBe(5000);
  clock.update(job("a", done), submittedAt + 66_000);
  expect(clock.processedMs("a", submittedAt + 70_000)).toBe(0);
});

test("measures jobs that were already active from their submission", () => {
  const clock = new ProcessingTimer();
  clock.update(job("a", working), submittedAt + 30_000);
  expect(clock.processedMs("a", submittedAt + 31_000)).toBe(31_000);
});
