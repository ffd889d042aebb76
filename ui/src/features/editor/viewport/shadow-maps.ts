import {
  DepthTexture,
  DoubleSide,
  LinearFilter,
  Matrix4,
  RedFormat,
  Scene,
  UnsignedIntType,
  WebGLRenderTarget,
  type Camera,
  type Mesh,
  type WebGLRenderer,
} from "three";
import type { CharacterMesh } from "./character-mesh";
import type { ShadowQuality } from "./look";
import { disposeMesh, fullScreenTriangle, meshOf, shaderMaterial } from "./materials";
import * as shaders from "./shaders";
import type { ShadowFraming } from "./shadow-framing";

/**
 * The shadows of a character, as in `shadow.rs` of limber-render: a depth map from the key light, one from below the
 * floor, and the light that reaches the floor, which is computed from both.
 */
export class ShadowMaps {
  /** The uniforms of `shadow.glsl`. */
  readonly uniforms: {
    keyMatrix: { value: Matrix4 };
    keyDepth: { value: DepthTexture | null };
    keyTexels: { value: number };
  };
  readonly floorLight: WebGLRenderTarget;
  private readonly key: WebGLRenderTarget;
  private readonly below: WebGLRenderTarget;
  private readonly character = new Scene();
  private readonly floor = new Scene();
  private readonly viewProjection = { value: new Matrix4() };
  private readonly patchFrame = { value: [0, 0, 1, 1] };
  private readonly keySpan = { value: 1 };
  private readonly heightRange = { value: [0, 1] };

  constructor(character: CharacterMesh, offset: { value: readonly number[] }, quality: ShadowQuality) {
    this.key = depthMap(quality.keyPx);
    this.below = depthMap(quality.heightPx);
    this.floorLight = new WebGLRenderTarget(quality.floorPx, quality.floorPx, {
      depthBuffer: false,
      minFilter: LinearFilter,
      magFilter: LinearFilter,
    });
    this.uniforms = {
      keyMatrix: { value: new Matrix4() },
      keyDepth: { value: this.key.depthTexture },
      keyTexels: { value: quality.keyPx },
    };
    this.addCharacter(character, offset);
    this.addFloor(quality);
  }

  private addCharacter({ shadowCasters }: CharacterMesh, offset: { value: readonly number[] }): void {
    this.character.matrixWorldAutoUpdate = false;
    for (const { geometry, skin, eightJoints } of shadowCasters) {
      const uniforms = {
        viewProjection: this.viewProjection,
        offset,
        jointRows: { value: skin.texture },
        jointCount: { value: skin.joints.length },
        eightJoints: { value: Number(eightJoints) },
      };
      this.character.add(meshOf(geometry, shaderMaterial(shaders.depth, uniforms, { side: DoubleSide, colorWrite: false })));
    }
  }

  private addFloor({ taps, heightPx }: ShadowQuality): void {
    this.floor.matrixWorldAutoUpdate = false;
    const uniforms = {
      ...this.uniforms,
      patchFrame: this.patchFrame,
      keySpan: this.keySpan,
      keyReach: this.keySpan,
      heightDepth: { value: this.below.depthTexture },
      heightRange: this.heightRange,
      heightTexels: { value: heightPx },
    };
    this.floor.add(meshOf(fullScreenTriangle(), shaderMaterial(shaders.floorLight(taps), uniforms, { depthTest: false })));
  }

  /** Draws all maps for the current pose. */
  draw(renderer: WebGLRenderer, camera: Camera, framing: ShadowFraming): void {
    for (const [map, matrix] of [[this.key, framing.key], [this.below, framing.fromBelow]] as const) {
      this.viewProjection.value.copy(matrix);
      renderer.setRenderTarget(map);
      renderer.clear(false, true, false);
      renderer.render(this.character, camera);
    }
    this.uniforms.keyMatrix.value.copy(framing.key);
    this.patchFrame.value = framing.patch;
    this.keySpan.value = framing.keySpanM;
    this.heightRange.value = framing.heightRangeM;
    renderer.setRenderTarget(this.floorLight);
    renderer.render(this.floor, camera);
  }

  texelSizeM(framing: ShadowFraming): number {
    return framing.keySpanM / this.key.width;
  }

  dispose(): void {
    for (const map of [this.key, this.below, this.floorLight]) {
      map.depthTexture?.dispose();
      map.dispose();
    }
    for (const mesh of [...this.character.children, ...this.floor.children]) disposeMesh(mesh as Mesh);
  }
}

function depthMap(sidePx: number): WebGLRenderTarget {
  const depthTexture = new DepthTexture(sidePx, sidePx, UnsignedIntType);
  return new WebGLRenderTarget(sidePx, sidePx, { format: RedFormat, depthTexture });
}
