import type { UploadShown } from "../../host";
import { left, size } from "../../shared/sizes";

/** Where an upload stands, in one line. */
export function uploadWords({ bytes, state }: UploadShown): string {
  const whole = size(bytes);
  switch (state.state) {
    case "waiting":
      return `${whole} · waiting for its turn`;
    case "sending": {
      const speed = state.bytesPerSecond;
      const rest = left(bytes - state.sent, speed);
      const how = speed > 0 ? ` · ${size(speed)}/s` : "";
      return `${size(state.sent)} of ${whole}${how}${rest && ` · ${rest}`}`;
    }
    case "paused":
      return `Paused at ${size(state.sent)} of ${whole}`;
    case "checking":
      return `${whole} · all there, the studio reads it`;
    case "done":
      return `${whole} · added`;
    case "failed":
      return `${whole} · could not be added`;
  }
}

/** How far the bar stands; null while there is nothing to measure. */
export function uploadPercent({ bytes, state }: UploadShown): number | null {
  if (state.state === "sending" || state.state === "paused") {
    return bytes > 0 ? Math.floor((100 * state.sent) / bytes) : 0;
  }
  return state.state === "waiting" ? 0 : null;
}
