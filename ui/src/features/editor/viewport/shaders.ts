import backdropFunctions from "../../../../../crates/limber-render/src/shaders/backdrop.glsl?raw";
import backdropFragment from "../../../../../crates/limber-render/src/shaders/backdrop.frag?raw";
import backdropVertex from "../../../../../crates/limber-render/src/shaders/backdrop.vert?raw";
import boneFragment from "../../../../../crates/limber-render/src/shaders/bone.frag?raw";
import boneVertex from "../../../../../crates/limber-render/src/shaders/bone.vert?raw";
import copyFragment from "../../../../../crates/limber-render/src/shaders/copy.frag?raw";
import depthFragment from "../../../../../crates/limber-render/src/shaders/depth.frag?raw";
import display from "../../../../../crates/limber-render/src/shaders/display.glsl?raw";
import floorFragment from "../../../../../crates/limber-render/src/shaders/floor.frag?raw";
import floorVertex from "../../../../../crates/limber-render/src/shaders/floor.vert?raw";
import floorLightFragment from "../../../../../crates/limber-render/src/shaders/floor_light.frag?raw";
import floorLightVertex from "../../../../../crates/limber-render/src/shaders/floor_light.vert?raw";
import markFragment from "../../../../../crates/limber-render/src/shaders/mark.frag?raw";
import markVertex from "../../../../../crates/limber-render/src/shaders/mark.vert?raw";
import shadow from "../../../../../crates/limber-render/src/shaders/shadow.glsl?raw";
import skinFragment from "../../../../../crates/limber-render/src/shaders/skin.frag?raw";
import skinVertex from "../../../../../crates/limber-render/src/shaders/skin.vert?raw";

/** A vertex and a fragment shader of limber-render. */
export interface ShaderSource {
  vertex: string;
  fragment: string;
}

/** WebGL requires it, desktop OpenGL does not. */
const precision = "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n";

function source(vertex: string, ...fragment: string[]): ShaderSource {
  return { vertex: precision + vertex, fragment: precision + fragment.join("\n") };
}

export const skin = (keyBox: number): ShaderSource =>
  source(skinVertex, `const int KEY_BOX = ${keyBox};`, display, shadow, skinFragment);
export const depth = source(skinVertex, depthFragment);
export const floor = source(floorVertex, display, backdropFunctions, floorFragment);
export const floorLight = (taps: number): ShaderSource =>
  source(floorLightVertex, `const int TAPS = ${taps};`, shadow, floorLightFragment);
export const backdrop = source(backdropVertex, display, backdropFunctions, backdropFragment);
export const bone = source(boneVertex, boneFragment);
export const mark = source(markVertex, markFragment);
export const copy = source(backdropVertex, copyFragment);
