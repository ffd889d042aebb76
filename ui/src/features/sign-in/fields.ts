import { t } from "../../texts";

/** What is wrong with an address, before anybody is asked. */
export function addressProblem(email: string): string | null {
  return /^\S+@\S+$/.test(email.trim())
    ? null
    : t("signIn.emailProblem");
}
