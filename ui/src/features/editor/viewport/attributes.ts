import type { BufferGeometry } from "three";

/**
 * An attribute as a flat array with `size` numbers per vertex, whatever its layout and number type. `filler` gives the
 * components that are missing, which may be all of them.
 */
export function plainAttribute(
  geometry: BufferGeometry,
  name: string,
  size: number,
  filler: (component: number) => number = () => 0,
): Float32Array<ArrayBuffer> {
  const attribute = geometry.getAttribute(name);
  const numbers = new Float32Array(geometry.getAttribute("position").count * size);
  for (let at = 0; at < numbers.length; at += 1) {
    const component = at % size;
    const isPresent = attribute !== undefined && component < attribute.itemSize;
    numbers[at] = isPresent ? attribute.getComponent((at - component) / size, component) : filler(component);
  }
  return numbers;
}
