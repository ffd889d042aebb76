import { BufferAttribute, BufferGeometry, Matrix4, type Mesh, type Object3D, type SkinnedMesh } from "three";
import { plainAttribute } from "./attributes";
import { emptyBox, expandByTransformed, sizeOf, type Box, type SkinnedVertices } from "./bounds";
import { JointMatrices } from "./joint-matrices";
import { Morphs } from "./morphs";
import { casterGeometry, integerAttribute } from "./shadow-caster";
import { surfaceOf, type Surface } from "./surface";
import { ViewportError } from "./unavailable";

/** A mesh with one material, with the attributes that `skin.vert` expects. */
export interface MeshPart {
  geometry: BufferGeometry;
  skin: JointMatrices;
  surface: Surface;
  /** Whether vertices may follow more than four joints. */
  eightJoints: boolean;
  morphs: Morphs | null;
}

/** What of a character follows one skin, as far as its shadow needs it. */
export interface ShadowCaster {
  geometry: BufferGeometry;
  skin: JointMatrices;
  eightJoints: boolean;
}

/** The character of a clip, prepared for the shaders of limber-render. */
export class CharacterMesh {
  readonly parts: readonly MeshPart[];
  readonly shadowCasters: readonly ShadowCaster[];
  readonly skins: readonly JointMatrices[];
  /** Its largest extent in the rest pose, sideways counted half. */
  readonly heightM: number;
  private readonly scene: Object3D;

  /** @throws ViewportError if the scene has no mesh. */
  constructor(scene: Object3D) {
    this.scene = scene;
    scene.updateMatrixWorld(true);
    const meshes: Mesh[] = [];
    scene.traverse((object) => {
      if (isMesh(object) && object.geometry.getAttribute("position")) meshes.push(object);
    });
    if (meshes.length === 0) throw new ViewportError("unreadable", "it has no mesh");
    const skins = new Map<object, JointMatrices>();
    const skinned = meshes.map((mesh) => {
      const [skin, vertices] = [skinOf(mesh, skins), verticesOf(mesh)];
      skin.addToBounds(vertices);
      return { mesh, skin, vertices };
    });
    this.skins = [...skins.values()];
    const [x, y, z] = sizeOf(this.bounds());
    this.heightM = Math.max(y, x / 2, z / 2, 1e-3);
    this.shadowCasters = this.skins.map((skin) => {
      const followers = skinned.filter((each) => each.skin === skin);
      const meshes = followers.map(({ mesh, vertices }) => ({ ...vertices, indices: indicesOf(mesh) }));
      const eightJoints = followers.some(({ mesh }) => hasEightJoints(mesh));
      return { geometry: casterGeometry(meshes, this.heightM), skin, eightJoints };
    });
    this.parts = skinned.map(({ mesh, skin, vertices }) => partOf(mesh, skin, vertices));
  }

  /** The bounds in the current pose. */
  bounds(): Box {
    return boundsOf(this.skins);
  }

  /** Copies the pose and the morph weights that the animation has set in the scene. */
  update(): void {
    for (const skin of this.skins) skin.update();
    for (const { morphs } of this.parts) morphs?.update();
  }

  dispose(): void {
    for (const { geometry } of this.shadowCasters) geometry.dispose();
    for (const { geometry, surface } of this.parts) {
      geometry.dispose();
      for (const texture of surface.textures) texture?.dispose();
    }
    for (const { texture } of this.skins) texture.dispose();
    this.scene.traverse((object) => {
      if (!isMesh(object)) return;
      object.geometry.dispose();
      for (const material of [object.material].flat()) material.dispose();
    });
  }
}

function isMesh(object: Object3D): object is Mesh {
  return (object as Mesh).isMesh;
}

/** The bounds of what follows these skins, as their joints stand. */
export function boundsOf(skins: readonly Pick<JointMatrices, "bounds" | "joints">[]): Box {
  const box = emptyBox();
  for (const { bounds, joints } of skins) {
    bounds.forEach((local, joint) => expandByTransformed(box, local, joints[joint]?.matrixWorld.elements ?? []));
  }
  return box;
}

