import { AnimationMixer, Vector3, WebGLRenderer, type AnimationAction, type Object3D } from "three";
import type { ContactTrack, Correction } from "../../../host";
import { handOf, isCorrectable, type Bone } from "../joints";
import { cornersOf } from "./bounds";
import { damped, defaultCamera, framed, lookFrom, project, type OrbitCamera, type Preset } from "./camera";
import { CharacterMesh } from "./character-mesh";
import { contactsAt } from "./contacts";
import type { CameraMove } from "./controls";
import { clipTime, facingRad, pointAlong, smoothPath } from "./follow";
import { assertMoves, load, type UnpackedClip } from "./load";
import { CanonicalPose } from "./canonical";
import { curvesOf, type JointCurves } from "./curves";
import { JointHandle, type HeldJoint } from "./joint-handle";
import { nearestJoint, reachPx, type ProjectedJoint } from "./picker";
import { PosePreview } from "./preview";
import { AdaptiveQuality, type Quality } from "./quality";
import { SkeletonJoints, worldPosition } from "./skeleton";
import { StudioRenderer } from "./studio-renderer";
import { ViewportError } from "./unavailable";
import { add, minus, zero, type Vec3 } from "./vector";

/** After this pause, a picture that was drawn fast is drawn again in full quality. */
const refineAfterMs = 120;
const cornersPerBox = 8;

/** What the viewport shows of the clip. */
export interface ViewState {
  frame: number;
  inPlace: boolean;
  bones: boolean;
  contacts: boolean;
}

/** What the viewport needs to know about a clip beside its GLB. */
export interface ClipInfo {
  frames: number;
  fps: number;
  contacts: readonly ContactTrack[];
}

/** Who hears of joints that are dragged. */
export interface DragListener {
  onbegin: () => void;
  /** The correction so far, on top of what the file shows; null when the drag was cancelled. */
  onchange: (change: Correction | null) => void;
  onend: (change: Correction) => void;
}

/** A joint that can be corrected, in the picture. */
export interface PickedJoint {
  bone: Bone;
  /** CSS pixels from the top left corner of the canvas. */
  xPx: number;
  yPx: number;
}

/** A hand is picked in the place of its fingers while they are drawn nearer to it than that. */
const fingersFromPx = 2 * reachPx;

/**
 * Draws a clip in a canvas. It draws on demand, at most once per screen refresh: after a change, while the camera
 * moves, and while a playhead runs.
 */
export class Viewport {
  private readonly renderer: WebGLRenderer;
  private readonly scene: Object3D;
  private readonly character: CharacterMesh;
  private readonly joints: SkeletonJoints;
  private readonly studio: StudioRenderer;
  private readonly canonical: CanonicalPose;
  private readonly preview: PosePreview;
  private readonly handle: JointHandle;
  private dragged: Correction | null = null;
  private listener: DragListener | null = null;
  private readonly mixer: AnimationMixer;
  private action: AnimationAction;
  private readonly clip: ClipInfo;
  private readonly quality = new AdaptiveQuality();
  /** For each frame, the point on the floor below the hips. */
  private hipsPath: readonly Vec3[] = [];
  /** For each frame, the point that the camera follows. */
  private followPath: readonly Vec3[] = [];
  /** The corners of the character's bounds in each frame, relative to the point that the camera follows. */
  private boundsPoints: readonly Vec3[] = [];
  private readonly facing: number;
  private size = { width: 1, height: 1, pixelRatio: 1 };
  private isSized = false;
  /** Relative to the point that the camera follows. */
  private camera: OrbitCamera;
  /** Where the camera is moving to. */
  private goal: OrbitCamera;
  private state: ViewState = { frame: 0, inPlace: false, bones: false, contacts: false };
  private playhead: (() => number) | null = null;
  /** The frame that the character is posed for; null when it has to be posed again. */
  private posedFrame: number | null = null;
  private lastTick: number | null = null;
  private request: number | null = null;
  private refining: ReturnType<typeof setTimeout> | undefined;
  private shaderError = "";

  /** @throws ViewportError if there is no WebGL 2 or the file has no mesh. */
  constructor(canvas: HTMLCanvasElement, { scene, animation }: UnpackedClip, clip: ClipInfo) {
    this.clip = clip;
    this.scene = scene;
    this.character = new CharacterMesh(scene);
    this.joints = new SkeletonJoints(scene, this.character.skins);
    this.canonical = new CanonicalPose(this.joints);
    this.preview = new PosePreview(this.joints, this.canonical);
    this.mixer = new AnimationMixer(scene);
    this.action = this.mixer.clipAction(animation);
    this.action.play();
    this.measure();
    this.setPose(0);
    this.facing = facingRad(this.joints.positionOf("leftUpperLeg"), this.joints.positionOf("rightUpperLeg"));
    this.goal = this.camera = lookFrom(defaultCamera, "threeQuarter", this.facing);
    this.renderer = createRenderer(canvas);
    this.renderer.debug.onShaderError = (gl, program) => (this.shaderError = gl.getProgramInfoLog(program) || "unknown");
    this.studio = new StudioRenderer(this.renderer, this.character, this.joints);
    this.handle = new JointHandle(canvas, this.joints, this.canonical, {
      onbegin: () => this.listener?.onbegin(),
      onchange: (change) => this.drag(change),
      onend: () => this.endDrag(),
      onredraw: () => this.requestDraw(),
    });
  }

