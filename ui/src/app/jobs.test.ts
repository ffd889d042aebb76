import { expect, test } from "vitest";
import type { JobShown, JobState } from "../host";
import { mostJobs, withNew, WorkClock } from "./jobs";

const job = (id: string, state: JobState): JobShown => ({
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
const ids = (jobs: JobShown[]): string[] => jobs.map(({ id }) => id);

test("a new job stands before the others", () => {
  expect(ids(withNew([job("b", done), job("a", done)], job("c", waiting)))).toEqual(["c", "b", "a"]);
});

test("however long the window is open, no more jobs are kept than in the journal", () => {
  let jobs: JobShown[] = [];
  for (let at = 0; at < mostJobs + 20; at += 1) jobs = withNew(jobs, job(String(at), done));
  expect(jobs.length).toBe(mostJobs);
  expect([jobs[0]?.id, jobs.at(-1)?.id]).toEqual([String(mostJobs + 19), "20"]);
});

test("what has not ended stays, however old it is", () => {
  const ended = Array.from({ length: mostJobs - 1 }, (_, at) => job(String(at), done));
  const kept = ids(withNew([...ended, job("old", waiting)], job("new", waiting)));
  expect(kept.length).toBe(mostJobs);
  expect([kept[0], kept.at(-1), kept.at(-2)]).toEqual(["new", "old", String(mostJobs - 3)]);
});

const working: JobState = { state: "working", percent: 10, stage: "moving", variant: 1 };
const handedIn = Date.parse("2026-01-01T00:00:00.000Z");

test("work is counted from when it began, not from when a job began to wait", () => {
  const clock = new WorkClock();
  clock.saw(job("a", waiting), handedIn);
  expect(clock.workedMs("a", handedIn + 60_000)).toBe(0);
  clock.saw(job("a", working), handedIn + 60_000);
  clock.saw(job("a", { state: "fetching" }), handedIn + 62_000);
  expect(clock.workedMs("a", handedIn + 65_000)).toBe(5000);
  clock.saw(job("a", done), handedIn + 66_000);
  expect(clock.workedMs("a", handedIn + 70_000)).toBe(0);
});

test("a job that was at work before anybody looked counts since it was handed in", () => {
  const clock = new WorkClock();
  clock.saw(job("a", working), handedIn + 30_000);
  expect(clock.workedMs("a", handedIn + 31_000)).toBe(31_000);
});
