import { Vector3, type Object3D } from "three";
import { isCorrectable } from "../joints";
import type { JointMatrices } from "./joint-matrices";
import type { Vec3 } from "./vector";

/** A joint of the character. */
export interface Joint {
  name: string;
  /** The VRM name of the human bone, or the joint's own name. */
  bone: string;
  /** The index of its parent, which is always smaller than its own. */
  parent: number | null;
  /** Whether the file says that it is a human bone, or it is called like one. */
  isHuman: boolean;
  /** A helper that takes a share of a bone's twist; users do not pose it. */
  isTwist: boolean;
  node: Object3D;
}

/** The extras that Limber writes to the nodes of joints. */
interface Extras {
  name?: unknown;
  humanBone?: unknown;
  twistOf?: unknown;
}

/** The joints that deform the character, parents first. */
export class SkeletonJoints {
  readonly all: readonly Joint[];
  private readonly byBone: ReadonlyMap<string, Joint>;

  constructor(all: readonly Joint[]) {
    this.all = all;
    // extras take precedence over names
    const noted = all.filter(({ node }) => typeof (node.userData as Extras).humanBone === "string");
    this.byBone = new Map([...all, ...noted].map((joint) => [joint.bone, joint]));
  }

  static of(scene: Object3D, skins: readonly Pick<JointMatrices, "joints">[]): SkeletonJoints {
    const deforming = new Set(skins.flatMap(({ joints }) => joints));
    const indices = new Map<Object3D, number>();
    const all: Joint[] = [];
    scene.traverse((node) => {
      // an unskinned mesh is its own joint
      if (!deforming.has(node) || (node as { isMesh?: boolean }).isMesh) return;
      let parent = node.parent;
      while (parent && !indices.has(parent)) parent = parent.parent;
      const { name, humanBone, twistOf } = node.userData as Extras;
      const own = typeof name === "string" ? name : node.name;
      indices.set(node, all.length);
      all.push({
        name: own,
        bone: typeof humanBone === "string" ? humanBone : own,
        parent: parent ? (indices.get(parent) ?? null) : null,
        isHuman: typeof humanBone === "string" || isCorrectable(own),
        isTwist: twistOf !== undefined,
        node,
      });
    });
    return new SkeletonJoints(all);
  }

  /** The same joints in a copy of the scene. */
  in(copies: ReadonlyMap<Object3D, Object3D>): SkeletonJoints {
    return new SkeletonJoints(this.all.map((joint) => ({ ...joint, node: copies.get(joint.node) ?? joint.node })));
  }

  /** A human bone; null if the character has no such bone. */
  jointOf(bone: string): Joint | null {
    return this.byBone.get(bone) ?? null;
  }

  /** The position of a human bone; null if the character has no such bone. */
  positionOf(bone: string): Vec3 | null {
    const joint = this.jointOf(bone);
    return joint ? worldPosition(joint.node) : null;
  }

  /** The same for three.js. */
  vectorOf(bone: string): Vector3 | null {
    const at = this.positionOf(bone);
    return at && new Vector3(...at);
  }

  /** The point on the floor below the hips. */
  belowHips(): Vec3 {
    const hips = this.byBone.get("hips") ?? this.all[0];
    const [x, , z] = hips ? worldPosition(hips.node) : [0, 0, 0];
    return [x, 0, z];
  }
}

export function worldPosition(node: Object3D): Vec3 {
  const { elements } = node.matrixWorld;
  return [elements[12], elements[13], elements[14]];
}
