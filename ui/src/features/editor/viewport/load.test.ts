import { afterEach, expect, test, vi } from "vitest";
import { load } from "./load";
import { ViewportError } from "./unavailable";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const never = new AbortController().signal;

async function reason(answer: () => Promise<Response>): Promise<string> {
  vi.stubGlobal("fetch", vi.fn(answer));
  const error: unknown = await load("clip://localhost/job-2.1", never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ViewportError);
  return (error as ViewportError).reason;
}

test("the status of the answer says why there is no clip", async () => {
  expect(await reason(async () => new Response(null, { status: 404 }))).toBe("missing");
  expect(await reason(async () => new Response(null, { status: 413 }))).toBe("tooLarge");
  expect(await reason(() => Promise.reject(new TypeError("refused")))).toBe("missing");
  expect(await reason(async () => new Response("not a GLB at all, but long enough"))).toBe("unreadable");
});

test("a clip that does not come is given up, and one that nobody waits for any more at once", async () => {
  vi.useFakeTimers();
  const hang = (_: unknown, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  vi.stubGlobal("fetch", vi.fn(hang));
  const late = load("clip://localhost/job-2.1", never).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await late).toMatchObject({ reason: "missing" });
  const closed = new AbortController();
  const left = load("clip://localhost/job-2.1", closed.signal).catch((error: unknown) => error);
  closed.abort();
  expect(await left).toBeInstanceOf(ViewportError);
});
