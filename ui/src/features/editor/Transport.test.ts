import { render, screen } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { DraftEditor } from "./draft.svelte";
import { Playback } from "./playback.svelte";
import Transport from "./Transport.svelte";

test("announces the time where the playhead rests, not for every played frame", async () => {
  const draft = new DraftEditor("clip", 90);
  const pending = vi.fn(() => new Promise<void>(() => {}));
  const host = {
    ...{ viewerSeek: pending, viewerPlay: pending, viewerPlayBackwards: pending, viewerSpeed: pending },
    ...{ viewerInPlace: pending, viewerLoop: pending, viewerRange: pending },
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
