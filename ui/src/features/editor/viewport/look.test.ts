import { expect, test } from "vitest";
import cameraSource from "../../../../../crates/limber-render/src/camera.rs?raw";
import overlaySource from "../../../../../crates/limber-render/src/overlay.rs?raw";
import paletteSource from "../../../../../crates/limber-render/src/palette.rs?raw";
import shadowSource from "../../../../../crates/limber-render/src/shadow.rs?raw";
import stageSource from "../../../../../crates/limber-render/src/stage.rs?raw";
import { defaultCamera, fieldOfViewRad, lookFrom } from "./camera";
import { adultHeightM, gridSpacingM, keyLight, lightDirections, overlayColors, palette, shadowQuality, sideOf } from "./look";
import { unit, type Vec3 } from "./vector";

/** All numbers in the first match of a pattern. */
function numbers(source: string, pattern: RegExp): number[] {
  const [, found] = pattern.exec(source) ?? [];
  if (found === undefined) throw new Error(`limber-render has changed: ${pattern}`);
  return found.match(/(?<!\w)-?\d+(\.\d+)?/g)?.map(Number) ?? [];
}

test("the backdrop matches thumbnails and videos", () => {
  const dark = /Backdrop::Dark => Self \{([^}]*)\}/.exec(paletteSource)?.[1] ?? "";
  for (const name of ["top", "bottom", "pool", "line"] as const) {
    expect(numbers(dark, new RegExp(`${name}: Vec3::new\\(([^)]*)\\)`))).toEqual(palette[name]);
  }
  expect(numbers(dark, /line_strength: (.*),/)).toEqual([palette.lineStrength]);
  expect(numbers(dark, /shade: (.*),/)).toEqual([palette.shade]);
  expect(numbers(dark, /vignette: (.*),/)).toEqual([palette.vignette]);
});

test("the lights match thumbnails and videos", () => {
  const [x = 0, y = 0, z = 0] = numbers(paletteSource, /key: Vec3::new\(([^)]*)\)/);
  expect(keyLight).toEqual(unit([x, y, z]));
  const [away, aside, high] = numbers(paletteSource, /fill: \((.*)\)\.normalize/) as [number, number, number];
  const front = lightDirections({ ...defaultCamera, yawRad: 0 });
  expect(front.fill).toEqual(unit([aside, high, away] as Vec3));
  const [behind, right, above] = numbers(paletteSource, /rim: \(-level \* (.*)\)\.normalize/) as [number, number, number];
  expect(front.rim).toEqual(unit([right, above, -behind] as Vec3));
});

test("bones and contact rings have the viewer's colours", () => {
  expect(numbers(overlaySource, /const LEFT: \[f32; 4\] = (.*);/)).toEqual(overlayColors.left);
  expect(numbers(overlaySource, /const RIGHT: \[f32; 4\] = (.*);/)).toEqual(overlayColors.right);
  expect(numbers(overlaySource, /const MIDDLE: \[f32; 4\] = (.*);/)).toEqual(overlayColors.middle);
  expect(numbers(overlaySource, /const MARK: Vec3 = Vec3::new\((.*)\);/)).toEqual(overlayColors.ring);
  expect(["leftHand", "rightHand", "hips"].map(sideOf)).toEqual(["left", "right", "middle"]);
});

test("shadow sizes and the reference height match thumbnails and videos", () => {
  for (const [name, quality] of [["Small", "fast"], ["Fine", "fine"]] as const) {
    const { keyPx, heightPx, floorPx, taps } = shadowQuality[quality];
    const found = numbers(shadowSource, new RegExp(`Quality::${name} => Self \\{(.*)\\}`));
    expect(found).toEqual([keyPx, heightPx, floorPx, taps]);
  }
  expect(numbers(stageSource, /skin: skin_program\(context, (.*)\)/)).toEqual([shadowQuality.fine.keyBox]);
  expect(numbers(stageSource, /fast_skin = Some\(skin_program\(&self.context, (.*)\)\?/)).toEqual([shadowQuality.fast.keyBox]);
  expect(numbers(stageSource, /HUMAN_HEIGHT: f32 = (.*);/)).toEqual([adultHeightM]);
  expect([0.8, 1.3, 0.02, 40].map(gridSpacingM)).toEqual([1, 1, 0.01, 100]);
});

test("the camera matches thumbnails and videos", () => {
  expect(numbers(cameraSource, /field_of_view: (\d.*),/)).toEqual([fieldOfViewRad]);
  const { yawRad, pitchRad } = lookFrom(defaultCamera, "threeQuarter", 0);
  expect(numbers(cameraSource, /Self::ThreeQuarter => \((.*)\)/)).toEqual([yawRad, pitchRad]);
});
