import { load } from "./load";
import { Viewport, type ClipInfo } from "./viewport";

export type { PickedJoint, Viewport } from "./viewport";

/**
 * Opens a clip in a canvas. This module contains three.js; import it dynamically, so that the first paint of the app
 * does not wait for it.
 *
 * @throws ViewportError if the clip cannot be shown.
 */
export async function open(canvas: HTMLCanvasElement, url: string, clip: ClipInfo, cancelled: AbortSignal): Promise<Viewport> {
  const unpacked = await load(url, cancelled);
  cancelled.throwIfAborted();
  const viewport = new Viewport(canvas, unpacked, clip);
  try {
    viewport.resize(canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1);
    viewport.assertDrawable();
  } catch (error) {
    viewport.dispose();
    throw error;
  }
  return viewport;
}