/** The skin of a mesh. A mesh without one is treated as if its node were its only joint. */
function skinOf(mesh: Mesh, known: Map<object, JointMatrices>): JointMatrices {
  const { skeleton } = mesh as SkinnedMesh;
  const found = known.get(skeleton ?? mesh);
  if (found) return found;
  const skin = skeleton
    ? new JointMatrices(skeleton.bones, skeleton.boneInverses)
    : new JointMatrices([mesh], [new Matrix4()]);
  known.set(skeleton ?? mesh, skin);
  return skin;
}

interface PartVertices extends SkinnedVertices {
  positions: Float32Array<ArrayBuffer>;
  joints: Uint16Array<ArrayBuffer>;
  weights: Float32Array<ArrayBuffer>;
  moreJoints: Uint16Array<ArrayBuffer>;
  moreWeights: Float32Array<ArrayBuffer>;
}

function verticesOf(mesh: Mesh): PartVertices {
  const { geometry } = mesh;
  const isSkinned = (mesh as SkinnedMesh).skeleton !== undefined;
  const weights = plainAttribute(geometry, "skinWeight", 4, (component) => (component === 0 && !isSkinned ? 1 : 0));
  const moreWeights = plainAttribute(geometry, "weights_1", 4);
  // GLTFLoader scales the first four weights to a sum of one, as if there were no others
  for (let first = 0; first < weights.length; first += 4) {
    const share = 1 - moreWeights.subarray(first, first + 4).reduce((sum, weight) => sum + weight, 0);
    for (let at = first; at < first + 4; at += 1) weights[at] = (weights[at] ?? 0) * Math.max(share, 0);
  }
  return {
    positions: plainAttribute(geometry, "position", 3),
    weights,
    moreWeights,
    joints: Uint16Array.from(plainAttribute(geometry, "skinIndex", 4)),
    moreJoints: Uint16Array.from(plainAttribute(geometry, "joints_1", 4)),
  };
}

function partOf(mesh: Mesh, skin: JointMatrices, vertices: PartVertices): MeshPart {
  const source = mesh.geometry;
  if (!source.getAttribute("normal")) source.computeVertexNormals();
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(vertices.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(plainAttribute(source, "normal", 3), 3));
  geometry.setAttribute("uv", new BufferAttribute(flippedUvs(source), 2));
  geometry.setAttribute("color", new BufferAttribute(plainAttribute(source, "color", 4, () => 1), 4));
  geometry.setAttribute("weights", new BufferAttribute(vertices.weights, 4));
  geometry.setAttribute("moreWeights", new BufferAttribute(vertices.moreWeights, 4));
  geometry.setAttribute("joints", integerAttribute(vertices.joints));
  geometry.setAttribute("moreJoints", integerAttribute(vertices.moreJoints));
  geometry.setIndex(new BufferAttribute(indicesOf(mesh), 1));
  return {
    geometry,
    skin,
    surface: surfaceOf(mesh),
    eightJoints: hasEightJoints(mesh),
    morphs: Morphs.of(mesh, geometry),
  };
}

function hasEightJoints({ geometry }: Mesh): boolean {
  return geometry.getAttribute("weights_1") !== undefined;
}

/** The triangles of a mesh; without indices, each three vertices in a row are one. */
function indicesOf({ geometry }: Mesh): Uint32Array<ArrayBuffer> {
  const { index } = geometry;
  if (index) return Uint32Array.from(index.array);
  return Uint32Array.from({ length: geometry.getAttribute("position").count }, (_, vertex) => vertex);
}

/** `skin.vert` expects textures upside down; here they are uploaded as they are. */
function flippedUvs(geometry: BufferGeometry): Float32Array<ArrayBuffer> {
  return plainAttribute(geometry, "uv", 2).map((value, at) => (at % 2 === 1 ? 1 - value : value));
}
