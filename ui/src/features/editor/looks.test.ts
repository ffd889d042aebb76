import { expect, test, vi } from "vitest";
import type { ViewerLayer, ViewerShown } from "../../host";
import { ViewerLooks } from "./looks.svelte";

/** A viewer whose window opens only when told to. */
function closedViewer() {
  const shown: ViewerShown = { clips: ["clip"], frames: 90, fps: 30, layers: ["skin"], compared: 1, frame: 0, playing: false, backwards: false };
  const layers = new Set<ViewerLayer>(["skin"]);
  let window: ViewerShown | null = null;
  let come = (): void => {};
  const host = {
    playClips: vi.fn(async () => {
      await new Promise<void>((resolve) => (come = resolve));
      window = shown;
    }),
    viewerShow: vi.fn(async (layer: ViewerLayer, isShown: boolean) => void (isShown ? layers.add(layer) : layers.delete(layer))),
    viewerCompare: vi.fn(async () => {}),
  };
  const looks = new ViewerLooks("clip", { host, viewer: () => window, layers: () => [...layers], attempt: (work) => work() });
  return { host, looks, layers, come: () => come() };
}

test("layers that are asked for while the window comes are all shown when it is there", async () => {
  const { host, looks, layers, come } = closedViewer();
  const asked = [looks.toggle("bones"), looks.toggle("contacts"), looks.toggle("bones"), looks.toggle("bones")];
  await vi.waitFor(() => expect(host.playClips).toHaveBeenCalledTimes(1));
  expect(looks.opening).toBe(true);
  void looks.open();
  come();
  await Promise.all(asked);
  expect([...layers].sort()).toEqual(["bones", "contacts", "skin"]);
  expect(host.playClips).toHaveBeenCalledTimes(1);
  expect(looks.opening).toBe(false);
  await looks.toggle("bones");
  expect(layers.has("bones")).toBe(false);
});
