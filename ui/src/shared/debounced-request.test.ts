import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DebouncedRequest } from "./debounced-request";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Collects questions to be answered by hand, and the answers received. */
function setUp() {
  const requests: { request: string; answer: (answer: string) => void; refuse: () => void }[] = [];
  const answers: (string | null)[] = [];
  const debounced = new DebouncedRequest<string, string>(
    (request) => new Promise((resolve, reject) => requests.push({ request, answer: resolve, refuse: () => reject(new Error("no")) })),
    (answer) => answers.push(answer),
  );
  return { requests, answers, debounced };
}

test("sends only a request that is stable", async () => {
  const { requests, debounced } = setUp();
  debounced.schedule("w");
  await vi.advanceTimersByTimeAsync(200);
  debounced.schedule("walks");
  await vi.advanceTimersByTimeAsync(200);
  expect(requests).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(requests.map(({ request }) => request)).toEqual(["walks"]);
  debounced.schedule("jumps")();
  await vi.advanceTimersByTimeAsync(500);
  expect(requests).toHaveLength(1);
});

test("drops outdated answers, and answers to withdrawn requests", async () => {
  const { requests, answers, debounced } = setUp();
  void debounced.sendNow("glorps");
  void debounced.sendNow("jumps");
  requests[1]?.answer("jump");
  requests[0]?.answer("?");
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toEqual(["jump"]);
  void debounced.sendNow("bows");
  debounced.schedule(null);
  requests[2]?.answer("bow");
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toEqual(["jump", null]);
});

test("an error counts as no answer", async () => {
  const { requests, answers, debounced } = setUp();
  void debounced.sendNow("walks");
  requests[0]?.refuse();
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toEqual([null]);
});