  /**
   * Shows the motion of another file with the same character. Camera and textures stay as they are.
   *
   * @throws ViewportError if the file cannot be read.
   */
  async renew(url: string, cancelled: AbortSignal): Promise<void> {
    const { animation } = await load(url, cancelled);
    cancelled.throwIfAborted();
    assertMoves(animation, this.scene);
    const before = this.action.getClip();
    this.action.stop();
    this.mixer.uncacheClip(before);
    this.action = this.mixer.clipAction(animation);
    this.action.play();
    this.preview.clear();
    this.measure();
    this.pose();
  }

  /** Goes through the whole motion for what the camera needs to know of it. */
  private measure(): void {
    const { hips, corners } = this.sampleFrames();
    this.hipsPath = hips;
    this.followPath = smoothPath(hips, this.clip.fps);
    this.boundsPoints = corners.map((corner, at) => minus(corner, this.followPath[Math.floor(at / cornersPerBox)] ?? zero));
  }

  private sampleFrames(): { hips: Vec3[]; corners: Vec3[] } {
    const hips: Vec3[] = [];
    const corners: Vec3[] = [];
    for (let frame = 0; frame < this.clip.frames; frame += 1) {
      this.setPose(frame);
      hips.push(this.joints.belowHips());
      corners.push(...cornersOf(this.character.bounds()));
    }
    return { hips, corners };
  }

  private setPose(frame: number): void {
    this.preview.undo();
    this.action.time = clipTime(frame, this.clip.frames, this.clip.fps);
    // without a step in time, the action neither loops nor ends
    this.mixer.update(0);
    this.scene.updateMatrixWorld(true);
  }

  /** Poses the character anew for the next picture. */
  private pose(): void {
    this.posedFrame = null;
    this.requestDraw();
  }

  /** How a joint moves through the clip as the file has it; null if the character has no such joint. */
  curvesOf(bone: string): JointCurves | null {
    const joint = this.joints.jointOf(bone);
    if (!joint) return null;
    const samples = Array.from({ length: this.clip.frames }, (_, frame) => {
      this.setPose(frame);
      const { x = 0, y = 0, z = 0, w = 1 } = this.canonical.localRotationOf(bone) ?? {};
      return { rotation: { x, y, z, w }, place: worldPosition(joint.node) };
    });
    this.pose();
    return curvesOf(bone, samples, this.clip.fps);
  }

  /** Has a joint stand ready to be rotated or pulled; null for none. */
  hold(held: HeldJoint | null): void {
    this.handle.hold(held);
    this.pose();
  }

  listen(listener: DragListener): void {
    this.listener = listener;
  }

  /** Whether a press of the pointer is for a joint's handle, not for the camera. */
  get isHandleTaken(): boolean {
    return this.handle.isTaken;
  }

  /** Ends a drag as if nothing had been moved; whether there was one. */
  cancelDrag(): boolean {
    if (!this.handle.cancel()) return false;
    this.drag(null);
    return true;
  }

  /** What was dragged will not be in the file after all. */
  dropPreview(): void {
    this.preview.clear();
    this.pose();
  }

  private drag(change: Correction | null): void {
    this.dragged = change;
    this.preview.drag(change && { frame: this.state.frame, what: change });
    this.listener?.onchange(change);
    this.pose();
  }

  private endDrag(): void {
    const change = this.dragged;
    this.dragged = null;
    this.preview.finish();
    if (change) this.listener?.onend(change);
    this.pose();
  }

  /** @throws ViewportError if the graphics driver rejected a shader. */
  assertDrawable(): void {
    if (this.shaderError) throw new ViewportError("noGraphics", this.shaderError);
  }

  show(state: ViewState): void {
    this.state = state;
    this.pose();
  }

  /** Takes the frame from a running playhead, or with `null` from {@link show} again. */
  followPlayhead(playhead: (() => number) | null): void {
    this.playhead = playhead;
    this.requestDraw();
  }

  /** Sets the size of the canvas in CSS pixels. */
  resize(width: number, height: number, pixelRatio: number): void {
    if (width < 1 || height < 1) return;
    this.size = { width: Math.round(width * pixelRatio), height: Math.round(height * pixelRatio), pixelRatio };
    this.renderer.setSize(this.size.width, this.size.height, false);
    if (!this.isSized) {
      this.frameCharacter();
      this.camera = this.goal;
      this.isSized = true;
    }
    // at once, because resizing clears the canvas
    this.draw(this.quality.current);
    this.requestDraw();
  }

