import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onBeat } from "./beat";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("everything that moves does so at the same moments, and nothing ticks when nothing moves", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const leaveFirst = onBeat(first);
  vi.advanceTimersByTime(60);
  const leaveSecond = onBeat(second);
  vi.advanceTimersByTime(940);
  expect(first.mock.calls.length).toBe(8);
  expect(second.mock.calls).toEqual(first.mock.calls);
  leaveFirst();
  leaveSecond();
  expect(vi.getTimerCount()).toBe(0);
});

test("nothing moves in a window that nobody sees", () => {
  const step = vi.fn();
  const leave = onBeat(step);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  vi.advanceTimersByTime(1000);
  expect(step).not.toHaveBeenCalled();
  hidden.mockRestore();
  leave();
});

test("no style moves without an end: that is the beat's work", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  const styled = files.filter((file) => /\.(svelte|css)$/.test(file));
  const endless = styled.filter((file) => readFileSync(`src/${file}`, "utf8").includes("infinite"));
  expect(styled.length).toBeGreaterThan(50);
  expect(endless).toEqual([]);
});
