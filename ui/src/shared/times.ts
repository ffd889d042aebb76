/** Seconds and frames together, the way animators count: `6.0 s · 180 frames`. */
export function length(frames: number, fps: number): string {
  const seconds = (frames / fps).toFixed(1);
  return `${seconds} s · ${frames} ${frames === 1 ? "frame" : "frames"}`;
}

/** A place in a clip, for those who count seconds and those who count frames: `1.20 s · frame 36`. */
export function moment(frame: number, fps: number): string {
  return `${(frame / fps).toFixed(2)} s · frame ${frame}`;
}

/** How long ago something was made, in the words people use. */
export function ago(then: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(then)) / 60_000);
  if (!Number.isFinite(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 7) return days === 1 ? "yesterday" : `${days} days ago`;
  return new Date(then).toLocaleDateString(undefined, { dateStyle: "medium" });
}
