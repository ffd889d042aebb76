import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onAnimationTick } from "./animation-clock";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("all animations share one timer, which stops when nothing is animated", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const leaveFirst = onAnimationTick(first);
  vi.advanceTimersByTime(60);
  const leaveSecond = onAnimationTick(second);
  vi.advanceTimersByTime(940);
  expect(first.mock.calls.length).toBe(8);
  expect(second.mock.calls).toEqual(first.mock.calls);
  leaveFirst();
  leaveSecond();
  expect(vi.getTimerCount()).toBe(0);
});

test("does not run in a hidden window", () => {
  const step = vi.fn();
  const leave = onAnimationTick(step);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  vi.advanceTimersByTime(1000);
  expect(step).not.toHaveBeenCalled();
  hidden.mockRestore();
  leave();
});

test("no CSS animation is infinite: those use the common clock", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  const styled = files.filter((file) => /\.(svelte|css)$/.test(file));
  const endless = styled.filter((file) => readFileSync(`src/${file}`, "utf8").includes("infinite"));
  expect(styled.length).toBeGreaterThan(50);
  expect(endless).toEqual([]);
});
