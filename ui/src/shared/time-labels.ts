import { formatDate, formatNumber, memoizeByLanguage, t } from "../texts";

const lengths = memoizeByLanguage<string>();

/** A length in seconds and frames, `6.0 s · 180 frames`, at the displayed frame rate. */
export function formatLength(frames: number, fps: number, counted = fps): string {
  const count = Math.round((frames * counted) / fps);
  return lengths(`${count} ${frames} ${fps}`, () => t("shared.length", { count, seconds: formatNumber(frames / fps, 1) }));
}

/** A position in seconds and frames, `1.20 s · frame 36`. */
export function formatPosition(frame: number, fps: number, counted = fps): string {
  return t("shared.moment", { frame: Math.round((frame * counted) / fps), seconds: formatNumber(frame / fps, 2) });
}

/** The age of something in words. */
export function formatAge(then: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(then)) / 60_000);
  if (!Number.isFinite(minutes)) return "";
  if (minutes < 1) return t("shared.ago.now");
  if (minutes < 60) return t("shared.ago.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t("shared.ago.hours", { count: hours });
  const days = Math.floor(hours / 24);
  if (days < 7) return days === 1 ? t("shared.ago.yesterday") : t("shared.ago.days", { count: days });
  return formatDate(then, "medium");
}
