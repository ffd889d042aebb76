import { BufferAttribute, BufferGeometry, DoubleSide, type IUniform, type Mesh } from "three";
import type { FootPoint } from "../../../host";
import { overlayColors, sideOf } from "./look";
import { Instances, meshOf, shaderMaterial, square } from "./materials";
import { bone, mark } from "./shaders";
import { worldPosition, type SkeletonJoints } from "./skeleton";
import { contactRings } from "./contacts";
import { add, length, minus, type Vec3 } from "./vector";

/** For `bone.vert`: the position along the bone (2: the widest ring), and two sideways. */
function octahedron(): BufferGeometry {
  const geometry = new BufferGeometry();
  const [start, end, east, north, west, south] = [0, 1, 2, 3, 4, 5];
  const corners = [0, 0, 0, 1, 0, 0, 2, 1, 0, 2, 0, 1, 2, -1, 0, 2, 0, -1];
  geometry.setAttribute("shape", new BufferAttribute(new Float32Array(corners), 3));
  geometry.setIndex([
    [start, east, north], [start, north, west], [start, west, south], [start, south, east],
    [end, north, east], [end, west, north], [end, south, west], [end, east, south],
  ].flat());
  return geometry;
}

/** Bones, and rings where the feet touch the floor, as in `overlay.rs` of limber-render. */
export class Overlay {
  readonly bones: Mesh;
  readonly rings: Mesh;
  private readonly joints: SkeletonJoints;
  private readonly octahedra: Instances;
  private readonly discs: Instances;
  private readonly scale: number;

  constructor(joints: SkeletonJoints, scale: number, { viewProjection, eye }: { viewProjection: IUniform; eye: IUniform }) {
    this.joints = joints;
    this.scale = scale;
    const most = 2 * joints.all.length;
    this.octahedra = new Instances(octahedron(), { start: 4, end: 4, tint: 4 }, most);
    this.discs = new Instances(square(), { mark: 4 }, Object.keys(contactRings).length);
    this.rings = meshOf(
      this.discs.geometry,
      shaderMaterial(mark, { viewProjection, markColor: { value: overlayColors.ring } }, {
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
      }),
      3,
    );
    this.bones = meshOf(this.octahedra.geometry, shaderMaterial(bone, { viewProjection, eye }, { transparent: true, side: DoubleSide }), 4);
  }

  /** Moves bones and rings to the current pose. */
  update(offset: Vec3, standing: readonly FootPoint[]): void {
    this.octahedra.clear();
    for (const joint of this.joints.all) {
      const here = add(worldPosition(joint.node), offset);
      const tint = overlayColors[sideOf(joint.bone)];
      let size = 0.012 * this.scale;
      const parent = joint.parent === null ? null : this.joints.all[joint.parent];
      if (parent) {
        const there = add(worldPosition(parent.node), offset);
        const long = length(minus(here, there));
        size = Math.min(size, long * 0.16);
        if (long > 1e-6) this.octahedra.add(instance(there, here, Math.min(long * 0.085, 0.028 * this.scale), 0.16, tint));
      }
      if (size > 1e-4 * this.scale) {
        this.octahedra.add(instance(minus(here, [0, size, 0]), add(here, [0, size, 0]), size, 0.5, tint));
      }
    }
    this.octahedra.upload();
    this.discs.clear();
    for (const point of standing) {
      const at = this.joints.positionOf(contactRings[point].bone);
      if (!at) continue;
      const [x, , z] = add(at, offset);
      this.discs.add({ mark: [x, 0.004 * this.scale, z, contactRings[point].radiusM * this.scale] });
    }
    this.discs.upload();
  }
}

function instance(start: Vec3, end: Vec3, width: number, ring: number, tint: readonly number[]) {
  return { start: [...start, width], end: [...end, ring], tint };
}
