import { Vector3 } from "three";
import { expect, test } from "vitest";
import { adult, skeletonOf } from "./skeleton-fixture";
import { bendLimb, type Chain } from "./two-bone";

function arm() {
  const { node } = skeletonOf(adult);
  const chain: Chain = [node("leftUpperArm"), node("leftLowerArm"), node("leftHand")];
  const place = (at: 0 | 1 | 2) => chain[at].getWorldPosition(new Vector3());
  return { chain, place };
}

test("the hand reaches its target, and bones keep their length", () => {
  const { chain, place } = arm();
  const shoulder = place(0);
  for (const offset of [[0.3, 0.1, 0.2], [0.1, -0.4, 0.1], [-0.05, 0.2, 0.3]] as const) {
    const target = shoulder.clone().add(new Vector3(...offset));
    bendLimb(chain, target);
    expect(place(2).distanceTo(target)).toBeLessThan(1e-5);
    expect(place(0).distanceTo(shoulder)).toBe(0);
    expect(place(1).distanceTo(shoulder)).toBeCloseTo(0.285, 6);
    expect(place(2).distanceTo(place(1))).toBeCloseTo(0.255, 6);
  }
});

test("an arm stretches towards a target out of reach", () => {
  const { chain, place } = arm();
  const target = place(0).add(new Vector3(0, 5, 0));
  bendLimb(chain, target);
  const reach = place(2).sub(place(0));
  expect(reach.angleTo(new Vector3(0, 1, 0))).toBeLessThan(1e-5);
  expect(reach.length()).toBeCloseTo(0.54 * 0.9995, 5);
});

test("the elbow bends in its plane, and a zero offset changes nothing", () => {
  const { chain, place } = arm();
  bendLimb(chain, place(0).add(new Vector3(0.3, 0, 0.2)));
  const elbow = place(1);
  bendLimb(chain, place(2));
  expect(place(1).distanceTo(elbow)).toBeLessThan(1e-5);
  const normal = () => place(1).sub(place(0)).cross(place(2).sub(place(0))).normalize();
  const before = normal();
  bendLimb(chain, place(0).add(place(2).sub(place(0)).multiplyScalar(0.8)));
  expect(normal().distanceTo(before)).toBeLessThan(1e-5);
});

test("a target at the shoulder changes nothing", () => {
  const { chain, place } = arm();
  const before = place(2);
  bendLimb(chain, place(0));
  expect(place(2).distanceTo(before)).toBe(0);
});
