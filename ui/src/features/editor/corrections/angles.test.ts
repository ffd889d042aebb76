import { Euler, Quaternion } from "three";
import { expect, test } from "vitest";
import { anglesOf, rotationOf, type Angles } from "./angles";

const degree = Math.PI / 180;

test.each<Angles>([
  [0, 0, 0],
  [30, 0, 0],
  [0, -45, 0],
  [10, 20, 170],
  [-150, 89, 12.5],
])("angles %d, %d, %d survive a round trip and match three.js", (...angles) => {
  const rotation = rotationOf(angles);
  const [x, y, z] = angles.map((angle) => angle * degree) as Angles;
  const { x: qx, y: qy, z: qz, w } = new Quaternion().setFromEuler(new Euler(x, y, z, "XYZ"));
  const { x: ox, y: oy, z: oz, w: ow } = rotation;
  [qx, qy, qz, w].forEach((part, at) => expect([ox, oy, oz, ow][at]).toBeCloseTo(part, 6));
  anglesOf({ ...rotation }).forEach((angle, at) => expect(angle).toBeCloseTo(angles[at] ?? 0, 4));
});

test("90 degrees about the second axis give the same rotation again", () => {
  const rotation = rotationOf([20, 90, 30]);
  const again = rotationOf(anglesOf({ ...rotation }));
  const cosine = rotation.x * again.x + rotation.y * again.y + rotation.z * again.z + rotation.w * again.w;
  expect(Math.abs(cosine)).toBeCloseTo(1, 6);
});

test("a rotation made of angles returns these, also if other angles are equivalent", () => {
  for (const angles of [[20, 90, 30], [-180, -90, 5], [180, 0, 180]] as Angles[]) {
    expect(anglesOf(rotationOf(angles))).toEqual(angles);
  }
});
