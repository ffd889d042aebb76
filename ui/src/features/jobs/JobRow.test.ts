import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";

import type { JobShown, JobState } from "../../host";
import JobRow from "./JobRow.svelte";

function job(state: JobState): JobShown {
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

it("asks before it spends credits", async () => {
  const onpay = vi.fn();
  const unpaid: JobState = { state: "unpaid", credits: 1, available: 12.5 };
  render(JobRow, { job: job(unpaid), oncancel: vi.fn(), onretry: vi.fn(), onpay });
  expect(screen.getByText(/cost 1 credit; you have 12.5 credits/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Get results for 1 credit" }));
  expect(onpay).toHaveBeenCalledWith("job-1");
});

it("offers nothing that cannot be paid for", () => {
  const unpaid: JobState = { state: "unpaid", credits: 5, available: 2 };
  render(JobRow, { job: job(unpaid), oncancel: vi.fn(), onretry: vi.fn(), onpay: vi.fn() });
  expect(screen.getByRole("button", { name: "Get results for 5 credits" })).toHaveProperty("disabled", true);
  expect(screen.getByText(/Ask your operator/)).toBeTruthy();
});

it("tries again at once what costs nothing, and tells a price before it is agreed to", async () => {
  const onretry = vi.fn().mockResolvedValueOnce(3).mockResolvedValueOnce(3);
  render(JobRow, { job: job({ state: "cancelled" }), oncancel: vi.fn(), onpay: vi.fn(), onretry });
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onretry).toHaveBeenLastCalledWith("job-1", 0);
  await userEvent.click(await screen.findByRole("button", { name: "Try again for 3 credits" }));
  expect(onretry).toHaveBeenLastCalledWith("job-1", 3);
});
