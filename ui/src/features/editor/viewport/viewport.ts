import { AnimationMixer, WebGLRenderer, type AnimationAction, type Object3D } from "three";
import type { ContactTrack } from "../../../host";
import { cornersOf } from "./bounds";
import { damped, defaultCamera, framed, lookFrom, project, type OrbitCamera, type Preset } from "./camera";
import { CharacterMesh } from "./character-mesh";
import { contactsAt } from "./contacts";
import type { CameraMove } from "./controls";
import { clipTime, facingRad, pointAlong, smoothPath } from "./follow";
import { assertMoves, load, type UnpackedClip } from "./load";
import { nearestJoint, type ProjectedJoint } from "./picker";
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

/** A joint that was picked. */
export interface PickedJoint {
  /** The name of its node in the file. */
  name: string;
  /** The VRM name of the human bone, if it is one. */
  bone: string | null;
}

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
    this.measure();
    this.posedFrame = null;
    this.requestDraw();
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
    this.action.time = clipTime(frame, this.clip.frames, this.clip.fps);
    // without a step in time, the action neither loops nor ends
    this.mixer.update(0);
    this.scene.updateMatrixWorld(true);
  }

  /** @throws ViewportError if the graphics driver rejected a shader. */
  assertDrawable(): void {
    if (this.shaderError) throw new ViewportError("noGraphics", this.shaderError);
  }

  show(state: ViewState): void {
    this.state = state;
    this.posedFrame = null;
    this.requestDraw();
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
    const camera = this.followingCamera();
    const width = this.size.width / this.size.pixelRatio;
    const height = this.size.height / this.size.pixelRatio;
    const projected = this.joints.all.flatMap(({ node, isTwist }, joint): ProjectedJoint[] => {
      const at = isTwist ? null : project(camera, this.aspect, add(worldPosition(node), this.offset()));
      if (!at) return [];
      return [{ joint, xPx: ((at.x + 1) / 2) * width, yPx: ((1 - at.y) / 2) * height, depthM: at.depthM }];
    });
    const nearest = nearestJoint(projected, x, y);
    const joint = nearest && this.joints.all[nearest.joint];
    return joint ? { name: joint.name, bone: joint.bone } : null;
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
      this.studio.updatePose(this.offset(), { bones, contacts, standing: contactsAt(this.clip.contacts, frame) });
    }
    this.studio.draw(this.followingCamera(), this.size, quality);
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
