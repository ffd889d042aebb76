import { render, screen } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { DraftEdit } from "./draft.svelte";
import { Playback } from "./playback.svelte";
import Transport from "./Transport.svelte";

test("the time is read aloud where the playhead rests, and not for each frame that is played", async () => {
  const draft = new DraftEdit("clip", 90);
  const never = vi.fn(() => new Promise<void>(() => {}));
  const host = {
    ...{ viewerSeek: never, viewerPlay: never, viewerPlayBackwards: never, viewerSpeed: never },
    ...{ viewerInPlace: never, viewerLoop: never, viewerRange: never },
  };
  const playback = new Playback(draft, 30, host, async (work) => work());
  const { rerender } = render(Transport, { draft, playback, fps: 30, opening: false, isViewerStale: false, onviewer: vi.fn() });
  const time = screen.getByRole("status", { name: "Time" });
  expect(time.getAttribute("aria-live")).toBe("polite");
  playback.play();
  await rerender({});
  expect(time.getAttribute("aria-live")).toBe("off");
  playback.pause();
  await rerender({});
  expect(time.getAttribute("aria-live")).toBe("polite");
  playback.leave();
});
