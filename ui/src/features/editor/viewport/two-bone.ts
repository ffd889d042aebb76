import { Matrix4, Quaternion, Vector3, type Object3D } from "three";

/**
 * The most that a limb is stretched, as a fraction of its length, as in `ik.rs` of
 * limber-animation.
 */
const maxShare = 0.9995;

export type Chain = readonly [Object3D, Object3D, Object3D];

/**
 * Two-bone IK: moves the end of a limb to a world position, or as near as it reaches, in its
 * current bend plane. The end keeps its angle to the segment before it. The matrices of the scene
 * have to be up to date, and are afterwards.
 */
export function bendLimb([root, mid, end]: Chain, target: Vector3): void {
  const [a, b, c] = [root, mid, end].map((node) => node.getWorldPosition(new Vector3())) as [Vector3, Vector3, Vector3];
  const [upper, lower] = [b.clone().sub(a), c.clone().sub(b)];
  const [upperM, lowerM] = [upper.length(), lower.length()];
  const wanted = target.clone().sub(a);
  if (!(upperM > 1e-5 && lowerM > 1e-5 && wanted.length() > 1e-5)) return;
  const axis = c.clone().sub(a).normalize();
  const bend = bendDirection(upper, axis);
  const newAxis = wanted.clone().normalize();
  const newBend = bend.clone().applyQuaternion(new Quaternion().setFromUnitVectors(axis, newAxis));
  const shortest = Math.abs(upperM - lowerM) * 1.0001;
  const distanceM = Math.min(Math.max(wanted.length(), shortest), (upperM + lowerM) * maxShare);
  // law of cosines: the offsets of the middle joint along and beside the axis
  const along = (upperM ** 2 + distanceM ** 2 - lowerM ** 2) / (2 * distanceM);
  const beside = Math.sqrt(Math.max(upperM ** 2 - along ** 2, 0));
  const newUpper = newAxis.clone().multiplyScalar(along).addScaledVector(newBend, beside);
  const newLower = newAxis.clone().multiplyScalar(distanceM).sub(newUpper);
  const [hinge, newHinge] = [bend.clone().cross(axis), newBend.clone().cross(newAxis)];
  const midRotation = mid.getWorldQuaternion(new Quaternion());
  rotateInWorld(root, turnBetween(upper, hinge, newUpper, newHinge).multiply(root.getWorldQuaternion(new Quaternion())));
  rotateInWorld(mid, turnBetween(lower, hinge, newLower, newHinge).multiply(midRotation));
}

/** Sets the rotation of a node in world space. */
export function rotateInWorld(node: Object3D, rotation: Quaternion): void {
  const parent = node.parent?.getWorldQuaternion(new Quaternion()) ?? new Quaternion();
  node.quaternion.copy(parent.invert().multiply(rotation)).normalize();
  node.updateMatrixWorld(true);
}

/** The direction in which the limb is bent, as a unit vector; arbitrary for a straight limb. */
function bendDirection(upper: Vector3, axis: Vector3): Vector3 {
  const bend = upper.clone().addScaledVector(axis, -upper.dot(axis));
  if (bend.length() > 1e-4 * upper.length()) return bend.normalize();
  const other = Math.abs(axis.y) < 0.9 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  return other.addScaledVector(axis, -other.dot(axis)).normalize();
}

/** The rotation from one direction, with a normal to it, to another. */
function turnBetween(from: Vector3, fromNormal: Vector3, to: Vector3, toNormal: Vector3): Quaternion {
  return basis(to, toNormal).multiply(basis(from, fromNormal).invert());
}

function basis(direction: Vector3, normal: Vector3): Quaternion {
  const x = direction.clone().normalize();
  const z = normal.clone().normalize();
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, z.clone().cross(x), z));
}
