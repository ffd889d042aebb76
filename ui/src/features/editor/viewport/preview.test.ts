import { Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import type { Correction } from "../../../host";
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

test("a pulled hand is where it is pulled to, as the character faces, on that frame alone", () => {
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

test("a joint is rotated about its own axes, and a finished change stays until the file has it", () => {
  const { pose, node, scene } = preview();
  const turned = () => node("leftLowerArm").getWorldQuaternion(new Quaternion());
  pose.drag({ frame: 3, what: { kind: "rotate", joint: "leftLowerArm", rotation: rotationOf([0, 0, 30]) } });
  pose.finish(5);
  pose.shows(4);
  pose.apply(3);
  expect((turned().angleTo(new Quaternion()) * 180) / Math.PI).toBeCloseTo(30, 4);
  pose.undo();
  scene.updateMatrixWorld(true);
  expect(turned().angleTo(new Quaternion())).toBe(0);
  pose.shows(5);
  pose.apply(3);
  expect(turned().angleTo(new Quaternion())).toBe(0);
});

test("a file takes the place of the drags that it has, and of no later ones", () => {
  const { pose, node, scene } = preview();
  const turn = (degrees: number, state: number | null) => {
    pose.drag({ frame: 3, what: { kind: "rotate", joint: "leftLowerArm", rotation: rotationOf([0, 0, degrees]) } });
    pose.finish(state);
  };
  const shown = () => {
    pose.undo();
    scene.updateMatrixWorld(true);
    pose.apply(3);
    return Math.round((node("leftLowerArm").getWorldQuaternion(new Quaternion()).angleTo(new Quaternion()) * 180) / Math.PI);
  };
  turn(30, 5);
  turn(20, 8);
  turn(45, null);
  expect(shown()).toBe(50);
  pose.shows(6);
  expect(shown()).toBe(20);
  pose.clear();
  expect(shown()).toBe(0);
});

test("a foot keeps its rotation while the leg bends", () => {
  const { pose, node, place } = preview();
  const before = place("leftFoot");
  pose.drag({ frame: 0, what: { kind: "pull", limb: "leftFoot", offset: { left: 0, up: 0.2, forward: 0.1 } } });
  pose.apply(0);
  expect(place("leftFoot").sub(before).distanceTo(new Vector3(0, 0.2, 0.1))).toBeLessThan(1e-4);
  expect(node("leftFoot").getWorldQuaternion(new Quaternion()).angleTo(new Quaternion())).toBeLessThan(1e-5);
});

test("joints that the character lacks change nothing", () => {
  const { pose } = preview();
  pose.drag({ frame: 0, what: { kind: "rotate", joint: "rightHand", rotation: rotationOf([10, 0, 0]) } });
  expect(() => pose.apply(0)).not.toThrow();
});
