import { Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import type { Correction, CorrectionLayer } from "../../../host";
import { rotationOf } from "../corrections/angles";
import { CanonicalPose } from "./canonical";
import { PosePreview } from "./preview";
import { adult, skeletonOf } from "./skeleton-fixture";

function preview() {
  const { joints, node, scene } = skeletonOf(adult);
  const pose = new PosePreview(joints, new CanonicalPose(joints));
  const place = (name: string) => node(name).getWorldPosition(new Vector3());
  return { pose, node, place, scene };
}

const pull = (left: number, up: number, forward: number): Correction => ({ kind: "pull", limb: "leftHand", offset: { left, up, forward } });

test("moves a hand in the direction that the character faces, on that frame only", () => {
  const { pose, node, place, scene } = preview();
  node("hips").quaternion.setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
  scene.updateMatrixWorld(true);
  const before = place("leftHand");
  pose.drag({ frame: 7, what: pull(-0.1, -0.1, 0.05) });
  pose.apply(6);
  expect(place("leftHand").distanceTo(before)).toBe(0);
  pose.apply(7);
  // facing +X, the left is −Z
  expect(place("leftHand").sub(before).distanceTo(new Vector3(0.05, -0.1, 0.1))).toBeLessThan(1e-5);
});

const bent = (degrees: number): CorrectionLayer => ({
  ...{ name: "", muted: false },
  keys: [{ frame: 3, what: { kind: "rotate", joint: "leftLowerArm", rotation: rotationOf([0, 0, degrees]) }, before: 2, after: 2, ease: "smooth" }],
});

test("rotates a joint about its own axes by what the file lacks, faded, plus a drag", () => {
  const { pose, node, scene } = preview();
  const shown = (frame: number) => {
    pose.undo();
    scene.updateMatrixWorld(true);
    pose.apply(frame);
    return Math.round((node("leftLowerArm").getWorldQuaternion(new Quaternion()).angleTo(new Quaternion()) * 180) / Math.PI);
  };
  pose.correct([], [bent(30)]);
  expect([3, 4, 5].map(shown)).toEqual([30, 15, 0]);
  pose.drag({ frame: 3, what: bent(20).keys[0]!.what });
  expect([3, 4].map(shown)).toEqual([50, 15]);
  pose.drag(null);
  pose.correct([bent(30)], [bent(40)]);
  expect(shown(3)).toBe(10);
  pose.correct([bent(30)], [bent(30)]);
  expect(shown(3)).toBe(0);
});

test("a foot keeps its rotation while the leg bends", () => {
  const { pose, node, place } = preview();
  const before = place("leftFoot");
  pose.drag({ frame: 0, what: { kind: "pull", limb: "leftFoot", offset: { left: 0, up: 0.2, forward: 0.1 } } });
  pose.apply(0);
  expect(place("leftFoot").sub(before).distanceTo(new Vector3(0, 0.2, 0.1))).toBeLessThan(1e-4);
  expect(node("leftFoot").getWorldQuaternion(new Quaternion()).angleTo(new Quaternion())).toBeLessThan(1e-5);
});

test("ignores joints that the character lacks", () => {
  const { pose } = preview();
  pose.drag({ frame: 0, what: { kind: "rotate", joint: "rightHand", rotation: rotationOf([10, 0, 0]) } });
  expect(() => pose.apply(0)).not.toThrow();
});
