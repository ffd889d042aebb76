import { WebGLRenderer } from "three";
import { CanonicalPose } from "./canonical";
import { CharacterMesh } from "./character-mesh";
import { load, type UnpackedClip } from "./load";
import { Owned } from "./owned";
import { MotionSampler } from "./sampler";
import { SkeletonJoints } from "./skeleton";
import { ViewportError } from "./unavailable";
import { Viewport, type ClipInfo, type MovingCharacter } from "./viewport";

export type { PickedJoint, Viewport } from "./viewport";

/**
 * Opens a clip in a canvas. This module contains three.js; import it dynamically, so that the first
 * paint of the app does not wait for it. On failure or cancellation all resources are freed.
 *
 * @throws ViewportError if the clip cannot be shown.
 */
export async function open(canvas: HTMLCanvasElement, url: string, clip: ClipInfo, cancelled: AbortSignal): Promise<Viewport> {
  const owned = new Owned();
  try {
    const file = owned.own(await load(url, cancelled));
    cancelled.throwIfAborted();
    const renderer = createRenderer(canvas, owned);
    const character = await movingCharacter(file, clip, owned, cancelled);
    cancelled.throwIfAborted();
    const viewport = new Viewport(canvas, renderer, character, clip, owned);
    viewport.resize(canvas.clientWidth, canvas.clientHeight, window.devicePixelRatio || 1);
    viewport.assertDrawable();
    return viewport;
  } catch (error) {
    owned.dispose();
    throw error;
  }
}

async function movingCharacter({ scene, animation }: UnpackedClip, clip: ClipInfo, owned: Owned, cancelled: AbortSignal): Promise<MovingCharacter> {
  const mesh = owned.own(new CharacterMesh(scene));
  const joints = SkeletonJoints.of(scene, mesh.skins);
  const canonical = new CanonicalPose(joints);
  const sampler = new MotionSampler(scene, joints, mesh.skins);
  return { scene, mesh, joints, canonical, sampler, animation, paths: await sampler.paths(animation, clip, cancelled) };
}

function createRenderer(canvas: HTMLCanvasElement, owned: Owned): WebGLRenderer {
  try {
    const renderer = new WebGLRenderer({ canvas, alpha: false, antialias: false, stencil: false });
    renderer.autoClear = false;
    owned.own({ dispose: () => disposeRenderer(renderer) });
    return renderer;
  } catch (error) {
    throw new ViewportError("noGraphics", String(error));
  }
}

function disposeRenderer(renderer: WebGLRenderer): void {
  renderer.dispose();
  // otherwise the context lives until the canvas is garbage collected
  if (!renderer.getContext().isContextLost()) renderer.forceContextLoss();
}
