import type { UploadView } from "../../host";
import { formatTimeLeft, formatFileSize } from "../../shared/file-size";
import { t } from "../../texts";

/** The status of an upload in one line. */
export function uploadLabel({ bytes, state }: UploadView): string {
  const whole = formatFileSize(bytes);
  switch (state.state) {
    case "waiting":
      return t("characters.upload.waiting", { size: whole });
    case "sending": {
      const speed = state.bytesPerSecond;
      const rest = formatTimeLeft(bytes - state.sent, speed);
      const sent = t("characters.upload.sending", { sent: formatFileSize(state.sent), size: whole });
      const how = speed > 0 ? t("characters.upload.speed", { size: formatFileSize(speed) }) : "";
      return [sent, how, rest].filter(Boolean).join(" · ");
    }
    case "interrupted":
      return t("characters.upload.interrupted", { sent: formatFileSize(state.sent), size: whole });
    case "paused":
      return t("characters.upload.paused", { sent: formatFileSize(state.sent), size: whole });
    case "checking":
      return t("characters.upload.checking", { size: whole });
    case "done":
      return t("characters.upload.done", { size: whole });
    case "failed":
      return t("characters.upload.failed", { size: whole });
  }
}

/** Progress in per cent; null if there is nothing to measure. */
export function uploadPercent({ bytes, state }: UploadView): number | null {
  if ("sent" in state) {
    return bytes > 0 ? Math.floor((100 * state.sent) / bytes) : 0;
  }
  return state.state === "waiting" ? 0 : null;
}
