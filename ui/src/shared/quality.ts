import type { Quality } from "../host";
import { number, t } from "../texts";

export interface Badge {
  name: string;
  words: string;
  tone: "good" | "fair" | "unknown";
}

// Below these nobody sees a fault at a normal distance of the camera.
const skateSeenCmS = 0.5;
const depthSeenMm = 5;
const floatSeenMm = 10;
const seamSeenDeg = 6;

/** How good a clip is, in words. */
export function badges(quality: Quality | null): Badge[] {
  if (!quality) return [{ name: t("editor.quality.label"), words: t("editor.quality.unmeasured"), tone: "unknown" }];
  return [feet(quality), floor(quality), seam(quality)];
}

function feet({ footSkateCmS: speed }: Quality): Badge {
  const good = speed < skateSeenCmS;
  const words = good ? t("editor.quality.still") : t("editor.quality.slide", { speed: number(speed, 1) });
  return { name: t("editor.quality.feet"), words, tone: good ? "good" : "fair" };
}

function floor({ penetrationMm: depth, floatMm: height }: Quality): Badge {
  if (depth >= depthSeenMm) {
    return { name: t("editor.quality.floor"), words: t("editor.quality.deep", { depth: number(depth) }), tone: "fair" };
  }
  if (height >= floatSeenMm) {
    return { name: t("editor.quality.floor"), words: t("editor.quality.above", { height: number(height) }), tone: "fair" };
  }
  return { name: t("editor.quality.floor"), words: t("editor.quality.met"), tone: "good" };
}

function seam({ loopDeg: degrees }: Quality): Badge {
  if (degrees == null) return { name: t("editor.quality.loop"), words: t("editor.quality.unknown"), tone: "unknown" };
  const good = degrees < seamSeenDeg;
  const words = good ? t("editor.quality.closes") : t("editor.quality.apart", { degrees: number(degrees) });
  return { name: t("editor.quality.loop"), words, tone: good ? "good" : "fair" };
}

/** A sign for each, so that nobody needs to tell colours apart. */
const signs: Record<Badge["tone"], string> = { good: "✓", fair: "△", unknown: "–" };

/** The same in one short line, for a card. */
export function qualityWords(quality: Quality): string {
  return badges(quality).map(({ name, tone }) => `${signs[tone]} ${name}`).join("   ");
}

/** What the line says to those who hear it. */
export function qualityLabel(quality: Quality): string {
  return badges(quality).map(({ name, words }) => t("editor.quality.badge", { name, words })).join(", ");
}
