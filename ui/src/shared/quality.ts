import type { LoopGap, Quality } from "../host";
import { formatNumber, memoizeByLanguage, t } from "../texts";

export interface Badge {
  name: string;
  words: string;
  tone: "good" | "fair" | "unknown";
}

// Thresholds below which faults are not visible at a normal camera distance.
const skateSeenCmS = 0.5;
const depthSeenMm = 5;
const floatSeenMm = 10;
const seamSeenDeg = 6;

/** Ratings of a clip in words. Whether its ends match matters only if it `loops`. */
export function badges(quality: Quality | null, loops: boolean): Badge[] {
  if (!quality) return [{ name: t("editor.quality.label"), words: t("editor.quality.unmeasured"), tone: "unknown" }];
  const tone = tones(quality);
  return [
    { name: t("editor.quality.feet"), words: feet(quality, tone.feet), tone: tone.feet },
    { name: t("editor.quality.floor"), words: floor(quality, tone.floor), tone: tone.floor },
    ...(loops ? [{ name: t("editor.quality.loop"), words: seam(quality, tone.loop), tone: tone.loop }] : []),
  ];
}

type Tone = Badge["tone"];
type Tones = Record<"feet" | "floor" | "loop", Tone>;

function tones({ footSkateCmS, penetrationMm, floatMm, loopDeg }: Quality): Tones {
  const of = (isGood: boolean): Tone => (isGood ? "good" : "fair");
  return {
    feet: of(footSkateCmS < skateSeenCmS),
    floor: of(penetrationMm < depthSeenMm && floatMm < floatSeenMm),
    loop: loopDeg == null ? "unknown" : of(loopDeg < seamSeenDeg),
  };
}

function feet({ footSkateCmS: speed }: Quality, tone: Tone): string {
  return tone === "good" ? t("editor.quality.still") : t("editor.quality.slide", { speed: formatNumber(speed, 1) });
}

function floor({ penetrationMm: depth, floatMm: height }: Quality, tone: Tone): string {
  if (tone === "good") return t("editor.quality.met");
  return depth >= depthSeenMm
    ? t("editor.quality.deep", { depth: formatNumber(depth) })
    : t("editor.quality.above", { height: formatNumber(height) });
}

function seam({ loopDeg: degrees }: Quality, tone: Tone): string {
  if (degrees == null) return t("editor.quality.unknown");
  return tone === "good" ? t("editor.quality.closes") : t("editor.quality.apart", { degrees: formatNumber(degrees) });
}

/** How well a part of a clip loops: its pose, then its speed. */
export function seamBadges({ poseDeg, speedCmS, usualCmS }: LoopGap): [Badge, Badge] {
  const [degrees, speed] = [formatNumber(poseDeg), formatNumber(speedCmS)];
  const closes = poseDeg < seamSeenDeg;
  const goesOn = speedCmS <= usualCmS;
  return [
    {
      name: t("editor.seam.pose"),
      words: closes ? t("editor.seam.closes", { degrees }) : t("editor.seam.jumps", { degrees }),
      tone: closes ? "good" : "fair",
    },
    {
      name: t("editor.seam.speed"),
      words: goesOn ? t("editor.seam.goesOn", { speed }) : t("editor.seam.jolts", { speed }),
      tone: goesOn ? "good" : "fair",
    },
  ];
}

/** The same in a short line. */
export interface QualityLine {
  /** Labels, with a symbol each so that colour is not the only cue. */
  symbols: string;
  /** For screen readers. */
  spoken: string;
}

const symbols: Record<Tone, string> = { good: "✓", fair: "△", unknown: "–" };

const lines = memoizeByLanguage<QualityLine>();

/** The rating of a clip without numbers. */
export function qualityLine(quality: Quality, loops: boolean): QualityLine {
  const tone = tones(quality);
  return lines(`${tone.feet} ${tone.floor} ${loops ? tone.loop : ""}`, () => lineOf(tone, loops));
}

function lineOf(tone: Tones, loops: boolean): QualityLine {
  const seam = { name: t("editor.quality.loop"), tone: tone.loop, good: t("editor.quality.closes"), fair: t("editor.quality.open") };
  const entries = [
    { name: t("editor.quality.feet"), tone: tone.feet, good: t("editor.quality.still"), fair: t("editor.quality.slides") },
    { name: t("editor.quality.floor"), tone: tone.floor, good: t("editor.quality.met"), fair: t("editor.quality.missed") },
    ...(loops ? [seam] : []),
  ];
  const spoken = entries.map(({ name, tone, good, fair }) => {
    const words = { good, fair, unknown: t("editor.quality.unknown") }[tone];
    return t("editor.quality.badge", { name, words });
  });
  return {
    symbols: entries.map(({ name, tone }) => `${symbols[tone]} ${name}`).join("   "),
    spoken: spoken.join(", "),
  };
}
