import {
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Quaternion,
  Scene,
  SphereGeometry,
  Vector3,
  type WebGLRenderer,
} from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { Correction, PulledLimb } from "../../../host";
import { cameraAxes, eyePosition, farShare, fieldOfViewRad, nearShare, visibleHeightM, type OrbitCamera } from "./camera";
import type { CanonicalPose } from "./canonical";
import type { SkeletonJoints } from "./skeleton";

/** How a drag changes a joint. */
export type HandleTool = "rotate" | "pull";

/** The selected joint and the tool for it. */
export interface HandleTarget {
  /** A VRM bone name; for a pull, that of the hand or foot. */
  bone: string;
  tool: HandleTool;
}

export interface HandleEvents {
  /** A drag starts. */
  onbegin: () => void;
  /** The change so far, relative to the pose at the start of the drag. */
  onchange: (change: Correction) => void;
  onend: () => void;
  /** The handle has to be redrawn. */
  onredraw: () => void;
}

/** In pixels, whatever the distance of the camera. */
const markRadiusPx = { held: 5, hovered: 6 };
const markColors = { held: 0xffb088, hovered: 0xffffff };
/** The colours of three.js, brightened for the dark studio. */
const axisColors = { x: 0xff6b62, y: 0x7fdc8f, z: 0x6fb4ff, active: 0xffd27a };
/** Relative to the size that three.js gives its handles. */
const handleSize = 0.75;

/** Gizmo to rotate or pull a joint, and marks on joints; drawn over the character. */
export class JointHandle {
  private readonly joints: SkeletonJoints;
  private readonly canonical: CanonicalPose;
  private readonly events: HandleEvents;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera();
  private readonly controls: TransformControls;
  /** The object that the controls move, placed at the joint. */
  private readonly anchor = new Object3D();
  private readonly marks = { held: mark("held"), hovered: mark("hovered") };
  private held: HandleTarget | null = null;
  private hovered: string | null = null;
  /** The transform of the anchor at the start of the drag. */
  private readonly start = { position: new Vector3(), rotation: new Quaternion() };

  constructor(canvas: HTMLCanvasElement, joints: SkeletonJoints, canonical: CanonicalPose, events: HandleEvents) {
    this.joints = joints;
    this.canonical = canonical;
    this.events = events;
    this.controls = new TransformControls(this.camera, canvas);
    this.controls.setSpace("local");
    this.controls.setSize(handleSize);
    this.controls.setColors(axisColors.x, axisColors.y, axisColors.z, axisColors.active);
    this.scene.add(this.anchor, this.marks.held, this.marks.hovered, this.controls.getHelper());
    this.controls.addEventListener("change", () => events.onredraw());
    this.controls.addEventListener("mouseDown", () => this.begin());
    this.controls.addEventListener("objectChange", () => events.onchange(this.change()));
    this.controls.addEventListener("mouseUp", () => events.onend());
    this.hold(null);
  }

  /** Whether a press of the pointer is for the handle. */
  get isTaken(): boolean {
    return this.controls.dragging || this.controls.axis !== null;
  }

  get isDragged(): boolean {
    return this.controls.dragging;
  }

  hold(held: HandleTarget | null): void {
    const joint = held && this.joints.jointOf(held.bone);
    this.held = joint ? held : null;
    if (!this.held) return void this.controls.detach();
    this.controls.setMode(this.held.tool === "rotate" ? "rotate" : "translate");
    this.controls.attach(this.anchor);
  }

  /** Marks a joint that a click would select. */
  hover(bone: string | null): void {
    if (bone === this.hovered) return;
    this.hovered = bone;
    this.events.onredraw();
  }

  /** Reverts and ends a drag. Returns whether there was one. */
  cancel(): boolean {
    if (!this.isDragged) return false;
    this.controls.dragging = false;
    this.controls.axis = null;
    return true;
  }

  /** Moves handle and marks to the current pose, which is drawn moved by `offset`. */
  follow(offset: Vector3): void {
    for (const [name, bone] of [["held", this.held?.bone], ["hovered", this.hovered]] as const) {
      const at = bone == null ? null : this.joints.vectorOf(bone);
      this.marks[name].visible = at !== null;
      if (at) this.marks[name].position.copy(at.add(offset));
    }
    if (!this.held || this.isDragged) return;
    this.anchor.position.copy(this.marks.held.position);
    const rotation = this.held.tool === "rotate" ? this.canonical.rotationOf(this.held.bone) : this.canonical.facing();
    this.anchor.quaternion.copy(rotation ?? new Quaternion());
  }

  draw(renderer: WebGLRenderer, camera: OrbitCamera, size: { heightPx: number; aspect: number }, isHandleShown: boolean): void {
    this.enable(this.held !== null && isHandleShown);
    if (!this.held && this.hovered === null) return;
    this.lookAs(camera, size.aspect);
    const metresPerPx = visibleHeightM(camera) / Math.max(size.heightPx, 1);
    for (const name of ["held", "hovered"] as const) this.marks[name].scale.setScalar(markRadiusPx[name] * metresPerPx);
    this.controls.getHelper().visible = this.controls.enabled;
    renderer.setRenderTarget(null);
    renderer.clear(false, true, false);
    renderer.render(this.scene, this.camera);
  }

  /** Disables the controls while they are hidden. */
  private enable(isEnabled: boolean): void {
    if (!isEnabled) this.controls.axis = null;
    this.controls.enabled = isEnabled;
  }

  private lookAs(camera: OrbitCamera, aspect: number): void {
    const { right, up, backward } = cameraAxes(camera);
    const basis = new Matrix4().makeBasis(new Vector3(...right), new Vector3(...up), new Vector3(...backward));
    this.camera.position.set(...eyePosition(camera));
    this.camera.quaternion.setFromRotationMatrix(basis);
    this.camera.fov = (fieldOfViewRad * 180) / Math.PI;
    this.camera.aspect = aspect;
    this.camera.near = camera.distanceM * nearShare;
    this.camera.far = camera.distanceM * farShare;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  private begin(): void {
    this.start.position.copy(this.anchor.position);
    this.start.rotation.copy(this.anchor.quaternion);
    this.events.onbegin();
  }

  private change(): Correction {
    const { bone, tool } = this.held ?? { bone: "", tool: "rotate" };
    if (tool === "rotate") {
      const { x, y, z, w } = this.start.rotation.clone().invert().multiply(this.anchor.quaternion).normalize();
      return { kind: "rotate", joint: bone, rotation: { x, y, z, w } };
    }
    const limb = bone as PulledLimb;
    const offset = this.anchor.position.clone().sub(this.start.position);
    offset.applyQuaternion(this.start.rotation.clone().invert()).divideScalar(this.canonical.scaleOf(limb));
    return { kind: "pull", limb, offset: { left: offset.x, up: offset.y, forward: offset.z } };
  }

  dispose(): void {
    this.controls.detach();
    this.controls.dispose();
    for (const { geometry, material } of Object.values(this.marks)) {
      geometry.dispose();
      material.dispose();
    }
  }
}

function mark(name: keyof typeof markColors): Mesh<SphereGeometry, MeshBasicMaterial> {
  const look = { color: markColors[name], depthTest: false, depthWrite: false, transparent: true, opacity: 0.9, toneMapped: false };
  const found = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial(look));
  found.visible = false;
  return found;
}
