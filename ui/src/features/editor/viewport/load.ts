import { BufferGeometry, Group, LoadingManager, Mesh, type AnimationClip, type Object3D } from "three";
import { GLTFLoader, type GLTF, type GLTFLoaderPlugin, type GLTFParser } from "three/examples/jsm/loaders/GLTFLoader.js";
import { checkGlb } from "./glb";
import { DecodedImages } from "./images";
import type { Motion } from "./motion";
import { ViewportError } from "./unavailable";

/** Limit for fetching and unpacking a clip. */
const timeoutMs = 30_000;

/** The contents of a clip's GLB; its owner disposes of it. */
export interface UnpackedClip {
  scene: Object3D;
  animation: AnimationClip;
  /** Frees its images. */
  dispose(): void;
}

/** Fetches and unpacks a clip's GLB. */
export async function load(url: string, cancelled: AbortSignal): Promise<UnpackedClip> {
  const images = new DecodedImages();
  const dispose = () => images.dispose();
  try {
    return { ...(await unpacked(url, cancelled, (parser) => images.plugin(parser))), dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Fetches a clip's GLB for its motion: nothing of it is drawn, so no mesh is built and no image decoded. */
export function loadMotion(url: string, cancelled: AbortSignal): Promise<Motion> {
  return unpacked(url, cancelled, withoutMeshes);
}

/** Replaces meshes by empty ones, with their place in the tree and the morphs that a motion moves. */
function withoutMeshes({ json }: GLTFParser): GLTFLoaderPlugin {
  const meshes = json.meshes as { primitives: { targets?: unknown[] }[] }[];
  const geometry = new BufferGeometry();
  const empty = ({ targets = [] }: { targets?: unknown[] }): Mesh => {
    const mesh = new Mesh(geometry);
    if (targets.length > 0) mesh.morphTargetInfluences = targets.map(() => 0);
    return mesh;
  };
  return {
    name: "limber-no-meshes",
    loadMesh: async (index) => {
      const [first, ...more] = (meshes[index]?.primitives ?? []).map(empty);
      if (!first) throw new ViewportError("unreadable", `its mesh ${index} is empty`);
      return more.length === 0 ? first : new Group().add(first, ...more);
    },
  };
}

async function unpacked(url: string, cancelled: AbortSignal, plugin: (parser: GLTFParser) => GLTFLoaderPlugin): Promise<Motion> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, timeoutMs);
  cancelled.addEventListener("abort", abort);
  try {
    cancelled.throwIfAborted();
    const bytes = await fetched(url, limit.signal);
    checkGlb(bytes);
    const loader = new GLTFLoader(localManager());
    loader.register(plugin);
    return motionIn(await within(loader.parseAsync(bytes, ""), limit.signal));
  } catch (error) {
    throw error instanceof ViewportError ? error : new ViewportError("unreadable", String(error));
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener("abort", abort);
  }
}

function motionIn({ scene, animations: [animation] }: GLTF): Motion {
  if (!animation) throw new ViewportError("unreadable", "it has no animation");
  return { scene, animation };
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
