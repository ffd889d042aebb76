import type { Correction, CorrectionLayer } from "../../../host";
import { formatNumberUpTo, t } from "../../../texts";
import { correctable, isCorrectable, limbs } from "../joints";
import { anglesOf } from "./angles";

/** Neutral corrections of everything that can be corrected, in the order of the list. */
export const corrections: readonly Correction[] = [
  ...limbs.map((limb): Correction => ({ kind: "pull", limb, offset: { left: 0, up: 0, forward: 0 } })),
  ...correctable.map((joint): Correction => ({ kind: "rotate", joint, rotation: { x: 0, y: 0, z: 0, w: 1 } })),
];

/** The name of a hand, foot or joint; unknown names stay as other programs wrote them. */
function partWords(what: Correction): string {
  return boneLabel(what.kind === "pull" ? what.limb : what.joint);
}

export function boneLabel(bone: string): string {
  return isCorrectable(bone) ? t(`bones.${bone}`) : bone;
}

export function correctionLabel(what: Correction): string {
  return t(what.kind === "pull" ? "corrections.pulled" : "corrections.rotated", { part: partWords(what) });
}

export function amountLabel(what: Correction): string {
  // avoids negative zero
  const rounded = (value: number): string => formatNumberUpTo(Math.round(value * 10) / 10 || 0, 1);
  if (what.kind === "pull") {
    const { left, up, forward } = what.offset;
    const cm = (part: number): string => rounded(part * 100);
    return t("corrections.centimetres", { left: cm(left), up: cm(up), forward: cm(forward) });
  }
  const [x, y, z] = anglesOf(what.rotation).map(rounded) as [string, string, string];
  return t("corrections.degrees", { x, y, z });
}

/** The name of a layer; without one, its number from the bottom. */
export function layerLabel({ name }: Pick<CorrectionLayer, "name">, at: number): string {
  return name || t("corrections.layer", { number: at + 1 });
}
