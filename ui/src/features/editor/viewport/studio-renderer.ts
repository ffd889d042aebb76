import {
  Camera,
  DoubleSide,
  FrontSide,
  LessEqualDepth,
  Matrix4,
  Scene,
  WebGLRenderTarget,
  type Mesh,
  type RawShaderMaterial,
  type Texture,
  type WebGLRenderer,
} from "three";
import type { FootPoint } from "../../../host";
import { centerOf, movedBy, sizeOf, type Box } from "./bounds";
import { cameraAxes, eyePosition, fieldOfViewRad, farShare, nearShare, type OrbitCamera } from "./camera";
import type { CharacterMesh, MeshPart } from "./character-mesh";
import { adultHeightM, gridSpacingM, lightDirections, palette, shadowQuality } from "./look";
import { disposeMesh, fullScreenTriangle, meshOf, shaderMaterial, square, whiteTexture, type Uniforms } from "./materials";
import { Overlay } from "./overlay";
import type { Quality } from "./quality";
import { shadowFraming, type ShadowFraming } from "./shadow-framing";
import { ShadowMaps } from "./shadow-maps";
import * as shaders from "./shaders";
import type { SkeletonJoints } from "./skeleton";
import type { Vec3 } from "./vector";

export interface OverlayState {
  bones: boolean;
  contacts: boolean;
  /** The contact points that touch the floor now. */
  standing: readonly FootPoint[];
}

/** The size of the canvas in physical pixels. */
export interface CanvasSize {
  width: number;
  height: number;
  pixelRatio: number;
}

const multisamples = 4;
/** The order in which meshes are drawn: what covers most comes last, so that few pixels are shaded twice. */
const order = { character: 0, floor: 1, backdrop: 2 };

/** Draws a character in the dark studio of limber-render, with the same shaders in the same order. */
export class StudioRenderer {
  private readonly renderer: WebGLRenderer;
  private readonly character: CharacterMesh;
  /** 1 for an adult. */
  private readonly scale: number;
  private readonly scene = new Scene();
  private readonly copyScene = new Scene();
  private readonly unusedCamera = new Camera();
  private readonly overlay: Overlay;
  private readonly white = whiteTexture();
  private readonly skinned: { mesh: Mesh; materials: Record<Quality, RawShaderMaterial> }[] = [];
  private readonly shadows: Record<Quality, ShadowMaps>;
  private readonly areShadowsCurrent: Record<Quality, boolean> = { fast: false, fine: false };
  private target: { quality: Quality; texture: WebGLRenderTarget } | null = null;
  private bounds: Box;
  private framing: ShadowFraming;
  private readonly copied = { value: null as Texture | null };
  private readonly common = {
    viewProjection: { value: new Matrix4() },
    offset: { value: [0, 0, 0] as readonly number[] },
    eye: { value: [0, 0, 0] as readonly number[] },
    keyDirection: { value: [0, 1, 0] as readonly number[] },
    fillDirection: { value: [0, 1, 0] as readonly number[] },
    rimDirection: { value: [0, 1, 0] as readonly number[] },
    bodyScale: { value: 1 },
    keyTexelSize: { value: 0 },
    noiseStrength: { value: 1 },
    tint: { value: [1, 1, 1, 0] },
    hatched: { value: 0 },
    opacity: { value: 1 },
  };
  private readonly studio = {
    viewProjection: this.common.viewProjection,
    noiseStrength: this.common.noiseStrength,
    backdropTop: { value: palette.top },
    backdropBottom: { value: palette.bottom },
    vignette: { value: palette.vignette },
    poolColor: { value: palette.pool },
    lineColor: { value: palette.line },
    lineStrength: { value: palette.lineStrength },
    shade: { value: palette.shade },
    shadowed: { value: 1 },
    pictureFrame: { value: [0, 0, 1, 1] },
    floorFrame: { value: [0, 0, 1, 1] },
    patchFrame: { value: [0, 0, 1, 1] },
    floorLight: { value: null as Texture | null },
  };

  constructor(renderer: WebGLRenderer, character: CharacterMesh, joints: SkeletonJoints) {
    this.renderer = renderer;
    this.character = character;
    this.scale = Math.max(character.heightM / adultHeightM, 1e-4);
    this.common.bodyScale.value = this.scale;
    this.bounds = character.bounds();
    this.framing = shadowFraming(this.bounds, this.scale);
    const { offset } = this.common;
    this.shadows = {
      fast: new ShadowMaps(character, offset, shadowQuality.fast),
      fine: new ShadowMaps(character, offset, shadowQuality.fine),
    };
    this.scene.matrixWorldAutoUpdate = this.copyScene.matrixWorldAutoUpdate = false;
    for (const part of character.parts) this.addPart(part);
    const backdrop = { depthFunc: LessEqualDepth, depthWrite: false };
    this.scene.add(
      meshOf(square(), shaderMaterial(shaders.floor, this.studio), order.floor),
      meshOf(fullScreenTriangle(), shaderMaterial(shaders.backdrop, this.studio, backdrop), order.backdrop),
    );
    this.overlay = new Overlay(joints, this.scale, this.common);
    this.scene.add(this.overlay.rings, this.overlay.bones);
    const copy = { depthTest: false, depthWrite: false };
    this.copyScene.add(meshOf(fullScreenTriangle(), shaderMaterial(shaders.copy, { picture: this.copied }, copy)));
  }

