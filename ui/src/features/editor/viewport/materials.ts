import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  RawShaderMaterial,
  RGBAFormat,
  type IUniform,
  type ShaderMaterialParameters,
  UnsignedByteType,
} from "three";
import type { ShaderSource } from "./shaders";

export type Uniforms = Record<string, IUniform>;

/** A material from shaders of limber-render. Uniforms may be shared with other materials. */
export function shaderMaterial({ vertex, fragment }: ShaderSource, uniforms: Uniforms, states: ShaderMaterialParameters = {}): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms,
    forceSinglePass: true,
    ...states,
  });
}

/** A mesh that is always drawn; the shaders place it themselves. */
export function meshOf(geometry: BufferGeometry, material: RawShaderMaterial, order = 0): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  mesh.renderOrder = order;
  return mesh;
}

/** For shaders that draw over the whole picture. */
export function fullScreenTriangle(): BufferGeometry {
  return flat("cover", [-1, -1, 3, -1, -1, 3], [0, 1, 2]);
}

/** A square from −1 to 1 that faces up. */
export function square(): BufferGeometry {
  return flat("corner", [-1, -1, -1, 1, 1, 1, 1, -1], [0, 1, 2, 0, 2, 3]);
}

function flat(name: string, corners: number[], triangles: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute(name, new BufferAttribute(new Float32Array(corners), 2));
  geometry.setIndex(triangles);
  return geometry;
}

/** A geometry that is drawn many times with different attributes. */
export class Instances {
  readonly geometry = new InstancedBufferGeometry();
  private readonly attributes: Record<string, InstancedBufferAttribute> = {};
  private readonly max: number;
  private count = 0;

  constructor(shape: BufferGeometry, sizes: Record<string, number>, max: number) {
    this.max = max;
    for (const [name, attribute] of Object.entries(shape.attributes)) this.geometry.setAttribute(name, attribute);
    this.geometry.setIndex(shape.index);
    for (const [name, size] of Object.entries(sizes)) {
      const list = new InstancedBufferAttribute(new Float32Array(size * max), size);
      this.attributes[name] = list;
      this.geometry.setAttribute(name, list);
    }
    this.geometry.instanceCount = 0;
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds an instance, up to the maximum. */
  add(values: Record<string, readonly number[]>): void {
    if (this.count >= this.max) return;
    for (const [name, numbers] of Object.entries(values)) {
      const list = this.attributes[name];
      list?.array.set(numbers, this.count * list.itemSize);
    }
    this.count += 1;
  }

  upload(): void {
    this.geometry.instanceCount = this.count;
    for (const list of Object.values(this.attributes)) list.needsUpdate = true;
  }
}

/** Frees what a mesh draws with. */
export function disposeMesh({ geometry, material }: Mesh): void {
  geometry.dispose();
  for (const each of [material].flat()) each.dispose();
}

/** A white pixel, for materials without a texture. */
export function whiteTexture(): DataTexture {
  const texture = new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1, RGBAFormat, UnsignedByteType);
  texture.needsUpdate = true;
  return texture;
}
