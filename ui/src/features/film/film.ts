import type { FilmRequest } from "../../host";

export interface Size {
  width: number;
  height: number;
}

/** The sizes people ask for, and one of their own. */
export const sizes: { id: string; words: string; size: Size | null }[] = [
  { id: "720p", words: "720p", size: { width: 1280, height: 720 } },
  { id: "1080p", words: "1080p", size: { width: 1920, height: 1080 } },
  { id: "square", words: "Square", size: { width: 1080, height: 1080 } },
  { id: "vertical", words: "Vertical", size: { width: 1080, height: 1920 } },
  { id: "own", words: "Own", size: null },
];

export const cameras: { value: FilmRequest["camera"]; words: string; help: string }[] = [
  { value: "cinematic", words: "Cinematic", help: "Follows the character and keeps its distance." },
  { value: "fixed", words: "Fixed", help: "Stands still and has the whole way in sight." },
  { value: "face", words: "Face", help: "Close to the face." },
];

export const containers: { value: FilmRequest["container"]; words: string }[] = [
  { value: "mp4", words: "MP4" },
  { value: "gif", words: "GIF" },
  { value: "png", words: "PNG series" },
];

export const rates = [24, 25, 30, 50, 60];

/** Colours that are asked for often; null is the studio's own. */
export const colours: { value: string | null; words: string }[] = [
  { value: null, words: "Light grey" },
  { value: "#ffffff", words: "White" },
  { value: "#2a2d33", words: "Charcoal" },
  { value: "#8fb4d9", words: "Sky" },
  { value: "#e8b79a", words: "Clay" },
  { value: "#00b140", words: "Green screen" },
];

const least = 128;
const most = 3840;

/** What is wrong with a size, as a sentence; null when nothing is. */
export function sizeProblem({ width, height }: Size): string | null {
  const fits = (length: number): boolean => Number.isInteger(length) && length >= least && length <= most;
  if (!fits(width) || !fits(height)) return `Width and height are whole numbers from ${least} to ${most}.`;
  if (width % 2 || height % 2) return "Width and height must be even: films are stored in blocks of two pixels.";
  return null;
}

/** Where the camera stands, in words. */
export function angleWords(degrees: number): string {
  if (degrees === 0) return "In front";
  if (Math.abs(degrees) === 90) return degrees > 0 ? "From its left" : "From its right";
  return `${Math.abs(degrees)}° to its ${degrees > 0 ? "left" : "right"}`;
}
