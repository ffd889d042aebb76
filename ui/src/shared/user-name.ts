import { t } from "../texts";

/** The display name of a user, from whatever is known. */
export function displayName(who: {
  email?: string | null;
  phone?: string | null;
  anonymous: boolean;
}): string {
  return who.email ?? who.phone ?? (who.anonymous ? t("shared.onThisComputer") : t("shared.yourAccount"));
}
