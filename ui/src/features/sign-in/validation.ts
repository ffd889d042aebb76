import { t } from "../../texts";

/** What is wrong with an email address, checked before it is sent. */
export function emailProblem(email: string): string | null {
  return /^\S+@\S+$/.test(email.trim())
    ? null
    : t("signIn.emailProblem");
}
