import { DataTexture, FloatType, Matrix4, RGBAFormat, type Object3D } from "three";
import { dominantJoint, emptyBox, expand, type Box, type SkinnedVertices } from "./bounds";

const identity = new Matrix4();

/** The matrices of a skin's joints in a texture, laid out as `skin.vert` reads it. */
export class JointMatrices {
  readonly texture: DataTexture;
  readonly joints: readonly Object3D[];
  /** For each joint, the bounds of the vertices that it dominates, in its own space. */
  readonly bounds: readonly Box[];
  private readonly inverses: readonly Matrix4[];
  private readonly data: Float32Array;
  private readonly matrix = new Matrix4();

  constructor(joints: readonly Object3D[], inverseBindMatrices: readonly Matrix4[]) {
    this.joints = joints;
    this.inverses = joints.map((_, joint) => inverseBindMatrices[joint] ?? identity);
    this.bounds = joints.map(emptyBox);
    this.data = new Float32Array(12 * joints.length);
    this.texture = new DataTexture(this.data, 3, joints.length, RGBAFormat, FloatType);
  }

  /** Copies the current pose of the joints. */
  update(): void {
    this.joints.forEach(({ matrixWorld }, joint) => {
      const { elements } = this.matrix.copy(matrixWorld).multiply(this.inverses[joint] ?? identity);
      // the shader counts joints from the last row of the texture
      const first = 12 * (this.joints.length - 1 - joint);
      for (let row = 0; row < 3; row += 1) {
        for (let column = 0; column < 4; column += 1) {
          this.data[first + 4 * row + column] = elements[4 * column + row] ?? 0;
        }
      }
    });
    this.texture.needsUpdate = true;
  }

  /** Expands the bounds by the vertices of a mesh. */
  addToBounds(mesh: SkinnedVertices): void {
    for (let vertex = 0; 3 * vertex < mesh.positions.length; vertex += 1) {
      const joint = dominantJoint(mesh, vertex);
      const [box, inverse] = [this.bounds[joint], this.inverses[joint]?.elements];
      if (!box || !inverse) continue;
      const position = (axis: number) => mesh.positions[3 * vertex + axis] ?? 0;
      const local = (axis: number) =>
        (inverse[axis] ?? 0) * position(0) +
        (inverse[4 + axis] ?? 0) * position(1) +
        (inverse[8 + axis] ?? 0) * position(2) +
        (inverse[12 + axis] ?? 0);
      expand(box, local(0), local(1), local(2));
    }
  }
}
