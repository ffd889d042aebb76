import type { Quality } from "../../host";

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
  if (!quality) return [{ name: "Quality", words: "not measured", tone: "unknown" }];
  return [feet(quality), floor(quality), seam(quality)];
}

function feet({ footSkateCmS: speed }: Quality): Badge {
  const good = speed < skateSeenCmS;
  const words = good ? "no sliding" : `${speed.toFixed(1)} cm/s slide`;
  return { name: "Feet", words, tone: good ? "good" : "fair" };
}

function floor({ penetrationMm: depth, floatMm: height }: Quality): Badge {
  if (depth >= depthSeenMm) {
    return { name: "Floor", words: `${depth.toFixed(0)} mm too deep`, tone: "fair" };
  }
  if (height >= floatSeenMm) {
    return { name: "Floor", words: `${height.toFixed(0)} mm above it`, tone: "fair" };
  }
  return { name: "Floor", words: "well met", tone: "good" };
}

function seam({ loopDeg: degrees }: Quality): Badge {
  if (degrees == null) return { name: "Loop", words: "not known", tone: "unknown" };
  const good = degrees < seamSeenDeg;
  const words = good ? "closes" : `${degrees.toFixed(0)}° apart`;
  return { name: "Loop", words, tone: good ? "good" : "fair" };
}
