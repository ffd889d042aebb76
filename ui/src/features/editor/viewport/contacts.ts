import type { ContactTrack, FootPoint } from "../../../host";

/** The ring of each contact point: the bone it lies under, and its radius for a character of adult height. */
export const contactRings: Record<FootPoint, { bone: string; radiusM: number }> = {
  leftHeel: { bone: "leftFoot", radiusM: 0.075 },
  leftToe: { bone: "leftToes", radiusM: 0.06 },
  rightHeel: { bone: "rightFoot", radiusM: 0.075 },
  rightToe: { bone: "rightToes", radiusM: 0.06 },
};

/** The contact points that touch the floor in a frame. Between two frames, those of the earlier one. */
export function contactsAt(tracks: readonly ContactTrack[], frame: number): FootPoint[] {
  const at = Math.floor(frame + 1e-3);
  const touching = tracks.filter(({ spans }) => spans.some(({ start, end }) => start <= at && at < end));
  return touching.map(({ point }) => point);
}
