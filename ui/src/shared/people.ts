import { t } from "../texts";

/** How somebody is called who is known by one thing or another. */
export function nameOf(who: {
  email?: string | null;
  phone?: string | null;
  anonymous: boolean;
}): string {
  return who.email ?? who.phone ?? (who.anonymous ? t("shared.onThisComputer") : t("shared.yourAccount"));
}
