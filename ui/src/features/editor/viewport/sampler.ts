import { AnimationClip, AnimationMixer, Object3D } from "three";
import type { Bone } from "../joints";
import { cornersOf } from "./bounds";
import { CanonicalPose } from "./canonical";
import { boundsOf } from "./character-mesh";
import { curvesOf, type JointCurves } from "./curves";
import { clipTime, smoothPath } from "./follow";
import type { JointMatrices } from "./joint-matrices";
import { SkeletonJoints, worldPosition } from "./skeleton";
import { inSlices } from "./slices";
import { minus, zero, type Vec3 } from "./vector";

const cornersPerBox = 8;

/** The length of a motion. */
export interface Timing {
  frames: number;
  fps: number;
}

/** Paths of a motion that the camera needs. */
export interface MotionPaths {
  /** For each frame, the point on the floor below the hips. */
  hips: readonly Vec3[];
  /** For each frame, the point that the camera follows. */
  follow: readonly Vec3[];
  /** The corners of the character's bounds in each frame, relative to the point that the camera follows. */
  corners: readonly Vec3[];
}

/** Copies of a character's joints in a scene of their own. */
interface Dummy {
  scene: Object3D;
  joints: SkeletonJoints;
  skins: readonly Pick<JointMatrices, "bounds" | "joints">[];
}

/** Samples whole motions. It poses copies of the joints, so that rendering can go on meanwhile. */
export class MotionSampler {
  private readonly resting: Dummy;

  /** The character has to be in its rest pose. */
  constructor(scene: Object3D, joints: SkeletonJoints, skins: readonly JointMatrices[]) {
    this.resting = copyOf({ scene, joints, skins });
  }

  async paths(animation: AnimationClip, timing: Timing, cancelled: AbortSignal): Promise<MotionPaths> {
    const dummy = copyOf(this.resting);
    const frames = await through(dummy, animation, timing, cancelled, () => ({
      hips: dummy.joints.belowHips(),
      corners: cornersOf(boundsOf(dummy.skins)),
    }));
    const hips = frames.map((frame) => frame.hips);
    const follow = smoothPath(hips, timing.fps);
    const corners = frames.flatMap((frame) => frame.corners);
    return { hips, follow, corners: corners.map((corner, at) => minus(corner, follow[Math.floor(at / cornersPerBox)] ?? zero)) };
  }

  /** Motion curves of a joint; null if the character has no such joint. */
  async curves(bone: Bone, animation: AnimationClip, timing: Timing, cancelled: AbortSignal): Promise<JointCurves | null> {
    const dummy = copyOf(this.resting);
    const joint = dummy.joints.jointOf(bone);
    if (!joint) return null;
    const canonical = new CanonicalPose(dummy.joints);
    const samples = await through(dummy, animation, timing, cancelled, () => {
      const { x = 0, y = 0, z = 0, w = 1 } = canonical.localRotationOf(bone) ?? {};
      return { rotation: { x, y, z, w }, place: worldPosition(joint.node) };
    });
    return curvesOf(bone, samples, timing.fps);
  }
}

/** Samples a value for each frame. */
function through<Said>(
  { scene }: Dummy,
  animation: AnimationClip,
  { frames, fps }: Timing,
  cancelled: AbortSignal,
  say: () => Said,
): Promise<Said[]> {
  const mixer = new AnimationMixer(scene);
  const action = mixer.clipAction(moving(animation)).play();
  const at = (frame: number): Said => {
    action.time = clipTime(frame, frames, fps);
    mixer.update(0);
    scene.updateMatrixWorld(true);
    return say();
  };
  return inSlices(frames, at, cancelled);
}

/** The tracks of joints only; the copies have no face. */
function moving(animation: AnimationClip): AnimationClip {
  const tracks = animation.tracks.filter(({ name }) => !name.endsWith(".morphTargetInfluences"));
  return new AnimationClip(animation.name, animation.duration, tracks);
}

function copyOf({ scene, joints, skins }: Dummy): Dummy {
  const copies = new Map<Object3D, Object3D>();
  const copy = (node: Object3D): Object3D => {
    const own = new Object3D().copy(node, false);
    // tracks may refer to it
    own.uuid = node.uuid;
    copies.set(node, own);
    for (const child of node.children) own.add(copy(child));
    return own;
  };
  const copied = copy(scene);
  copied.updateMatrixWorld(true);
  const copiedSkins = skins.map((skin) => ({ bounds: skin.bounds, joints: skin.joints.map((joint) => copies.get(joint) ?? joint) }));
  return { scene: copied, joints: joints.in(copies), skins: copiedSkins };
}
