import { formatNumber, t } from "../texts";

const units = ["B", "kB", "MB", "GB", "TB"];

/** A file size in the style of file managers: `184 MB`, `7.5 MB`. */
export function formatFileSize(bytes: number): string {
  let value = Math.max(bytes, 0);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit < 2 || value >= 10 ? 0 : 1;
  return `${formatNumber(value, digits)} ${units[unit]}`;
}

/** The remaining time: `15 s left`, `3 min left`. Empty if unknown. */
export function formatTimeLeft(bytes: number, bytesPerSecond: number): string {
  const seconds = Math.ceil(bytes / bytesPerSecond);
  if (!Number.isFinite(seconds) || seconds < 0) return "";
  if (seconds < 90) return t("shared.left.seconds", { count: seconds });
  const minutes = Math.round(seconds / 60);
  return minutes < 90
    ? t("shared.left.minutes", { count: minutes })
    : t("shared.left.hours", { count: Math.round(minutes / 60) });
}
