import { LoadingManager, PropertyBinding, Texture, type AnimationClip, type Object3D } from "three";
import { GLTFLoader, type GLTFParser } from "three/examples/jsm/loaders/GLTFLoader.js";
import { checkGlb } from "./glb";
import { imageSize, maxImageSide } from "./image-size";
import { ViewportError } from "./unavailable";

/** Limit for fetching and unpacking a clip. */
const timeoutMs = 30_000;
/** Larger textures are scaled down to this side, as in limber-render. */
const maxTextureSide = 2048;

/** The contents of a clip's GLB. */
export interface UnpackedClip {
  scene: Object3D;
  animation: AnimationClip;
}

/** Fetches and unpacks a clip's GLB. */
export async function load(url: string, cancelled: AbortSignal): Promise<UnpackedClip> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, timeoutMs);
  cancelled.addEventListener("abort", abort);
  try {
    return await unpacked(await fetched(url, limit.signal), limit.signal);
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener("abort", abort);
  }
}

/**
 * A character that did not move would look like one that was not corrected.
 *
 * @throws ViewportError if a track of the motion moves no node of the scene; tracks go by the names of nodes.
 */
export function assertMoves(animation: AnimationClip, scene: Object3D): void {
  for (const { name } of animation.tracks) {
    const { nodeName } = PropertyBinding.parseTrackName(name);
    if (!PropertyBinding.findNode(scene, nodeName)) throw new ViewportError("unreadable", `it has no node ${nodeName}`);
  }
}

async function unpacked(bytes: ArrayBuffer, signal: AbortSignal): Promise<UnpackedClip> {
  checkGlb(bytes);
  const loader = new GLTFLoader(localManager());
  loader.register((parser) => imageDecoder(parser));
  const file = await within(loader.parseAsync(bytes, ""), signal).catch((error: unknown) => {
    throw new ViewportError("unreadable", String(error));
  });
  const [animation] = file.animations;
  if (!animation) throw new ViewportError("unreadable", "it has no animation");
  return { scene: file.scene, animation };
}

async function fetched(url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const answer = await fetch(url, { signal }).catch((error: unknown) => {
    throw new ViewportError("missing", String(error));
  });
  if (answer.status === 413) throw new ViewportError("tooLarge", "the file is too large");
  if (!answer.ok) throw new ViewportError("missing", `status ${answer.status}`);
  return answer.arrayBuffer().catch((error: unknown) => {
    throw new ViewportError("missing", String(error));
  });
}

function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Rejects external files. The content security policy would too. */
function localManager(): LoadingManager {
  const manager = new LoadingManager();
  manager.setURLModifier(() => {
    throw new Error("the file refers to other files");
  });
  return manager;
}

/** Decodes images without `blob:` URLs, which the content security policy does not allow. */
function imageDecoder(parser: GLTFParser): { name: string } {
  const extended = parser as GLTFParser & { loadImageSource(index: number): Promise<Texture> };
  extended.loadImageSource = async (index) => {
    const source = (parser.json as { images: { bufferView: number; mimeType?: string }[] }).images[index];
    const bytes = (await parser.getDependency("bufferView", source?.bufferView ?? -1)) as ArrayBuffer;
    const size = imageSize(bytes);
    if (!size || Math.max(size.width, size.height) > maxImageSide) throw new Error("the image is neither PNG nor JPEG, or too large");
    const share = Math.min(1, maxTextureSide / Math.max(size.width, size.height));
    const texture = new Texture(
      await createImageBitmap(new Blob([bytes]), {
        colorSpaceConversion: "none",
        premultiplyAlpha: "none",
        resizeWidth: Math.max(1, Math.round(size.width * share)),
        resizeHeight: Math.max(1, Math.round(size.height * share)),
      }),
    );
    texture.needsUpdate = true;
    return texture;
  };
  return { name: "limber-images" };
}
