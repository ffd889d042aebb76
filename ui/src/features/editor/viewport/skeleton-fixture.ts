import { Bone, Object3D } from "three";
import { SkeletonJoints } from "./skeleton";

type Place = readonly [number, number, number];

/**
 * Joints of a character in any rest pose, for tests: each with its parent and its offset from it.
 */
export function skeletonOf(places: Readonly<Record<string, readonly [parent: string | null, place: Place]>>) {
  const scene = new Object3D();
  const nodes = new Map<string, Bone>();
  for (const [name, [parent, place]] of Object.entries(places)) {
    const node = new Bone();
    node.name = name;
    node.position.set(...place);
    nodes.set(name, node);
    (parent === null ? scene : (nodes.get(parent) ?? scene)).add(node);
  }
  scene.updateMatrixWorld(true);
  const joints = SkeletonJoints.of(scene, [{ joints: [...nodes.values()] }]);
  const node = (name: string): Bone => {
    const found = nodes.get(name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  return { scene, joints, node };
}

/** An adult's arms and legs in a T-pose. */
export const adult: Parameters<typeof skeletonOf>[0] = {
  hips: [null, [0, 0.955, 0]],
  leftUpperArm: ["hips", [0.17, 0.5, 0]],
  leftLowerArm: ["leftUpperArm", [0.285, 0, 0]],
  leftHand: ["leftLowerArm", [0.255, 0, 0]],
  leftMiddleProximal: ["leftHand", [0.09, 0, 0]],
  leftUpperLeg: ["hips", [0.092, -0.035, 0]],
  leftLowerLeg: ["leftUpperLeg", [0, -0.425, 0]],
  leftFoot: ["leftLowerLeg", [0, -0.41, -0.012]],
};

