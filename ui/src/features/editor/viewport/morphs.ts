import type { BufferAttribute, BufferGeometry, Mesh } from "three";
import { plainAttribute } from "./attributes";

/** A mesh with morph targets, such as a face. They are applied on the processor, because `skin.vert` has none. */
export class Morphs {
  private readonly source: Mesh;
  private readonly geometry: BufferGeometry;
  private readonly base: Record<"position" | "normal", Float32Array>;
  private readonly targets: { position: Float32Array; normal: Float32Array | null }[];
  private applied: number[];

  /** @returns null if the mesh has no morph targets. `source` is the mesh whose weights the animation changes. */
  static of(source: Mesh, geometry: BufferGeometry): Morphs | null {
    return source.geometry.morphAttributes.position?.length ? new Morphs(source, geometry) : null;
  }

  private constructor(source: Mesh, geometry: BufferGeometry) {
    this.source = source;
    this.geometry = geometry;
    this.base = { position: plainAttribute(geometry, "position", 3), normal: plainAttribute(geometry, "normal", 3) };
    const { position = [], normal = [] } = source.geometry.morphAttributes;
    this.targets = position.map((moved, target) => {
      const turned = normal[target];
      return { position: flat(moved), normal: turned ? flat(turned) : null };
    });
    this.applied = this.targets.map(() => 0);
  }

  /** Applies the current weights, if they have changed. */
  update(): void {
    const weights = this.targets.map((_, target) => this.source.morphTargetInfluences?.[target] ?? 0);
    if (weights.every((weight, target) => weight === this.applied[target])) return;
    for (const name of ["position", "normal"] as const) {
      const attribute = this.geometry.getAttribute(name) as BufferAttribute;
      const numbers = attribute.array as Float32Array;
      numbers.set(this.base[name]);
      this.targets.forEach((target, at) => addScaled(numbers, target[name], weights[at] ?? 0));
      attribute.needsUpdate = true;
    }
    this.applied = weights;
  }
}

function addScaled(numbers: Float32Array, added: Float32Array | null, factor: number): void {
  if (!added || factor === 0) return;
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = (numbers[at] ?? 0) + factor * (added[at] ?? 0);
}

function flat(attribute: { count: number; getComponent(index: number, component: number): number }): Float32Array {
  const numbers = new Float32Array(3 * attribute.count);
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = attribute.getComponent(Math.floor(at / 3), at % 3);
  return numbers;
}