  private addPart({ geometry, skin, surface, eightJoints }: MeshPart): void {
    const uniforms: Uniforms = {
      ...this.common,
      jointRows: { value: skin.texture },
      jointCount: { value: skin.joints.length },
      eightJoints: { value: Number(eightJoints) },
      baseColor: { value: surface.baseColor },
      metallic: { value: surface.metallic },
      roughness: { value: surface.roughness },
      emissive: { value: surface.emissive },
      unlit: { value: Number(surface.unlit) },
      alphaCutoff: { value: surface.alphaCutoff },
      baseColorMap: { value: surface.textures[0] ?? this.white },
      metalRoughMap: { value: surface.textures[1] ?? this.white },
      emissiveMap: { value: surface.textures[2] ?? this.white },
    };
    const side = surface.doubleSided ? DoubleSide : FrontSide;
    const material = (quality: Quality) =>
      shaderMaterial(
        shaders.skin(shadowQuality[quality].keyBox),
        { ...uniforms, ...this.shadows[quality].uniforms },
        { side },
      );
    const materials = { fast: material("fast"), fine: material("fine") };
    const mesh = meshOf(geometry, materials.fine, order.character);
    this.skinned.push({ mesh, materials });
    this.scene.add(mesh);
  }

  /** Takes over the pose that the animation has set in the scene, moved by `offset`. */
  updatePose(offset: Vec3, { bones, contacts, standing }: OverlayState): void {
    this.character.update();
    this.bounds = movedBy(this.character.bounds(), offset);
    this.framing = shadowFraming(this.bounds, this.scale);
    this.common.offset.value = offset;
    this.areShadowsCurrent.fast = this.areShadowsCurrent.fine = false;
    this.overlay.bones.visible = bones;
    this.overlay.rings.visible = contacts;
    if (bones || contacts) this.overlay.update(offset, standing);
  }

  draw(camera: OrbitCamera, size: CanvasSize, quality: Quality): void {
    this.drawShadows(quality);
    for (const { mesh, materials } of this.skinned) mesh.material = materials[quality];
    const target = this.targetFor(size, quality);
    this.studio.pictureFrame.value = [0, 0, target?.width ?? size.width, target?.height ?? size.height];
    this.setCamera(camera, size.width / size.height);
    this.renderer.setRenderTarget(target);
    // the backdrop covers all colours
    this.renderer.clear(false, true, false);
    this.renderer.render(this.scene, this.unusedCamera);
    if (!target) return;
    this.copied.value = target.texture;
    this.renderer.setRenderTarget(null);
    this.renderer.render(this.copyScene, this.unusedCamera);
  }

  /** Shadows depend on the pose alone, so moving the camera does not redraw them. */
  private drawShadows(quality: Quality): void {
    const shadows = this.shadows[quality];
    if (!this.areShadowsCurrent[quality]) shadows.draw(this.renderer, this.unusedCamera, this.framing);
    this.areShadowsCurrent[quality] = true;
    this.common.keyTexelSize.value = shadows.texelSizeM(this.framing);
    this.studio.floorLight.value = shadows.floorLight.texture;
    this.studio.patchFrame.value = this.framing.patch;
  }

  private setCamera(camera: OrbitCamera, aspect: number): void {
    const lights = lightDirections(camera);
    this.common.viewProjection.value = viewProjection(camera, aspect);
    this.common.eye.value = eyePosition(camera);
    this.common.keyDirection.value = lights.key;
    this.common.fillDirection.value = lights.fill;
    this.common.rimDirection.value = lights.rim;
    const [x, , z] = centerOf(this.bounds);
    const [width, , depth] = sizeOf(this.bounds);
    const reach = Math.max(9 * this.scale, 2 * Math.hypot(width, depth), 2.2 * camera.distanceM);
    this.studio.floorFrame.value = [x, z, reach, gridSpacingM(this.scale)];
  }

  /**
   * Where to draw before copying to the canvas; null for the canvas itself. Full quality is antialiased. Fast pictures
   * are not, and ignore the pixel ratio of the screen.
   */
  private targetFor({ width, height, pixelRatio }: CanvasSize, quality: Quality): WebGLRenderTarget | null {
    const scale = quality === "fine" || pixelRatio <= 1 ? 1 : 1 / pixelRatio;
    if (quality === "fast" && scale === 1) return null;
    const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    if (this.target?.quality !== quality) {
      this.target?.texture.dispose();
      const samples = quality === "fine" ? multisamples : 0;
      this.target = { quality, texture: new WebGLRenderTarget(wide, high, { samples }) };
    }
    this.target.texture.setSize(wide, high);
    return this.target.texture;
  }

  dispose(): void {
    for (const shadows of Object.values(this.shadows)) shadows.dispose();
    for (const { materials } of this.skinned) for (const material of Object.values(materials)) material.dispose();
    for (const mesh of [...this.scene.children, ...this.copyScene.children]) disposeMesh(mesh as Mesh);
    this.white.dispose();
    this.target?.texture.dispose();
  }
}

function viewProjection(camera: OrbitCamera, aspect: number): Matrix4 {
  const { right, up, backward } = cameraAxes(camera);
  const [x, y, z] = eyePosition(camera);
  const world = new Matrix4().set(
    right[0], up[0], backward[0], x,
    right[1], up[1], backward[1], y,
    right[2], up[2], backward[2], z,
    0, 0, 0, 1,
  );
  const near = camera.distanceM * nearShare;
  const top = near * Math.tan(fieldOfViewRad / 2);
  const projection = new Matrix4().makePerspective(-top * aspect, top * aspect, top, -top, near, camera.distanceM * farShare);
  return projection.multiply(world.invert());
}