  /** Moves the camera so that the character is visible in every frame, without turning it. */
  frameCharacter(): void {
    this.moveCamera((camera) => framed(camera, this.boundsPoints, this.aspect));
  }

  lookFrom(preset: Preset): void {
    this.moveCamera((camera) => framed(lookFrom(camera, preset, this.facing), this.boundsPoints, this.aspect));
  }

  moveCamera(move: CameraMove): void {
    this.goal = move(this.goal);
    this.requestDraw();
  }

  /** The joint nearest to a point of the canvas, in CSS pixels from its top left corner. */
  jointAt(x: number, y: number): PickedJoint | null {
    const projected = this.joints.all.map(({ node }) => this.inPicture(worldPosition(node)));
    const isOnHand = (bone: string, joint: number): boolean => {
      const hand = handOf(bone);
      const [at, wrist] = [projected[joint], hand && this.joints.jointOf(hand)];
      const there = wrist && projected[this.joints.all.indexOf(wrist)];
      return Boolean(at && there && Math.hypot(at.xPx - there.xPx, at.yPx - there.yPx) < fingersFromPx);
    };
    const pickable = this.joints.all.flatMap(({ bone, isTwist }, joint): ProjectedJoint[] => {
      const at = projected[joint];
      return !at || isTwist || !isCorrectable(bone) || isOnHand(bone, joint) ? [] : [{ joint, ...at }];
    });
    const nearest = nearestJoint(pickable, x, y);
    const bone = nearest && this.joints.all[nearest.joint]?.bone;
    return nearest && bone && isCorrectable(bone) ? { bone, xPx: nearest.xPx, yPx: nearest.yPx } : null;
  }

  /** Marks a joint that a press would choose. */
  hover(bone: Bone | null): void {
    this.handle.hover(bone);
    this.handle.follow(new Vector3(...this.offset()));
  }

  private inPicture(place: Vec3): Omit<ProjectedJoint, "joint"> | null {
    const at = project(this.followingCamera(), this.aspect, add(place, this.offset()));
    const width = this.size.width / this.size.pixelRatio;
    const height = this.size.height / this.size.pixelRatio;
    return at && { xPx: ((at.x + 1) / 2) * width, yPx: ((1 - at.y) / 2) * height, depthM: at.depthM };
  }

  /** Draws at the next screen refresh, unless the page is hidden. */
  requestDraw(): void {
    if (this.request !== null || document.hidden) return;
    this.request = requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.request = null;
    const elapsedMs = this.lastTick === null ? null : now - this.lastTick;
    this.lastTick = now;
    if (elapsedMs !== null) this.quality.frameTook(elapsedMs);
    this.camera = damped(this.camera, this.goal, (elapsedMs ?? 16) / 1000);
    this.draw(this.quality.current);
    if (this.playhead || this.camera !== this.goal) return this.requestDraw();
    this.lastTick = null;
    this.quality.reset();
    if (this.quality.current === "fast") this.refining = setTimeout(() => this.draw("fine"), refineAfterMs);
  }

  private draw(quality: Quality): void {
    clearTimeout(this.refining);
    const { bones, contacts } = this.state;
    const frame = this.playhead?.() ?? this.state.frame;
    if (this.posedFrame !== frame) {
      this.setPose(frame);
      this.posedFrame = frame;
      this.preview.apply(frame);
      this.handle.follow(new Vector3(...this.offset()));
      this.studio.updatePose(this.offset(), { bones, contacts, standing: contactsAt(this.clip.contacts, frame) });
    }
    const camera = this.followingCamera();
    this.studio.draw(camera, this.size, quality);
    const heightPx = this.size.height / this.size.pixelRatio;
    this.handle.draw(this.renderer, camera, { heightPx, aspect: this.aspect }, this.playhead === null);
  }

  private get aspect(): number {
    return this.size.width / this.size.height;
  }

  /** Moves the character back to the origin if it is shown in place. */
  private offset(): Vec3 {
    return this.state.inPlace ? minus(zero, pointAlong(this.hipsPath, this.posedFrame ?? 0)) : zero;
  }

  private followingCamera(): OrbitCamera {
    const followed = this.state.inPlace ? zero : pointAlong(this.followPath, this.posedFrame ?? 0);
    return { ...this.camera, target: add(this.camera.target, followed) };
  }

  dispose(): void {
    if (this.request !== null) cancelAnimationFrame(this.request);
    clearTimeout(this.refining);
    this.handle.dispose();
    this.preview.undo();
    this.mixer.stopAllAction();
    this.mixer.uncacheRoot(this.scene);
    this.studio.dispose();
    this.character.dispose();
    this.renderer.dispose();
    // otherwise the context lives until the canvas is garbage collected
    if (!this.renderer.getContext().isContextLost()) this.renderer.forceContextLoss();
  }
}

function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  try {
    const renderer = new WebGLRenderer({ canvas, alpha: false, antialias: false, stencil: false });
    renderer.autoClear = false;
    return renderer;
  } catch (error) {
    throw new ViewportError("noGraphics", String(error));
  }
}
