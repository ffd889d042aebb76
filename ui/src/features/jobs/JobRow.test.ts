import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";

import type { JobView, JobState } from "../../host";
import { exampleClip } from "../../host/fake-examples";
import JobRow from "./JobRow.svelte";
import { jobPictures } from "./job-pictures";

function job(state: JobState): JobView {
  return {
    id: "job-1",
    prompt: "walks",
    characterId: "ada",
    characterName: "Ada",
    variants: 1,
    change: null,
    madeFrom: [],
    madeAt: new Date().toISOString(),
    warnings: [],
    asked: null,
    canRetry: state.state === "cancelled",
    state,
  };
}

it("asks before spending credits", async () => {
  const onpay = vi.fn();
  const unpaid: JobState = { state: "unpaid", credits: 1, available: 12.5 };
  render(JobRow, { job: job(unpaid), oncancel: vi.fn(), onretry: vi.fn(), onpay });
  expect(screen.getByText(/cost 1 credit; you have 12.5 credits/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Get results for 1 credit" }));
  expect(onpay).toHaveBeenCalledWith("job-1");
});

it("offers no payment where none is possible", () => {
  const unpaid: JobState = { state: "unpaid", credits: 5, available: 2 };
  render(JobRow, { job: job(unpaid), oncancel: vi.fn(), onretry: vi.fn(), onpay: vi.fn() });
  expect(screen.getByRole("button", { name: "Get results for 5 credits" })).toHaveProperty("disabled", true);
  expect(screen.getByText(/Ask your studio’s operator/)).toBeTruthy();
});

it("retries at once if it is free, and shows a price first otherwise", async () => {
  const onretry = vi.fn().mockResolvedValueOnce(3).mockResolvedValueOnce(3);
  render(JobRow, { job: job({ state: "cancelled" }), oncancel: vi.fn(), onpay: vi.fn(), onretry });
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onretry).toHaveBeenLastCalledWith("job-1", 0);
  await userEvent.click(await screen.findByRole("button", { name: "Try again for 3 credits" }));
  expect(onretry).toHaveBeenLastCalledWith("job-1", 3);
});

it("opens its result", async () => {
  const onopen = vi.fn();
  const result = exampleClip(1);
  render(JobRow, { job: job({ state: "done" }), picture: result, result, oncancel: vi.fn(), onpay: vi.fn(), onretry: vi.fn(), onopen });
  await userEvent.click(screen.getByRole("button", { name: "Open result: walks" }));
  expect(onopen).toHaveBeenCalledWith(result.id);
});

it("shows its first result, or else its source, and nothing that was deleted", () => {
  const clip = (jobId: string, variant: number) => ({ ...exampleClip(0), id: `${jobId}.${variant}`, jobId, variant });
  const clips = [clip("job-2", 2), clip("job-2", 1), clip("job-9", 1)];
  const jobs = [
    { ...job({ state: "done" }), id: "job-2" },
    { ...job({ state: "waiting", place: 1 }), id: "job-3", madeFrom: ["job-7.1", "job-9.1"] },
    { ...job({ state: "done" }), id: "job-4", madeFrom: ["job-7.1"] },
  ];
  const seen = [...jobPictures(jobs, clips)].map(([id, { picture, result }]) => [id, picture?.id, result?.id]);
  expect(seen).toEqual([
    ["job-2", "job-2.1", "job-2.1"],
    ["job-3", "job-9.1", undefined],
    ["job-4", undefined, undefined],
  ]);
});
