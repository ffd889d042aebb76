import { Quaternion, Vector3, type Object3D } from "three";
import type { Correction, PulledLimb } from "../../../host";
import type { Layers } from "../corrections/layers";
import { chainOf } from "../joints";
import type { CanonicalPose } from "./canonical";
import { addedAt, changesBetween, type CorrectionChange } from "./correction-changes";
import type { SkeletonJoints } from "./skeleton";
import { bendLimb, rotateInWorld, type Chain } from "./two-bone";

interface Drag {
  /** The only frame on which it is shown. */
  frame: number;
  what: Correction;
}

/**
 * Corrections that the file does not contain yet, on top of its pose. They approximate the result
 * of the app, but ignore joint limits and foot contacts.
 */
export class PosePreview {
  private readonly joints: SkeletonJoints;
  private readonly canonical: CanonicalPose;
  private changes: CorrectionChange[] = [];
  private dragged: Drag | null = null;
  /** Original rotations of the nodes that were changed. */
  private readonly before = new Map<Object3D, Quaternion>();

  constructor(joints: SkeletonJoints, canonical: CanonicalPose) {
    this.joints = joints;
    this.canonical = canonical;
  }

  /** Sets the corrections that the file contains, and those to show. */
  correct(inFile: Layers, now: Layers): void {
    this.changes = changesBetween(inFile, now);
  }

  /** Sets the change of the current drag, on top of all corrections; null outside of drags. */
  drag(change: Drag | null): void {
    this.dragged = change;
  }

  /** Restores the pose set by the animation. */
  undo(): void {
    for (const [node, rotation] of this.before) node.quaternion.copy(rotation);
    this.before.clear();
  }

  /** Applies the changes to the pose of a frame, whose matrices have to be up to date. */
  apply(frame: number): void {
    const changes = this.changes.flatMap((change) => addedAt(change, frame) ?? []);
    if (this.dragged?.frame === frame) changes.push(this.dragged.what);
    for (const what of changes) {
      if (what.kind === "rotate") this.rotate(what.joint, what.rotation);
      else this.pull(what.limb, what.offset);
    }
  }

  private rotate(bone: string, { x, y, z, w }: Extract<Correction, { kind: "rotate" }>["rotation"]): void {
    const node = this.joints.jointOf(bone)?.node;
    const from = this.canonical.rotationOf(bone);
    if (!node || !from) return;
    this.remember(node);
    const turn = from.clone().multiply(new Quaternion(x, y, z, w)).multiply(from.invert());
    rotateInWorld(node, turn.multiply(node.getWorldQuaternion(new Quaternion())));
  }

  private pull(limb: PulledLimb, { left, up, forward }: Extract<Correction, { kind: "pull" }>["offset"]): void {
    const nodes = chainOf(limb).flatMap((bone) => this.joints.jointOf(bone)?.node ?? []);
    const [, , end] = nodes;
    if (!end) return;
    nodes.forEach((node) => this.remember(node));
    const scale = this.canonical.scaleOf(limb);
    const offset = new Vector3(left, up, forward).multiplyScalar(scale).applyQuaternion(this.canonical.facing());
    const rotation = end.getWorldQuaternion(new Quaternion());
    bendLimb(nodes as unknown as Chain, end.getWorldPosition(new Vector3()).add(offset));
    // a foot keeps its rotation in world space, a hand its angle to the forearm
    if (limb === "leftFoot" || limb === "rightFoot") rotateInWorld(end, rotation);
  }

  private remember(node: Object3D): void {
    if (!this.before.has(node)) this.before.set(node, node.quaternion.clone());
  }
}
