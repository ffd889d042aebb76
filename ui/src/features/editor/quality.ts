import type { Quality } from "../../host";
import type { IconName } from "../../shared/Icon.svelte";

export interface Badge {
  icon: IconName;
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
  if (!quality) return [{ icon: "help", name: "Quality", words: "not measured", tone: "unknown" }];
  return [feet(quality), floor(quality), seam(quality)];
}

function feet({ footSkateCmS: speed }: Quality): Badge {
  const good = speed < skateSeenCmS;
  const words = good ? "no sliding" : `${speed.toFixed(1)} cm/s slide`;
  return { icon: "foot", name: "Feet", words, tone: good ? "good" : "fair" };
}

function floor({ penetrationMm: depth, floatMm: height }: Quality): Badge {
  const icon = "floor";
  if (depth >= depthSeenMm) {
    return { icon, name: "Floor", words: `${depth.toFixed(0)} mm too deep`, tone: "fair" };
  }
  if (height >= floatSeenMm) {
    return { icon, name: "Floor", words: `${height.toFixed(0)} mm above it`, tone: "fair" };
  }
  return { icon, name: "Floor", words: "well met", tone: "good" };
}

function seam({ loopDeg: degrees }: Quality): Badge {
  if (degrees == null) return { icon: "loop", name: "Loop", words: "not known", tone: "unknown" };
  const good = degrees < seamSeenDeg;
  const words = good ? "closes" : `${degrees.toFixed(0)}° apart`;
  return { icon: "loop", name: "Loop", words, tone: good ? "good" : "fair" };
}
