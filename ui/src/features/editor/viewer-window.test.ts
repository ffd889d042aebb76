import { expect, test, vi } from "vitest";
import type { ViewerLayer, ViewerView } from "../../host";
import { ViewerWindow } from "./viewer-window.svelte";

/** A viewer whose window opens on command. */
function closedViewerWindow() {
  const shown: ViewerView = { clips: ["clip"], frames: 90, fps: 30, layers: ["skin"], compared: 1, frame: 0, playing: false, backwards: false };
  const layers = new Set<ViewerLayer>(["skin"]);
  let window: ViewerView | null = null;
  let finishOpening = (): void => {};
  const host = {
    playClips: vi.fn(async () => {
      await new Promise<void>((resolve) => (finishOpening = resolve));
      window = shown;
    }),
    viewerShow: vi.fn(async (layer: ViewerLayer, isShown: boolean) => void (isShown ? layers.add(layer) : layers.delete(layer))),
    viewerCompare: vi.fn(async () => {}),
  };
  const viewerWindow = new ViewerWindow("clip", { host, viewer: () => window, layers: () => [...layers], attempt: (work) => work() });
  return { host, viewerWindow, layers, finishOpening: () => finishOpening() };
}

test("shows all layers that were requested while the window was opening", async () => {
  const { host, viewerWindow, layers, finishOpening } = closedViewerWindow();
  const toggles = [viewerWindow.toggle("bones"), viewerWindow.toggle("contacts"), viewerWindow.toggle("bones"), viewerWindow.toggle("bones")];
  await vi.waitFor(() => expect(host.playClips).toHaveBeenCalledTimes(1));
  expect(viewerWindow.opening).toBe(true);
  void viewerWindow.open();
  finishOpening();
  await Promise.all(toggles);
  expect([...layers].sort()).toEqual(["bones", "contacts", "skin"]);
  expect(host.playClips).toHaveBeenCalledTimes(1);
  expect(viewerWindow.opening).toBe(false);
  await viewerWindow.toggle("bones");
  expect(layers.has("bones")).toBe(false);
});
