import type { en } from "../en";
import type { Translation } from "../translation";

export const mail: Translation<typeof en.mail> = {
  emptyTitle: "Keine E-Mails",
  empty:
    "E-Mails deines Studios, etwa mit dem Link zum Bestätigen eines Kontos, erscheinen hier. Sie verlassen diesen Rechner nie.",
  unread: "ungelesen",
  fromTo: "Von {{from}} an {{to}}",
};
