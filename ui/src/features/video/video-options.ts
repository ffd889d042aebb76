import type { RenderRequest } from "../../host";
import { t } from "../../texts";

export interface Size {
  width: number;
  height: number;
}

/** Common sizes, and a custom one. */
export const sizes = (): { id: string; words: string; size: Size | null }[] => [
  { id: "720p", words: "720p", size: { width: 1280, height: 720 } },
  { id: "1080p", words: "1080p", size: { width: 1920, height: 1080 } },
  { id: "square", words: t("video.sizes.square"), size: { width: 1080, height: 1080 } },
  { id: "vertical", words: t("video.sizes.vertical"), size: { width: 1080, height: 1920 } },
  { id: "own", words: t("video.sizes.own"), size: null },
];

export const cameras: RenderRequest["camera"][] = ["cinematic", "fixed", "face"];

export const containers = (): { value: RenderRequest["container"]; words: string }[] => [
  { value: "mp4", words: "MP4" },
  { value: "gif", words: "GIF" },
  { value: "png", words: t("video.series") },
];

export const rates = [24, 25, 30, 50, 60];

/** Common colours; null is the studio's own. */
export const colours = (): { value: string | null; words: string }[] => [
  { value: null, words: t("video.colours.grey") },
  { value: "#ffffff", words: t("video.colours.white") },
  { value: "#2a2d33", words: t("video.colours.charcoal") },
  { value: "#8fb4d9", words: t("video.colours.sky") },
  { value: "#e8b79a", words: t("video.colours.clay") },
  { value: "#00b140", words: t("video.colours.green") },
];

const least = 128;
const most = 3840;

/** What is wrong with a size, as a sentence; null if it is valid. */
export function sizeProblem({ width, height }: Size): string | null {
  const fits = (length: number): boolean => Number.isInteger(length) && length >= least && length <= most;
  if (!fits(width) || !fits(height)) return t("video.sizeProblem", { least, most });
  if (width % 2 || height % 2) return t("video.oddProblem");
  return null;
}

/** The position of the camera in words. */
export function cameraAngleLabel(degrees: number): string {
  if (degrees === 0) return t("video.front");
  if (Math.abs(degrees) === 90) return degrees > 0 ? t("video.fromLeft") : t("video.fromRight");
  const side = degrees > 0 ? "video.toLeft" : "video.toRight";
  return t(side, { degrees: Math.abs(degrees) });
}
