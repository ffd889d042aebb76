import { BufferAttribute, BufferGeometry, IntType } from "three";
import { simplifiedIndices, type SkinnedVertices } from "./bounds";

/** All vertices and triangles of a mesh. */
export interface CasterMesh extends SkinnedVertices {
  moreJoints: ArrayLike<number>;
  moreWeights: ArrayLike<number>;
  indices: ArrayLike<number>;
}

const sizes = { position: 3, joints: 4, weights: 4, moreJoints: 4, moreWeights: 4 } as const;

/**
 * The simplified triangles of all meshes of a skin as one geometry, with only the vertices that they use: a shadow has
 * no materials, and each draw call and vertex costs time where the processor draws.
 */
export function casterGeometry(meshes: readonly CasterMesh[], heightM: number): BufferGeometry {
  const numbers = { position: [], joints: [], weights: [], moreJoints: [], moreWeights: [] } as Record<keyof typeof sizes, number[]>;
  const indices: number[] = [];
  for (const mesh of meshes) {
    const sources = { ...mesh, position: mesh.positions };
    const places = new Map<number, number>();
    for (const vertex of simplifiedIndices(mesh, mesh.indices, heightM)) {
      let place = places.get(vertex);
      if (place === undefined) {
        place = numbers.position.length / 3;
        places.set(vertex, place);
        for (const [name, size] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
          for (let at = 0; at < size; at += 1) numbers[name].push(sources[name][size * vertex + at] ?? 0);
        }
      }
      indices.push(place);
    }
  }
  const geometry = new BufferGeometry();
  for (const name of ["position", "weights", "moreWeights"] as const) {
    geometry.setAttribute(name, new BufferAttribute(Float32Array.from(numbers[name]), sizes[name]));
  }
  for (const name of ["joints", "moreJoints"] as const) geometry.setAttribute(name, integerAttribute(numbers[name]));
  return geometry.setIndex(indices);
}

/** Four integers per vertex, which `skin.vert` reads as such. */
export function integerAttribute(numbers: ArrayLike<number>): BufferAttribute {
  const attribute = new BufferAttribute(Uint16Array.from(numbers), 4);
  attribute.gpuType = IntType;
  return attribute;
}
