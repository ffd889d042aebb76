import { Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import canonicalSource from "../../../../../crates/limber-animation/src/canonical.rs?raw";
import { canonicalArmM, CanonicalPose, canonicalLegM } from "./canonical";
import { adult, skeletonOf } from "./skeleton-fixture";
import { rotateInWorld } from "./two-bone";

const about = (x: number, y: number, z: number, degrees: number) =>
  new Quaternion().setFromAxisAngle(new Vector3(x, y, z), (degrees * Math.PI) / 180);
const offDeg = (one: Quaternion | null, other: Quaternion) => (one ? (one.angleTo(other) * 180) / Math.PI : NaN);

test("rotates a character in T-pose correctly, whatever the rest orientation of its joints", () => {
  const { joints, node } = skeletonOf(adult);
  rotateInWorld(node("leftFoot"), about(0, 0, 1, 90));
  const canonical = new CanonicalPose(joints);
  expect(offDeg(canonical.rotationOf("leftFoot"), new Quaternion())).toBeCloseTo(0, 4);
  rotateInWorld(node("leftFoot"), about(1, 0, 0, 20).multiply(about(0, 0, 1, 90)));
  expect(offDeg(canonical.rotationOf("leftFoot"), about(1, 0, 0, 20))).toBeCloseTo(0, 4);
  expect(canonical.rotationOf("jaw")).toBeNull();
});

test("measures lowered arms from horizontal, including hands and fingers", () => {
  const { joints, node } = skeletonOf(adult);
  rotateInWorld(node("leftUpperArm"), about(0, 0, 1, -45));
  const canonical = new CanonicalPose(joints);
  for (const bone of ["leftUpperArm", "leftLowerArm", "leftHand", "leftMiddleProximal"]) {
    expect(offDeg(canonical.rotationOf(bone), about(0, 0, 1, -45))).toBeCloseTo(0, 4);
  }
  rotateInWorld(node("leftUpperArm"), new Quaternion());
  expect(offDeg(canonical.rotationOf("leftUpperArm"), new Quaternion())).toBeCloseTo(0, 4);
});

test("removes the rotation of the parent joint", () => {
  const { joints, node } = skeletonOf(adult);
  const canonical = new CanonicalPose(joints);
  rotateInWorld(node("leftUpperArm"), about(0, 1, 0, 30));
  node("leftLowerArm").quaternion.copy(about(0, 0, 1, 40));
  node("leftLowerArm").updateMatrixWorld(true);
  expect(offDeg(canonical.localRotationOf("leftLowerArm"), about(0, 0, 1, 40))).toBeCloseTo(0, 4);
});

test("keeps facing the direction of the hips while turning and bending", () => {
  const { joints, node } = skeletonOf(adult);
  const canonical = new CanonicalPose(joints);
  rotateInWorld(node("hips"), about(0, 1, 0, 70).multiply(about(1, 0, 0, 40)));
  expect(offDeg(canonical.facing(), about(0, 1, 0, 70))).toBeCloseTo(0, 4);
});

test("limbs are as long as in limber-animation", () => {
  const at = (bone: string): number[] => {
    const [, found] = new RegExp(`B::${bone} => \\(([^)]*)\\)`).exec(canonicalSource) ?? [];
    return (found ?? "").split(",").map(Number);
  };
  expect(Math.hypot(...at("LeftLowerArm")) + Math.hypot(...at("LeftHand"))).toBeCloseTo(canonicalArmM, 6);
  expect(Math.hypot(...at("LeftLowerLeg")) + Math.hypot(...at("LeftFoot"))).toBeCloseTo(canonicalLegM, 6);
  const twice = Object.fromEntries(
    Object.entries(adult).map(([name, [parent, [x, y, z]]]) => [name, [parent, [2 * x, 2 * y, 2 * z]] as const]),
  );
  expect(new CanonicalPose(skeletonOf(twice).joints).scaleOf("leftHand")).toBeCloseTo(2, 6);
  expect(new CanonicalPose(skeletonOf(twice).joints).scaleOf("leftFoot")).toBeCloseTo(2, 6);
  expect(new CanonicalPose(skeletonOf({ hips: [null, [0, 1, 0]] }).joints).scaleOf("leftFoot")).toBe(1);
});
