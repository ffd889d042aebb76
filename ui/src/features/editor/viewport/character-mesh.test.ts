import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { expect, test } from "vitest";
import mannequin from "../../../../../assets/characters/mannequin.glb?url&inline";
import rowan from "../../../../../assets/characters/rowan.glb?url&inline";
import { sizeOf } from "./bounds";
import { CharacterMesh } from "./character-mesh";
import { facingRad } from "./follow";
import { SkeletonJoints } from "./skeleton";

async function character(url: string) {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
  const { scene } = await new GLTFLoader().parseAsync(bytes.buffer, "");
  const mesh = new CharacterMesh(scene);
  return { scene, mesh, joints: SkeletonJoints.of(scene, mesh.skins) };
}

test("a stock character has human height, faces forward, and has all bones", async () => {
  const { mesh, joints } = await character(mannequin);
  expect(mesh.heightM).toBeGreaterThan(1.6);
  expect(mesh.heightM).toBeLessThan(2);
  expect(joints.all).toHaveLength(52);
  expect(facingRad(joints.positionOf("leftUpperLeg"), joints.positionOf("rightUpperLeg"))).toBeCloseTo(0);
  expect(joints.positionOf("head")?.[1]).toBeGreaterThan(1.4);
  expect(joints.positionOf("wing")).toBeNull();
  const [x, y, z] = joints.belowHips();
  expect([x, y, z].every((each) => Math.abs(each) < 0.05)).toBe(true);
  for (const [index, joint] of joints.all.entries()) expect(joint.parent ?? -1).toBeLessThan(index);
});

test("the bounds follow the pose", async () => {
  const { scene, mesh } = await character(mannequin);
  const before = mesh.bounds();
  scene.position.set(0, 0, 3);
  scene.updateMatrixWorld(true);
  const after = mesh.bounds();
  expect(after.low[2] - before.low[2]).toBeCloseTo(3);
  expect(sizeOf(after)[1]).toBeCloseTo(sizeOf(before)[1]);
});

test("the shadow mesh has one part per skin and fewer triangles than the character", async () => {
  const { mesh } = await character(rowan);
  expect(mesh.parts).toHaveLength(15);
  expect(mesh.shadowCasters).toHaveLength(1);
  const [caster] = mesh.shadowCasters;
  const all = mesh.parts.reduce((sum, { geometry }) => sum + (geometry.index?.count ?? 0), 0);
  const { index, attributes } = caster!.geometry;
  expect(index!.count).toBeGreaterThan(1000);
  expect(2 * index!.count).toBeLessThan(all);
  const count = attributes["position"]!.count;
  for (const name of ["weights", "joints", "moreWeights", "moreJoints"]) expect(attributes[name]?.count).toBe(count);
  expect(Math.max(...index!.array)).toBe(count - 1);
});

test("joint matrices at rest are the identity", async () => {
  const { mesh } = await character(mannequin);
  mesh.update();
  const [skin] = mesh.skins;
  const rows = [...(skin?.texture.image.data as Float32Array)];
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  expect(rows).toHaveLength(12 * 52);
  rows.forEach((value, at) => expect(value).toBeCloseTo(identity[at % 12] ?? 0, 4));
});

test("face morphs follow the clip and reset", async () => {
  const { scene, mesh } = await character(rowan);
  const faces = mesh.parts.filter(({ morphs }) => morphs);
  expect(faces.length).toBeGreaterThan(0);
  const positions = () => faces.map(({ geometry }) => [...geometry.getAttribute("position").array].join());
  const rest = positions();
  const weigh = (weight: number) =>
    scene.traverse((node) => (node as { morphTargetInfluences?: number[] }).morphTargetInfluences?.fill(weight));
  weigh(0.5);
  mesh.update();
  for (const [face, now] of positions().entries()) expect(now).not.toBe(rest[face]);
  weigh(0);
  mesh.update();
  expect(positions()).toEqual(rest);
});
