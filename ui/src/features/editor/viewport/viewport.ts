import { AnimationMixer, Vector3, type AnimationAction, type AnimationClip, type Object3D, type WebGLRenderer } from "three";
import type { ContactTrack, Correction } from "../../../host";
import type { Layers } from "../corrections/layers";
import { handOf, isCorrectable, type Bone } from "../joints";
import { damped, defaultCamera, framed, lookFrom, project, type OrbitCamera, type Preset } from "./camera";
import type { CanonicalPose } from "./canonical";
import { contactsAt } from "./contacts";
import type { CameraMove } from "./controls";
import type { JointCurves } from "./curves";
import { clipTime, facingRad, pointAlong } from "./follow";
import { JointHandle, type HandleTarget } from "./joint-handle";
import { loadMotion } from "./load";
import { motionFor } from "./motion";
import type { Owned } from "./owned";
import { nearestJoint, reachPx, type ProjectedJoint } from "./picker";
import { PosePreview } from "./preview";
import { AdaptiveQuality, type Quality } from "./quality";
import type { MotionPaths, MotionSampler } from "./sampler";
import { worldPosition, type SkeletonJoints } from "./skeleton";
import { StudioRenderer } from "./studio-renderer";
import { ViewportError } from "./unavailable";
import type { CharacterMesh } from "./character-mesh";
import { add, minus, zero, type Vec3 } from "./vector";

/** After this pause, a picture that was drawn fast is drawn again in full quality. */
const refineAfterMs = 120;

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

/** Receives events of dragged joints. */
export interface DragListener {
  onbegin: () => void;
  /** The correction so far, relative to what the file shows; null if the drag was cancelled. */
  onchange: (change: Correction | null) => void;
  /** The correction, which is part of the corrections from now on unless it is rejected. */
  onend: (change: Correction) => void;
}

/** A joint that can be corrected, with its position on the canvas. */
export interface PickedJoint {
  bone: Bone;
  /** CSS pixels from the top left corner of the canvas. */
  xPx: number;
  yPx: number;
}

/** While finger joints are drawn nearer to the hand than this, the hand is picked instead. */
const fingersFromPx = 2 * reachPx;

/** The character of a clip, in its rest pose, with its motion. */
export interface MovingCharacter {
  scene: Object3D;
  mesh: CharacterMesh;
  joints: SkeletonJoints;
  canonical: CanonicalPose;
  sampler: MotionSampler;
  animation: AnimationClip;
  paths: MotionPaths;
}

/**
 * Draws a clip in a canvas. It draws on demand, at most once per screen refresh: after a change, while the camera
 * moves, and while a playhead runs.
 */
export class Viewport {
  private readonly renderer: WebGLRenderer;
  private readonly scene: Object3D;
  private readonly joints: SkeletonJoints;
  private readonly sampler: MotionSampler;
  private readonly studio: StudioRenderer;
  private readonly preview: PosePreview;
  private readonly handle: JointHandle;
  private dragged: Correction | null = null;
  private listener: DragListener | null = null;
  private readonly mixer: AnimationMixer;
  private action: AnimationAction;
  private paths: MotionPaths;
  private readonly clip: ClipInfo;
  private readonly quality = new AdaptiveQuality();
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
  private readonly owned: Owned;

  /** `owned` holds everything that is disposed of with the viewport, or if creating it fails. */
  constructor(canvas: HTMLCanvasElement, renderer: WebGLRenderer, character: MovingCharacter, clip: ClipInfo, owned: Owned) {
    const { scene, mesh, joints, canonical, animation } = character;
    this.owned = owned;
    owned.own({ dispose: () => this.rest() });
    this.renderer = renderer;
    this.clip = clip;
    this.scene = scene;
    this.joints = joints;
    this.sampler = character.sampler;
    this.paths = character.paths;
    this.preview = new PosePreview(joints, canonical);
    this.mixer = new AnimationMixer(scene);
    this.action = this.mixer.clipAction(animation).play();
    this.setPose(0);
    this.facing = facingRad(joints.positionOf("leftUpperLeg"), joints.positionOf("rightUpperLeg"));
    this.goal = this.camera = lookFrom(defaultCamera, "threeQuarter", this.facing);
    renderer.debug.onShaderError = (gl, program) => (this.shaderError = gl.getProgramInfoLog(program) || "unknown");
    this.studio = owned.own(new StudioRenderer(renderer, mesh, joints));
    this.handle = owned.own(
      new JointHandle(canvas, joints, canonical, {
        onbegin: () => this.listener?.onbegin(),
        onchange: (change) => this.drag(change),
        onend: () => this.endDrag(),
        onredraw: () => this.requestDraw(),
      }),
    );
  }

  /**
   * Shows the motion of another file with the same character, once it is completely loaded. Camera
   * and textures stay as they are.
   *
   * @throws ViewportError if the file cannot be read.
   */
  async renew(url: string, cancelled: AbortSignal): Promise<void> {
    const animation = motionFor(this.scene, await loadMotion(url, cancelled));
    const paths = await this.sampler.paths(animation, this.clip, cancelled);
    cancelled.throwIfAborted();
    const before = this.action.getClip();
    this.action.stop();
    this.mixer.uncacheClip(before);
    this.action = this.mixer.clipAction(animation).play();
    this.paths = paths;
    this.pose();
  }

  private setPose(frame: number): void {
    this.preview.undo();
    this.action.time = clipTime(frame, this.clip.frames, this.clip.fps);
    // without a step in time, the action neither loops nor ends
    this.mixer.update(0);
    this.scene.updateMatrixWorld(true);
  }

  /** Poses the character again for the next picture. */
  private pose(): void {
    this.posedFrame = null;
    this.requestDraw();
  }

  /** Curves of a joint in the motion of the file; null if the character has no such joint. */
  curvesOf(bone: Bone, cancelled: AbortSignal): Promise<JointCurves | null> {
    return this.sampler.curves(bone, this.action.getClip(), this.clip, cancelled);
  }

  /** Shows the handle of a joint; null hides it. */
  hold(held: HandleTarget | null): void {
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

  /** Reverts and ends a drag. Returns whether there was one. */
  cancelDrag(): boolean {
    if (!this.handle.cancel()) return false;
    this.drag(null);
    return true;
  }

  /** Shows these corrections, as a preview where the file does not contain them. */
  correct(inFile: Layers, now: Layers): void {
    this.preview.correct(inFile, now);
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
    this.preview.drag(null);
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
    this.moveCamera((camera) => framed(camera, this.paths.corners, this.aspect));
  }

  lookFrom(preset: Preset): void {
    this.moveCamera((camera) => framed(lookFrom(camera, preset, this.facing), this.paths.corners, this.aspect));
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

  /** Marks a joint that a click would select. */
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
    return this.state.inPlace ? minus(zero, pointAlong(this.paths.hips, this.posedFrame ?? 0)) : zero;
  }

  private followingCamera(): OrbitCamera {
    const followed = this.state.inPlace ? zero : pointAlong(this.paths.follow, this.posedFrame ?? 0);
    return { ...this.camera, target: add(this.camera.target, followed) };
  }

  /** Stops drawing. */
  private rest(): void {
    if (this.request !== null) cancelAnimationFrame(this.request);
    clearTimeout(this.refining);
  }

  dispose(): void {
    this.owned.dispose();
  }
}
